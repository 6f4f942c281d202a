import { InvalidInput, quote } from '../api/failures/failure';
import { parseJson } from '../api/json';
import { storable, type Pair } from '../api/http/requests';
import type { Row } from '../api/types';

// One function reads values of one kind, as the editor stores them or as an expression returns them, for filters, writes
// and all other fields. The table in docs/fields.md shows what each kind takes.

/** Returns an object as it is, and an empty object for any other value. */
export const asRecord = (value: unknown): Row =>
	typeof value === 'object' && value !== null ? (value as Row) : {};

export const isMissing = (value: unknown): value is null | undefined =>
	value === undefined || value === null;

export const isBlank = (value: unknown): boolean =>
	isMissing(value) || (typeof value === 'string' && value.trim() === '');

/** Whether a value is blank, or a list or an object without an entry. */
export const isEmpty = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'object' && Object.keys(asRecord(value)).length === 0);

/** Whether a parameter, as the workflow stores it, is an expression. A blank field may be stored as `=`. */
export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string' && /^=\s*\S/.test(stored);

/** Advice for a field that an expression may leave out. */
const LEAVE_OUT =
	"Otherwise the field would be ignored. To leave it out on purpose, let the expression return an empty text, for example {{ $json.value ?? '' }}.";

/** The error for a field whose expression returns no value. @param name the field in the message */
export const lackingValue = (name: string, advice = LEAVE_OUT): InvalidInput =>
	new InvalidInput(
		`${name} has an expression that returns no value`,
		`Correct the expression. ${advice}`,
	);

/** Returns the value. @throws InvalidInput where a stored value is or contains an expression that returned nothing */
export function refuseNothing<T>(
	name: string,
	stored: unknown,
	value: T,
	isNothing: (value: unknown) => boolean = isMissing,
	advice?: string,
): T {
	if (isExpression(stored) && isNothing(value)) throw lackingValue(name, advice);
	const values = asRecord(value);
	for (const [key, entry] of Object.entries(asRecord(stored))) {
		refuseNothing(name, entry, values[key], isNothing, advice);
	}
	return value;
}

/** The error for a value of the wrong kind. @param what follows the value in the message */
export const refusal = (value: unknown, label: string, what: string, remedy: string) =>
	isMissing(value)
		? lackingValue(`'${label}'`, remedy)
		: new InvalidInput(`'${label}': ${quote(value)} ${what}`, remedy);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a list, or the JSON of a list that is empty or has a text in it. `[2026]` isn't read, because it may be a tag. */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	const list = isText(value) ? parseJson(value) : undefined;
	const isList = Array.isArray(list) && (list.length === 0 || list.some(isText));
	return isList ? (list as unknown[]) : undefined;
}

/**
 * The entries of a list, without blank texts. In a list of form rows, a row with an expression may be a list itself. The JSON
 * of a list of texts is read as the list. Any other text is one entry.
 */
export function entriesOf(value: unknown): unknown[] {
	if (isMissing(value)) return [];
	return [value]
		.flat(2)
		.flatMap((entry) => (isText(entry) ? (listOf(entry) ?? [entry]) : [entry]))
		.filter((entry) => isMissing(entry) || !isBlank(entry));
}

/** Whether a list that limits something has no entry. An empty text doesn't count: it leaves the field out on purpose. */
export const isNothing = (value: unknown): boolean => value !== '' && entriesOf(value).length === 0;

/** As {@link entriesOf}. @throws InvalidInput for an entry without a value, as for a single value */
export function parseEntries(value: unknown, label: string): unknown[] {
	if (isMissing(value)) throw lackingValue(`'${label}'`);
	const entries = entriesOf(value);
	const hole = entries.findIndex(isMissing);
	if (hole === -1) return entries;
	throw new InvalidInput(
		`'${label}': entry ${hole + 1} of the list has no value`,
		'Correct the expression. To leave out such entries on purpose, end the list with .filter(Boolean).',
	);
}

/** Reads a value. @throws InvalidInput that names the field by its label */
export type Parse<T> = (value: unknown, label: string) => T;

/**
 * Reads each entry of a list once. The entries contain no separators, so one text may have several: `7, 8` or `[7, 8]`.
 * @throws InvalidInput
 */
export const parseEach = <T>(value: unknown, label: string, parse: Parse<T>): T[] => {
	const entries = parseEntries(value, label).flatMap((entry) =>
		isText(entry) ? entry.split(/[,;\n[\]]/) : [entry],
	);
	return [...new Set(entries.filter((one) => !isBlank(one)).map((one) => parse(one, label)))];
};

