import { readState, startingState } from '../../nodes/Cases/trigger/changes/state';

const FIRST_READ = { to: 5, at: 6, polls: 0 };
const PLACE = { from: 3, page: 2 };

/** A state with everything that a state can have. */
const FULL = {
	...startingState(10, 5),
	edits: { a: ['A', 'B', 'C'] },
	marks: { b: 'D' },
	older: 'E',
	ahead: 'F',
	clock: { at: 9, still: 0 },
	secondLook: { from: 4, reads: [FIRST_READ], rest: PLACE },
	rest: { ...PLACE, began: 7 },
	page: 1,
	matches: { ids: 'A', filters: 1, readAt: 2, isDue: true, doubts: 'B' },
	replayed: 8,
	given: { from: 1, newest: 2, marks: {}, round: { after: '7', seesTo: 3 } },
};

describe('a stored state', () => {
	it.each([
		['as short as it can be', startingState(10)],
		['with everything', FULL],
		['without the times that a service may not send', { ...FULL, rest: PLACE }],
	])('is read %s', (_what, state) => {
		expect(readState(JSON.parse(JSON.stringify(state)))).toEqual(state);
	});

	it.each([
		...['start', 'from', 'since', 'floor', 'newest'].map((name) => ({ [name]: 'soon' })),
		{ version: 1 },
		{ edits: null },
		{ edits: { a: 'A' } },
		{ edits: { a: [] } },
		{ edits: { a: ['A', 7] } },
		{ edits: [] },
		{ marks: { b: 7 } },
		{ marks: null },
		{ older: 7 },
		{ ahead: [] },
		{ clock: 7 },
		{ clock: { at: 9 } },
		{ clock: { still: 0 } },
		{ secondLook: 7 },
		{ secondLook: { reads: [] } },
		{ secondLook: { from: 4, reads: {} } },
		{ secondLook: { from: 4, reads: [7] } },
		{ secondLook: { from: 4, reads: [FIRST_READ, 7] } },
		{ secondLook: { from: 4, reads: [{ ...FIRST_READ, to: 0.5 }] } },
		{ secondLook: { from: 4, reads: [{ ...FIRST_READ, at: 'x' }] } },
		{ secondLook: { from: 4, reads: [{ ...FIRST_READ, polls: null }] } },
		{ secondLook: { from: 4, reads: [], rest: { from: 3, page: 0 } } },
		{ rest: 7 },
		{ rest: { from: 3, page: 0 } },
		{ rest: { from: 'x', page: 2 } },
		{ rest: { ...PLACE, began: 'x' } },
		{ page: 0 },
		{ matches: { ids: 'A', filters: 1, readAt: 2, doubts: 7 } },
		{ matches: 7 },
		{ matches: { ids: 'A', filters: 1 } },
		{ matches: { ids: 7, filters: 1, readAt: 2 } },
		{ matches: { ids: 'A', filters: 1, readAt: 2, isDue: 'x' } },
		{ replayed: 'x' },
		{ given: 7 },
		{ given: { ...FULL.given, from: null } },
		{ given: { ...FULL.given, newest: null } },
		{ given: { ...FULL.given, marks: null } },
		{ given: { ...FULL.given, round: 7 } },
		{ given: { ...FULL.given, round: { after: 7, seesTo: 3 } } },
		{ given: { ...FULL.given, round: { after: '7' } } },
	])('is refused with %j', (fields) => {
		expect(readState({ ...FULL, ...fields })).toBeUndefined();
	});

	it.each([undefined, null, 'x', 7, [], {}])('is refused as %j', (value) => {
		expect(readState(value)).toBeUndefined();
	});
});
