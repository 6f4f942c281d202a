import { isObject } from '../json';
import { shorten } from './failure';

const MAX_LENGTH = 300;
/** How many errors of a list the message has room for. */
const MAX_ERRORS = 10;

/** Fields of error bodies that have texts, in the order in which the texts are joined. */
const FIELDS = ['error', 'message', 'details', 'errors'];

/**
 * Finds what a service says in an error body: in a text, or in its fields `error`, `message`, `details` and `errors`,
 * which may have texts, lists, and objects with texts.
 * @returns one line, truncated to a readable length; undefined where the body has no message
 */
export function errorMessageOf(body: unknown): string | undefined {
	const isKnown = !isObject(body) || FIELDS.some((name) => name in body);
	const texts = isKnown ? [...new Set(textsIn(body))] : [];
	return texts.length === 0 ? undefined : shorten(texts.join('; '), MAX_LENGTH);
}

/** Collects the texts in a part of an error body, without the full stops at their ends. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') {
		const text = shorten(value.trim(), MAX_LENGTH).replace(/[.:;,]+$/, '');
		return text === '' || text.startsWith('<') ? [] : [text];
	}
	if (Array.isArray(value)) return value.slice(0, MAX_ERRORS).flatMap(textsIn);
	if (!isObject(value)) return [];
	const known = FIELDS.filter((name) => name in value);
	if (known.length > 0) {
		const parts = new Set(known.map((name) => textsIn(value[name]).join('; ')));
		parts.delete('');
		const text = [...parts].join(': ');
		if (text === '') return [];
		// The newer requests for records name the field that they refuse.
		const { field } = value;
		return [typeof field === 'string' && !text.includes(field) ? `${field}: ${text}` : text];
	}
	const named = Object.entries(value).slice(0, MAX_ERRORS);
	return named.flatMap(([name, one]) => textsIn(one).map((text) => `${name}: ${text}`));
}
