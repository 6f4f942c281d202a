import fc from 'fast-check';
import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { findEvents, startNow, type Watch } from '../../nodes/Cases/trigger/changes/findEvents';
import { unpackVersion, type TriggerState } from '../../nodes/Cases/trigger/changes/state';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, type Clock } from '../api/simulation';
import { openLedger } from './ledger';
import { schedules, type Change, type Schedule, type Tick } from './schedule';
import { createWorld, START } from './world';

/**
 * "No event is lost, none is repeated", whatever happens between any two requests of the polls:
 * - each version of a case that can be seen all through a poll that reads everything is an event by its end,
 *   each created case is once created, each closing that such a poll sees is once closed, each comment is there once
 *   (where comments are edits or their case is given by ID),
 * - and no event comes twice, as long as n8n keeps the state as it does.
 *
 * The service sends the time in a Date header. A comment that is not an edit may still be seen as a change of a case
 * that was edited seconds before, for it stands among the case's activities.
 *
 * TRIGGER_RUNS sets the number of schedules, e.g. `TRIGGER_RUNS=10000 npx jest test/trigger/simulation`.
 */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 250);
const LIMIT_MS = 20_000 + RUNS * 100;

/** What the runs came to, to show that the interesting ones are there. */
const tally: Record<string, number> = {};
function count(what: string, times = 1): void {
	tally[what] = (tally[what] ?? 0) + times;
}
afterAll(() => {
	const lines = Object.entries(tally).map(([what, times]) => `${what}: ${times}`);
	process.stdout.write(`trigger simulation: ${lines.join(', ')}\n`);
});

const QUIET: Tick = {
	before: [],
	advanceMs: 10_000,
	isRestart: false,
	isNullKept: false,
	maxCases: Infinity,
	looksUntilTimeUp: Infinity,
};

/**
 * Further IDs, of cases that don't exist, so that all don't fit into a URL. Where comments are watched they would be
 * a failure, so then there are none.
 */
function otherIds({ areManyGiven, events }: Schedule): number[] {
	if (!areManyGiven || events.includes('commentAdded')) return [];
	return Array.from({ length: 300 }, (_, index) => 1_000_000 + index);
}

/** A client of which one chosen request fails. */
function withOutages(client: Client) {
	let untilFailure = Infinity;
	let requests = 0;
	const send: Client['send'] = async (request) => {
		if (untilFailure-- === 0) {
			throw new ApiFailure('No answer', { description: 'Try again.', retryable: true });
		}
		count('requests');
		if (++requests > 5000) throw new Error('The polls of a schedule do not come to an end');
		return await client.send(request);
	};
	return {
		client: { ...client, send },
		failAt: (index: number | undefined) => {
			untilFailure = index ?? Infinity;
		},
	};
}

/** A round trip through JSON, as n8n stores the state. */
const stored = (state: TriggerState) => JSON.parse(JSON.stringify(state)) as TriggerState;

/** Runs the trigger through a schedule; returns what was wrong. */
async function runSchedule(schedule: Schedule): Promise<string[]> {
	const clock: Clock = { now: START };
	const world = createWorld(schedule, clock);
	const ledger = openLedger(schedule, world);
	let isOver = false;
	const { client, failAt } = withOutages(
		simulate<Change>({
			store: world.store,
			clock,
			concurrency: schedule.concurrency,
			service: { commentsOrder: schedule.commentsOrder, detailsPerPage: 1000 },
			steps: schedule.steps,
			apply: (change) => {
				if (!isOver) world.apply(change);
			},
		}).client,
	);
	const watched: CaseFilters = {
		all: { filters: {} },
		urgent: { filters: { priority: 'CRITICAL' } },
		watched: {
			filters: {},
			caseIds: [...world.watchedIds, ...otherIds(schedule)].map(String),
		},
	}[world.watchedIds.length === 0 ? 'all' : schedule.scope];
	const unlimited: Watch = {
		cases: watchCases(client, watched, schedule.pageSize),
		withComments: schedule.events.includes('commentAdded'),
		maxCases: Infinity,
		isTimeUp: () => false,
	};

	let memory = await startNow(unlimited);
	let kept = stored(memory);
	ledger.begin();
	const complaints: string[] = [];

	const runTick = async (tick: Tick): Promise<number> => {
		for (const { advanceMs, change } of tick.before) {
			clock.now += advanceMs;
			world.apply(change);
		}
		clock.now += tick.advanceMs;
		if (tick.isRestart) memory = stored(kept);
		let looks = 0;
		let isTruncated = false;
		const watch: Watch = {
			...unlimited,
			maxCases: tick.maxCases,
			isTimeUp: () => {
				const isUp = looks++ >= tick.looksUntilTimeUp;
				isTruncated ||= isUp;
				return isUp;
			},
		};
		const missing = ledger.watch();
		failAt(tick.failAt);
		const result = await findEvents(watch, memory).catch((error: unknown) => {
			if (error instanceof ApiFailure && error.message === 'No answer') return undefined;
			throw error;
		});
		failAt(undefined);
		count('polls');
		if (result === undefined) {
			count('failed polls');
			return 0;
		}
		const versions = new Set(result.events.flatMap((one) => ('row' in one ? [one.row] : [])));
		isTruncated ||= versions.size >= tick.maxCases;
		const emitted = result.events.filter(({ event }) => schedule.events.includes(event));
		memory = stored(result.state);
		if (emitted.length > 0 || tick.isNullKept) kept = stored(memory);
		complaints.push(...ledger.note(emitted));
		if (!isTruncated) complaints.push(...missing());
		count('events', emitted.length);
		if (isTruncated) count('truncated polls');
		if (tick.isRestart) count('restarts');
		return emitted.length;
	};

	for (const tick of schedule.ticks) await runTick(tick);
	isOver = true;
	await runTick(QUIET);
	const inQuiet = await runTick(QUIET);
	await runTick({ ...QUIET, advanceMs: 120_000 });
	const inSilence = await runTick(QUIET);
	if (inQuiet + inSilence > 0) complaints.push('events although nothing happened');
	// A late edit may have dated a closed case before its closing: that one stays a while longer.
	const remembered = Object.values(memory.seen).filter(
		(version) => unpackVersion(version).resolved === undefined,
	).length;
	// Where no case matches any more, no answer shows that time has passed.
	if (schedule.scope !== 'urgent' && remembered > 0)
		complaints.push(`remembers ${remembered} cases after two quiet minutes`);
	count('schedules');
	return complaints;
}

describe('a trigger that is polled again and again', () => {
	it(
		'loses no event and repeats none, whatever happens between two requests',
		async () => {
			await fc.assert(
				fc.asyncProperty(schedules, async (schedule) => {
					expect(await runSchedule(schedule)).toEqual([]);
				}),
				// Shrinking a failure ends in time too.
				{ numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true },
			);
		},
		LIMIT_MS + 30_000,
	);
});
