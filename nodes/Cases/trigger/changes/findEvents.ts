import type { Activity, Case } from '../../api/types';
import { ApiFailure } from '../../api/failure';
import {
	readActivitiesOf,
	readCommentsOf,
	readCommentsOfGiven,
	type CaseToRead,
	type NewActivity,
	type NewComment,
	type Warn,
} from './comments';
import { openMemory, type Memory } from './memory';
import { scanEdits, type Edit } from './scan';
import {
	editedAt,
	notATime,
	OVERLAP,
	REMEMBERED,
	SECOND_LOOK_AFTER,
	startingState,
	type FirstRead,
	type Place,
	type Seconds,
	type TriggerState,
} from './state';
import { eventsOf, newFrom, type CaseEvent } from './versions';
import type { WatchedCases } from './watchedCases';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** The chosen events. The others are found too, but an edit after one of them counts as an update. */
	chosen: readonly string[];
	/** Comments are watched too. */
	withComments: boolean;
	/** Which activities are watched; undefined for none. */
	isActivityWanted?: (activity: Activity) => boolean;
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
	/** Takes texts for n8n's log: what was skipped, and why. */
	warn: Warn;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent =
	| { at: Seconds; event: CaseEvent; row: Case; comment?: undefined; activity?: undefined }
	| NewComment
	| NewActivity;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
	/** Whether the poll's limits left something to the next one. */
	isPartial: boolean;
}

/** Where no case matches yet: how far the service's clock may be ahead of its data. */
const CLOCK_TOLERANCE: Seconds = 86_400;

/** How far it may be ahead without a loss of what comes right after the start and is dated before its own edit. */
const START_TOLERANCE: Seconds = 45;

/** If at most this many edits, one page, are known since a place, the next poll reads them again from there. */
const FEW_EDITS = 50;

/** For how many polls the state keeps how far they read. If there are more, the last but one is dropped. */
const MAX_READS = 8;

/** Without a time of the service, so many polls later counts as a minute. */
const POLLS_OF_A_MINUTE = 3;

/** An edit this old is not read once more; the service's clock may be so far ahead of its data. */
const FRESH: Seconds = 7200;

/**
 * The state of a trigger that starts now: what is there already is known and not an event.
 * @throws ApiFailure when the service returns no time to start from
 */
export async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, servedAt } = await watch.cases.fetchLastEdited();
	const now = servedAt === undefined ? undefined : servedAt / 1000;
	const times = rows.map(editedAt).filter((time) => time !== undefined);
	if (rows.length > 0 && times.length === 0) throw notATime(rows[0].updated_at, 'updated_at');
	// One case alone may be dated in the future.
	const newest = now === undefined ? (times[1] ?? times[0]) : times[0];
	if (newest === undefined && now === undefined) {
		throw new ApiFailure('There is no time to start from', {
			description:
				"No case matches yet, and the service's answers have no Date header. Add the option 'Start From'.",
			retryable: false,
		});
	}
	const since =
		newest === undefined
			? now! - CLOCK_TOLERANCE
			: Math.min(newest, now ?? newest) - SECOND_LOOK_AFTER;
	const unbounded = { ...watch, maxCases: Infinity, isTimeUp: () => false };
	// Whatever this read finds is known afterwards, whenever it is dated.
	const start = startingState(since);
	const { state } = await findEvents(unbounded, start);
	return { ...state, start: (now ?? newest!) - START_TOLERANCE };
}

/** What one poll has come to so far. */
interface Run {
	watch: Watch;
	/** The state that the last poll stored. */
	before: TriggerState;
	/** Its own copy, of which the start may move back. */
	state: TriggerState;
	memory: Memory;
	events: TriggerEvent[];
	/** New versions of cases. */
	taken: number;
	/** Pages of the list of edits. */
	pages: number;
	/** When reading began, by the service's clock. */
	now?: Seconds;
	/** When cases were edited that were read, each second once. */
	times: Set<Seconds>;
	/** How many cases contradict a filter, by its name. */
	contradicting: Map<string, number>;
}

/** Until when a second look is due; undefined while none is. */
function secondLookDue({ before, now }: Run): Seconds | undefined {
	const due = before.secondLook?.reads.filter(({ at, polls }) =>
		at !== undefined && now !== undefined
			? now - at >= SECOND_LOOK_AFTER
			: polls + 1 >= POLLS_OF_A_MINUTE,
	);
	return due?.[due.length - 1]?.to;
}

/** What is still to be read once more, with what this poll read first. */
function readsToCome(
	{ before, now, times, taken }: Run,
	newest: Seconds,
	done: Seconds = -Infinity,
): FirstRead[] {
	const earlier = before.secondLook?.reads ?? [];
	const reads = earlier
		.filter(({ to }) => to > done)
		// A clock that stepped back counts from where it is now.
		.map(({ to, at = now, polls }) => ({
			to,
			at: at && Math.min(at, now ?? at),
			polls: polls + 1,
		}));
	const readTo = reads[reads.length - 1]?.to ?? done;
	if (taken === 0 && newest <= Math.max(readTo, before.from)) return reads;
	// Dates a little ahead of the service's clock have passed when the look is due.
	const nearEnd = (now ?? -Infinity) + SECOND_LOOK_AFTER;
	const to = [...times].reduce((a, b) => (b <= nearEnd ? Math.max(a, b) : a), newest);
	const all = [...reads, { to, at: now, polls: 0 }];
	return all.length <= MAX_READS ? all : [...all.slice(0, -2), ...all.slice(-1)];
}

