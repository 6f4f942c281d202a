import { ApiFailure, nameSome } from '../../api/failures/failure';
import { formatTimestamp } from '../../api/timestamps';
import { eventsOf, versionKey } from './caseEvents';
import { haveAllFailed, isUnread, readEntries, readGivenComments } from './entries';
import { nameOf } from './eventId';
import { judge, openMatches, packMatches, reviewMatches } from './matches';
import { openSeen, secondOf, stateFrom, type TriggerState } from './state';
import { watchedSince, type Poll, type TriggerEvent, type Watch } from './watch';
import type { Edit } from './watchedCases';
import {
	isFinal,
	isLeaving,
	moveOn,
	newestOf,
	openReading,
	placeAfter,
	VISIBLE_AFTER,
	type Seconds,
} from './window';

/** How long before a read a case may be dated that is called created or closed: a clock may be off by that. */
const CLOCK_TOLERANCE: Seconds = 600;

/** Where no edit shows the time of the service's data: how far the clocks may be ahead of it. */
const UNSURE: Seconds = 86_400;

/** A Date header that has stood still for this long is not a clock. */
const STANDING_STILL: Seconds = 60;

/** Keys that the state has at most. */
const MAX_KEYS = 60_000;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
}

const timeOf = (at: Seconds) => formatTimestamp(at * 1000);

/**
 * Finds what happened since the stored state. That isn't changed: the caller keeps the new one once the events are safe.
 * Where there is none for this tenant and these filters, the trigger starts now, or at `startFrom` if it never started.
 * @throws ApiFailure where a failure left nothing to keep
 */
export async function findEvents(
	watch: Watch,
	stored?: TriggerState,
	startFrom?: Seconds,
): Promise<Found> {
	const before = stored ?? (startFrom === undefined ? undefined : startAt(watch, startFrom));
	if (before?.watched.what === watch.what) return await readSince(watch, before);
	if (before !== undefined) {
		watch.log.warn('The tenant or the filters have changed, so the trigger starts from now');
	}
	const state = await startNow(watch);
	watch.log.info(`Changes from ${timeOf(state.since)} on are reported`);
	return { events: [], state };
}

/** The state of a trigger that reports what happens from a time on, also where that is past. */
function startAt(watch: Watch, time: Seconds): TriggerState {
	return stateFrom({ what: watch.what, since: watchedSince(watch, {}, time) }, time);
}

/** The state of a trigger that starts now: what is there already is known and not an event. */
async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, servedAt = Infinity } = await watch.cases.fetchLastEdited();
	// A clock that is ahead would hide what happens next.
	const now = Math.min(watch.now(), servedAt / 1000);
	const newest = rows.map((row) => secondOf(row.updated_at) ?? Infinity).find((at) => at <= now);
	const start = { ...startAt(watch, now), from: (newest ?? now - UNSURE) - VISIBLE_AFTER };
	const whole = { ...watch, chosen: [], maxCases: Infinity, isTimeUp: () => false };
	const { state } = await readSince(whole, start, true);
	return { ...state, watched: start.watched };
}

/** @param isStart whether the trigger starts: then all that is there is known from now on */
async function readSince(watch: Watch, before: TriggerState, isStart = false): Promise<Found> {
	const now = watch.now();
	const begun = openReading(before, now);
	const poll: Poll = {
		watch,
		before,
		isStart,
		// What is watched from now on begins by the clock that is behind.
		since: watchedSince(watch, before.watched.since, now + Math.min(0, before.mark?.ahead ?? 0)),
		reading: { ...begun },
		clock: now,
		seen: openSeen(before.seen),
		events: [],
		taken: 0,
		lists: new Map(),
		waiting: new Set(),
	};
	poll.matches = await openMatches(poll);
	if (poll.matches !== undefined) await reviewMatches(poll, poll.matches);
	const keepFailure = (failure: unknown) => {
		if (!(failure instanceof ApiFailure)) throw failure;
		poll.failure = failure;
		return false;
	};
	const isWhole = await readEdits(poll).catch(keepFailure);
	const areGivenRead = isWhole && (await readGivenComments(poll).catch(keepFailure));
	const { failure, reading, taken } = poll;
	const hasMoved = !isWhole && (reading.from !== begun.from || reading.page !== begun.page);
	const isNothingKept = isStart || (!hasMoved && taken + poll.events.length === 0);
	if (failure !== undefined && isNothingKept) throw failure;
	logFailures(poll);
	// Events of the same time come in the order of `chosen`.
	const rankOf = ({ event }: TriggerEvent) => watch.chosen.indexOf(event);
	const events = poll.events.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b));
	const isDone = areGivenRead && !haveAllFailed(poll);
	return { events, state: nextState(poll, isWhole, isDone) };
}

/**
 * Reads the list of edits from where the last poll left it, until a limit, or until a failure that hits all cases.
 * @returns whether it came to the end of the list
 */
