import { ApiFailure } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import type { Case, Page } from '../../api/types';
import { readCommentsOfChanged, readCommentsOfGiven, type NewComment } from './comments';
import { scanEdits } from './scan';
import {
	editedAt,
	eventsOf,
	forgetOld,
	packVersion,
	readAgainFrom,
	startingState,
	versionOf,
	type CaseEvent,
	type Seconds,
	type TriggerState,
} from './state';
import type { WatchedCases } from './watchedCases';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** Comments are watched too. */
	withComments: boolean;
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent =
	| { at: Seconds; event: CaseEvent; row: Case; comment?: undefined }
	| NewComment;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
}

/** How long nothing may have happened, by the service's clock, until no late edit is expected any more. */
const SETTLED: Seconds = 60;

function secondServed({ servedAt }: Page<Case>): Seconds | undefined {
	return servedAt === undefined ? undefined : servedAt / 1000;
}

/**
 * The state of a trigger that starts now: what is there already is known and not an event.
 * @throws ApiFailure when the service returns no time to start from
 */
export async function startNow(watch: Watch): Promise<TriggerState> {
	const newest = await watch.cases.fetchLastEdited();
	const now = secondServed(newest);
	const start = newest.rows.length > 0 ? editedAt(newest.rows[0]) : now;
	if (start === undefined) {
		throw new ApiFailure('There is no time to start from', {
			description:
				"No case matches yet, and the service's answers have no Date header. Add the option 'Start From'.",
			retryable: false,
		});
	}
	const from = startingState(readAgainFrom(start));
	const unbounded = { ...watch, maxCases: Infinity, isTimeUp: () => false };
	const { state } = await findEvents(unbounded, { ...from, start: readAgainFrom(now ?? start) });
	return state;
}

/**
 * When the first page was read, or a little before. The next poll must not read from later on: while further pages are
 * read, an edit may become visible that is older than what was read already. Without a Date header no time is known.
 */
function startOfReading(page: Page<Case>): Seconds {
	const newestOnPage = Math.max(...page.rows.map(editedAt));
	return Math.max(newestOnPage, secondServed(page) ?? Infinity);
}

/** What was read of cases, page by page. */
interface Changes extends Found {
	/** When reading began, by the service's clock. */
	readAt?: Seconds;
}

/**
 * Reads new versions of cases until there are no more, enough, or the time is up; with the comments of these cases,
 * unless cases are given by ID.
 */
async function readChanges(watch: Watch, before: TriggerState): Promise<Changes> {
	const { cases, withComments, maxCases, isTimeUp } = watch;
	const areCommentsApart = withComments && cases.ids !== undefined;
	let state = { ...before, seen: { ...before.seen } };
	const events: TriggerEvent[] = [];
	let taken = 0;
	let readAt: Seconds | undefined;
	let newest: Seconds | undefined;
	let began: Seconds | undefined;
	for await (const page of scanEdits(cases.fetchEdits, state.editsFrom)) {
		readAt ??= secondServed(page);
		const changed: Case[] = [];
		let isFull = false;
		for (const row of page.rows) {
			began ??= startOfReading(page);
			const isWatched = cases.includes(row);
			const happened = isWatched ? eventsOf(row, state) : [];
			isFull = happened.length > 0 && taken === maxCases;
			if (isFull) break;
			const version = versionOf(row);
			newest = Math.max(newest ?? 0, version.edited);
			const readTo = Math.min(version.edited, began);
			state.editsFrom = Math.max(state.editsFrom, readAgainFrom(readTo));
			if (isWatched) state.seen[caseIdentity(row)] = packVersion(version);
			if (happened.length === 0) continue;
			taken++;
			changed.push(row);
			events.push(...happened.map((event) => ({ at: version.edited, event, row })));
		}
		if (withComments && !areCommentsApart) {
			const comments = await readCommentsOfChanged(cases, changed, state);
			events.push(...comments.found);
			state = comments.state;
		}
		if (isFull || (taken > 0 && isTimeUp())) return { events, state, readAt };
	}
	const isSettled =
		newest !== undefined && taken === 0 && readAt !== undefined && readAt - newest > SETTLED;
	// After a quiet time the next poll need not read the last edits again, which may be many after a bulk edit.
	if (isSettled) state.editsFrom = (newest as Seconds) + 1;
	state.newFrom = state.editsFrom;
	if (!areCommentsApart) state.commentsFrom = state.newFrom;
	return { events, state, readAt };
}

/**
 * Finds what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe.
 * @throws ApiFailure when any read fails; then nothing counts as seen
 */
export async function findEvents(watch: Watch, before: TriggerState): Promise<Found> {
	const { cases, withComments, isTimeUp } = watch;
	const { events, state, readAt } = await readChanges(watch, before);
	const comments =
		withComments && cases.ids !== undefined
			? await readCommentsOfGiven(cases, cases.ids, state, isTimeUp, readAt)
			: { found: [], state };
	const inOrder = [...events, ...comments.found].sort((a, b) => a.at - b.at);
	return { events: inOrder, state: forgetOld(comments.state) };
}