/**
 * Handles the edits of a page: the events of those that are new and, where comments are watched, the new comments on
 * these cases and on those that are due for a second look.
 * @returns false where Max Cases left some of them
 */
async function handlePage(run: Run, edits: Edit[], lookTo?: Seconds): Promise<boolean> {
	const { watch, memory } = run;
	const { cases, withComments, maxCases, chosen } = watch;
	const toRead: CaseToRead[] = [];
	const known: CaseToRead[] = [];
	const { state } = run;
	let isComplete = true;
	for (const { row, version } of edits) {
		const { id, edited } = version;
		run.times.add(edited);
		if (edited < state.since || !cases.includes(row)) continue;
		const contradicted = cases.contradicted(row);
		if (contradicted !== undefined) {
			run.contradicting.set(contradicted, (run.contradicting.get(contradicted) ?? 0) + 1);
			continue;
		}
		const from = newFrom(state, memory.knows(id));
		const isNew = (at: Seconds) => at >= Math.max(from, state.start);
		if (memory.hasVersion(version)) {
			const isAhead = run.now !== undefined && edited > run.now;
			if (lookTo !== undefined && (edited <= lookTo || isAhead)) toRead.push({ row, isNew });
			else known.push({ row, isNew });
			continue;
		}
		if (run.taken >= maxCases) {
			isComplete = false;
			break;
		}
		run.taken++;
		// A new edit is never dated before the start, unless the Date header was ahead of the data then.
		if (edited < state.start) state.start = state.since;
		for (const event of eventsOf(row, version, state, memory, chosen)) {
			run.events.push({ at: edited, event, row });
		}
		memory.addVersion(version);
		toRead.push({ row, isNew });
	}
	if (withComments && cases.ids === undefined && toRead.length > 0) {
		const found = await readCommentsOf(cases, toRead, memory.marks, watch.warn);
		for (const event of found) run.events.push(event);
	}
	const { isActivityWanted } = watch;
	if (isActivityWanted !== undefined) {
		const all = [
			...toRead.map((one) => ({ ...one, isClose: true })),
			...known.map((one) => ({ ...one, isClose: false })),
		];
		const found = await readActivitiesOf(cases, all, isActivityWanted, memory.marks, watch.warn);
		for (const event of found) run.events.push(event);
	}
	return isComplete;
}

/** How far a read of the list of edits came. */
interface Reading {
	/** Where the next poll continues; undefined where all was read. */
	rest?: Place;
	/** See {@link ScannedPage.firstPage}. */
	firstPage?: number;
}

/**
 * Reads edits from a place on until there are no more, enough, or the time is up. A read that continues an earlier one
 * begins with a page that is known, so it takes one more at least.
 * @param lookTo up to which edits this is a second look, once the first page has come
 */
async function readEdits(
	run: Run,
	start: Place,
	isContinued: boolean,
	lookTo: () => Seconds | undefined,
): Promise<Reading> {
	const { watch, memory } = run;
	const atLeast = run.pages + (isContinued ? 2 : 1);
	const isKnown = ({ version }: Edit) => memory.hasVersion(version);
	let firstPage: number | undefined;
	// Where a service compares days, all from the start on may be due for a second look.
	const beginsAt = run.before.page === start.page && !isContinued ? () => false : undefined;
	const options = { isKnown, beginsAt };
	for await (const page of scanEdits(watch.cases.fetchEdits, start, options)) {
		run.now ??= page.servedAt;
		run.pages++;
		firstPage = page.firstPage ?? firstPage;
		const isComplete = await handlePage(run, page.edits, lookTo());
		const mayGoOn = page.isLast || run.pages < atLeast || !watch.isTimeUp();
		if (!isComplete || !mayGoOn) return { rest: page.place };
	}
	return { firstPage };
}

/**
 * The newest edit that counts. The list is sorted by time, so dates ahead of the service's clock are its last ones: they
 * are read again until the clock has passed them. Without a clock, one case alone doesn't carry the time.
 */
function newestOf({ before, now, times }: Run): Seconds {
	const sorted = [...times].sort((a, b) => b - a);
	const newest = now === undefined ? sorted[1] : sorted.find((time) => time <= now);
	return Math.max(before.newest, newest ?? before.newest);
}

/** Where a poll begins to read: usually where everything is done, behind what is read already after a bulk edit. */
function beginningOf(
	{ from, newest, page, rest }: TriggerState,
	memory: Memory,
	pageSize: number,
): { place: Place; isFromStart: boolean } {
	if (rest !== undefined) return { place: rest, isFromStart: false };
	if (page !== undefined) return { place: { from, page }, isFromStart: true };
	if (memory.countFrom(from) <= FEW_EDITS) return { place: { from, page: 1 }, isFromStart: true };
	const pages = Math.max(1, Math.ceil(memory.countFrom(newest) / pageSize));
	return { place: { from: newest, page: pages }, isFromStart: false };
}

