import fc from 'fast-check';
import type { Step } from './simulation';

export const pageSize = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 50 }));
export const concurrency = fc.integer({ min: 1, max: 16 });
const timePasses = fc.oneof(fc.constant(0), fc.nat(400), fc.nat(3000));

/** A few or many steps, each with or without changes. */
export function stepsOf<Change>(change: fc.Arbitrary<Change>): fc.Arbitrary<Array<Step<Change>>> {
	const step = fc.record({
		advanceMs: timePasses,
		changes: fc.oneof(
			{ weight: 3, arbitrary: fc.constant<Change[]>([]) },
			{ weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 2 }) },
			{ weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 6 }) },
		),
		pick: fc.nat(15),
		answerMs: timePasses,
	});
	return fc.oneof(
		fc.array(step, { maxLength: 12, size: 'max' }),
		fc.array(step, { maxLength: 60, size: 'max' }),
	);
}

/** Keeps the IDs that were present at every look. */
export function createWitness(present: () => number[]) {
	let always: Set<number> | undefined;
	return {
		look: () => {
			const now = new Set(present());
			always = new Set([...(always ?? now)].filter((id) => now.has(id)));
		},
		always: () => [...(always ?? [])],
	};
}
