import { ApiFailure } from '../../api/failure';
import { formatTimestamp } from '../../api/timestamps';
import { eventsOf, versionKey } from './caseEvents';
import { haveAllFailed, readEntries, readGivenComments, watchedSince } from './entries';
import { judge, openMatches, packMatches, reviewMatches, type Matches } from './matches';
import { openSeen, type TriggerState } from './state';
import { isChosen, type Run, type TriggerEvent, type Watch } from './watch';
import { nameFirst, type Edit, type EditsPage } from './watchedCases';
import {
	isFinal,
	isLeaving,
	moveOn,
	newestOf,
	openReading,
	placeAfter,
	type Reading,
	type Seconds,
	type Window,
} from './window';

/** How long before a read a case may be dated that is called created or closed: a clock may be off by that. */
const CLOCK_TOLERANCE: Seconds = 600;

/** Keys that the state has at most. */
const MAX_KEYS = 60_000;

/** A Date header that has stood still for this long is not a clock. */
const STANDING_STILL: Seconds = 60;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
	/** Why the poll ended early; what it had found until then is kept. */
	failure?: ApiFailure;
}

/** The service's clock: its Date header or, where it has none that moves on, n8n's. */
function clockOf({ mark }: Window, said: Seconds | undefined, now: Seconds): Seconds {
	const isStill = mark?.said !== undefined && now - mark.at >= STANDING_STILL;
	return said === undefined || (isStill && said <= mark.said!) ? now : said;
}

function openRun(watch: Watch, before: TriggerState, isStart: boolean): Run {
	const since = watchedSince(watch, before.watched.since, watch.now());
	return {
		watch,
		before,
		isStart,
		watched: { ...before.watched, since },
		seen: openSeen(before.seen),
		events: [],
		taken: 0,
		read: new Set(),
		failed: new Map(),
		hasUnreadGiven: false,
	};
}

const unreadKey = (edit: Edit) => `unread ${versionKey(edit)}`;
const lookedKey = (edit: Edit) => `looked ${versionKey(edit)}`;

/** What of a page is to be handled. */
interface Sorted {
	/** New versions of cases. */
	fresh: Edit[];
	known: Edit[];
	/** Known ones that are in the window for the last time: what became visible late shows now. */
	leaving: Edit[];
	/** Whether Max Cases left some to the next poll. */
	isCut: boolean;
}

function sortPage(run: Run, reading: Reading, page: EditsPage, clock: Seconds): Sorted {
	const { before, seen, watch } = run;
	const sorted: Sorted = { fresh: [], known: [], leaving: [], isCut: false };
	for (const edit of page.edits) {
		const { edited } = edit;
		if (edited < before.from) continue;
		if (seen.has(edited, versionKey(edit))) {
			sorted.known.push(edit);
			const isLast = isLeaving(before, reading, edited) && !seen.has(edited, lookedKey(edit));
			if (isLast) sorted.leaving.push(edit);
			continue;
		}
		if (!isFinal(edited, clock) && !run.isStart) continue;
		sorted.isCut = run.taken + sorted.fresh.length >= watch.maxCases;
		if (sorted.isCut) return sorted;
		sorted.fresh.push(edit);
	}
	return sorted;
}

/** Leaves out the cases that aren't watched, and notes which match. An edit in doubt stays new. */
async function keepWatched(
	run: Run,
	{ fresh, known, leaving, isCut }: Sorted,
	matches: Matches | undefined,
): Promise<Sorted & { others: Edit[] }> {
	const { cases } = run.watch;
	const judged = matches && (await judge(run, matches, [...fresh, ...leaving]));
	const isWatched = ({ id, row }: Edit) => judged?.has(id) ?? cases.includes(row);
	const isInDoubt = ({ id }: Edit) => matches?.doubts.has(id) === true;
	return {
		fresh: fresh.filter(isWatched),
		others: fresh.filter((edit) => !isWatched(edit) && !isInDoubt(edit)),
		known: known.filter(({ id, row }) => matches?.ids.has(id) ?? cases.includes(row)),
		leaving: leaving.filter(isWatched),
		isCut,
	};
}

/**
 * Handles a page: new versions first, with their comments and activities. What of these can't be read is read again while
 * the case is in the window.
 * @returns whether all of it was handled
 */
async function handlePage(
	run: Run,
	sorted: Sorted,
	matches: Matches | undefined,
): Promise<boolean> {
	const { seen, failed } = run;
	const { fresh, others, known, leaving, isCut } = await keepWatched(run, sorted, matches);
	const take = (edit: Edit) => {
		run.taken++;
		seen.add(edit.edited, versionKey(edit));
	};
	const emit = (edit: Edit, isKnown: boolean) => {
		const { edited, row } = edit;
		const events = eventsOf(run, edit, isKnown).filter((event) => isChosen(run.watch, event));
		run.events.push(...events.map((event) => ({ at: edited, event, row })));
	};
	others.forEach(take);
	for (const edit of known) emit(edit, true);
	const done = await readEntries(run, fresh);
	for (const edit of fresh.filter((one) => done.has(one))) {
		take(edit);
		emit(edit, false);
		if (failed.has(edit.id)) seen.add(edit.edited, unreadKey(edit));
	}
	const looked = await readEntries(run, leaving);
	for (const edit of looked) seen.add(edit.edited, lookedKey(edit));
	const unread = known.filter((edit) => seen.has(edit.edited, unreadKey(edit)));
	const again = await readEntries(
		run,
		unread.filter((edit) => !looked.has(edit)),
	);
	for (const edit of [...looked, ...again]) {
		if (!failed.has(edit.id)) seen.delete(edit.edited, unreadKey(edit));
	}
	return !isCut && done.size === fresh.length && looked.size === leaving.length;
}

