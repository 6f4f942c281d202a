import { InvalidInput } from '../../nodes/Cases/api/failures/failure';

/** Returns the error that a call must throw because of what the user entered. */
export function refusalOf(call: () => unknown): InvalidInput {
	try {
		call();
	} catch (error) {
		if (error instanceof InvalidInput) return error;
		throw error;
	}
	throw new Error('Nothing was refused');
}

/**
 * Checks both halves of a refusal: what is wrong, and how to solve it.
 * @param remedy what the description must say
 */
export function expectRefused(
	call: () => unknown,
	message: string | RegExp,
	remedy: string | RegExp,
): void {
	const refusal = refusalOf(call);
	expect(refusal.message).toMatch(message);
	expect(refusal.description).toMatch(remedy);
}

/** Returns the value of a call or its refusal, for properties in which both are right. */
export function outcomeOf<T>(call: () => T): { value: T } | { refusal: InvalidInput } {
	try {
		return { value: call() };
	} catch (error) {
		if (error instanceof InvalidInput) return { refusal: error };
		throw error;
	}
}
