import { beginningOf } from '../api/failures/failure';
import type { Row } from '../api/types';
import { switchOption } from '../fields/options';
import type { Result, Run } from '../n8n/run';

// A model pays for each character that it reads, and forgets what came before a long answer. So a tool's answer is short.

/** How many characters an answer for a model has at most. */
const MAX_ANSWER = 20_000;

/** Room for the note that says what is missing. */
const NOTE_LENGTH = 500;

/** So much of each text is kept before rows are left out. */
const MIN_TEXT = 200;

export const FULL_TEXTS = switchOption(
	'fullTexts',
	'Full Texts',
	"Whether an agent's tool returns everything. By default its answer has at most 20,000 characters: long texts are truncated first, then rows are left out. Only tools use this option.",
);

const EVERYTHING = "To get everything, turn on 'Full Texts' under 'Options'.";

/** The largest whole number from `low` to `high` that fits; `low` where none does. */
export function largest(low: number, high: number, fits: (number: number) => boolean): number {
	let [least, most] = [low, high];
	while (least < most) {
		const middle = Math.ceil((least + most) / 2);
		if (fits(middle)) least = middle;
		else most = middle - 1;
	}
	return least;
}

/** How much of a value stays. */
interface Limits {
	/** Characters of each text. */
	text: number;
	/** Entries of each list or object inside a row. */
	entries: number;
}

/** Shortens the texts, lists and objects in a value. What is missing is said in its place, and counted. */
function shrink(value: unknown, limits: Limits, onMissing = () => {}, depth = 0): unknown {
	const { text, entries } = limits;
	if (typeof value === 'string') {
		const shown = beginningOf(value, text);
		if (shown === value) return value;
		onMissing();
		return `${shown}… (${value.length - shown.length} more characters)`;
	}
	if (typeof value !== 'object' || value === null) return value;
	const most = depth === 0 ? Infinity : entries;
	const all = Object.entries(value);
	const kept = all
		.slice(0, most)
		.map(([name, one]): [string, unknown] => [name, shrink(one, limits, onMissing, depth + 1)]);
	if (all.length > most) {
		onMissing();
		kept.push(['…', `… (${all.length - kept.length} more entries)`]);
	}
	return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

/** How many rows from the beginning have room. */
function countFitting(rows: Row[], room: number, shown: (row: Row) => unknown): number {
	let left = room;
	const end = rows.findIndex((row) => (left -= JSON.stringify(shown(row)).length + 1) < 0);
	return end === -1 ? rows.length : end;
}

/** Shortens rows to so many characters of JSON. @returns the rows, and a note of what is missing, for which there is room */
export function fitRows(rows: Row[], whole: number): { rows: Row[]; note?: string } {
	if (countFitting(rows, whole, (row) => row) === rows.length) return { rows };
	const room = whole - NOTE_LENGTH;
	const short = { text: MIN_TEXT, entries: Infinity };
	const count = Math.max(
		1,
		countFitting(rows, room, (row) => shrink(row, short)),
	);
	const some = rows.slice(0, count);
	const fits = (limits: Limits) =>
		countFitting(some, room, (row) => shrink(row, limits)) === some.length;
	const entries = fits(short)
		? Infinity
		: largest(0, room, (most) => fits({ text: MIN_TEXT, entries: most }));
	const text = largest(0, room, (most) => fits({ text: most, entries }));
	let missing = 0;
	const shown = some.map((row) => shrink(row, { text, entries }, () => missing++) as Row);
	// A row with thousands of fields.
	const isTooLong = !fits({ text, entries });
	if (isTooLong) shown[0] = { beginning: beginningOf(JSON.stringify(rows[0]), room / 2) };
	const left = rows.length - count;
	const parts = [
		`The answer has at most ${MAX_ANSWER} characters.`,
		...(missing > 0 ? [`Truncated texts and lists: ${missing}.`] : []),
		...(left > 0 ? [`Rows left out at the end: ${left} of ${rows.length}.`] : []),
	];
	return { rows: shown, note: [...parts, EVERYTHING].join(' ') };
}

/** Shortens the rows that a model reads, and notes what is missing. */
export function fitAnswer(run: Run, results: Result[]): Result[] {
	const noted = run.notes.hints().reduce((sum, hint) => sum + JSON.stringify(hint).length + 12, 0);
	const all = results.flatMap((result) => ('rows' in result ? result.rows : []));
	const { rows, note } = fitRows(all, MAX_ANSWER - noted);
	if (note === undefined) return results;
	run.notes.hint('shortened', note);
	return results.flatMap((result): Result[] => {
		if (!('rows' in result) || result.rows.length === 0) return [result];
		const kept = rows.splice(0, result.rows.length);
		return kept.length === 0 ? [] : [{ ...result, rows: kept }];
	});
}

/** Makes a text in an answer for a model. @param render makes it in so many characters */
export function fitText<T extends { text: string; truncated: boolean }>(
	run: Run,
	render: (maxLength: number) => T,
): T {
	const room = MAX_ANSWER - NOTE_LENGTH;
	let made = render(room);
	// The model reads JSON, which has more characters, because line ends and quotes are escaped.
	const length = JSON.stringify(made.text).length;
	if (length > room) made = render(Math.floor((room * room) / length));
	const note = `The answer has at most ${MAX_ANSWER} characters; the text says what is left out. ${EVERYTHING}`;
	if (made.truncated) run.notes.hint('shortened', note);
	return made;
}
