import { InvalidInput, quote } from '../api/failure';

/** Values as the editor stores them or an expression returns them, read and checked. */

/** A collection of the form; anything else is an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Entries that aren't blank, nor empty lists, as a new row of the form is stored. One text is one entry, even with a comma in it: a tag may contain commas. */
export function entriesOf(value: unknown): unknown[] {
	return (Array.isArray(value) ? value : [value]).filter(
		(entry) => !isBlank(entry) && !(Array.isArray(entry) && entry.length === 0),
	);
}

/** @throws InvalidInput when it is neither text nor a number */
export function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not text`,
		'An expression must return text or a list of texts here, not an object or a list inside a list.',
	);
}

/** A list of names from a multi-select or an expression; one text may hold several, with commas. @throws InvalidInput */
export function parseNames(value: unknown, label: string): string[] {
	const list = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) {
		throw new InvalidInput(
			`${label}: ${quote(value)} is not a list of names`,
			'Choose from the list, or enter names with commas between them.',
		);
	}
	return list.map((entry: string) => entry.trim()).filter((entry) => entry !== '');
}

/** A whole number, also as text. @throws InvalidInput when it is not one from `min` to `max` */
export function parseWhole(
	value: unknown,
	label: string,
	min: number,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
		return number;
	}
	const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
	throw new InvalidInput(
		`'${label}' must be a whole number${range}`,
		`It is ${quote(value ?? '')}. Enter such a number, or an expression that returns one.`,
	);
}

/** A positive whole number, also as lists of cases show it: `#500`. */
const ID = /^#?0*([1-9]\d{0,15})$/;

/**
 * Reads an ID: a positive integer, as a number or as text, also with a `#` as the list shows it.
 * @param what names the ID in the error, e.g. "case ID"
 * @throws InvalidInput for anything else, so that no other path of the API can be reached with it
 */
export function parseId(value: unknown, what: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	const id = typeof text === 'string' ? ID.exec(text.trim())?.[1] : undefined;
	// Above, JSON numbers are no longer exact: it would be some other ID.
	if (id !== undefined && Number.isSafeInteger(Number(id))) return id;
	if (text === '' || text === undefined || text === null) {
		throw new InvalidInput(
			`No ${what} was given`,
			`Enter the ${what}, a whole number such as 4711, or drag it here from an earlier node.`,
		);
	}
	throw new InvalidInput(
		`${quote(value)} is not a ${what}`,
		`A ${what} is a positive whole number such as 4711.`,
	);
}
