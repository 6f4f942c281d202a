import { caseIdentity } from '../../api/identity';
import { ApiFailure } from '../../api/failure';
import type { Case, Page } from '../../api/types';
import { createPicker, fetchEdits, fetchLastEdited, type TriggerQuery } from './edits';
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

/** Something that happened, at a time of the service. */
export type TriggerEvent = { at: Seconds; event: CaseEvent; row: Case } | NewComment;

/** What a poll found, in the order of change, and the state for the next one. */
export interface PollResult {
	events: TriggerEvent[];
	state: TriggerState;
}

/** How long nothing may have happened, by the service's clock, until no late edit is expected any more. */
const SETTLED: Seconds = 60;

function secondServed({ servedAt }: Page<Case>): Seconds | undefined {
	return servedAt === undefined ? undefined : servedAt / 1000;
}

/**
 * The state of a trigger that starts now: what is there already is known and no event.
 * @throws ApiFailure when the service tells no time to start from
 */
export async function startNow(query: TriggerQuery): Promise<TriggerState> {
	const newest = await fetchLastEdited(query);
	const now = secondServed(newest);
	const start = newest.rows.length > 0 ? editedAt(newest.rows[0]) : now;
	if (start === undefined) {
		throw new ApiFailure('The service tells no time to start from', {
			description:
				'No case matches yet, and its answers have no Date header. Set Start From under Options.',
			retryable: false,
		});
	}
	const from = startingState(readAgainFrom(start));
	const unbounded = { ...query, maxCases: Infinity, isTimeUp: () => false };
	const { state } = await poll(unbounded, { ...from, start: readAgainFrom(now ?? start) });
	return state;
}

/**
 * When the first page was read, or a little before. The cursor must not pass it: while further pages are read, an edit
 * may become visible that is older than what was read already. Without a Date header nothing tells.
 */
function startOfReading(page: Page<Case>): Seconds {
	const newestOnPage = Math.max(...page.rows.map(editedAt));
	return Math.max(newestOnPage, secondServed(page) ?? Infinity);
}

/** What was read of cases, page by page. */
interface Changes extends PollResult {
	/** When reading began, by the service's clock. */
	readAt?: Seconds;
}

/**
 * Reads new versions of cases from the cursor on, until there are no more, enough, or the time is up; with the comments
 * of these cases, unless cases are given by ID.
 */
async function readChanges(query: TriggerQuery, before: TriggerState): Promise<Changes> {
	const isLookedAt = createPicker(query);
	const areCommentsApart = query.withComments && query.query.caseIds !== undefined;
	let state = { ...before, seen: { ...before.seen } };
	const events: TriggerEvent[] = [];
	let taken = 0;
	let readAt: Seconds | undefined;
	let newest: Seconds | undefined;
	let readFrom: Seconds | undefined;
	const pages = scanEdits(
		async (from, page) => await fetchEdits(query, from, page),
		state.editsFrom,
	);
	for await (const page of pages) {
		readAt ??= secondServed(page);
		const changed: Case[] = [];
		let isFull = false;
		for (const row of page.rows) {
			readFrom ??= startOfReading(page);
			const isOurs = isLookedAt(row);
			const happened = isOurs ? eventsOf(row, state) : [];
			isFull = happened.length > 0 && taken === query.maxCases;
			if (isFull) break;
			const version = versionOf(row);
			newest = Math.max(newest ?? 0, version.edited);
			const readTo = Math.min(version.edited, readFrom);
			state.editsFrom = Math.max(state.editsFrom, readAgainFrom(readTo));
			if (isOurs) state.seen[caseIdentity(row)] = packVersion(version);
			if (happened.length === 0) continue;
			taken++;
			changed.push(row);
			events.push(...happened.map((event) => ({ at: version.edited, event, row })));
		}
		if (query.withComments && !areCommentsApart) {
			const comments = await readCommentsOfChanged(query, changed, state);
			events.push(...comments.found);
			state = comments.state;
		}
		if (isFull || (taken > 0 && query.isTimeUp())) return { events, state, readAt };
	}
	const isSettled =
		newest !== undefined && taken === 0 && readAt !== undefined && readAt - newest > SETTLED;
	// After a quiet time the next poll need not read the last edits again, which may be many after a bulk edit.
	if (isSettled) state = { ...state, editsFrom: (newest as Seconds) + 1 };
	const newFrom = state.editsFrom;
	const commentsFrom = areCommentsApart ? state.commentsFrom : newFrom;
	return { events, state: { ...state, newFrom, commentsFrom }, readAt };
}

/**
 * Reads what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe.
 * @throws ApiFailure when any read fails; then nothing counts as seen
 */
export async function poll(query: TriggerQuery, before: TriggerState): Promise<PollResult> {
	const { events, state, readAt } = await readChanges(query, before);
	const ids = query.query.caseIds;
	const comments =
		query.withComments && ids !== undefined
			? await readCommentsOfGiven(query, ids, state, readAt)
			: { found: [], state };
	const inOrder = [...events, ...comments.found].sort((a, b) => a.at - b.at);
	return { events: inOrder, state: forgetOld(comments.state) };
}
