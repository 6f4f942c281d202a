import { asRecord, isBlank } from '../../../fields/values';

/**
 * Texts of the service inside of Markdown. They stand in code spans or code blocks, which they can't leave. So a reader, a
 * person or a model, can tell them from the words of this package, and nothing in them becomes a heading, a link or HTML.
 */

/** How to show a value. */
export interface Style {
	/** About how many characters of it. */
	max?: number;
	/** Without code spans and blocks around it, for people. */
	isPlain?: boolean;
}

/** What a reader doesn't see, or what changes the direction of the text around it. Includes ends of lines. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** Soft hyphens, joiners and variation selectors of words and emoji; more of them in a row can hide a text. */
const PART_OF_WORD = /^[\ufe00-\ufe0f\u00ad\u200c\u200d]{1,2}$/;

/** One line without hidden characters, as most values are. */
const SIMPLE = /^[ -~]*$/;

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Any value as text: what is not text or a number as JSON. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

function visible(value: unknown): string {
	const text = textOf(value);
	if (SIMPLE.test(text)) return text;
	return text
		.replace(/\r\n?/g, '\n')
		.replace(HIDDEN, (run) => (PART_OF_WORD.test(run) ? run : run.replace(/[^\t\n]/gu, escaped)));
}

/** A number of things: `1 case`, `2 activities`. */
export function plural(count: number, noun: string): string {
	const several = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
	return `${count} ${count === 1 ? noun : several}`;
}

/** Backticks that surround a text: more than it has anywhere in a row. */
function fenceFor(text: string, shortest: string): string {
	let fence = shortest;
	for (const run of text.match(/`+/g) ?? []) if (run.length >= fence.length) fence = `${run}\``;
	return fence;
}

/** The beginning of a text, which never ends in half of a character, and a remark on what comes after it. */
function beginningOf(text: string, gap: string, max = Infinity): { shown: string; remark: string } {
	if (text.length <= max) return { shown: text, remark: '' };
	const shown = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	const left = plural(text.length - shown.length, 'more character');
	return { shown: shown.trimEnd(), remark: `${gap}(${left} left out)` };
}

/** A value as one line, in which ⏎ stands for the end of a line: a code span, unless the style is plain. */
export function inline(value: unknown, { max, isPlain = false }: Style = {}): string {
	const text = visible(value).trim().replace(/\n\s*/g, ' ⏎ ');
	if (text === '') return '(empty)';
	const { shown, remark } = beginningOf(text, ' ', max);
	if (isPlain) return `${shown}${remark}`;
	const fence = fenceFor(shown, '`');
	// A span that begins or ends with a backtick needs a space, which Markdown takes away again.
	const space = /^`|`$/.test(shown) ? ' ' : '';
	return `${fence}${space}${shown}${space}${fence}${remark}`;
}

/** A text of several lines: a code block, or indented. */
export function block(value: unknown, { max, isPlain = false }: Style = {}): string {
	const lines = visible(value)
		.replace(/^\s*\n/, '')
		.trimEnd();
	const { shown, remark } = beginningOf(isPlain ? lines.replace(/^/gm, '  ') : lines, '\n', max);
	if (isPlain) return `${shown}${remark}`;
	const fence = fenceFor(shown, '```');
	return `${fence}text\n${shown}\n${fence}${remark}`;
}

/** Whether there is nothing to show. */
export const isEmpty = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'object' && Object.keys(asRecord(value)).length === 0);
