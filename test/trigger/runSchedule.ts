import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { withMatchesDue } from '../../nodes/Cases/trigger/changes/followMatches';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { TriggerEvent, Watch } from '../../nodes/Cases/trigger/changes/watch';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import { findMatching } from '../../nodes/Cases/trigger/changes/matchingCases';
import { unpackNumbers } from '../../nodes/Cases/trigger/changes/packNumbers';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, type Clock } from '../api/simulation';
import { isHit } from '../../sandbox/deviating/hits';
import type { Case } from '../../sandbox/types';
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
	advanceMs: 10_000,
	isRestart: false,
	isKilled: false,
	isNullKept: false,
	maxCases: Infinity,
	isFilterChanged: false,
	looksUntilTimeUp: Infinity,
};

/**
 * Further IDs, of cases that don't exist, so that all don't fit into a URL. Where comments are watched they would be
 * a failure, and where matches are, they take many requests, so then there are none.
 */
function otherIds({ areManyGiven, events }: Schedule): number[] {
	if (!areManyGiven || events.includes('commentAdded') || events.includes('caseMatched')) return [];
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
		if (++requests > 20_000) throw new Error('The polls of a schedule do not come to an end');
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

const matchesIn = ({ matches }: TriggerState) =>
	matches === undefined ? [] : unpackNumbers(matches.ids);

/** Runs the trigger through a schedule; returns what was wrong. */
export async function runSchedule(schedule: Schedule): Promise<string[]> {
	const clock: Clock = { now: START };
	const world = createWorld(schedule, clock);
	const ledger = openLedger(schedule, world);
	let isOver = false;
	/** When a case was edited, as the service shows it. */
	const shownAt = ({ case_id, updated_at }: Case) => {
		const { future } = schedule.deviations.clock ?? {};
		const isAhead = future !== undefined && isHit(future, case_id);
		return Date.parse(updated_at) + (isAhead ? (future.seconds ?? 0) * 1000 : 0);
	};
	/** Whether a poll may fail with an error: the comments of no case at all can be read. */
	const isRefusal = (error: unknown) => {
		const { failing = [] } = schedule.deviations.rows ?? {};
		const isHitCase = ({ case_id }: Case) => failing.some((one) => isHit(one, case_id));
		const isOfComments =
			error instanceof ApiFailure && error.message.startsWith("The comments can't");
		// Whether other cases can be read shows on the ten that were edited last, or on one page of them.
		const lastEdited = [...world.store.cases()]
			.filter(world.matches)
			.sort((a, b) => shownAt(b) - shownAt(a))
			.slice(0, 10);
		const hasNoOther = schedule.deviations.list?.largestPage === 1;
		return (lastEdited.every(isHitCase) || hasNoOther) && isOfComments;
	};
	/** The last poll failed because no comments at all can be read. */
	let isRefused = false;
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
	/** The trigger has warned that a read of all cases that match may lack some. */
	let isListIncomplete = false;
	/** The trigger with its filters as they are now. */
	const unlimited = (): Watch => {
		const filters: CaseFilters = {
			all: { filters: {} },
			urgent: { filters: { ...world.wanted } },
			watched: {
				filters: {},
				caseIds: [...world.watchedIds, ...otherIds(schedule)].map(String),
			},
		}[world.scope];
		const warn = (line: string) => {
			count('warnings');
			isListIncomplete ||= line.startsWith('The service has not listed all cases');
		};
		const cases = watchCases(client, filters, schedule.pageSize, warn, areMatchesWatched);
		return {
			cases,
			matching: areMatchesWatched
				? findMatching(client, filters, cases, schedule.readMatchesEvery, warn)
				: undefined,
			chosen: schedule.events,
			isActivityWanted: schedule.events.includes('activityAdded') ? () => true : undefined,
			withComments: schedule.events.includes('commentAdded'),
			maxCases: Infinity,
			isTimeUp: () => false,
			log: { debug: () => {}, info: () => count('log lines'), warn },
		};
	};

	const started = await startNow(unlimited()).catch((error: unknown) => {
		// No case and no Date header, or no case with a time.
		const isClear =
			error instanceof ApiFailure &&
			/no time to start|not a time|Not found|says that there are/.test(error.message);
		if (isClear || isRefusal(error)) return undefined;
		throw error;
	});
	if (started === undefined) return [];
	let memory = started;
	let kept = stored(memory);
	ledger.begin();
	ledger.know(matchesIn(memory));
	const complaints: string[] = [];

	/** Whether all cases that match were read, for other filters, since the kept state. */
	let isReadSince = false;
	/** Continues from the state that was kept. */
	const forget = () => {
		if (isReadSince) ledger.know(matchesIn(kept));
		isReadSince = false;
		memory = stored(kept);
	};

	const runTick = async (tick: Tick): Promise<number> => {
		for (const { advanceMs, change } of tick.before) {
			clock.now += advanceMs;
			world.apply(change);
		}
		clock.now += tick.advanceMs;
		if (tick.isFilterChanged && schedule.scope === 'urgent' && areMatchesWatched) {
			world.wanted.priority = world.wanted.priority === 'LOW' ? 'CRITICAL' : 'LOW';
			ledger.begin();
			count('changed filters');
		}
		if (tick.isRestart) forget();
		let looks = 0;
		const watch: Watch = {
			...unlimited(),
			maxCases: tick.maxCases,
			isTimeUp: () => looks++ >= tick.looksUntilTimeUp,
		};
		failAt(tick.failAt);
		isRefused = false;
		const result = await findEvents(watch, memory).catch((error: unknown) => {
			isRefused = isRefusal(error);
			// An outage; none of the given cases is there yet; or a list that changed at each request is short of its pages.
			const isClear =
				error instanceof ApiFailure &&
				/No answer|404|Not found|says that there are/.test(error.message);
			if (isClear || isRefused) return undefined;
			throw error;
		});
		failAt(undefined);
		count('polls');
		if (result === undefined) {
			count('failed polls');
			return 0;
		}
		const emitted = result.events.filter(({ event }) => schedule.events.includes(event));
		const isForgotten = tick.isKilled && emitted.length > 0;
		const areMatchesNew = memory.matches?.filters !== result.state.matches?.filters;
		if (areMatchesNew) {
			isReadSince = true;
			const isMatchEvent = ({ event }: TriggerEvent) => /^case(M|Unm)atched$/.test(event);
			ledger.know(matchesIn(result.state));
			emitted.splice(0, Infinity, ...emitted.filter((event) => !isMatchEvent(event)));
		}
		complaints.push(...ledger.note(emitted, isForgotten));
		memory = stored(result.state);
		if (isForgotten) forget();
		if (!isForgotten && (emitted.length > 0 || tick.isNullKept)) {
			kept = stored(memory);
			isReadSince = false;
		}
		count('events', emitted.length);
		for (const { event } of emitted) if (event.endsWith('atched')) count(event);
		if (result.state.rest !== undefined) count('truncated polls');
		if (tick.isRestart || isForgotten) count('restarts');
		return emitted.length;
	};

	for (const tick of schedule.ticks) await runTick(tick);
	isOver = true;
	// A clock that stands still is known as such after some polls.
	const polls = schedule.deviations.clock?.dateFrozenAt === undefined ? 3 : 9;
	for (const advanceMs of [10_000, ...Array<number>(polls).fill(60_000)])
		await runTick({ ...QUIET, advanceMs });
	if (isListIncomplete) {
		count('incomplete lists of matches');
		// What was missing is found only when all are read again, here as if n8n activated the workflow.
		memory = withMatchesDue(memory);
		for (let poll = 0; poll < 2; poll++) await runTick({ ...QUIET, advanceMs: 60_000 });
	}
	if (!isRefused) complaints.push(...ledger.missing());
	const inQuiet = await runTick(QUIET);
	await runTick({ ...QUIET, advanceMs: 120_000 });
	const inSilence = await runTick(QUIET);
	if (inQuiet + inSilence > 0) complaints.push('events although nothing happened');
	count('schedules');
	return complaints;
}
