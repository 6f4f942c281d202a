import type { IDataObject, INode } from 'n8n-workflow';
import type { Client } from '../../nodes/Cases/api/http/client';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { CaseFilters } from '../../nodes/Cases/api/cases/caseQuery';
import { findEvents, type Found } from '../../nodes/Cases/trigger/changes/poll';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { openPoll } from '../../nodes/Cases/trigger/store';
import type { User } from '../../sandbox/types';
import { simulate, type Clock } from '../api/simulation';
import { openLedger } from './ledger';
import type { Change, EventName, Schedule, Tick } from './schedule';
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
	failAt: undefined,
	failStatus: undefined,
	maxCases: Infinity,
	publish: undefined,
	events: [],
	looksUntilTimeUp: Infinity,
};

/** Polls until everything has had time to show, twice as long as it may take. */
const QUIET_POLLS = 8;

/** Further IDs, of cases that don't exist, so that all don't fit into a URL. Where all of them are read, they take long. */
function otherIds(areManyGiven: boolean, events: EventName[]): number[] {
	const areAllRead = events.includes('caseMatched') || events.includes('commentAdded');
	if (!areManyGiven || areAllRead) return [];
	return Array.from({ length: 300 }, (_, index) => 1_000_000 + index);
}

/** Requests that a schedule takes at most, and tries of an activation: nothing changes after its hundred steps. */
const MOST_REQUESTS = 20_000;
const MOST_TRIES = 20;

/** A client of which one chosen request fails. After 429 it sends nothing more in a poll, as the real one. */
function withOutages(client: Client) {
	let untilFailure = Infinity;
	let httpCode: number | undefined;
	let requests = 0;
	let refusal: ApiFailure | undefined;
	const send: Client['send'] = async (request) => {
		if (untilFailure-- === 0) {
			const failure = new ApiFailure('No answer', {
				description: 'Try again.',
				httpCode,
				retryable: true,
			});
			if (httpCode === 429) refusal = failure;
			throw failure;
		}
		count('requests');
		if (++requests > MOST_REQUESTS)
			throw new Error('The polls of a schedule do not come to an end');
		if (refusal !== undefined) throw refusal.adding('Not sent.');
		return await client.send(request).catch((failure: unknown) => {
			if (failure instanceof ApiFailure && failure.details.httpCode === 429) refusal = failure;
			throw failure;
		});
	};
	return {
		client: { ...client, send },
		begin: () => {
			refusal = undefined;
		},
		failAt: (index: number | undefined, status?: number) => {
			untilFailure = index ?? Infinity;
			httpCode = status;
		},
	};
}

/** Nothing for a list that changed at each request, and is short of its pages. @throws anything else */
function unlessShort(error: unknown): undefined {
	const isShort =
		error instanceof ApiFailure && /says that there are|did not return all/.test(error.message);
	if (!isShort) throw error;
}

/** A round trip through JSON, as n8n stores what a trigger keeps. */
const stored = <T>(data: T) => JSON.parse(JSON.stringify(data)) as T;

