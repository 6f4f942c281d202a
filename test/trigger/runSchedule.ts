import type { Client } from '../../nodes/Cases/api/http/client';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { CaseFilters } from '../../nodes/Cases/api/cases/caseQuery';
import { findEvents, startNow } from '../../nodes/Cases/trigger/changes/poll';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, type Clock } from '../api/simulation';
import { openLedger } from './ledger';
import type { Change, Schedule, Tick } from './schedule';
import { createWorld, START } from './world';

/** What the runs came to, to show that the interesting ones are there. */
export const tally: Record<string, number> = {};
function count(what: string, times = 1): void {
	tally[what] = (tally[what] ?? 0) + times;
}
const QUIET: Tick = {
	before: [],
	advanceMs: 60_000,
	isRestart: false,
	isKilled: false,
	isNullKept: false,
	maxCases: Infinity,
	isFilterChanged: false,
	looksUntilTimeUp: Infinity,
};

/** Polls until everything has had time to show, twice as long as it may take. */
const QUIET_POLLS = 8;

/** Further IDs, of cases that don't exist, so that all don't fit into a URL. Where all of them are read, they take long. */
function otherIds({ areManyGiven, events }: Schedule): number[] {
	const areAllRead = events.includes('caseMatched') || events.includes('commentAdded');
	if (!areManyGiven || areAllRead) return [];
	return Array.from({ length: 300 }, (_, index) => 1_000_000 + index);
}

/** A client of which one chosen request fails. */
function withOutages(client: Client) {
	let untilFailure = Infinity;
	let httpCode: number | undefined;
	let requests = 0;
	const send: Client['send'] = async (request) => {
		if (untilFailure-- === 0) {
			throw new ApiFailure('No answer', { description: 'Try again.', httpCode, retryable: true });
		}
		count('requests');
		if (++requests > 400_000) throw new Error('The polls of a schedule do not come to an end');
		return await client.send(request);
	};
	return {
		client: { ...client, send },
		failAt: (index: number | undefined, status?: number) => {
			untilFailure = index ?? Infinity;
			httpCode = status;
		},
	};
}

/** A list that changed at each request is short of its pages. */
const isShort = (error: unknown) =>
	error instanceof ApiFailure && /says that there are|did not return all/.test(error.message);

/** A round trip through JSON, as n8n stores the state. */
const stored = (state: TriggerState) => JSON.parse(JSON.stringify(state)) as TriggerState;

function matchesIn({ matches }: TriggerState): number[] {
	let last = 0;
	const gaps = matches === undefined || matches.ids === '' ? [] : matches.ids.split(' ');
	return gaps.map((gap) => (last += parseInt(gap, 36)));
}

/** Runs the trigger through a schedule; returns what was wrong. */
export async function runSchedule(schedule: Schedule): Promise<string[]> {
	const clock: Clock = { now: START };
	const world = createWorld(schedule, clock);
	const ledger = openLedger(schedule, world);
	let isOver = false;
	const { client, failAt } = withOutages(
		simulate<Change>({
			store: world.store,
			clock,
			concurrency: schedule.concurrency,
			service: {
				commentsOrder: schedule.commentsOrder,
				detailsPerPage: schedule.detailsPerPage,
				deviations: schedule.deviations,
				grown: ['page-size'],
			},
			steps: schedule.steps,
			apply: (change) => {
				if (!isOver) world.apply(change);
			},
		}).client,
	);
	const areMatchesWatched = schedule.events.includes('caseMatched');
	const silent = {
		debug: () => {},
		info: () => count('log lines'),
		warn: () => count('warnings'),
	};
	/** The trigger with its filters as they are now. */
	const watch = (tick: Tick = QUIET): Watch => {
		let looks = 0;
		const filters: CaseFilters = {
			all: { filters: {} },
			urgent: { filters: { ...world.wanted } },
			watched: {
				filters: {},
				caseIds: [...world.watchedIds, ...otherIds(schedule)].map(String),
			},
		}[world.scope];
		return {
			cases: watchCases(client, filters, schedule.pageSize, silent, areMatchesWatched),
			what: '',
			chosen: schedule.events,
			activityTypes: [],
			areMatchesWatched,
			maxCases: tick.maxCases,
			isTimeUp: () => looks++ >= tick.looksUntilTimeUp,
			now: () => Math.floor(clock.now / 1000) + schedule.nodeOffset,
			log: silent,
		};
	};

	/**
	 * The trigger starts, as when it is published with other filters. Nothing that is there by then is an event. Where the
	 * cases that match change at each request, it may take several tries.
	 */
	const start = async (): Promise<TriggerState> => {
		const state = await startNow(watch()).catch((error: unknown) => {
			if (isShort(error)) return undefined;
			throw error;
		});
		if (state === undefined) return await start();
		ledger.begin(clock.now);
		ledger.know(matchesIn(state));
		return stored(state);
	};

	let kept = await start();
	let memory = stored(kept);
	const complaints: string[] = [];

	const runTick = async (tick: Tick): Promise<number> => {
		for (const { advanceMs, change } of tick.before) {
			clock.now += advanceMs;
			world.apply(change);
		}
		clock.now += tick.advanceMs;
		if (tick.isFilterChanged && schedule.scope === 'urgent') {
			world.wanted.priority = world.wanted.priority === 'LOW' ? 'CRITICAL' : 'LOW';
			kept = await start();
			memory = stored(kept);
			count('changed filters');
			return 0;
		}
		if (tick.isRestart) memory = stored(kept);
		failAt(tick.failAt, tick.failStatus);
		const result = await findEvents(watch(tick), memory).catch((error: unknown) => {
			// An outage; or a list that changed at each request is short of its pages.
			const isClear =
				error instanceof ApiFailure && /No answer|says that there/.test(error.message);
			if (!isClear) throw error;
			return undefined;
		});
		failAt(undefined);
		count('polls');
		if (result === undefined) {
			count('failed polls');
			return 0;
		}
		const { events, state, failure } = result;
		if (failure !== undefined) count('polls that ended early');
		const isForgotten = tick.isKilled && events.length > 0;
		complaints.push(...ledger.note(events, isForgotten));
		memory = stored(isForgotten ? kept : state);
		if (!isForgotten && (events.length > 0 || tick.isNullKept)) kept = stored(state);
		count('events', events.length);
		for (const { event } of events) if (event.endsWith('atched')) count(event);
		if (state.rest !== undefined) count('truncated polls');
		if (tick.isRestart || isForgotten) count('restarts');
		return events.length;
	};

	for (const tick of schedule.ticks) await runTick(tick);
	isOver = true;
	for (let poll = 0; poll < QUIET_POLLS; poll++) await runTick(QUIET);
	// By then the time has come also by a clock that is an hour behind.
	await runTick({ ...QUIET, advanceMs: 3_700_000 });
	for (let poll = 0; poll < QUIET_POLLS; poll++) await runTick(QUIET);
	complaints.push(...ledger.missing());
	const inQuiet = await runTick(QUIET);
	await runTick({ ...QUIET, advanceMs: 120_000 });
	const inSilence = await runTick(QUIET);
	if (inQuiet + inSilence > 0) complaints.push('events although nothing happened');
	count('schedules');
	return complaints;
}
