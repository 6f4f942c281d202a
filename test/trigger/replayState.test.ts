import { numberOfText } from '../../nodes/Cases/trigger/changes/digest';
import { openMarks } from '../../nodes/Cases/trigger/changes/memory';
import { replay } from '../../nodes/Cases/trigger/changes/replay';
import { startingState, type TriggerState } from '../../nodes/Cases/trigger/changes/state';

/** A state that has read everything up to 1000, and is done up to 900. */
const STATE: TriggerState = {
	...startingState(500),
	from: 900,
	newest: 1000,
	edits: { a: ['A'] },
	matches: { ids: 'A', filters: 1, readAt: 2 },
};
const PLACE = { from: 850, page: 3 };

describe('the state of a replay', () => {
	it('forgets what was reported since the time, and keeps which cases match', () => {
		expect(replay(STATE, { time: 800 })).toEqual({
			...startingState(800),
			from: 799,
			matches: STATE.matches,
			replayed: 800,
		});
	});

	it.each([
		[300, 300],
		[700, 600],
	])('has comments of given cases from %i on as new, and older ones as they were', (time, from) => {
		const marks = openMarks({});
		for (const minute of [600, 660, 720, 780]) marks.add(minute, 'comment');
		const round = { after: '7', seesTo: 750 };
		const given = { from: 600, newest: 800, marks: marks.pack(600), round };
		const again = replay({ ...STATE, given }, { time })?.given;
		expect(again).toEqual({ from, newest: 800, marks: again?.marks });
		const kept = openMarks(again?.marks ?? {});
		const isKept = [600, 660, 720, 780].map((minute) => kept.has(minute, 'comment'));
		expect(isKept).toEqual([time === 700, false, false, false]);
	});

	it('starts from the time where there is none yet', () => {
		expect(replay(undefined, { time: 800 })).toEqual({
			...startingState(800),
			from: 799,
			replayed: 800,
		});
	});

	it.each([1000, 1001])('leaves the place where it is for %i, which is not behind it', (time) => {
		expect(replay(STATE, { time })).toEqual({ ...STATE, replayed: time });
	});

	it.each([
		['is done', {}, 900],
		['continues', { rest: PLACE }, 850],
		['looks a second time', { secondLook: { from: 840, reads: [] } }, 840],
		[
			'looks a second time and continues',
			{ rest: PLACE, secondLook: { from: 860, reads: [] } },
			850,
		],
	])('starts no later than where the trigger %s', (_what, fields, start) => {
		expect(replay({ ...STATE, ...fields }, { time: 999 })).toMatchObject({
			start,
			since: start,
			from: start - 1,
		});
	});

	it.each([
		[999, 950],
		[940, 940],
	])('from %i starts no earlier than the trigger did, unless it is earlier', (time, start) => {
		const begun = { ...STATE, start: 950 };
		expect(replay(begun, { time })).toMatchObject({ start, since: start, from: start - 1 });
	});

	it('is told from others by its time or, where that comes from an expression, by this', () => {
		const expression = '={{ $now }}';
		expect(replay(STATE, { time: 800 })?.replayed).toBe(800);
		expect(replay(STATE, { time: 800, expression })?.replayed).toBe(numberOfText(expression));
	});

	it('is made once', () => {
		const expression = '={{ $now }}';
		const again = replay({ ...STATE, replayed: 700 }, { time: 800 });
		expect(again?.replayed).toBe(800);
		expect(replay(again, { time: 800 })).toBeUndefined();
		const first = replay(STATE, { time: 800, expression });
		expect(replay(first, { time: 850, expression })).toBeUndefined();
	});
});
