/**
 * Texts of the service inside of Markdown. They stand in code spans, table cells or code blocks only, which they can't
 * leave. So a reader, a person or a model, can tell them from the words of this package, and nothing in them becomes a
 * heading, a link or HTML.
 */

/** How to show a value. */
export interface Style {
	/** About how many characters of it. */
	max?: number;
	/** Without code spans and blocks around it, for people. */
	isPlain?: boolean;
}

/** What a reader doesn't see, or what changes the direction of the text around it. Ends of lines are among it. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu;

/** Soft hyphens, joiners and variation selectors of words and emoji; more of them in a row can hide a text. */
const PART_OF_WORD = /^[\ufe00-\ufe0f\u00ad\u200c\u200d]{1,2}$/;

/** Whatever some reader takes for the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** One line without backticks or hidden characters, as most values are. */
const SIMPLE = /^[ -_a-~]*$/;

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

function visible(text: string): string {
	if (SIMPLE.test(text)) return text;
	return text
		.replace(LINE_END, '\n')
		.replace(HIDDEN, (run) => (PART_OF_WORD.test(run) ? run : run.replace(/[^\t\n]/gu, escaped)));
}

/** Any value as text: what is not text or a number as JSON. */
export function textOf(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Backticks that surround a text: more than it has anywhere in a row. */
function fenceFor(text: string, atLeast: number): string {
	const lengths = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
	return '`'.repeat(lengths.reduce((a, b) => Math.max(a, b), atLeast));
}

/** The beginning of a text, which never ends in half of a character, and a remark on what comes after it. */
function beginningOf(text: string, max = Infinity): { shown: string; remark: string } {
	if (text.length <= max) return { shown: text, remark: '' };
	const shown = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	const left = text.length - shown.length;
	const remark = `(${left} more ${left === 1 ? 'character' : 'characters'} left out)`;
	return { shown: shown.trimEnd(), remark };
}

function codeSpan(text: string): string {
	if (!text.includes('`')) return `\`${text}\``;
	const fence = fenceFor(text, 1);
	// A span that begins or ends with a backtick needs a space, which Markdown takes away again.
	const space = /^`|`$/.test(text) ? ' ' : '';
	return `${fence}${space}${text}${space}${fence}`;
}

function joinLines(text: string): string {
	const lines = text.split('\n').map((line) => line.trim());
	return lines.filter((line) => line !== '').join(' ⏎ ');
}

/** A value as one line, in which ⏎ stands for the end of a line: a code span, unless the style is plain. */
export function inline(value: unknown, { max, isPlain = false }: Style = {}): string {
	const text = visible(textOf(value)).trim();
	if (text === '') return '(empty)';
	const { shown, remark } = beginningOf(text.includes('\n') ? joinLines(text) : text, max);
	return `${isPlain ? shown : codeSpan(shown)}${remark && ` ${remark}`}`;
}

/** A value as a cell of a table. A pipe is escaped, so that it doesn't end the cell. */
export function cell(value: unknown, style?: Style): string {
	if (isEmpty(value)) return '';
	// Renderers differ in how they read several backslashes before a pipe, so a space parts them.
	return inline(value, style).replace(/(\\?)\|/g, (_match, slash) => (slash ? '\\ \\|' : '\\|'));
}

/** A text of several lines: a code block, or indented. */
export function block(value: unknown, { max, isPlain = false }: Style = {}): string {
	const lines = visible(textOf(value))
		.replace(/^\s*\n/, '')
		.trimEnd();
	const { shown, remark } = beginningOf(isPlain ? lines.replace(/^/gm, '  ') : lines, max);
	const fence = fenceFor(shown, 3);
	const text = isPlain ? shown : `${fence}text\n${shown}\n${fence}`;
	return `${text}${remark && `\n${remark}`}`;
}

/** Whether there is nothing to show. */
export function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (value === undefined || value === null) return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether a value needs a code block: it has several lines. */
export function hasLines(value: unknown): boolean {
	return typeof value === 'string' && visible(value).trim().includes('\n');
}
