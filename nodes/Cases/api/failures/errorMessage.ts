import { isObject } from '../http/json';
import { shorten } from './failure';

const MAX_LENGTH = 300;
/** Further errors of a list don't fit into a message. */
const MAX_ERRORS = 10;
/** No service nests its errors deeper. */
const MAX_DEPTH = 6;

/** The fields in which bodies keep their messages: first what happened, then its details. */
const FIELDS = ['field', 'error', 'message', 'title', 'details', 'detail', 'errors'];

/**
 * Finds what a service says in an error body. The API promises no shape for it: a text, `{ error }`,
 * `{ message, details }`, texts by field, lists of these, and each of them inside another.
 * @returns one line, truncated to a readable length; undefined where the body says nothing
 */
export function errorMessageOf(body: unknown, depth = 0): string | undefined {
	if (depth > MAX_DEPTH) return undefined;
	if (typeof body === 'string') {
		const text = body.trim();
		return text === '' || text.startsWith('<') ? undefined : shorten(text, MAX_LENGTH);
	}
	const messageIn = (value: unknown) => errorMessageOf(value, depth + 1);
	if (Array.isArray(body)) return join(body, '; ', messageIn);
	if (!isObject(body)) return undefined;
	const known = FIELDS.filter((name) => Object.hasOwn(body, name));
	if (known.length > 0) return join(known, ': ', (name) => messageIn(body[name]));
	return join(Object.entries(body), '; ', ([name, value]) => {
		// A body of another kind has texts too, such as a time.
		const text = depth > 0 || Array.isArray(value) ? messageIn(value) : undefined;
		return text && `${name}: ${text}`;
	});
}

/** Joins the messages that are found in parts, each once, without the full stops between them. */
function join<T>(
	parts: T[],
	separator: string,
	messageOf: (part: T) => string | undefined,
): string | undefined {
	const messages = new Set(parts.slice(0, MAX_ERRORS).map(messageOf));
	messages.delete(undefined);
	// Short texts first: to look for the full stops takes a time that grows with the square of their length.
	const texts = [...messages].map((text = '') => shorten(text, MAX_LENGTH));
	const last = texts.pop();
	if (last === undefined) return undefined;
	const ended = texts.map((text) => text.replace(/[.:;,]+$/, ''));
	return shorten([...ended, last].join(separator), MAX_LENGTH);
}
