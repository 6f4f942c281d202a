import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { findMatching } from '../../nodes/Cases/trigger/changes/matchingCases';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, storeAt, type Step } from '../api/simulation';
import { START } from './world';

/** How long a poll may take with durable cursors, in ms. */
export const POLL_MS = 45_000;

/** Max Cases per Poll and Page Size, as they are by default. */
export const MAX_CASES = 2000;
export const PAGE_SIZE = 50;

/** What the state of a trigger may take, as n8n stores it. */
export const MAX_BYTES = 64 * 1024;

export interface PollRecord {
	cases: number[];
	events: string[];
	requests: number;
	ms: number;
	bytes: number;
}

/** As many requests as any of these tests makes. */
const REQUESTS = 100_000;

const DEFAULTS = {
	areMatchesWatched: false,
	/** Cases that are there at the start. */
	already: 0,
	/** How long the service takes for a page, in ms. */
	pageMs: 250,
	pageSize: PAGE_SIZE,
	maxCases: MAX_CASES,
	withComments: false,
};

/** A trigger with polls a minute apart, on a service that takes its time. */
export async function setUpBulk(given: Partial<typeof DEFAULTS> = {}) {
	const { areMatchesWatched, already, pageMs, pageSize, maxCases, withComments } = {
		...DEFAULTS,
		...given,
	};
	const { clock, store } = storeAt(START);
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 8,
		steps: Array<Step<never>>(REQUESTS).fill({
			advanceMs: 0,
			changes: [],
			pick: 0,
			answerMs: pageMs,
		}),
		apply: () => {},
	});
	const silent = { debug: () => {}, info: () => {}, warn: () => {} };
	const filters: CaseFilters = { filters: areMatchesWatched ? { priority: 'CRITICAL' } : {} };
	const cases = watchCases(client, filters, pageSize, silent.info, areMatchesWatched);
	const watch = (isTimeUp: () => boolean): Watch => ({
		cases,
		matching: areMatchesWatched
			? findMatching(client, filters, cases, 86_400, silent.warn)
			: undefined,
		chosen: areMatchesWatched ? ['caseMatched', 'caseUnmatched'] : ['caseCreated', 'caseUpdated'],
		withComments,
		log: silent,
		maxCases,
		isTimeUp,
	});
	store.createCase({ case_id: 1_000_000 });
	const long = { created_at: START - 3_600_000, updated_at: START - 3_600_000 };
	for (let case_id = 1; case_id <= already; case_id++) {
		store.createCase({ case_id, priority: case_id % 2 === 0 ? 'CRITICAL' : 'LOW', ...long });
	}
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
			events: found.events.map(({ event }) => event),
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
