import type { IBinaryKeyData } from 'n8n-workflow';

import { downloadFile } from '../../api/cases/files';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { binaryField } from '../../fields/contents';
import { FILE_ID } from '../../fields/locators';
import { parseText } from '../../fields/values';
import { forEachItem, valueOf } from '../../n8n/run';
import { define } from '../define';

export const download = define(
	{
		name: 'Download',
		action: 'Download file of case',
		description: 'Get a file of a case, for example to scan or to send it',
		fields: {
			caseId: caseField('The case with the file'),
			fileId: FILE_ID,
			field: binaryField(
				'Put Output File in Field',
				'outputBinaryField',
				'Name of the output field to put the file into',
				parseText,
			),
		},
	},
	async (run, items) => {
		const { ofItem, store } = run.files();
		const binaries: IBinaryKeyData[] = [];
		const results = await forEachItem(run, async (item) => {
			const values = valueOf(items[item]);
			const { caseId, fileId, field } = values;
			const read = async () => await downloadFile(run.client, caseId, fileId, store);
			const { name, type, size, binary } = await run.readShared(values, read);
			binaries[item] = { ...ofItem(item), [field]: binary };
			const ids = { case_id: numericId(caseId), file_id: numericId(fileId) };
			return [{ ...ids, file_name: name, mime_type: type, size }];
		});
		return results.map((result, item) => ({ ...result, binary: binaries[item] }));
	},
);
