import { InvalidInput } from '../../nodes/Cases/api/failure';

/** The error that a call must throw because it can't use what the user gave. */
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

/** What a value gives: itself, or the refusal, for properties in which either is right. */
export function outcomeOf<T>(call: () => T): { value: T } | { refusal: InvalidInput } {
	try {
		return { value: call() };
	} catch (error) {
		if (error instanceof InvalidInput) return { refusal: error };
		throw error;
	}
}
