import { nextState, type Progress } from '../../nodes/Cases/trigger/changes/nextState';
import { noteTime, openRun, type Run } from '../../nodes/Cases/trigger/changes/run';
import {
	startingState,
	type Place,
	type TriggerState,
} from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';

/** A state that has read everything up to 1100, is done up to 1000, and remembers since 900. */
const BEFORE: TriggerState = {
	...startingState(500),
	from: 1000,
	since: 900,
	floor: 900,
	newest: 1100,
};
const REST = { from: 1150, page: 2 };
const LOOK = {
	from: 1040,
	reads: [{ to: 1100, at: 1110, polls: 0 }],
	rest: { from: 1050, page: 3 },
};

interface Polled {
	before?: Partial<TriggerState>;
	now?: number;
	/** The edits that were read, as times; each is of a case of its own. */
	edits?: number[];
	taken?: number;
}

function runOf({ before, now, edits = [1150], taken = 1 }: Polled): Run {
	const run = { ...openRun({} as Watch, { ...BEFORE, ...before }), now, readAt: now, taken };
	edits.forEach((edited, index) => {
		const version = { id: index + 1, edited, digest: 7 };
		noteTime(run, version);
		run.memory.addVersion(version);
	});
	return run;
}
const complete = (polled: Polled, progress: Progress) => nextState(runOf(polled), progress);
const AT_START = { isFromStart: true };
const partialState = (run: Run, rest: Place) => nextState(run, { isFromStart: true, rest });

describe('the newest edit that counts', () => {
	it.each([
		['up to the clock', 1200, [1150, 1200, 1201], 1200],
		['none ahead of the clock', 1140, [1150], 1100],
		['none older than the one before', 1200, [1050], 1100],
		['not that of a single case without a clock', undefined, [1150], 1100],
		['the one before it without a clock', undefined, [1150, 1130, 1140], 1140],
		['that of two cases without a clock', undefined, [1150, 1150], 1150],
		['no edit at all', undefined, [], 1100],
	])('is %s', (_what, now, edits, newest) => {
		expect(complete({ now, edits }, AT_START).newest).toBe(newest);
		expect(partialState(runOf({ now, edits }), REST).newest).toBe(newest);
	});
});

