import { InvalidInput, quote } from '../api/failures/failure';
import { parseJson } from '../api/http/json';
import type { Row } from '../api/types';

/** Values as the editor stores them or an expression returns them, read and checked. */

/** A collection of the form; anything else is an empty one. */
export function asRecord(value: unknown): Row {
	return typeof value === 'object' && value !== null ? (value as Row) : {};
}

export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A list, also as JSON, if that is empty or has a text in it. Otherwise undefined: `[2026]` may be a tag. */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	const list = isText(value) ? parseJson(value) : undefined;
	const isList = Array.isArray(list) && (list.length === 0 || list.some(isText));
	return isList ? (list as unknown[]) : undefined;
}

/**
 * The entries of a list without blanks. A row of the form may hold a list by expression. One text is one entry, even with
 * a comma in it, because a tag may contain commas; text that is a list of texts in JSON is that list.
 */
export function entriesOf(value: unknown): unknown[] {
	return [value]
		.flat(2)
		.flatMap((entry) => (isText(entry) ? (listOf(entry) ?? [entry]) : [entry]))
		.filter((entry) => !isBlank(entry));
}

/** As {@link entriesOf}, for entries without commas. One text may hold several: `7, 8` or `[7, 8]`. */
export function splitEntries(value: unknown): unknown[] {
	return entriesOf(value)
		.flatMap((entry) => (isText(entry) ? entry.split(/[,;\n[\]]/) : [entry]))
		.filter((entry) => !isBlank(entry));
}

/**
 * The rows of a group as the editor stores it: `{ pair: [{ … }] }`. Blank rows are left out.
 * @throws InvalidInput without a row: that is what n8n makes of one expression in place of the rows
 */
export function rowsOf(value: unknown, label: string, row: string): Row[] {
	const rows = [asRecord(value)[row]].flat().map(asRecord);
	const filled = rows.filter((entry) => !Object.values(entry).every(isBlank));
	if (filled.length > 0) return filled;
	throw new InvalidInput(
		`'${label}' has no ${row}`,
		`Add a ${row}, or remove '${label}'. Expressions work in the fields of a ${row}, not in place of it.`,
	);
}

/**
 * A switch, also as text or number, as an expression or a model writes it.
 * @throws InvalidInput for anything else, a blank among it
 */
export function parseSwitch(value: unknown, label: string): boolean {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true' || word === 1 || word === '1') return true;
	if (word === false || word === 'false' || word === 0 || word === '0') return false;
	throw new InvalidInput(
		`'${label}': ${quote(value ?? '')} is neither true nor false`,
		'Use the switch, or an expression that returns true or false.',
	);
}

/** One of the values that a field can have, in any letter case. @throws InvalidInput */
export function parseChoice<Value extends string>(
	value: unknown,
	label: string,
	values: readonly Value[],
): Value {
	const word = isText(value) ? value.trim().toUpperCase() : undefined;
	const choice = values.find((known) => known.toUpperCase() === word);
	if (choice !== undefined) return choice;
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not one of ${values.join(', ')}`,
		'Choose from the list, or use an expression that returns one of these values.',
	);
}

/** @throws InvalidInput when it is neither text nor a number */
export function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	// Larger numbers have lost digits, and are written like 1e+21.
	if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not text`,
		'An expression must return text or a list of texts here, not an object.',
	);
}

/** A list of names from a multi-select or an expression; text that is not a list may hold several, with commas. @throws InvalidInput */
export function parseNames(value: unknown, label: string): string[] {
	const names = listOf(value) ?? (isText(value) ? value.split(',') : [value]);
	if (names.every(isText)) return names.map((name) => name.trim()).filter((name) => name !== '');
	throw new InvalidInput(
		`'${label}': ${quote(value ?? '')} is not a list of names`,
		'Choose from the list, or use an expression that returns names with commas between them.',
	);
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
 * @param what names the ID in the error, for example "case ID"
 * @param label of the field, where the ID's name alone doesn't say which
 * @throws InvalidInput for anything else, so that no other path of the API can be reached with it
 */
export function parseId(value: unknown, what: string, label?: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	const id = isText(text) ? ID.exec(text.trim())?.[1] : undefined;
	// Above, JSON numbers are no longer exact: it would be some other ID.
	if (id !== undefined && Number.isSafeInteger(Number(id))) return id;
	if (isBlank(value)) {
		throw new InvalidInput(
			`No ${what} was given`,
			`Enter the ${what}, a whole number such as 4711, or drag it here from an earlier node.`,
		);
	}
	throw new InvalidInput(
		`${label === undefined ? '' : `'${label}': `}${quote(value)} is not a ${what}`,
		`A ${what} is a positive whole number such as 4711.`,
	);
}
