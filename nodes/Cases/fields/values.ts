import { InvalidInput, quote } from '../api/failures/failure';
import { parseJson } from '../api/http/json';
import type { Row } from '../api/types';

// Reads and checks values as the editor stores them, or as an expression returns them.

/** Returns an object as it is, and an empty object for any other value. */
export function asRecord(value: unknown): Row {
	return typeof value === 'object' && value !== null ? (value as Row) : {};
}

export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Whether a parameter, as the workflow stores it, is an expression. A blank field may be stored as `=`. */
export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string' && /^=\s*\S/.test(stored);

/** Advice for a field that an expression may leave out. */
const LEAVE_OUT =
	"To leave the field out on purpose, let the expression return an empty text, for example {{ $json.value ?? '' }}.";

/** The error for a field whose expression returns no value. @param name the field in the message */
export const lackingValue = (name: string, advice = LEAVE_OUT): InvalidInput =>
	new InvalidInput(
		`${name} has an expression that returns no value`,
		`The field would then limit nothing. Correct the expression. ${advice}`,
	);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a list, or the JSON of a list that is empty or has a text in it. `[2026]` isn't read, because it may be a tag. */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	const list = isText(value) ? parseJson(value) : undefined;
	const isList = Array.isArray(list) && (list.length === 0 || list.some(isText));
	return isList ? (list as unknown[]) : undefined;
}

/**
 * Reads the entries of a list that aren't blank. In a list of form rows, a row with an expression may be a list itself.
 * A text is one entry even if it has commas, because a tag may have commas. The JSON of a list of texts is read as the list.
 */
export function entriesOf(value: unknown): unknown[] {
	return [value]
		.flat(2)
		.flatMap((entry) => (isText(entry) ? (listOf(entry) ?? [entry]) : [entry]))
		.filter((entry) => !isBlank(entry));
}

/** As {@link entriesOf}, but for entries without commas. So one text may have several entries: `7, 8` or `[7, 8]`. */
export function splitEntries(value: unknown): unknown[] {
	return entriesOf(value)
		.flatMap((entry) => (isText(entry) ? entry.split(/[,;\n[\]]/) : [entry]))
		.filter((entry) => !isBlank(entry));
}

/**
 * Reads the rows of a group, which the editor stores as `{ pair: [{ … }] }`. Blank rows are left out.
 * @throws InvalidInput where no row is left: n8n returns none for an expression in place of the rows
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
 * Reads a switch, also from a text or number, which an expression or a model may give.
 * @throws InvalidInput for any other value, also for a blank one
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

/** Reads one of the given values, in any letter case. @throws InvalidInput */
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

/** @throws InvalidInput when the value is neither text nor a number */
export function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	// A larger number has lost digits, and may look like 1e+21.
	if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not text`,
		'An expression must return text or a list of texts here, not an object.',
	);
}

/** Reads names from a list or its JSON, or from a text with commas between the names. @throws InvalidInput */
export function parseNames(value: unknown, label: string): string[] {
	const names = listOf(value) ?? (isText(value) ? value.split(',') : [value]);
	if (names.every(isText)) return names.map((name) => name.trim()).filter((name) => name !== '');
	throw new InvalidInput(
		`'${label}': ${quote(value ?? '')} is not a list of names`,
		'Choose from the list, or use an expression that returns names with commas between them.',
	);
}

/** Reads a whole number from `min` to `max`, also from a text. @throws InvalidInput for any other value */
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

/** A positive whole number, also with the `#` that the list in the field Case shows. */
const ID = /^#?0*([1-9]\d{0,15})$/;

/**
 * Reads an ID: a positive integer, as a number or as text.
 * @param what names the ID in the error, for example "case ID"
 * @param label of the field, where `what` alone doesn't tell which field is wrong
 * @throws InvalidInput for any other value, so that an ID in a path can't lead to another path of the API
 */
export function parseId(value: unknown, what: string, label?: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	const id = isText(text) ? ID.exec(text.trim())?.[1] : undefined;
	// A larger number isn't exact in JSON, so it would be another ID.
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
