import { shorten } from './failure';

const MAX_LENGTH = 300;
/** Further errors of a list don't fit into a message. */
const MAX_ERRORS = 10;
/** No service nests its errors deeper. */
const MAX_DEPTH = 6;

/** The fields in which bodies keep their messages: first what happened, then its details. */
const FIELDS = [
	'field',
	'error',
	'message',
	'title',
	'error_description',
	'details',
	'detail',
	'errors',
];

/**
 * Finds what a service says in an error body. The API promises no shape for it: a text, `{ error }`,
 * `{ message, details }`, texts by field, lists of these, and each of them inside another.
 * @returns one line, truncated to a readable length; undefined where the body says nothing
 */
export function errorMessageOf(body: unknown): string | undefined {
	return messageIn(body, 0);
}

function messageIn(value: unknown, depth: number): string | undefined {
	if (depth > MAX_DEPTH) return undefined;
	if (typeof value === 'string') {
		const text = value.trim();
		return text === '' || text.startsWith('<') ? undefined : shorten(text, MAX_LENGTH);
	}
	if (Array.isArray(value)) return messageInList(value, '; ', depth);
	if (typeof value !== 'object' || value === null) return undefined;
	const fields = value as Record<string, unknown>;
	const known = FIELDS.filter((name) => Object.hasOwn(fields, name));
	if (known.length === 0) return messageByField(fields, depth);
	return join(
		known.map((name) => messageIn(fields[name], depth + 1)),
		': ',
	);
}

function messageInList(list: unknown[], separator: string, depth: number): string | undefined {
	return join(
		list.slice(0, MAX_ERRORS).map((entry) => messageIn(entry, depth + 1)),
		separator,
	);
}

/** The message of an object that has texts for each bad field: `label: is too long, is taken; url: is missing`. */
function messageByField(fields: Record<string, unknown>, depth: number): string | undefined {
	const messages = Object.entries(fields)
		.slice(0, MAX_ERRORS)
		.map(([name, value]) => {
			// A body of another kind has texts too, such as a time.
			const list = Array.isArray(value) ? value : depth === 0 ? [] : [value];
			const text = messageInList(list, ', ', depth);
			return text === undefined ? undefined : shorten(`${name}: ${text}`, MAX_LENGTH);
		});
	return join(messages, '; ');
}

/**
 * Joins what was found, each text once, without the full stops between them. The texts are short already: to look for
 * the full stops takes a time that grows with the square of their length.
 */
function join(texts: Array<string | undefined>, separator: string): string | undefined {
	const found = [...new Set(texts.filter((text) => text !== undefined))];
	const last = found.pop();
	if (last === undefined) return undefined;
	const ended = found.map((text) => text.replace(/[.:;,]+$/, ''));
	return shorten([...ended, last].join(separator), MAX_LENGTH);
}