/** The state after a poll whose limits left edits to the next one. */
function partialState(run: Run, rest: Place): TriggerState {
	const { before, now, memory } = run;
	const newest = newestOf(run);
	const began = before.rest === undefined ? now : before.rest.began;
	// What was edited just before it was read is to be read once more; old edits are not.
	const isFresh = now === undefined || now - newest < FRESH;
	const secondLook =
		before.secondLook !== undefined || isFresh
			? {
					from: newest - SECOND_LOOK_AFTER,
					...before.secondLook,
					reads: readsToCome(run, newest),
				}
			: undefined;
	// From here on everything may be read again.
	const needed = Math.min(rest.from, began ?? -Infinity, secondLook?.from ?? Infinity);
	const floor = Math.max(before.floor, needed - REMEMBERED);
	return {
		...before,
		start: run.state.start,
		newest,
		floor,
		secondLook,
		rest: { ...rest, began },
		...memory.pack({ floor, digestsFrom: before.newest - OVERLAP, keepsOlder: true }),
	};
}

/** The state after a poll that read all edits. `done` is up to where it has read edits once more. */
function completeState(
	run: Run,
	{ done, isFromStart, page }: { done?: Seconds; isFromStart: boolean; page?: number },
): TriggerState {
	const { before, memory } = run;
	const newest = newestOf(run);
	const settled = newest - SECOND_LOOK_AFTER;
	let { from } = before;
	// What was read first in this poll, a minute after it was edited, needs no second look.
	if (done !== undefined) from = Math.max(from, done, before.newest <= done ? settled : done);
	else if (isFromStart || before.rest !== undefined) {
		from = Math.max(from, Math.min(settled, before.secondLook?.from ?? settled));
	}
	const reads = readsToCome(run, newest, done);
	const since = Math.max(before.since, before.floor, Math.min(from, newest - REMEMBERED));
	return {
		...before,
		start: run.state.start,
		newest,
		from,
		since,
		floor: since,
		secondLook:
			reads.length === 0
				? undefined
				: {
						from: done === undefined ? (before.secondLook?.from ?? from) : from,
						reads,
						rest: done === undefined ? before.secondLook?.rest : undefined,
					},
		rest: undefined,
		page,
		...memory.pack({
			floor: since,
			// A read takes a while, so a second that the last poll may have read too early is compared once more.
			digestsFrom: reads.length === 0 ? newest + 1 : before.newest - OVERLAP,
			keepsOlder: false,
		}),
	};
}

/**
 * Reads new versions of cases until there are no more, enough, or the time is up; with the comments of these cases,
 * unless cases are given by ID. After a minute the same cases are read once more.
 */
async function readChanges(run: Run): Promise<TriggerState> {
	const { watch, before, memory } = run;
	const { place, isFromStart } = beginningOf(before, memory, watch.cases.pageSize);
	const look = () => (isFromStart ? secondLookDue(run) : undefined);
	const reading = await readEdits(run, place, before.rest !== undefined, look);
	if (reading.rest !== undefined) return partialState(run, reading.rest);
	const due = secondLookDue(run);
	if (due === undefined || isFromStart) {
		return completeState(run, { done: due, isFromStart, page: reading.firstPage });
	}
	// What was done before is not remembered any more after a read that took several polls.
	const lookFrom = Math.max(before.from, before.secondLook!.from);
	const { rest = { from: lookFrom, page: 1 } } = before.secondLook!;
	const isContinued = before.secondLook?.rest !== undefined;
	const again = await readEdits(run, rest, isContinued, () => due);
	if (again.rest === undefined) return completeState(run, { done: due, isFromStart: false });
	const state = completeState(run, { isFromStart: false });
	return { ...state, secondLook: { ...state.secondLook!, rest: again.rest } };
}

/**
 * Finds what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe.
 * @throws ApiFailure when any read fails; then nothing counts as seen
 */
export async function findEvents(watch: Watch, before: TriggerState): Promise<Found> {
	const { cases, withComments, isTimeUp, warn } = watch;
	const run: Run = {
		watch,
		before,
		state: { ...before },
		memory: openMemory(before),
		events: [],
		taken: 0,
		pages: 0,
		times: new Set(),
		contradicting: new Map(),
	};
	let state = await readChanges(run);
	const events: TriggerEvent[] = run.events;
	if (withComments && cases.ids !== undefined) {
		const comments = await readCommentsOfGiven(cases, cases.ids, before, isTimeUp, run.now, warn);
		for (const event of comments.found) events.push(event);
		state = { ...state, given: comments.given };
	}
	for (const [filter, count] of run.contradicting) {
		warn(`Left out ${count} cases that contradict the filter ${filter}`);
	}
	events.sort((a, b) => a.at - b.at);
	return { events, state, isPartial: state.rest !== undefined };
}
