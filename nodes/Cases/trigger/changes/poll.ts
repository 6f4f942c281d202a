import { asFailure, nameSome } from '../../api/failures/failure';
import { formatTimestamp } from '../../api/timestamps';
import { eventsOf, versionKey } from './caseEvents';
import { haveAllFailed, isUnread, readEntries, readGivenComments } from './entries';
import { shortId } from './eventId';
import { judge, openMatches, packMatches } from './matches';
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

/** How wrong a clock may be. A creation or closing dated up to this long before the last read still counts as new. */
const CLOCK_TOLERANCE: Seconds = 600;

/** How far clocks may be ahead of the dates of edits. Used only where no edit shows a date to start from. */
const UNSURE: Seconds = 86_400;

const MAX_KEYS = 60_000;

/** The events that a poll found, oldest first, and the state for the next poll. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
}

const timeOf = (at: Seconds) => formatTimestamp(at * 1000);

/**
 * Finds what happened since the stored state. The caller stores the new state once the events are safe. Without a state for
 * this tenant and these filters, the trigger starts now. If there is no state at all, it starts at `startFrom`, if given.
 * @throws ApiFailure where a poll failed before it handled anything
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

/** The state of a trigger that reports what happens from a time on, which may be in the past. */
function startAt(watch: Watch, time: Seconds): TriggerState {
	return stateFrom({ what: watch.what, since: watchedSince(watch, {}, time) }, time);
}

/** The state of a trigger that starts now. All changes so far are noted as known, so that they aren't events. */
async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, servedAt = Infinity } = await watch.cases.fetchLastEdited();
	// The earlier of the two clocks, because a clock that is ahead would hide what happens next.
	const now = Math.min(watch.now(), servedAt / 1000);
	const newest = rows.map((row) => secondOf(row.updated_at) ?? Infinity).find((at) => at <= now);
	const start = { ...startAt(watch, now), from: (newest ?? now - UNSURE) - VISIBLE_AFTER };
	const whole = { ...watch, chosen: [], maxCases: Infinity, isTimeUp: () => false };
	const { state } = await readSince(whole, start, true);
	return { ...state, watched: start.watched };
}

/** @param isStart see {@link Poll.isStart} */
async function readSince(watch: Watch, before: TriggerState, isStart = false): Promise<Found> {
	const now = watch.now();
	const begun = openReading(before, now);
	const poll: Poll = {
		watch,
		before,
		isStart,
		// A newly chosen event is watched from now on. Of n8n's and the service's clock, the one that is behind decides.
		since: watchedSince(watch, before.watched.since, now + Math.min(0, before.mark?.ahead ?? 0)),
		reading: begun,
		clock: now,
		seen: openSeen(before.seen),
		events: [],
		taken: 0,
		unread: new Map(),
		lists: new Map(),
		waiting: new Set(),
	};
	poll.matches = await openMatches(poll);
	const keepFailure = (failure: unknown) => {
		poll.failure = asFailure(failure);
		return false;
	};
	const isWhole = await readEdits(poll).catch(keepFailure);
	const areGivenRead = isWhole && (await readGivenComments(poll).catch(keepFailure));
	// What earlier polls couldn't read comes last, because it may end the poll.
	await readEntries(poll, [...poll.unread.values()]);
	const hasMoved = !isWhole && poll.reading !== begun;
	const kept = poll.taken + poll.events.length + poll.lists.size;
	const isNothingKept = isStart || (!hasMoved && kept === 0);
	if (poll.failure !== undefined && isNothingKept) throw poll.failure;
	logFailures(poll);
	// Events of the same time come in the order of `chosen`.
	const rankOf = ({ event }: TriggerEvent) => watch.chosen.indexOf(event);
	const events = poll.events.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b));
	const isDone = areGivenRead && !haveAllFailed(poll);
	return { events, state: nextState(poll, isWhole, isDone) };
}

/**
 * Reads the list of edits from where the last poll left it, until its end, a limit, or a failure that concerns all cases.
 * @returns whether the end of the list was reached
 */
async function readEdits(poll: Poll): Promise<boolean> {
	const { watch } = poll;
	do {
		const { reading } = poll;
		const now = watch.now();
		const page = await watch.cases.fetchEdits(reading);
		poll.ahead = page.said === undefined ? undefined : page.said - now;
		poll.clock = now + (poll.ahead ?? 0);
		if (!(await handlePage(poll, page.edits))) return false;
		const next = placeAfter(reading, page);
		const newest = newestOf(page.times, poll.clock, reading.newest);
		poll.reading = { ...reading, newest, backwards: undefined, ...next };
		if (next === undefined) return true;
	} while (poll.failure === undefined && !watch.isTimeUp());
	return false;
}

const lookedKey = (edit: Edit) => `looked ${versionKey(edit)}`;

