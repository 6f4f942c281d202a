import { createGate } from '../../api/pool';
import type { Row } from '../../api/types';
import { afterWrites } from '../../api/writes/caseWrites';
import { createEntry } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { authorOption } from '../../fields/caseValues';
import { FILE_COMMENT, FILE_NAME, fileNameOf, INPUT_FIELDS } from '../../fields/contents/files';
import { optionsField } from '../../fields/options';
import { shapeFile } from '../../fields/output';
import { asRecord, parseNames } from '../../fields/values';
import { valueOf } from '../../n8n/run';
import { writing } from '../define';
import type { Write } from '../writeItems';

export const upload = writing({
	name: 'Upload',
	action: 'Upload file to case',
	description:
		'Attach files of the input to a case. Each run attaches them again, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to attach the files to'),
		fields: INPUT_FIELDS,
		options: optionsField({
			comment: FILE_COMMENT,
			fileName: FILE_NAME,
			author: authorOption('Who attaches the file'),
		}),
	},
	plan: async (run, given) => {
		const files = run.files();
		const found = await Promise.allSettled(
			given.map(async (one, item) => {
				const { fields, options } = valueOf(one);
				const own = parseNames(fields, 'Input Binary Field').map(async (field, place) => {
					const file = await files.find(item, field);
					const { fileName } = place === 0 ? options.fileName : {};
					return { ...file, name: fileNameOf(file, field, fileName) };
				});
				return await Promise.all(own);
			}),
		);
		const added = new Set<string>();
		// Base64 in JSON takes several times the memory of a file, so only one is read at a time.
		const enter = createGate(1);
		return ({ caseId, options }, item) => {
			const { comment } = options.comment;
			const outcome = found[item];
			if (outcome.status === 'rejected') throw outcome.reason;
			const attach = async ({ name, read }: (typeof outcome.value)[number], text?: string) => {
				const leave = await enter();
				try {
					const file_contents = (await read()).toString('base64');
					const creation = { filename: name, file_contents, value: text, ...options.author };
					const isSame = (row: Row) =>
						asRecord(row.file).filename === name && (row.value ?? '') === (text ?? '');
					return await createEntry(run.client, caseId, 'files', creation, isSame, added);
				} finally {
					leave();
				}
			};
			const carryOut: Write['carryOut'] = async () => {
				const rows: Row[] = [];
				for (const file of outcome.value) {
					const attaching = attach(file, rows.length === 0 ? comment : undefined);
					rows.push(shapeFile(await attaching.catch(afterWrites(rows.length, 'Files'))));
				}
				return { row: rows, outcome: 'Written' };
			};
			return { caseId, carryOut };
		};
	},
});