describe('the state after a poll that read all edits', () => {
	it.each([
		['moves to a minute before the newest edit', {}, AT_START, 1090],
		['not past what gets a second look', { secondLook: LOOK }, AT_START, 1040],
		['stays where another place was read', {}, { isFromStart: false }, 1000],
		['moves once a read of several polls is over', { rest: REST }, { isFromStart: false }, 1090],
		['never moves back', { from: 1095 }, AT_START, 1095],
		['moves to what has had its second look', {}, { done: 1120, isFromStart: true }, 1120],
		['not further while newer edits wait', {}, { done: 1050, isFromStart: true }, 1050],
		['further if none does', { newest: 1060 }, { done: 1060, isFromStart: true }, 1090],
	])('%s', (_what, before, end, from) => {
		expect(complete({ now: 1200, before }, end).from).toBe(from);
	});

	it('remembers what can be read again, for two minutes at least', () => {
		const since = (before: Partial<TriggerState>, end: typeof AT_START & { done?: number }) => {
			const state = complete({ now: 1200, before }, end);
			expect(state.floor).toBe(state.since);
			return state.since;
		};
		expect(since({}, { done: 1120, isFromStart: true })).toBe(1030);
		expect(since({}, { isFromStart: false })).toBe(1000);
		expect(since({ since: 1035 }, { done: 1120, isFromStart: true })).toBe(1035);
		expect(since({ floor: 1036 }, { done: 1120, isFromStart: true })).toBe(1036);
	});

	it('forgets the place where a read continued, and keeps the page to begin with', () => {
		const state = complete({ now: 1200, before: { rest: REST } }, { ...AT_START, page: 4 });
		expect(state).toMatchObject({ rest: undefined, page: 4 });
	});

	it('has a second look for what was read first', () => {
		expect(complete({ now: 1200 }, AT_START).secondLook).toEqual({
			from: 1090,
			reads: [{ to: 1150, at: 1200, polls: 0 }],
		});
		expect(complete({ now: 1200 }, { done: 1120, isFromStart: true }).secondLook).toEqual({
			from: 1120,
			reads: [{ to: 1150, at: 1200, polls: 0 }],
		});
		const quiet = { now: 1200, taken: 0, edits: [1050] };
		expect(complete(quiet, { done: 1100, isFromStart: true }).secondLook).toBeUndefined();
	});

	it('keeps a second look that is not done, and forgets its place once it is', () => {
		const polled = { now: 1200, before: { secondLook: LOOK } };
		expect(complete(polled, { isFromStart: false }).secondLook).toMatchObject({
			from: 1040,
			rest: LOOK.rest,
		});
		const done = complete(polled, { done: 1100, isFromStart: false }).secondLook;
		expect(done).toMatchObject({ from: 1100 });
		expect(done?.rest).toBeUndefined();
	});

	it('keeps where a second look continues', () => {
		const lookRest = { from: 1070, page: 1 };
		const polled = { now: 1200, before: { secondLook: LOOK } };
		expect(complete(polled, { isFromStart: false, lookRest }).secondLook).toMatchObject({
			from: 1040,
			rest: lookRest,
		});
	});

	it('keeps contents of what may be edited again in the same second', () => {
		const withContent = (now: number, end: Progress, taken = 1) => {
			const { edits } = complete({ now, edits: [1089, 1090, 1094, 1095, 1150], taken }, end);
			return Object.keys(edits)
				.filter((second) => edits[second].length > 1)
				.map((second) => parseInt(second, 36))
				.sort();
		};
		expect(withContent(1200, AT_START)).toEqual([1095, 1150]);
		expect(withContent(1095, AT_START)).toEqual([1090, 1094, 1095, 1150]);
		expect(withContent(1200, { done: 1150, isFromStart: true }, 0)).toEqual([]);
	});

	it('forgets cases that were edited before the memory', () => {
		expect(complete({ now: 1200, edits: [950, 1150] }, AT_START).older).toBeUndefined();
	});
});

describe('the state after a poll that left edits', () => {
	it('continues at the place, with the same start of the memory', () => {
		const state = partialState(runOf({ now: 1200, edits: [901, 1150] }), REST);
		expect(state).toMatchObject({ from: 1000, since: 900, rest: { ...REST, began: 1200 } });
		expect(state.secondLook).toEqual({
			from: 1090,
			reads: [{ to: 1150, at: 1200, polls: 0 }],
		});
		expect(state.floor).toBe(970);
		expect(state.older).toBeDefined();
	});

	it.each([
		['from when on the read began', { rest: { ...REST, began: 1060 } }, 940],
		['all that it did where nothing says when', { rest: REST }, 900],
		['what gets a second look', { secondLook: LOOK }, 920],
	])('remembers in detail %s', (_what, before, floor) => {
		expect(partialState(runOf({ now: 1200, before }), REST).floor).toBe(floor);
	});

	it('remembers in detail what comes from the place on', () => {
		expect(partialState(runOf({ now: 1200 }), { from: 1050, page: 1 }).floor).toBe(930);
	});

	it('keeps when the read began', () => {
		const state = partialState(
			runOf({ now: 1200, before: { rest: { ...REST, began: 1060 } } }),
			REST,
		);
		expect(state.rest?.began).toBe(1060);
	});

	it.each([
		[8349, true],
		[8350, false],
		[undefined, true],
	])('has a second look at %s: %s', (now, hasLook) => {
		const run = runOf({ now, edits: [1150, 1150] });
		expect(partialState(run, REST).secondLook !== undefined).toBe(hasLook);
	});

	it('keeps a second look that is not done, also where it reads old edits', () => {
		const { secondLook } = partialState(runOf({ now: 9999, before: { secondLook: LOOK } }), REST);
		expect(secondLook).toMatchObject({ from: 1040, rest: LOOK.rest });
		expect(secondLook?.reads).toHaveLength(2);
	});
});