/**
 * Reads the rows of a group, which the editor stores as `{ pair: [{ … }] }`. Blank rows are left out.
 * @throws InvalidInput where no row is left: n8n returns none for an expression in place of the rows
 */
export function rowsOf(value: unknown, label: string, row: string): Row[] {
	const rows = [asRecord(value)[row] ?? []].flat();
	const filled = rows.map(asRecord).filter((one) => !Object.values(one).every(isBlank));
	if (filled.length > 0) return filled;
	const isThere = rows.some((one) => !isText(one));
	throw new InvalidInput(
		`'${label}'${isThere ? `: the ${row} is empty` : ` has no ${row}`}`,
		`${isThere ? 'Fill in' : 'Add'} a ${row}, or remove '${label}'. Expressions work in the fields of a ${row}, not in place of it.`,
	);
}

/** Reads a switch, also from a text or number, which an expression or a model may give. @throws InvalidInput */
export function parseSwitch(value: unknown, label: string): boolean {
	const word = typeof value === 'object' ? undefined : String(value).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	if (word === 'false' || word === '0') return false;
	const remedy = 'Use the switch, or an expression that returns true or false.';
	throw refusal(value, label, 'is neither true nor false', remedy);
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
	const remedy = 'Choose from the list, or use an expression that returns one of these values.';
	throw refusal(value, label, `is not one of ${values.join(', ')}`, remedy);
}

/** Reads a text, also from a number. @throws InvalidInput */
export function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return storable(value, `'${label}'`);
	// A larger number has lost digits, and may look like 1e+21.
	if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
	throw refusal(value, label, 'is not text', 'An expression must return text, not an object.');
}

/** Reads a text, a number or a switch, as text. @throws InvalidInput */
export const parseValue = (value: unknown, label: string): string =>
	typeof value === 'boolean' ? String(value) : parseText(value ?? '', label);

/** Reads several texts, each as it is. @throws InvalidInput */
export const parseTexts = (value: unknown, label: string): string[] =>
	parseEntries(value, label).map((entry) => parseText(entry, label));

/** Reads names from a list, or from a text with commas or line breaks. A list may have commas in its names. @throws InvalidInput */
export function parseNames(value: unknown, label: string): string[] {
	const names = isText(value) && listOf(value) === undefined ? value.split(/[,\n]/) : value;
	return parseTexts(names, label).map((name) => name.trim());
}

/** Makes the reader of a word, such as an email address. */
const word =
	(shape: RegExp, what: string, example: string): Parse<string> =>
	(value, label) => {
		const text = parseText(value, label).trim();
		if (shape.test(text)) return text;
		const remedy = `Enter one such as ${example}. For several, put commas between them, or use an expression that returns a list.`;
		throw refusal(text, label, `is not ${what}`, remedy);
	};

export const parseUserId = word(/^\S+$/, 'a user ID', '17');
export const parseAddress = word(/^[^\s@<>"]+@[^\s@<>"]+$/, 'an email address', 'kim@a.example');

/** Reads an email address in lower case, as it is sent in writes. @throws InvalidInput */
export const parseEmail: Parse<string> = (value, label) => parseAddress(value, label).toLowerCase();

const parsePair = ({ key, value }: Row, label: string): Pair => [
	parseText(key ?? '', label),
	parseValue(value, label),
];

/**
 * Reads pairs of key and value, each key once. Pairs without a value are only sent in a query.
 * @param isInQuery whether the request puts the keys into square brackets
 * @param parse reads a pair
 * @throws InvalidInput
 */
export function parsePairs(
	value: unknown,
	label: string,
	isInQuery: boolean,
	parse = parsePair,
): Pair[] {
	const pairs = rowsOf(value, label, 'pair').map((pair) => parse(pair, label));
	const keys = pairs.map(([key]) => key);
	const unusable = keys.find((key) => isBlank(key) || (isInQuery && /[[\]]/.test(key)));
	if (unusable !== undefined) {
		const why = isInQuery ? ' without square brackets: the request puts it into brackets' : '';
		throw refusal(unusable, label, "can't be used as a key", `Every pair needs a key${why}.`);
	}
	const repeated = keys.find((key, index) => keys.indexOf(key) < index);
	if (repeated === undefined) return pairs.filter(([, text]) => isInQuery || text !== '');
	throw new InvalidInput(
		`'${label}': ${quote(repeated)} is there twice`,
		'A case has one value for each key. Keep one of the two pairs.',
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
