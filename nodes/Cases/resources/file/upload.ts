import { InvalidInput } from '../../api/failures/failure';
import { storable } from '../../api/http/requests';
import { createGate } from '../../api/pool';
import type { Row } from '../../api/types';
import { afterWrites } from '../../api/writes/caseWrites';
import { createEntry } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { asOption, authorOption, markdown, string } from '../../fields/caseValues';
import { binaryField } from '../../fields/contents';
import { optionsField } from '../../fields/options';
import { shapeFile } from '../../fields/output';
import { asRecord, parseNames, parseText } from '../../fields/values';
import { valueOf } from '../../n8n/run';
import { writing } from '../define';
import type { Write } from '../writeItems';

/** The largest file that is uploaded. It is sent as base64 in JSON, so several times its size is in memory. */
const MAX_MB = 50;

const INPUT_FIELDS = binaryField(
	'Input Binary Field',
	'inputBinaryField',
	`Name of the input field with the file, of ${MAX_MB} MB at most. For several files, put commas between the names, or use an expression that returns a list.`,
	parseNames,
);

/** Checks a file before it is uploaded. @returns its name in the case. @throws InvalidInput */
function fileNameOf(bytes: number, field: string, name: unknown): string {
	const refusal = (what: string, remedy: string) =>
		new InvalidInput(`The file in '${field}' ${what}`, remedy);
	const megabytes = Math.ceil(bytes / 1024 / 1024);
	const size = `has ${megabytes} MB, and may have at most ${MAX_MB}`;
	if (megabytes > MAX_MB) throw refusal(size, 'Compress the file before this node.');
	const text = storable(String(name ?? ''), "'File Name'").trim();
	if (text !== '' && !/[\r\n]/.test(text)) return text;
	const remedy = "Add the option 'File Name' for the first file. Rename others before this node.";
	throw refusal('has no name, or one with a line break', remedy);
}

export const upload = writing({
	name: 'Upload',
	action: 'Upload file to case',
	description:
		'Attach files of the input to a case. Each run attaches them again, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to attach the files to'),
		fields: INPUT_FIELDS,
		options: optionsField({
			comment: asOption<{ comment?: string }>('comment', [
				'Comment',
				markdown,
				'Text of a comment that comes with the first file, in Markdown',
			]),
			fileName: asOption<{ fileName?: string }>('fileName', [
				'File Name',
				string('e.g. mail.eml', parseText),
				'Name of the first file in the case. By default, a file keeps the name that it has in the input.',
			]),
			author: authorOption('Who attaches the file'),
		}),
	},
	plan: async (run, given) => {
		const files = run.files();
		const found = await Promise.allSettled(
			given.map(async (one, item) => {
				const { fields, options } = valueOf(one);
				const find = async (field: string, place: number) => {
					const { name, size, read } = await files.find(item, field);
					const { fileName = name } = place === 0 ? options.fileName : {};
					return { name: fileNameOf(size, field, fileName), read };
				};
				return await Promise.all(fields.map(find));
			}),
		);
		const added = new Set<string>();
		// Base64 in JSON takes several times the memory of a file, so only one is read at a time.
		const enter = createGate(1);
		return ({ caseId, options }, item) => {
			const outcome = found[item];
			if (outcome.status === 'rejected') throw outcome.reason;
			const attach = async ({ name, read }: (typeof outcome.value)[number], value?: string) => {
				const file_contents = (await read()).toString('base64');
				const creation = { filename: name, file_contents, value, ...options.author };
				const isSame = (row: Row) =>
					asRecord(row.file).filename === name && (row.value ?? '') === (value ?? '');
				return await createEntry(run.client, caseId, 'files', creation, isSame, added);
			};
			const carryOut: Write['carryOut'] = async () => {
				const rows: Row[] = [];
				for (const file of outcome.value) {
					const leave = await enter();
					const comment = rows.length === 0 ? options.comment.comment : undefined;
					const attaching = attach(file, comment).finally(leave);
					rows.push(shapeFile(await attaching.catch(afterWrites(rows.length, 'Files'))));
				}
				return { row: rows, outcome: 'Written' };
			};
			return { caseId, carryOut };
		};
	},
});