/** Handles a page: its new versions first, then the known ones. @returns whether all of it was handled */
async function handlePage(poll: Poll, page: Edit[]): Promise<boolean> {
	const { before, seen, watch } = poll;
	const inWindow = page.filter(
		({ edited, row }) => edited >= before.from && watch.cases.includes(row),
	);
	const isKnown = (edit: Edit) => seen.has(edit.edited, versionKey(edit));
	const known = inWindow.filter(isKnown);
	const unseen = inWindow.filter((edit) => !isKnown(edit));
	return (await takeNew(poll, unseen)) && (await reviewKnown(poll, known));
}

/** Whether a listed case is watched. With match events, the case must match, and not be in doubt. */
const isWatched = ({ matches }: Poll, { id }: Edit): boolean =>
	matches === undefined || (matches.ids.has(id) && !matches.doubts.has(id));

/** Takes new versions, with their comments and activities. @returns whether all that are due were taken */
async function takeNew(poll: Poll, unseen: Edit[]): Promise<boolean> {
	const { watch, before, isStart, clock, seen, matches, reading } = poll;
	// A case that was just edited waits for the next poll, but no longer, because it may be edited before each poll. An edit
	// that leaves the window doesn't wait, because the clock may stand still.
	const isDue = ({ id, edited }: Edit) =>
		isStart ||
		isLeaving(before, reading, edited) ||
		isFinal(edited, clock) ||
		before.waiting.includes(id);
	const due = unseen.filter(isDue);
	for (const edit of unseen) if (!isDue(edit)) poll.waiting.add(edit.id);
	const taken = due.slice(0, watch.maxCases - poll.taken);
	if (matches !== undefined) await judge(poll, matches, taken);
	const fresh = taken.filter((edit) => isWatched(poll, edit));
	const done = await readEntries(poll, fresh);
	for (const edit of taken) {
		const isFresh = fresh.includes(edit);
		// An edit of a case that may no longer match stays new, until the next poll decides.
		if (isFresh ? !done.has(edit) : matches?.doubts.has(edit.id)) continue;
		poll.taken++;
		seen.add(edit.edited, versionKey(edit));
		if (isFresh) poll.events.push(...eventsOf(poll, edit, false));
	}
	return taken.length === due.length && done.size === fresh.length;
}

/**
 * Looks for closings in known versions. Those that leave the window are also read again, to find what became visible late.
 * @returns whether all of these were read
 */
async function reviewKnown(poll: Poll, known: Edit[]): Promise<boolean> {
	const { before, seen, matches, reading } = poll;
	const leaving = known.filter(
		(edit) => isLeaving(before, reading, edit.edited) && !seen.has(edit.edited, lookedKey(edit)),
	);
	if (matches !== undefined) await judge(poll, matches, leaving);
	const watched = known.filter((edit) => isWatched(poll, edit));
	poll.events.push(...watched.flatMap((edit) => eventsOf(poll, edit, true)));
	const again = watched.filter((edit) => leaving.includes(edit));
	const reread = await readEntries(poll, again);
	for (const edit of reread) seen.add(edit.edited, lookedKey(edit));
	const left = watched.filter(({ id }) => before.failing.includes(id) && !poll.lists.has(id));
	for (const edit of left) poll.unread.set(edit.id, edit);
	return reread.size === again.length;
}

function nextState(poll: Poll, isWhole: boolean, isDone: boolean): TriggerState {
	const { before, reading, ahead, seen, watch, matches } = poll;
	// The clock that is behind decides: in doubt, a case counts as newly created or closed.
	const began = reading.began + Math.min(0, ahead ?? 0) - CLOCK_TOLERANCE;
	const since = isDone ? Math.max(before.since, began) : before.since;
	const { from, mark } = isDone ? moveOn(before, reading, watch.now(), ahead) : before;
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
	const failing = [...before.failing.filter((id) => !poll.lists.has(id)), ...poll.lists.keys()];
	const isPart = !isWhole || before.rest !== undefined || poll.failure !== undefined;
	return {
		...before,
		from: Math.max(from, forgotten),
		mark,
		rest,
		since: Math.max(since, forgotten),
		watched: { ...before.watched, since: poll.since },
		seen: seen.pack(),
		waiting: [...poll.waiting],
		failing: failing.filter((id) => isUnread(poll, id) || (isPart && !poll.lists.has(id))),
		matches: matches && packMatches(matches),
	};
}

function logFailures({ watch, lists, failure }: Poll): void {
	const failed = [...lists].flatMap(([id, reason]) => (reason ? [{ id, reason }] : []));
	if (failed.length > 0) {
		const cases = nameSome(failed.map(({ id }) => shortId(id)));
		const { message } = failed[0].reason;
		watch.log.warn(`Comments or activities could not be read, of the cases ${cases}: ${message}`);
	}
	if (failure !== undefined) watch.log.warn(`A poll ended early: ${failure.message}`);
}
