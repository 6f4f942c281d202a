import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { replay } from '../../nodes/Cases/trigger/changes/replay';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import type { Round, TriggerState } from '../../nodes/Cases/trigger/changes/state';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

/** A trigger on a service with the cases 1 to 12, which reads one after another. */
async function setUp({ tellsTime = true } = {}) {
	const { clock, store } = storeAt(START);
	const all = Array.from({ length: 12 }, (_, index) => index + 1);
	for (const case_id of all) store.createCase({ case_id });
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 1,
		tellsTime,
	});
	const watch = (caseIds: number[], casesToRead: number): Watch => {
		let looks = 1;
		return {
			cases: watchCases(client, { filters: {}, caseIds: caseIds.map(String) }, 50, () => {}),
			chosen: ['commentAdded'],
			withComments: true,
			log: { debug: () => {}, info: () => {}, warn: () => {} },
			maxCases: Infinity,
			isTimeUp: () => looks++ >= casesToRead,
		};
	};
	let state = await startNow(watch(all, Infinity));
	// After a quiet time the cases themselves are not read again.
	clock.now += 120_000;
	({ state } = await findEvents(watch(all, Infinity), state));
	clock.now += 10_000;

	/** Polls, with time to read the comments of some cases. */
	const poll = async (caseIds: number[], casesToRead = Infinity) => {
		answered.length = 0;
		const found = await findEvents(watch(caseIds, casesToRead), state);
		state = JSON.parse(JSON.stringify(found.state)) as TriggerState;
		clock.now += 10_000;
		const paths = answered.map((path) => /cases\/(\d+)\/comments/.exec(path)?.[1]);
		return {
			read: paths.filter((id) => id !== undefined).map(Number),
			commentedOn: found.events.flatMap(({ row, comment }) => (comment ? [row.case_id] : [])),
		};
	};
	const setRound = (round: unknown) => {
		state = { ...state, given: { ...state.given!, round: round as Round } };
	};
	/** Polls without comments. */
	const pollCases = async (caseIds: number[]) => {
		({ state } = await findEvents({ ...watch(caseIds, Infinity), withComments: false }, state));
		clock.now += 10_000;
	};
	const replayFrom = (ms: number) => {
		state = replay(state, { time: ms / 1000 })!;
	};
	return { store, clock, poll, pollCases, setRound, replayFrom, stateNow: () => state };
}

describe('a round through the given cases', () => {
	it.each([
		['none', [3, 10, 9], [3, 9, 10]],
		['9', [3, 10, 9], [10, 3, 9]],
		['9', [11, 1, 10, 2], [10, 11, 1, 2]],
		['9', [1, 2], [1, 2]],
		['2', [3, 4], [3, 4]],
	])('after case %s reads %j in the order %j', async (after, caseIds, expected) => {
		const { poll, setRound } = await setUp();
		if (after !== 'none') setRound({ after, seesTo: START / 1000 });
		expect((await poll(caseIds)).read).toEqual(expected);
	});

	it('continues after the last case read when the time was up', async () => {
		const { poll } = await setUp();
		expect((await poll([1, 2, 3, 4, 5], 2)).read).toEqual([1, 2]);
		expect((await poll([1, 2, 3, 4, 5], 2)).read).toEqual([3, 4]);
		expect((await poll([1, 2, 3, 4, 5], 2)).read).toEqual([5, 1]);
		expect((await poll([1, 2, 3, 4, 5], 2)).read).toEqual([2, 3]);
	});

	it('begins at the first case again after a poll that read all', async () => {
		const { poll } = await setUp();
		await poll([1, 2, 3], 2);
		expect((await poll([1, 2, 3])).read).toEqual([3, 1, 2]);
		expect((await poll([1, 2, 3])).read).toEqual([1, 2, 3]);
	});

	it('loses no comment when a case is put in front of Case IDs mid-round', async () => {
		const { store, clock, poll } = await setUp();
		store.addComment(4, 'Seen');
		clock.now += 10_000;
		store.addComment(1, 'Seen later');
		expect((await poll([1, 2, 3, 4], 2)).commentedOn).toEqual([1]);
		await poll([9, 1, 2, 3, 4], 1);
		expect((await poll([9, 1, 2, 3, 4], 1)).commentedOn).toEqual([4]);
	});

	it('reports a comment on a case that was added mid-round in front of the cases already read', async () => {
		const { store, clock, poll } = await setUp();
		await poll([2, 3, 4], 2);
		store.addComment(1, 'After it was added');
		clock.now += 10_000;
		store.addComment(4, 'Newer');
		expect((await poll([1, 2, 3, 4], 1)).commentedOn).toEqual([4]);
		expect((await poll([1, 2, 3, 4], 1)).commentedOn).toEqual([1]);
	});

	it('reports a comment made mid-round on a case already read, after several polls', async () => {
		const { store, clock, poll } = await setUp();
		await poll([1, 2, 3], 1);
		store.addComment(1, 'Behind the place');
		clock.now += 10_000;
		await poll([1, 2, 3], 1);
		store.addComment(3, 'Newer');
		expect((await poll([1, 2, 3], 1)).commentedOn).toEqual([3]);
		expect((await poll([1, 2, 3], 1)).commentedOn).toEqual([1]);
	});

	it('reports a comment made mid-round where the service sends no date', async () => {
		const { store, clock, poll } = await setUp({ tellsTime: false });
		await poll([1, 2], 1);
		store.addComment(1, 'Behind the place');
		clock.now += 10_000;
		store.addComment(2, 'Newer');
		expect((await poll([1, 2], 1)).commentedOn).toEqual([2]);
		expect((await poll([1, 2], 1)).commentedOn).toEqual([1]);
	});

	it('forgets comments that no later round reads', async () => {
		const { store, clock, poll, stateNow } = await setUp();
		store.addComment(2, 'Seen');
		await poll([1, 2]);
		const { marks } = stateNow().given!;
		clock.now += 300_000;
		store.addComment(1, 'Seen later');
		await poll([1, 2]);
		expect(Object.keys(stateNow().given!.marks)).toHaveLength(1);
		expect(stateNow().given!.marks).not.toEqual(marks);
		expect(stateNow().given!.round).toBeUndefined();
	});

	it('loses no comment when changes are replayed mid-round from a later time', async () => {
		const { store, clock, poll, replayFrom } = await setUp();
		const ids = [1, 2, 3, 4, 5];
		store.addComment(1, 'Read');
		store.addComment(5, 'Unread');
		expect((await poll(ids, 1)).commentedOn).toEqual([1]);
		for (const priority of ['HIGH', 'LOW'] as const) {
			clock.now += 120_000;
			store.updateCase(1, { priority });
			expect((await poll(ids, 1)).commentedOn).toEqual([]);
		}
		const time = clock.now;
		store.addComment(4, 'Read, and replayed');
		clock.now += 10_000;
		store.updateCase(1, { priority: 'HIGH' });
		expect((await poll(ids, 1)).commentedOn).toEqual([4]);
		replayFrom(time);
		expect((await poll(ids)).commentedOn).toEqual([5, 4]);
		expect((await poll(ids)).commentedOn).toEqual([]);
	});

	it('does not report what was commented on while comments were not watched', async () => {
		const { store, clock, poll, pollCases } = await setUp();
		await poll([1, 2]);
		store.addComment(1, 'Not watched');
		clock.now += 600_000;
		store.updateCase(1, { priority: 'HIGH' });
		await pollCases([1, 2]);
		clock.now += 120_000;
		await pollCases([1, 2]);
		store.addComment(2, 'Watched again');
		expect((await poll([1, 2])).commentedOn).toEqual([2]);
	});
});
