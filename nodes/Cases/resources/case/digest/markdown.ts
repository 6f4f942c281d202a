/**
 * Shows texts of the service in Markdown, in code spans or code blocks that a text can't end. So people and models see
 * which texts come from the service, and nothing in them becomes a heading, a link or HTML.
 */

/** How to show a value. */
export interface Style {
	/** About how many characters of the value to show. */
	max?: number;
	/** Whether to leave out code spans and code blocks, for people. */
	isPlain?: boolean;
}

/** Characters that are invisible, or that change the direction of the text around them. Also matches ends of lines. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** Invisible characters that words and emoji need. Only one or two in a row match, because a long row can hide a text. */
const PART_OF_WORD = /^[\ufe00-\ufe0f\u00ad\u200c\u200d]{1,2}$/;

/** Printable ASCII on one line, which has nothing to hide. Most values match, so this check saves time. */
const SIMPLE = /^[ -~]*$/;

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Any value as text. An object or a list becomes JSON. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

function visible(value: unknown): string {
	const text = textOf(value);
	if (SIMPLE.test(text)) return text;
	return text
		.replace(/\r\n?/g, '\n')
		.replace(HIDDEN, (run) => (PART_OF_WORD.test(run) ? run : run.replace(/[^\t\n]/gu, escaped)));
}

/** A number with a noun: `1 case`, `2 activities`. */
export function plural(count: number, noun: string): string {
	const several = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
	return `${count} ${count === 1 ? noun : several}`;
}

/** The backticks to put around a text: more than the text has in a row. */
function fenceFor(text: string, shortest: string): string {
	let fence = shortest;
	for (const run of text.match(/`+/g) ?? []) if (run.length >= fence.length) fence = `${run}\``;
	return fence;
}

/** Truncates a text, but not in the middle of a character. `remark` says how much was left out. */
function beginningOf(text: string, gap: string, max = Infinity): { shown: string; remark: string } {
	if (text.length <= max) return { shown: text, remark: '' };
	const shown = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	const left = plural(text.length - shown.length, 'more character');
	return { shown: shown.trimEnd(), remark: `${gap}(${left} left out)` };
}

/** Shows a value on one line, with ⏎ for ends of lines, in a code span unless the style is plain. */
export function inline(value: unknown, { max, isPlain = false }: Style = {}): string {
	const text = visible(value).trim().replace(/\n\s*/g, ' ⏎ ');
	if (text === '') return '(empty)';
	const { shown, remark } = beginningOf(text, ' ', max);
	if (isPlain) return `${shown}${remark}`;
	const fence = fenceFor(shown, '`');
	// A text that begins or ends with a backtick needs spaces around it, which Markdown doesn't show.
	const space = /^`|`$/.test(shown) ? ' ' : '';
	return `${fence}${space}${shown}${space}${fence}${remark}`;
}

/** Shows a text of several lines in a code block, or indented if the style is plain. */
export function block(value: unknown, { max, isPlain = false }: Style = {}): string {
	const lines = visible(value)
		.replace(/^\s*\n/, '')
		.trimEnd();
	const { shown, remark } = beginningOf(isPlain ? lines.replace(/^/gm, '  ') : lines, '\n', max);
	if (isPlain) return `${shown}${remark}`;
	const fence = fenceFor(shown, '```');
	return `${fence}text\n${shown}\n${fence}${remark}`;
}
