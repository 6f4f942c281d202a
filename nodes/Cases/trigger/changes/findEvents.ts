import { formatTimestamp } from '../../api/timestamps';
import { readCommentsOfGiven } from './comments';
import { openFollowed, packFollowed } from './followMatches';
import { handlePage } from './handlePage';
import type { Memory } from './memory';
import { nextState, type Progress } from './nextState';
import { openRun, setClock, type Run } from './run';
import { scanEdits, type Edit, type ScannedPage } from './scan';
import { secondLookDue } from './secondLook';
import type { Place, Seconds, TriggerState } from './state';
import type { Found, TriggerEvent, Watch } from './watch';

/** If at most this many edits, one page, are known since a place, the next poll reads them again from there. */
const FEW_EDITS = 50;

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
		setClock(run, page.servedAt);
		run.pages++;
		firstPage = page.firstPage ?? firstPage;
		const isComplete = await handlePage(run, page.edits, lookTo());
		const isTimeUp = !page.isLast && run.pages >= atLeast && watch.isTimeUp();
		if (isComplete && !isTimeUp) continue;
		const limit = isComplete ? 'The time of a poll was up' : 'A poll reached Max Cases per Poll';
		const from = formatTimestamp(page.place.from * 1000);
		watch.log.info(
			`${limit} after ${run.taken} changed cases. The next poll continues with changes from ${from} on${leftOn(page, watch)}.`,
		);
		return { rest: page.place };
	}
	return { firstPage };
}

/** About how many cases are left behind a page, in words; nothing where the service doesn't say how many pages it has. */
function leftOn({ pagesLeft }: ScannedPage, { cases }: Watch): string {
	if (pagesLeft === undefined || pagesLeft === 0) return '';
	return `; about ${pagesLeft * cases.pageSize} more cases are left`;
}

/** Where a poll begins to read: usually behind what is done; after a bulk edit, behind what was read. */
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

/**
 * Reads new versions of cases until there are no more, enough, or the time is up; with the comments of these cases,
 * unless cases are given by ID. After a minute the same cases are read once more.
 */
async function readChanges(run: Run): Promise<Progress> {
	const { watch, before, memory } = run;
	const { place, isFromStart } = beginningOf(before, memory, watch.cases.pageSize);
	let decided: { due?: Seconds } | undefined;
	// Decided with the first page: a later one may bring the time that the first one lacked.
	const look = () => (isFromStart ? (decided ??= { due: secondLookDue(run) }).due : undefined);
	const isContinued = before.rest !== undefined;
	const { rest, firstPage: page } = await readEdits(run, place, isContinued, look);
	if (rest !== undefined) return { rest, isFromStart };
	const due = isFromStart ? look() : secondLookDue(run);
	if (due === undefined || isFromStart) return { isFromStart, page, done: due };
	// What was done before is not remembered any more after a read that took several polls.
	const lookFrom = Math.max(before.from, before.secondLook!.from);
	const { rest: lookPlace = { from: lookFrom, page: 1 } } = before.secondLook!;
	const isLookContinued = before.secondLook?.rest !== undefined;
	const { rest: lookRest } = await readEdits(run, lookPlace, isLookContinued, () => due);
	return { isFromStart, done: lookRest === undefined ? due : undefined, lookRest };
}

/**
 * Finds what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe.
 * @throws ApiFailure when any read fails; then nothing counts as seen
 */
export async function findEvents(watch: Watch, before: TriggerState): Promise<Found> {
	const { cases, withComments, isTimeUp, log } = watch;
	const run = openRun(watch, before);
	run.matches = await openFollowed(watch, before);
	const next = nextState(run, await readChanges(run));
	const matches = await packFollowed(run, next);
	let state: TriggerState = { ...next, clock: run.clock ?? before.clock, matches };
	const events: TriggerEvent[] = [...run.events, ...run.matchEvents.values()];
	const comments =
		withComments && cases.ids !== undefined
			? await readCommentsOfGiven(cases, cases.ids, before, isTimeUp, run.now, log.info)
			: undefined;
	for (const event of comments?.found ?? []) events.push(event);
	// Where they aren't watched, what was known of them would be out of date once they are watched again.
	state = { ...state, given: comments?.given };
	for (const [filter, count] of run.contradicting) {
		log.warn(`Left out cases that contradict the filter ${filter}: ${count}`);
	}
	events.sort((a, b) => a.at - b.at);
	return { events, state };
}
