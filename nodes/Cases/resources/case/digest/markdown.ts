/**
 * Texts of the service inside of Markdown. They stand in code spans, table cells or code blocks only, which they can't
 * leave. So a reader, a person or a model, can tell them from the words of this package, and nothing in them becomes a
 * heading, a link or HTML.
 */

/**
 * Characters that a reader doesn't see, or that change the direction of what stands around them. Soft hyphens, joiners
 * and variation selectors belong to words and emoji: up to two in a row, for more of them can hide a text.
 */
const HIDDEN =
	/(?![\t\n])\p{Cc}|(?![\ufe00-\ufe0f\u00ad\u200c-\u200d])(?!(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}])[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<=[\ufe00-\ufe0f\u00ad\u200c-\u200d]{2})[\ufe00-\ufe0f\u00ad\u200c-\u200d]|\p{Cs}/gu;

/** How to show a value. */
export interface Style {
	/** About how many characters of it. */
	max?: number;
	/** Without code spans and blocks around it, for people. */
	isPlain?: boolean;
}

/** Whatever some reader takes for the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** One line without backticks or hidden characters, as most values are; the rest is for other alphabets. */
const PLAIN = /^[ -_a-~\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u3040-\u30ff\u4e00-\u9fff]*$/;

function visible(text: string): string {
	return text
		.replace(LINE_END, '\n')
		.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Any value as text: what is not text or a number as JSON. */
export function textOf(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value);
	return JSON.stringify(value);
}

/** Backticks that surround a text: more than it has anywhere in a row. */
function fenceFor(text: string, atLeast: number): string {
	let length = atLeast;
	if (!text.includes('`')) return '`'.repeat(length);
	for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
	return '`'.repeat(length);
}

/** The beginning of a text, and how many characters come after it. Never ends in half of a character. */
function beginningOf(text: string, max: number): { text: string; left: number } {
	if (text.length <= max) return { text, left: 0 };
	const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
	return { text: text.slice(0, end), left: text.length - end };
}

const leftOut = (count: number) =>
	count === 0 ? '' : ` (${count} more ${count === 1 ? 'character' : 'characters'} left out)`;

function codeSpan(text: string): string {
	const fence = fenceFor(text, 1);
	if (fence === '`') return `\`${text}\``;
	// A span that begins or ends with a backtick needs a space, which Markdown takes away again.
	const space = /^`|`$/.test(text) ? ' ' : '';
	return `${fence}${space}${text}${space}${fence}`;
}

function joinLines(text: string): string {
	const lines = text.split('\n').map((line) => line.trim());
	return lines.filter((line) => line !== '').join(' ⏎ ');
}

/** A value as one line, in which ⏎ stands for the end of a line: a code span, unless the style is plain. */
export function inline(
	value: unknown,
	{ max = Infinity, isPlain: isBare = false }: Style = {},
): string {
	const given = textOf(value);
	const isPlain = PLAIN.test(given);
	const text = (isPlain ? given : visible(given)).trim();
	if (isPlain && text !== '' && text.length <= max) return isBare ? text : `\`${text}\``;
	const line = text.includes('\n') ? joinLines(text) : text;
	if (line === '') return '(empty)';
	const { text: shown, left } = beginningOf(line, max);
	return `${isBare ? shown.trimEnd() : codeSpan(shown.trimEnd())}${leftOut(left)}`;
}

/** A value as a cell of a table. A pipe is escaped, so that it doesn't end the cell. */
export function cell(value: unknown, style?: Style): string {
	if (isEmpty(value)) return '';
	const span = inline(value, style);
	if (!span.includes('|')) return span;
	// Renderers differ in how they read several backslashes before a pipe, so a space parts them.
	return span.replace(/(\\?)\|/g, (_match, slash) => (slash ? '\\ \\|' : '\\|'));
}

/** A text of several lines: a code block, or indented. */
export function block(value: unknown, { max = Infinity, isPlain = false }: Style = {}): string {
	const lines = visible(textOf(value))
		.replace(/^\s*\n/, '')
		.trimEnd();
	const { text, left } = beginningOf(lines, max);
	const rest = left === 0 ? '' : `\n${leftOut(left).trim()}`;
	if (isPlain) return `${text.replace(/^/gm, '  ')}${rest}`;
	const fence = fenceFor(text, 3);
	return `${fence}text\n${text}\n${fence}${rest}`;
}

/** Whether there is nothing to show. */
export function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (value === undefined || value === null) return true;
	if (Array.isArray(value)) return value.length === 0;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether a value needs a code block: it has several lines. */
export function hasLines(value: unknown): boolean {
	return typeof value === 'string' && !PLAIN.test(value) && visible(value).trim().includes('\n');
}
