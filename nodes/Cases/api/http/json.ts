import type { Row } from '../types';

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds `__proto__`, or a letter of it that is written as an escape; JSON with other escapes is parsed the fast way. */
const MAY_HIDE_ONE = /__proto__|\\u00(?:5f|6f|7[024])/i;

/**
 * Parses JSON. A member called `__proto__` is dropped: copying such an object later could change the prototype
 * of the copy.
 * @returns undefined when the text is not JSON
 */
export function parseJson(text: string): unknown {
	const dropPrototypes = (key: string, value: unknown) => (key === '__proto__' ? undefined : value);
	try {
		return JSON.parse(text, MAY_HIDE_ONE.test(text) ? dropPrototypes : undefined);
	} catch {
		return undefined;
	}
}

/** Deeper than any answer that means something; to serialize thousands of levels overflows the stack. */
const MAX_DEPTH = 50;

/** Whether it has more levels than that. Looks no deeper, so that nothing overflows the stack. */
export function isTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth === MAX_DEPTH) return true;
	for (const name in value) {
		const entry = (value as Record<string, unknown>)[name];
		if (typeof entry === 'object' && isTooDeep(entry, depth + 1)) return true;
	}
	return false;
}

/** Why a text is not JSON, in the parser's words: with the position, or with the text around it. */
export function describeJsonError(text: string): string {
	try {
		JSON.parse(text);
		return '';
	} catch (error) {
		return (error as Error).message.replace(/ is not valid JSON$/, '').replace(/\s+/g, ' ');
	}
}
