import { noteTime, openRun, type Run } from '../../nodes/Cases/trigger/changes/run';
import {
	isLookDue,
	readsToCome,
	secondLookDue,
} from '../../nodes/Cases/trigger/changes/secondLook';
import { startingState, type FirstRead } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';

/** A poll with earlier reads, which began to read at `now` and, unless given, ended then. */
function runOf(reads: FirstRead[] | undefined, fields: Partial<Run> = {}): Run {
	const secondLook = reads && { from: 0, reads };
	const run = openRun({} as Watch, { ...startingState(100), secondLook });
	return { ...run, readAt: fields.now, ...fields };
}

describe('a second look', () => {
	const reads = [
		{ to: 10, at: 1000, polls: 2 },
		{ to: 20, at: 1030, polls: 1 },
	];

	it.each([
		[1059, undefined],
		[1060, 10],
		[1090, 20],
		[undefined, 10],
	])('at %s is due up to %s', (now, due) => {
		expect(secondLookDue(runOf(reads, { now }))).toBe(due);
	});

	it('is due after three polls where the service sent no time when it was read', () => {
		expect(secondLookDue(runOf([{ to: 10, polls: 1 }], { now: 1000 }))).toBeUndefined();
		expect(secondLookDue(runOf([{ to: 10, polls: 2 }], { now: 1000 }))).toBe(10);
		expect(secondLookDue(runOf(undefined, { now: 1000 }))).toBeUndefined();
		expect(secondLookDue(runOf([]))).toBeUndefined();
	});

	it.each([
		[5, undefined, 1000, false],
		[5, 5, 1000, true],
		[6, 5, 1000, false],
		[1000, 5, 1000, false],
		[1001, 5, 1000, true],
		[1001, 5, undefined, false],
		[1001, undefined, 1000, false],
	])('at an edit of %i, up to %s at %s, is due: %s', (edited, lookTo, now, isDue) => {
		expect(isLookDue({ now } as Run, edited, lookTo)).toBe(isDue);
	});
});

describe('the reads that get a second look', () => {
	const READ = { to: 200, at: 1000, polls: 0 };

	it('are those not done yet, a poll older', () => {
		const reads = [READ, { to: 300, polls: 4 }];
		const run = runOf(reads, { now: 2000 });
		expect(readsToCome(run, 100)).toEqual([
			{ to: 200, at: 1000, polls: 1 },
			{ to: 300, at: 2000, polls: 5 },
		]);
		expect(readsToCome(run, 100, 200)).toEqual([{ to: 300, at: 2000, polls: 5 }]);
		expect(readsToCome(run, 100, 199)).toHaveLength(2);
	});

	it('count from where the clock is after it was set back', () => {
		expect(readsToCome(runOf([READ], { now: 900 }), 100)[0].at).toBe(900);
		expect(readsToCome(runOf([READ]), 100)[0].at).toBe(1000);
		expect(readsToCome(runOf([{ to: 200, polls: 0 }]), 100)[0].at).toBeUndefined();
	});

	it.each([
		['what is new', { taken: 1 }, 100, true],
		['a newer edit', {}, 201, true],
		['nothing', {}, 200, false],
	])('have one more after a poll that read %s', (_what, fields, newest, hasMore) => {
		const reads = readsToCome(runOf([READ], { now: 1000, ...fields }), newest);
		expect(reads.slice(1)).toEqual(hasMore ? [{ to: newest, at: 1000, polls: 0 }] : []);
	});

	it.each([[1070], [undefined]])(
		'have the time of the last answer for what is new: %s',
		(readAt) => {
			const run = runOf([], { now: 1000, readAt, taken: 1 });
			expect(readsToCome(run, 900)).toEqual([{ to: 900, at: readAt, polls: 0 }]);
		},
	);

	it('have none where all is done', () => {
		expect(readsToCome(runOf(undefined, { now: 1000 }), 100)).toEqual([]);
		expect(readsToCome(runOf(undefined, { now: 1000 }), 101)).toHaveLength(1);
		expect(readsToCome(runOf([READ], { now: 1000 }), 300, 300)).toEqual([]);
	});

	it('reach to the last edit that was read, unless it is dated more than a minute ahead', () => {
		const run = runOf([], { now: 1000, taken: 1 });
		for (const edited of [1059, 1060, 1061]) noteTime(run, { id: 1, edited, digest: 1 });
		expect(readsToCome(run, 900)).toEqual([{ to: 1060, at: 1000, polls: 0 }]);
		expect(readsToCome({ ...run, now: undefined }, 900)[0].to).toBe(900);
	});

	it('are eight at most; of more, the last but one is dropped', () => {
		const reads = (count: number) =>
			Array.from({ length: count }, (_, index) => ({ to: 200 + index, at: 1000, polls: 0 }));
		const tosOf = (count: number) =>
			readsToCome(runOf(reads(count), { now: 1000, taken: 1 }), 900).map(({ to }) => to);
		expect(tosOf(7)).toEqual([200, 201, 202, 203, 204, 205, 206, 900]);
		expect(tosOf(8)).toEqual([200, 201, 202, 203, 204, 205, 206, 900]);
	});
});