/** What n8n keeps of a trigger: with timers in memory, or with durable cursors. */
function createN8n(isDurable: boolean) {
	const kept = { node: {} as IDataObject, global: {} as IDataObject };
	let saved = stored(kept);
	let memory = stored(kept);
	let activation: 'activate' | 'init' | undefined;
	const contextIn = (mode: 'activate' | 'init' | 'update') => ({
		getActivationMode: () => mode,
		getNode: () => ({ id: 'trigger' }) as INode,
		getWorkflowStaticData: (type: string) => memory[type === 'node' ? 'node' : 'global'],
	});
	let context = contextIn('activate');
	return {
		/** @param mode of an activation, by a user or as n8n starts; undefined for a scheduled poll */
		begin: (mode?: 'activate' | 'init') => {
			// With durable cursors, n8n makes no activation when it starts.
			activation = isDurable && mode === 'init' ? undefined : mode;
			if (isDurable || mode === 'init') memory = stored(saved);
			if (isDurable || activation !== undefined) context = contextIn(activation ?? 'update');
			const poll = openPoll(context);
			if (poll === undefined) throw new Error('The last poll still runs');
			return poll;
		},
		/** What n8n saves after a poll. With durable cursors that is only the node's, and not of an activation without events. */
		end: (hasEvents: boolean, isForgotten: boolean) => {
			if (isForgotten) {
				memory = stored(saved);
				context = contextIn('init');
			} else if (!isDurable) {
				if (hasEvents || activation !== undefined) saved = stored(memory);
			} else {
				const isKept = activation === undefined || hasEvents;
				const global = activation === undefined ? saved.global : memory.global;
				saved = stored({ node: isKept ? memory.node : {}, global });
			}
		},
	};
}

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
	const { client, begin, failAt } = withOutages(
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
	const silent = {
		debug: () => {},
		info: () => count('log lines'),
		warn: () => count('warnings'),
	};
	/** What the user has chosen. */
	const chosen = { events: schedule.events, tenant: 0, filters: 0 };
	/** The trigger as it is now. */
	const watch = (tick: Tick = QUIET): Watch => {
		let looks = 0;
		const filters: CaseFilters = {
			all: { filters: {} },
			urgent: { filters: { ...world.wanted } },
			watched: {
				filters: {},
				caseIds: [...world.watchedIds(), ...otherIds(schedule.areManyGiven, chosen.events)].map(
					String,
				),
			},
		}[world.scope];
		const listsAll = chosen.events.includes('caseMatched');
		return {
			cases: watchCases(client, filters, schedule.pageSize, listsAll),
			what: `${chosen.tenant} ${chosen.filters}`,
			chosen: chosen.events,
			activityTypes: [],
			isIgnored: (user) =>
				schedule.isIgnoring && (user as User | undefined)?.is_service_account === true,
			maxCases: tick.maxCases,
			isTimeUp: () => looks++ >= tick.looksUntilTimeUp,
			now: () => Math.floor(clock.now / 1000) + schedule.nodeOffset,
			log: silent,
		};
	};

	const n8n = createN8n(schedule.isDurable);
	const complaints: string[] = [];

	/** One poll as n8n makes it. @throws what makes it fail */
	const poll = async (tick: Tick, activation?: 'activate' | 'init'): Promise<Found> => {
		const running = n8n.begin(activation);
		begin();
		const waited = running.state?.waiting ?? [];
		const found = await findEvents(watch(tick), running.state).finally(running.end);
		running.save(found.state);
		const { events, state } = found;
		const isForgotten = tick.isKilled && events.length > 0;
		n8n.end(events.length > 0, isForgotten);
		complaints.push(...ledger.note(events, waited, isForgotten));
		count('events', events.length);
		for (const { event } of events) if (event.endsWith('atched')) count(event);
		if (state.rest !== undefined) count('truncated polls');
		if (tick.isRestart || isForgotten) count('restarts');
		return found;
	};

	/**
	 * The workflow is published. With another tenant or other filters the trigger starts: nothing that is there by then is an
	 * event. Where the cases that match change at each request, it may take several tries.
	 */
	const publish = async (what: Tick['publish'] | 'first', tick: Tick): Promise<void> => {
		count(`published: ${what}`);
		const hadMatches = chosen.events.includes('caseMatched');
		if (what === 'tenant' || what === 'filters') chosen[what]++;
		if (what === 'filters' && world.scope === 'watched') world.giveOthers();
		if (what === 'filters' && world.scope === 'urgent') {
			world.wanted.priority = world.wanted.priority === 'LOW' ? 'CRITICAL' : 'LOW';
		}
		if (what === 'events') chosen.events = tick.events;
		const isAllNew = what === 'first' || what === 'tenant' || what === 'filters';
		const from = clock.now;
		// All that match are read, so the events that follow may name cases of earlier events.
		if (!hadMatches) ledger.know([]);
		if (what === 'events') ledger.begin(chosen.events, from, from, false);
		for (let tries = 1; ; tries++) {
			const found = await poll({ ...QUIET, events: chosen.events }, 'activate').catch(unlessShort);
			if (found === undefined && tries < MOST_TRIES) continue;
			if (found === undefined) throw new Error('An activation does not come to an end');
			if (isAllNew) ledger.begin(chosen.events, from, clock.now, true);
			else if (what === 'events') ledger.begin(chosen.events, from, clock.now, false);
			if (isAllNew || !hadMatches) ledger.know(matchesIn(found.state));
			if (isAllNew && found.events.length > 0) complaints.push('events of a start');
			return;
		}
	};
	await publish('first', QUIET);

	/** Whether the last poll left a part of the list to the next one. */
	let isCut = false;
	const runTick = async (tick: Tick): Promise<number> => {
		for (const { advanceMs, change } of tick.before) {
			clock.now += advanceMs;
			world.apply(change);
		}
		clock.now += tick.advanceMs;
		if (tick.publish !== undefined) {
			await publish(tick.publish, tick);
			return 0;
		}
		failAt(tick.failAt, tick.failStatus);
		const found = await poll(tick, tick.isRestart ? 'init' : undefined).catch((error: unknown) => {
			// An outage; or a list that changed at each request is short of its pages.
			if (error instanceof ApiFailure && error.message === 'No answer') return undefined;
			return unlessShort(error);
		});
		failAt(undefined);
		count(found === undefined ? 'failed polls' : 'polls');
		if (isOver && found === undefined) complaints.push('a poll failed although nothing happened');
		isCut = found?.state.rest !== undefined;
		return found?.events.length ?? 0;
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
	if (isCut) complaints.push('the polls stand still');
	count('schedules');
	return complaints;
}
