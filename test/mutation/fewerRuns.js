// Properties run again for each mutant: a tenth of their runs, always the same ones, and no search
// for the shortest failure.
jest.mock('fast-check', () => {
	const { requireOnce = jest.requireActual } = globalThis;
	const actual = requireOnce('fast-check', process.env);
	const assert = (property, options) =>
		actual.assert(property, {
			...options,
			numRuns: Math.ceil((options?.numRuns ?? 100) / 10),
			seed: 1,
			endOnFailure: true,
		});
	return { __esModule: true, ...actual, assert, default: { ...actual.default, assert } };
});
