import { InvalidInput } from '../../api/failures/failure';
import { storable } from '../../api/http/requests';
import { asOption, markdown, string } from '../caseValues';
import { field } from '../form';
import { parseNames, parseText } from '../values';
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

export const INPUT_FIELDS = field(
	{
		displayName: 'Input Binary Field',
		name: 'inputBinaryField',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		description: `Name of the input field with the file, of ${MAX_MB} MB at most. For several files, put commas between the names.`,
	},
	(given, label) => {
		const names = parseNames(given, label);
		if (names.length > 0) return names;
		throw new InvalidInput(
			`'${label}' has no name`,
			'Enter the name under which the input shows the file, such as data.',
		);
	},
);

export const OUTPUT_FIELD = field(
	{
		displayName: 'Put Output File in Field',
		name: 'outputBinaryField',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		description: 'Name of the output field to put the file into',
	},
	(given, label) => {
		const name = parseText(given, label).trim();
		if (name !== '' && name !== '__proto__') return name;
		throw new InvalidInput(`'${label}' has no name`, 'Enter a name, such as data.');
	},
);

export const FILE_COMMENT = asOption<{ comment?: string }>('comment', [
	'Comment',
	markdown,
	'Text of a comment that comes with the first file, in Markdown',
]);

export const FILE_NAME = asOption<{ fileName?: string }>('fileName', [
	'File Name',
	string('e.g. mail.eml', parseText),
	'Name of the file in the case. By default the name that it has in the input.',
]);

/**
 * Checks a file before it is uploaded.
 * @param count how many files the item has
 * @returns its name in the case
 * @throws InvalidInput
 */
export function fileNameOf(
	file: { name?: string; size: number },
	field: string,
	count: number,
	given?: string,
): string {
	const check = (isRight: boolean, message: string, remedy: string) => {
		if (!isRight) throw new InvalidInput(message, remedy);
	};
	check(
		file.size <= MAX_MB * 1024 * 1024,
		`The file in '${field}' has ${Math.ceil(file.size / 1024 / 1024)} MB, and may have at most ${MAX_MB}`,
		'Upload a smaller file, for example a compressed one.',
	);
	check(
		given === undefined || count === 1,
		"'File Name' can't name several files",
		'Remove the option, or upload one file with each item. Without it, each file keeps its own name.',
	);
	const name = storable(given ?? file.name ?? '', "'File Name'").trim();
	check(name !== '', `The file in '${field}' has no name`, "Add the option 'File Name'.");
	check(
		!/[\r\n]/.test(name),
		`The name of the file in '${field}' has a line break`,
		"Enter another name in the option 'File Name'.",
	);
	return name;
}
