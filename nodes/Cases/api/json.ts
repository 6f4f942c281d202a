import type { Row } from './types';

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list. What isn't a list has none. */
export const objectsIn = (list: unknown): Row[] =>
	Array.isArray(list) ? list.filter(isObject) : [];

/** JSON with `__proto__`, or with escapes that may spell it, needs a reviver, which makes parsing slow. */
const MAY_HIDE_ONE = /__proto__|\\u00[5-7]/i;

/** More levels than any real answer has. A value with thousands of levels overflows the stack when it is serialized. */
const MAX_DEPTH = 50;

/** Whether a value has more levels than {@link MAX_DEPTH}. The check stops there, so it doesn't overflow the stack. */
function isTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth === MAX_DEPTH) return true;
	for (const one of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
		// Most values have no members; a call for each of them would double the time.
		if (typeof one === 'object' && isTooDeep(one, depth + 1)) return true;
	}
	return false;
}

/**
 * Parses JSON without members called `__proto__`: copying an object that has one could change the prototype of the copy.
 * @param otherwise returns the result for a text that isn't JSON or is nested too deeply; by default that is undefined
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
