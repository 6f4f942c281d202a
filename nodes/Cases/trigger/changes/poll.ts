import { ApiFailure } from '../../api/failures/failure';
import { formatTimestamp } from '../../api/timestamps';
import { eventsOf, versionKey } from './caseEvents';
import { haveAllFailed, isUnread, readEntries, readGivenComments, watchedSince } from './entries';
import { judge, openMatches, packMatches, reviewMatches } from './matches';
import { openSeen, secondOf, stateFrom, type TriggerState } from './state';
import { isChosen, type Run, type TriggerEvent, type Watch } from './watch';
import { nameFirst, type Edit } from './watchedCases';
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

/** Where no case matches yet: how far the clocks may be ahead of the service's data. */
const NO_CASES_SINCE: Seconds = 86_400;

/** A Date header that has stood still for this long is not a clock. */
const STANDING_STILL: Seconds = 60;

/** Keys that the state has at most. */
const MAX_KEYS = 60_000;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
	/** Why the poll ended early; what it had found until then is kept. */
	failure?: ApiFailure;
}

/** The state of a trigger that reports what happens from a time on, also where that is past. */
export function startAt(watch: Watch, time: Seconds): TriggerState {
	return stateFrom({ what: watch.what, since: watchedSince(watch, {}, time) }, time);
}

/**
 * The state of a trigger that starts now: what is there already is known and not an event.
 * @throws ApiFailure when the cases can't be read
 */
export async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, servedAt = Infinity } = await watch.cases.fetchLastEdited();
	// A clock that is ahead would hide what happens next.
	const now = Math.min(watch.now(), servedAt / 1000);
	const newest = rows.map((row) => secondOf(row.updated_at) ?? Infinity).find((at) => at <= now);
	const from = rows.length === 0 ? now - NO_CASES_SINCE : (newest ?? now) - VISIBLE_AFTER;
	const start = { ...startAt(watch, now), from };
	const whole = { ...watch, chosen: [], maxCases: Infinity, isTimeUp: () => false };
	const { state, failure } = await findEvents(whole, start, true);
	if (failure !== undefined) throw failure;
	return { ...state, watched: start.watched };
}

/**
 * Finds what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe. What
 * was found before a failure is kept.
 * @param isStart whether the trigger starts: then all that is there is known from now on
 * @throws ApiFailure where a failure left nothing to keep
 */
export async function findEvents(
	watch: Watch,
	before: TriggerState,
	isStart = false,
): Promise<Found> {
	const now = watch.now();
	const { at, said = at } = before.mark ?? { at: now };
	// What is watched from now on begins by the clock that is behind.
	const since = watchedSince(watch, before.watched.since, now + Math.min(0, said - at));
	const run: Run = {
		watch,
		before,
		isStart,
		watched: { ...before.watched, since },
		reading: { ...openReading(before, now) },
		clock: now,
		seen: openSeen(before.seen),
		events: [],
		taken: 0,
		read: new Set(),
		waiting: new Set(),
		failed: new Map(),
	};
	run.matches = await openMatches(run);
	if (run.matches !== undefined) await reviewMatches(run, run.matches);
	const isWhole = await keepingFailure(run, readEdits(run));
	const areGivenRead = isWhole === true && (await keepingFailure(run, readGivenComments(run)));
	const { from, page } = openReading(before, now);
	const isMoved = isWhole !== true && (run.reading.from !== from || run.reading.page !== page);
	const { failure, taken } = run;
	if (failure !== undefined && !isMoved && taken + run.events.length === 0) throw failure;
	logFailures(run);
	const events = run.events.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b));
	return { events, state: nextState(run, isWhole === true, areGivenRead === true), failure };
}

/** What a case has at the same time is told in this order. */
const RANKS = ['caseCreated', 'caseUpdated', 'caseClosed', 'caseUnmatched', 'caseMatched'];
const rankOf = ({ event }: TriggerEvent) => (RANKS.indexOf(event) + RANKS.length) % RANKS.length;

async function keepingFailure<T>(run: Run, reading: Promise<T>): Promise<T | undefined> {
	return await reading.catch((failure: unknown) => {
		if (!(failure instanceof ApiFailure)) throw failure;
		run.failure = failure;
		return undefined;
	});
}

/**
 * Reads the list of edits from where the last poll left it, until a limit, or until a failure that hits all cases.
 * @returns whether it came to the end of the list
 */
async function readEdits(run: Run): Promise<boolean> {
	const { watch, before, reading } = run;
	for (let pages = 0; pages === 0 || !watch.isTimeUp(); pages++) {
		const page = await watch.cases.fetchEdits(reading);
		const { mark } = before;
		const now = watch.now();
		const isStill = mark?.said !== undefined && now - mark.at >= STANDING_STILL;
		run.said =
			isStill && page.said !== undefined && page.said <= mark.said! ? undefined : page.said;
		run.clock = run.said ?? now;
		const isAll = await handlePage(run, page.edits);
		reading.newest = newestOf(page.times, run.clock, reading.newest);
		const next = placeAfter(reading, page);
		if (!isAll) return false;
		if (next === undefined) return true;
		Object.assign(reading, { crowded: undefined, ...next });
	}
	return false;
}

