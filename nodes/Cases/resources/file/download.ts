import { downloadFile } from '../../api/cases/files';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { FILE_ID, OUTPUT_FIELD } from '../../fields/contents/files';
import { optionsField } from '../../fields/options';
import { readingFile } from '../define';

export const download = readingFile({
	name: 'Download',
	action: 'Download file of case',
	description: 'Get a file of a case, for example to scan or to send it',
	fields: {
		caseId: caseField('The case with the file'),
		fileId: FILE_ID,
		field: OUTPUT_FIELD,
		options: optionsField({}),
	},
	file: async ({ client }, { caseId, fileId, field }, { store }) => {
		const file = await downloadFile(client, caseId, fileId, store);
		const { name: file_name, type: mime_type, size } = file;
		const ids = { case_id: numericId(caseId), file_id: numericId(fileId) };
		return { row: { ...ids, file_name, mime_type, size }, binary: { [field]: file.binary } };
	},
});