/** How a poll's read of the list of edits ended. */
interface End {
	reading: Reading;
	/** Whether it came to the end of the list. */
	isWhole: boolean;
	/** The service's clock, as its last answer had it. */
	said?: Seconds;
}

/** Reads the list of edits from where the last poll left it, until its end, a limit or a failure. */
async function readEdits(run: Run, matches: Matches | undefined): Promise<End> {
	const { watch, before } = run;
	const end: End = { reading: { ...openReading(before, watch.now()) }, isWhole: false };
	const { reading } = end;
	for (let pages = 0; run.failure === undefined; pages++) {
		if (pages > 0 && watch.isTimeUp()) {
			watch.log.info(leftAt('The time of a poll was up', run, reading));
			return end;
		}
		const handled = await readPage(run, end, matches).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure)) throw failure;
			run.failure = failure;
			return undefined;
		});
		if (handled === undefined) return end;
		if (!handled.isAll) {
			const isFull = run.taken >= watch.maxCases;
			const limit = isFull ? 'A poll reached Max Cases per Poll' : 'The time of a poll was up';
			if (run.failure === undefined) watch.log.info(leftAt(limit, run, reading));
			return end;
		}
		if (handled.next === undefined) return { ...end, isWhole: true };
		delete reading.crowded;
		Object.assign(reading, handled.next);
	}
	return end;
}

const leftAt = (limit: string, { taken }: Run, { from }: Reading) =>
	`${limit} after ${taken} changed cases. The next poll continues with changes from ${formatTimestamp(from * 1000)} on`;

async function readPage(run: Run, end: End, matches: Matches | undefined) {
	const { watch, before } = run;
	const { reading } = end;
	const page = await watch.cases.fetchEdits(reading);
	end.said = page.said;
	const clock = clockOf(before, page.said, watch.now());
	const isAll = await handlePage(run, sortPage(run, reading, page, clock), matches);
	reading.newest = newestOf(page.times, clock, reading.newest);
	return { isAll, next: placeAfter(reading, page) };
}

/** The window and the time of what is new, once a poll has read as far as it could. */
function nextWindow({ before, watch }: Run, { reading, isWhole, said }: End, isHeld: boolean) {
	const { from, mark, since } = before;
	if (!isWhole) return { from, mark, since, rest: reading };
	if (isHeld) return { from, mark, since };
	const now = watch.now();
	const ahead = clockOf(before, said, now) - now;
	const moved = moveOn(before, reading, now, said);
	// The clock that is behind counts: a case is rather called new.
	const began = reading.began + Math.min(0, ahead) - CLOCK_TOLERANCE;
	return { ...moved, since: Math.max(since, Math.floor(began)) };
}

function nextState(run: Run, end: End, matches: Matches | undefined): TriggerState {
	const { before, seen, watched, watch } = run;
	const isHeld = haveAllFailed(run) || run.hasUnreadGiven || run.failure !== undefined;
	const next = nextWindow(run, end, isHeld);
	seen.forgetBefore(Math.min(next.from, next.since));
	const read = next.rest?.from ?? next.mark?.to ?? next.from;
	const forgotten = seen.shrinkTo(MAX_KEYS, read) ?? 0;
	if (forgotten > next.from) {
		const time = formatTimestamp(forgotten * 1000);
		watch.log.warn(
			`More than ${MAX_KEYS} changes are remembered. What shows late from before ${time} is lost`,
		);
	}
	return {
		...before,
		...next,
		from: Math.max(next.from, forgotten),
		since: Math.max(next.since, forgotten),
		watched,
		seen: seen.pack(),
		matches: matches && packMatches(matches),
	};
}

function logFailures({ watch, failed, failure, events }: Run): void {
	const [first] = failed.values();
	if (first !== undefined) {
		const cases = nameFirst([...failed.keys()]);
		watch.log.warn(`The comments or activities of ${cases} could not be read: ${first.message}`);
	}
	if (failure !== undefined) {
		watch.log.warn(`A poll ended early with ${events.length} events: ${failure.message}`);
	}
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
	const run = openRun(watch, before, isStart);
	const matches = await openMatches(run);
	if (matches !== undefined) await reviewMatches(run, matches);
	const end = await readEdits(run, matches);
	if (run.failure === undefined) await readGivenComments(run);
	const { from, page } = openReading(before, 0);
	const isWhereItBegan = end.reading.from === from && end.reading.page === page;
	const isNothing = run.taken === 0 && run.events.length === 0 && !end.isWhole && isWhereItBegan;
	if (run.failure !== undefined && isNothing) throw run.failure;
	logFailures(run);
	const events = run.events.sort((a, b) => a.at - b.at);
	return { events, state: nextState(run, end, matches), failure: run.failure };
}