const unreadKey = (edit: Edit) => `unread ${versionKey(edit)}`;
const lookedKey = (edit: Edit) => `looked ${versionKey(edit)}`;

/**
 * Handles a page: new versions first, with their comments and activities; then those known ones that are in the window for
 * the last time, where what became visible late shows now; then those whose comments or activities couldn't be read.
 * @returns whether all of it was handled
 */
async function handlePage(run: Run, page: Edit[]): Promise<boolean> {
	const { watch, before, seen, matches, reading } = run;
	const has = (edit: Edit, key = versionKey(edit)) => seen.has(edit.edited, key);
	const inWindow = page.filter(({ edited }) => edited >= before.from);
	const all = inWindow.filter((edit) => has(edit));
	const unseen = inWindow.filter((edit) => !has(edit));
	// A case waits once, as it may be edited before each poll.
	const isDue = ({ id, edited }: Edit) =>
		run.isStart || before.waiting.includes(id) || isFinal(edited, run.clock);
	const news = unseen.filter(isDue);
	for (const edit of unseen.filter((one) => !isDue(one))) run.waiting.add(edit.id);
	const taken = news.slice(0, watch.maxCases - run.taken);
	const due = all.filter(
		(edit) => isLeaving(before, reading, edit.edited) && !has(edit, lookedKey(edit)),
	);
	const judged = matches && (await judge(run, matches, [...taken, ...due]));
	const isWatched = ({ id, row }: Edit) => judged?.has(id) ?? watch.cases.includes(row);
	const known = all.filter(({ id, row }) => matches?.ids.has(id) ?? watch.cases.includes(row));
	const fresh = new Set(taken.filter(isWatched));
	const leaving = due.filter(isWatched);

	for (const edit of known) emit(run, edit, true);
	// An edit of a case in doubt stays new.
	const others = taken.filter((edit) => !fresh.has(edit) && matches?.doubts.has(edit.id) !== true);
	for (const edit of others) take(run, edit);
	const done = await readEntries(run, [...fresh]);
	for (const edit of [...fresh].filter((one) => done.has(one))) {
		take(run, edit);
		emit(run, edit, false);
		if (isUnread(run, edit.id)) seen.add(edit.edited, unreadKey(edit));
	}
	const looked = await readEntries(run, leaving);
	for (const edit of looked) seen.add(edit.edited, lookedKey(edit));
	const unread = known.filter((edit) => has(edit, unreadKey(edit)) && !looked.has(edit));
	for (const edit of [...looked, ...(await readEntries(run, unread))]) {
		if (!isUnread(run, edit.id)) seen.delete(edit.edited, unreadKey(edit));
	}
	const isAllTaken = taken.length === news.length && done.size === fresh.size;
	return isAllTaken && looked.size === leaving.length;
}

function take(run: Run, edit: Edit): void {
	run.taken++;
	run.seen.add(edit.edited, versionKey(edit));
}

function emit(run: Run, edit: Edit, isKnown: boolean): void {
	const events = eventsOf(run, edit, isKnown).filter((event) => isChosen(run.watch, event));
	run.events.push(...events.map((event) => ({ at: edit.edited, event, row: edit.row })));
}

/** The window and the time of what is new, once a poll has read as far as it could. */
function nextWindow({ before, watch, reading, said }: Run, isWhole: boolean, isHeld: boolean) {
	const { from, mark, since } = before;
	if (!isWhole) return { from, mark, since, rest: reading };
	if (isHeld) return { from, mark, since, rest: undefined };
	const now = watch.now();
	// The clock that is behind counts: a case is rather called new.
	const began = reading.began + Math.min(0, (said ?? now) - now) - CLOCK_TOLERANCE;
	const moved = moveOn(before, reading, now, said);
	return { ...moved, since: Math.max(since, began), rest: undefined };
}

function nextState(run: Run, isWhole: boolean, areGivenRead: boolean): TriggerState {
	const { before, seen, watched, watch, matches } = run;
	const next = nextWindow(run, isWhole, haveAllFailed(run) || !areGivenRead);
	seen.forgetBefore(Math.min(next.from, next.since));
	const forgotten = seen.shrinkTo(MAX_KEYS, next.rest?.from ?? next.mark?.to ?? next.from);
	if (next.rest !== undefined) {
		const place = formatTimestamp(next.rest.from * 1000);
		watch.log.info(`The next poll continues with changes from ${place} on`);
	}
	if (forgotten > next.from) {
		const time = formatTimestamp(forgotten * 1000);
		watch.log.warn(`Too many changes to remember: what shows late from before ${time} is lost`);
	}
	return {
		...before,
		...next,
		from: Math.max(next.from, forgotten),
		since: Math.max(next.since, forgotten),
		watched,
		seen: seen.pack(),
		waiting: [...run.waiting],
		matches: matches && packMatches(matches),
	};
}

function logFailures({ watch, failed, failure }: Run): void {
	const [first] = failed.values();
	if (first !== undefined) {
		const cases = nameFirst([...failed.keys()]);
		watch.log.warn(`The comments or activities of ${cases} could not be read: ${first.message}`);
	}
	if (failure !== undefined) watch.log.warn(`A poll ended early: ${failure.message}`);
}
