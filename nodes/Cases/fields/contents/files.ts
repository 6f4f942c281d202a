import { InvalidInput } from '../../api/failures/failure';
import { storable } from '../../api/http/requests';
import { asOption, markdown, requiredText, string } from '../caseValues';
import { parseText } from '../values';
import { idField } from './ids';

/** The fields of files. */

export const FILE_ID = idField(
	'fileId',
	'File ID',
	'file',
	'ID of the file, as Get Many returns it, or of the activity that attached it',
);

/** The largest file that is uploaded. It is sent as base64 in JSON, so several times its size is in memory. */
const MAX_MB = 50;

const binaryField = (displayName: string, name: string, description: string) =>
	requiredText(
		{ displayName, name, type: 'string', default: 'data', placeholder: 'e.g. data', description },
		[`'${displayName}' has no name`, 'Enter a name, such as data.'],
	);

export const INPUT_FIELDS = binaryField(
	'Input Binary Field',
	'inputBinaryField',
	`Name of the input field with the file, of ${MAX_MB} MB at most. For several files, put commas between the names.`,
);

export const OUTPUT_FIELD = binaryField(
	'Put Output File in Field',
	'outputBinaryField',
	'Name of the output field to put the file into',
);

export const FILE_COMMENT = asOption<{ comment?: string }>('comment', [
	'Comment',
	markdown,
	'Text of a comment that comes with the first file, in Markdown',
]);

export const FILE_NAME = asOption<{ fileName?: string }>('fileName', [
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
export function fileNameOf(
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
	throw refusal('has no name, or one with a line break', "Add the option 'File Name'.");
}