async function readEdits(poll: Poll): Promise<boolean> {
	const { watch, reading } = poll;
	const { at = Infinity, ahead = -Infinity } = poll.before.mark ?? {};
	for (let pages = 0; pages === 0 || !watch.isTimeUp(); pages++) {
		const now = watch.now();
		const page = await watch.cases.fetchEdits(reading);
		const standsStill = now - at >= STANDING_STILL && (page.said ?? Infinity) <= at + ahead;
		poll.ahead = standsStill || page.said === undefined ? undefined : page.said - now;
		poll.clock = now + (poll.ahead ?? 0);
		const isAll = await handlePage(poll, page.edits);
		reading.newest = newestOf(page.times, poll.clock, reading.newest);
		const next = placeAfter(reading, page);
		if (!isAll) return false;
		if (next === undefined) return true;
		Object.assign(reading, { backwards: undefined, ...next });
	}
	return false;
}

const unreadKey = (edit: Edit) => `unread ${versionKey(edit)}`;
const lookedKey = (edit: Edit) => `looked ${versionKey(edit)}`;

/**
 * Handles a page. New versions come first, with their comments and activities. Two kinds of known ones are then read
 * again: those whose comments or activities couldn't be read, and those in the window for the last time, to find what
 * became visible late.
 * @returns whether all of it was handled
 */
async function handlePage(poll: Poll, page: Edit[]): Promise<boolean> {
	const { watch, before, isStart, clock, seen, matches, reading } = poll;
	const has = (edit: Edit, key = versionKey(edit)) => seen.has(edit.edited, key);
	const inWindow = page.filter(({ edited }) => edited >= before.from);
	const known = inWindow.filter((edit) => has(edit));
	const unseen = inWindow.filter((edit) => !has(edit));
	const isLast = ({ edited }: Edit) => isLeaving(before, reading, edited);
	// A case waits for one poll at most, as it may be edited before each of them; one that leaves the window doesn't wait,
	// as a clock may stand still.
	const isDue = (edit: Edit) =>
		isStart || isLast(edit) || isFinal(edit.edited, clock) || before.waiting.includes(edit.id);
	const news = unseen.filter(isDue);
	for (const edit of unseen.filter((one) => !isDue(one))) poll.waiting.add(edit.id);
	const taken = news.slice(0, watch.maxCases - poll.taken);
	const leaving = known.filter((edit) => isLast(edit) && !has(edit, lookedKey(edit)));
	if (matches !== undefined) await judge(poll, matches, [...taken, ...leaving]);
	const isWatched = ({ id, row }: Edit) =>
		matches === undefined
			? watch.cases.includes(row)
			: matches.ids.has(id) && !matches.doubts.has(id);
	const fresh = taken.filter(isWatched);

	poll.events.push(...known.filter(isWatched).flatMap((edit) => eventsOf(poll, edit, true)));
	const done = await readEntries(poll, fresh);
	for (const edit of taken) {
		const isFresh = fresh.includes(edit);
		// An edit of a case in doubt stays new.
		if (isFresh ? !done.has(edit) : matches?.doubts.has(edit.id)) continue;
		poll.taken++;
		seen.add(edit.edited, versionKey(edit));
		if (!isFresh) continue;
		poll.events.push(...eventsOf(poll, edit, false));
		if (isUnread(poll, edit.id)) seen.add(edit.edited, unreadKey(edit));
	}
	const again = known.filter(
		(edit) => isWatched(edit) && (leaving.includes(edit) || has(edit, unreadKey(edit))),
	);
	const reread = await readEntries(poll, again);
	for (const edit of reread) {
		if (leaving.includes(edit)) seen.add(edit.edited, lookedKey(edit));
		if (!isUnread(poll, edit.id)) seen.delete(edit.edited, unreadKey(edit));
	}
	const isAllTaken = taken.length === news.length && done.size === fresh.length;
	return poll.failure === undefined && isAllTaken && reread.size === again.length;
}

function nextState(poll: Poll, isWhole: boolean, isDone: boolean): TriggerState {
	const { before, reading, ahead, seen, watch, matches } = poll;
	const now = watch.now();
	// The clock that is behind counts: a case is rather called new.
	const began = reading.began + Math.min(0, ahead ?? 0) - CLOCK_TOLERANCE;
	const since = isDone ? Math.max(before.since, began) : before.since;
	const { from, mark } = isDone ? moveOn(before, reading, now, ahead) : before;
	const rest = isWhole ? undefined : reading;
	if (rest !== undefined) {
		watch.log.info(`The next poll continues with changes from ${timeOf(rest.from)} on`);
	}
	const end = rest?.from ?? mark?.to ?? from;
	const forgotten = seen.forget(Math.min(from, since), MAX_KEYS, end);
	if (forgotten > from) {
		const time = timeOf(forgotten);
		watch.log.warn(`Too many changes to remember: what shows late from before ${time} is lost`);
	}
	return {
		...before,
		from: Math.max(from, forgotten),
		mark,
		rest,
		since: Math.max(since, forgotten),
		watched: { ...before.watched, since: poll.since },
		seen: seen.pack(),
		waiting: [...poll.waiting],
		matches: matches && packMatches(matches),
	};
}

function logFailures({ watch, lists, failure }: Poll): void {
	const failed = [...lists].filter(([, reason]) => reason !== undefined);
	if (failed.length > 0) {
		const cases = nameSome(failed.map(([id]) => nameOf(id)));
		watch.log.warn(
			`Comments or activities could not be read, of the cases ${cases}: ${failed[0][1]?.message}`,
		);
	}
	if (failure !== undefined) watch.log.warn(`A poll ended early: ${failure.message}`);
}
