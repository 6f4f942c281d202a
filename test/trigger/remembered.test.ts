import { packMatches } from '../../nodes/Cases/trigger/changes/matches';
import { hashOf, isState, openSeen, stateFrom } from '../../nodes/Cases/trigger/changes/state';
import { watchedSince, type Watch } from '../../nodes/Cases/trigger/changes/watch';

/** Beginnings of the minutes that a state names rs, rt and ru. */
const [FIRST, SECOND, THIRD] = [60_000, 60_060, 60_120];

describe('a state', () => {
	it('of a trigger that starts has seen nothing, and no case waits', () => {
		const watched = { what: 'all', since: { caseCreated: FIRST } };
		const state = stateFrom(watched, FIRST);
		expect(state).toEqual({
			version: 4,
			counter: 0,
			watched,
			since: FIRST,
			from: FIRST,
			seen: {},
			waiting: [],
			failing: [],
		});
		expect(isState(state)).toBe(true);
	});

	it.each([undefined, null, 'x', 3, [], {}, { version: 2 }, { version: '4' }])(
		'of this version is not %j',
		(value) => {
			expect(isState(value)).toBe(false);
		},
	);

	it('and an event_id have the same hashes in each release', () => {
		expect(['', 'a', '500 1769860800', 'created 0'].map(hashOf)).toEqual([
			'adsrs88f',
			'3wjdmrne',
			'7z9w3hpd',
			'0eivlnhn',
		]);
	});
});

describe('the memory of what was seen', () => {
	const packed = { rs: hashOf('a') + hashOf('b'), rt: hashOf('a') };

	it('is read from a state and written to it, by minute', () => {
		const seen = openSeen(packed);
		expect(seen.pack()).toEqual(packed);
		const times = [FIRST - 1, FIRST, FIRST + 59, SECOND, THIRD];
		expect(times.map((at) => seen.has(at, 'a'))).toEqual([false, true, true, true, false]);
		expect(times.map((at) => seen.has(at, 'b'))).toEqual([false, true, true, false, false]);
	});

	it('has each key once', () => {
		const seen = openSeen(packed);
		seen.add(FIRST, 'b');
		seen.add(FIRST + 1, 'c');
		seen.add(THIRD, 'a');
		expect(seen.pack()).toEqual({
			rs: ['a', 'b', 'c'].map(hashOf).join(''),
			rt: hashOf('a'),
			ru: hashOf('a'),
		});
	});

	it.each([
		['nothing that is not over, while there are few enough', [59, 4, Infinity], 0, 'rs rt ru'],
		['what is over without a time to report', [60, 4, Infinity], 0, 'rt ru'],
		['the oldest minute of too many', [0, 3, Infinity], 60, 'rt ru'],
		['as many of the oldest minutes as are needed', [0, 2, Infinity], 120, 'ru'],
		['what is over first, and counts it', [60, 3, Infinity], 0, 'rt ru'],
		['no minute that ends after what was read', [0, 0, 120], 120, 'ru'],
		['nothing where nothing was read', [0, 0, 59], 0, 'rs rt ru'],
	] as const)('forgets %s', (_what, [before, most, end], forgotten, left) => {
		const seen = openSeen({});
		seen.add(THIRD, 'a');
		seen.add(SECOND, 'a');
		seen.add(SECOND, 'b');
		seen.add(FIRST, 'a');
		expect(seen.forget(FIRST + before, most, FIRST + end)).toBe(forgotten && FIRST + forgotten);
		expect(Object.keys(seen.pack()).sort()).toEqual(left.split(' '));
	});
});

describe('an event is watched', () => {
	const COMMENTED = 'activityAdded COMMENTED';

	it.each([
		['from now on, and so is a chosen type', {}, ['COMMENTED'], { [COMMENTED]: 9 }],
		['with all types, where none is chosen', {}, [], { activityAdded: 9 }],
		[
			'no longer, or since it was chosen',
			{ caseCreated: 1, activityAdded: 1 },
			[],
			{ activityAdded: 1 },
		],
		['since all types were', { activityAdded: 1 }, ['COMMENTED'], { [COMMENTED]: 1 }],
		[
			'with all types and an earlier one',
			{ [COMMENTED]: 1 },
			[],
			{ [COMMENTED]: 1, activityAdded: 9 },
		],
		[
			'from now on with another type',
			{ [COMMENTED]: 1 },
			['CREATED'],
			{ 'activityAdded CREATED': 9 },
		],
	])('%s', (_when, before: Record<string, number>, activityTypes, since) => {
		const watch = { chosen: ['caseClosed', 'activityAdded'], activityTypes } as unknown as Watch;
		expect(watchedSince(watch, before, 9)).toEqual({ caseClosed: 9, ...since });
	});
});

describe('which cases match', () => {
	it('is stored as ascending differences of their IDs, with those in doubt', () => {
		const [ids, doubts] = [['100', '35', '7'], ['35']].map((list) => new Set(list));
		expect(packMatches({ ids, doubts, readAt: 5 })).toEqual({
			ids: '7 s 1t',
			doubts: ['35'],
			readAt: 5,
		});
	});
});
