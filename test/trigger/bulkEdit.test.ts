import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { CaseStore } from '../../sandbox';
import { simulate, type Clock } from '../api/simulation';
import { START } from './world';

/** How many cases one edit touches: in one second, so that all have one timestamp. BULK_CASES=50000 tries as many. */
const CASES = Number(process.env.BULK_CASES ?? 2200);

/** How long the service takes for a page, and how long a poll may take with durable cursors, in ms. */
const PAGE_MS = 250;
const POLL_MS = 45_000;

/** Max Cases per Poll and Page Size, as they are by default. */
const MAX_CASES = 2000;
const PAGE_SIZE = 50;

/** What the state of a trigger may take, as n8n stores it. */
const MAX_BYTES = 64 * 1024;

interface PollRecord {
	cases: number[];
	requests: number;
	ms: number;
	bytes: number;
}

/** A trigger with polls a minute apart, on a service that takes its time. */
async function setUp(service: Parameters<typeof simulate>[0]['service'] = {}) {
	const clock: Clock = { now: START };
	const store = new CaseStore({ now: () => new Date(clock.now) });
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 8,
		service,
		steps: Array(20 * CASES).fill({ advanceMs: 0, changes: [], pick: 0, answerMs: PAGE_MS }),
		apply: () => {},
	});
	const silent = { debug: () => {}, info: () => {}, warn: () => {} };
	const watch = (isTimeUp: () => boolean): Watch => ({
		cases: watchCases(client, { filters: {} }, PAGE_SIZE, silent.info),
		chosen: ['caseCreated', 'caseUpdated'],
		withComments: false,
		log: silent,
		maxCases: MAX_CASES,
		isTimeUp,
	});
	store.createCase({ case_id: 1_000_000 });
	let stored = JSON.stringify(await startNow(watch(() => false)));
	clock.now += 60_000;

	const poll = async (): Promise<PollRecord> => {
		const began = clock.now;
		const before = answered.length;
		const isTimeUp = () => clock.now - began > POLL_MS / 2;
		const found = await findEvents(watch(isTimeUp), JSON.parse(stored) as TriggerState);
		stored = JSON.stringify(found.state);
		const ms = clock.now - began;
		clock.now = began + 60_000;
		return {
			cases: found.events.map(({ row }) => Number(row.case_id)),
			requests: answered.length - before,
			ms,
			bytes: stored.length,
		};
	};
	const edit = (count: number) => {
		for (let case_id = 1; case_id <= count; case_id++) store.createCase({ case_id });
	};
	return { store, clock, poll, edit };
}

describe('an edit of many cases with one timestamp', () => {
	it('is worked off in batches of a thousand cases and more, each once, within time and state', async () => {
		const { poll, edit } = await setUp();
		edit(CASES);
		const polls: PollRecord[] = [];
		while (polls.length === 0 || polls[polls.length - 1].cases.length > 0) polls.push(await poll());
		if (process.env.BULK_CASES !== undefined) {
			const lines = polls.map(
				(one) =>
					`${one.cases.length} cases, ${one.requests} requests, ${one.ms} ms, ${one.bytes} bytes`,
			);
			process.stdout.write(`${lines.join('\n')}\n`);
		}
		const full = polls.slice(0, Math.ceil(CASES / MAX_CASES) - 1);
		expect(Math.min(...full.map(({ cases }) => cases.length))).toBeGreaterThanOrEqual(1000);
		const all = polls.flatMap(({ cases }) => cases);
		expect(all).toHaveLength(CASES);
		expect(new Set(all).size).toBe(CASES);
		expect(Math.max(...polls.map(({ ms }) => ms))).toBeLessThan(POLL_MS);
		// Each batch but the first begins with pages that are known.
		const most = MAX_CASES / PAGE_SIZE + 3;
		expect(Math.max(...full.map(({ requests }) => requests))).toBeLessThanOrEqual(most);
		expect(Math.max(...polls.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
	});

	it('costs one second look and no more, with later edits found in the same poll', async () => {
		const { store, poll, edit } = await setUp();
		const pages = 12;
		edit(pages * PAGE_SIZE);
		const first = await poll();
		expect(first.cases).toHaveLength(pages * PAGE_SIZE);
		store.createCase({ case_id: 500_000 });
		const second = await poll();
		expect(second.cases).toEqual([500_000]);
		const later: number[] = [];
		for (let count = 0; count < 4; count++) later.push((await poll()).requests);
		expect(second.requests + later.reduce((sum, requests) => sum + requests)).toBeLessThanOrEqual(
			2 * pages + 10,
		);
		expect(later.slice(-2)).toEqual([1, 1]);
	});
});
