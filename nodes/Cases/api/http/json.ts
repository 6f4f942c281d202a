import type { Row } from '../types';

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds `__proto__`, or a letter that may be one of it written as an escape; other JSON is parsed the fast way. */
const MAY_HIDE_ONE = /__proto__|\\u00[5-7]/i;

/** Deeper than any answer that means something; to serialize thousands of levels overflows the stack. */
const MAX_DEPTH = 50;

/** Whether a value has more levels than that. Looks no deeper, so that nothing overflows the stack. */
function isTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth === MAX_DEPTH) return true;
	return Object.values(value).some((one) => isTooDeep(one, depth + 1));
}

/**
 * Parses JSON. A member called `__proto__` is dropped: copying such an object later could change the prototype
 * of the copy.
 * @param otherwise what to return when the text is not JSON or nested too deeply, by default undefined
 */
export function parseJson(text: string, otherwise?: (why: string) => unknown): unknown {
	const dropPrototypes = (key: string, value: unknown) => (key === '__proto__' ? undefined : value);
	try {
		const value: unknown = JSON.parse(text, MAY_HIDE_ONE.test(text) ? dropPrototypes : undefined);
		if (isTooDeep(value)) throw new Error(`It has more than ${MAX_DEPTH} levels`);
		return value;
	} catch (error) {
		return otherwise?.((error as Error).message);
	}
}
