import { InvalidInput } from '../../api/failures/failure';
import { storable } from '../../api/http/requests';
import { createGate } from '../../api/pool';
import type { Row } from '../../api/types';
import { afterWrites } from '../../api/writes/caseWrites';
import { createEntry } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { asOption, authorOption, markdown, string } from '../../fields/caseValues';
import { binaryField } from '../../fields/contents/files';
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
	`Name of the input field with the file, of ${MAX_MB} MB at most. For several files, put commas between the names.`,
);

const FILE_COMMENT = asOption<{ comment?: string }>('comment', [
	'Comment',
	markdown,
	'Text of a comment that comes with the first file, in Markdown',
]);

const FILE_NAME = asOption<{ fileName?: string }>('fileName', [
	'File Name',
	string('e.g. mail.eml', parseText),
	'Name of the first file in the case. By default, a file keeps the name that it has in the input.',
]);

/**
 * Checks a file before it is uploaded.
 * @param name by default, its own
 * @returns its name in the case
 * @throws InvalidInput
 */
function fileNameOf(
	file: { name?: string; size: number },
	field: string,
	name = file.name ?? '',
): string {
	const refusal = (what: string, remedy: string) =>
		new InvalidInput(`The file in '${field}' ${what}`, remedy);
	if (file.size > MAX_MB * 1024 * 1024) {
		const size = Math.ceil(file.size / 1024 / 1024);
		const remedy = 'Upload a smaller file, for example a compressed one.';
		throw refusal(`has ${size} MB, and may have at most ${MAX_MB}`, remedy);
	}
	const text = storable(name, "'File Name'").trim();
	if (text !== '' && !/[\r\n]/.test(text)) return text;
	throw refusal(
		'has no name, or one with a line break',
		"Add the option 'File Name' for the first file. Rename others before this node.",
	);
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
