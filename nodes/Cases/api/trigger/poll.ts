import { fetchAskedCases, readCasesById } from '../cases';
import type { Client } from '../client';
import { formatTimestamp } from '../dates';
import { ApiFailure } from '../failure';
import type { CaseFilters } from '../filters';
import { caseIdentity, commentIdentity } from '../output';
import { FAR_FUTURE } from '../periods';
import { mapConcurrently } from '../pool';
import type { Case, CaseOrder, Comment, Page } from '../types';
import { madeAt, readCommentsSince } from './newComments';
import { scanEdits } from './scan';
import {
	editedAt,
	eventsOf,
	forgetOld,
	OVERLAP,
	packVersion,
	startingState,
	versionOf,
	type CaseEvent,
	type Seconds,
	type TriggerState,
} from './state';

/** What a trigger looks at. */
export interface TriggerQuery {
	client: Client;
	/** Without the filters on edit times, which the trigger sets itself. */
	query: CaseFilters;
	pageSize: number;
	/** Comments are looked at too. */
	withComments: boolean;
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent =
	| { at: Seconds; event: CaseEvent; row: Case }
	| { at: Seconds; event: 'commentAdded'; caseId: unknown; caseName: unknown; comment: Comment };

/** What a poll found, in the order of change, and the state for the next one. */
export interface PollResult {
	events: TriggerEvent[];
	state: TriggerState;
}

/** How long nothing may have happened, by the service's clock, until no late edit is expected any more. */
const SETTLED: Seconds = 60;

async function fetchMatching(
	{ client, query, pageSize }: TriggerQuery,
	order: CaseOrder,
	page: number,
	from?: Seconds,
	perPage = pageSize,
): Promise<Page<Case>> {
	const edited: CaseFilters['filters'] =
		from === undefined
			? {}
			: {
					updated_at_start_date: formatTimestamp(from * 1000),
					updated_at_end_date: FAR_FUTURE,
				};
	const filters = { ...query.filters, ...edited };
	return await fetchAskedCases(client, {
		filters,
		team_id: query.team_id,
		order,
		per_page: perPage,
		page,
	});
}

/** Fetches cases edited at a time or later, and checks that the service heeded it: else every case would be an event. */
async function fetchEdits(query: TriggerQuery, from: Seconds, page: number): Promise<Page<Case>> {
	const edits = await fetchMatching(query, 'LEAST_RECENTLY_EDITED', page, from);
	const times = edits.rows.map(editedAt);
	const isHeeded = times.every((time, index) => time >= (times[index - 1] ?? from));
	if (isHeeded) return edits;
	throw new ApiFailure('The service ignored the time or the order of edits that was asked for', {
		description:
			'The trigger asks for cases by updated_at_start_date in the order LEAST_RECENTLY_EDITED. Ask those who run the service why it answers otherwise.',
		retryable: false,
	});
}

/** The newest cases that match, the last edited first. */
export async function readLastEdited(query: TriggerQuery, count: number): Promise<Page<Case>> {
	return await fetchMatching(query, 'RECENTLY_EDITED', 1, undefined, count);
}

/**
 * The state of a trigger that starts now: what is there already is known and no event.
 * @throws ApiFailure when the service tells no time to start from
 */
export async function startNow(query: TriggerQuery): Promise<TriggerState> {
	const newest = await readLastEdited(query, 1);
	const now = newest.servedAt === undefined ? undefined : newest.servedAt / 1000;
	const start = newest.rows.length > 0 ? editedAt(newest.rows[0]) : now;
	if (start === undefined) {
		throw new ApiFailure('The service tells no time to start from', {
			description:
				'No case matches yet, and its answers have no Date header. Set Start From under Options.',
			retryable: false,
		});
	}
	const from = startingState(start - OVERLAP);
	const unbounded = { ...query, maxCases: Infinity, isTimeUp: () => false };
	const { state } = await poll(unbounded, { ...from, start: (now ?? start) - OVERLAP });
	return state;
}

interface Changes {
	state: TriggerState;
	/** New versions of cases with what they mean. */
	changes: Array<{ row: Case; events: CaseEvent[] }>;
}

/**
 * When the first page was read, or a little before. The cursor must not pass it: while further pages are read, an edit
 * may become visible that is older than what was read already. Without a Date header nothing tells.
 */
function startOfReading({ rows, servedAt }: Page<Case>): Seconds {
	const newestOnPage = Math.max(...rows.map(editedAt));
	return servedAt === undefined ? Infinity : Math.max(newestOnPage, servedAt / 1000);
}

/** Reads new versions of cases from the cursor on, until there are no more, enough, or the time is up. */
async function readChanges(query: TriggerQuery, before: TriggerState): Promise<Changes> {
	let state = { ...before, seen: { ...before.seen } };
	const changes: Changes['changes'] = [];
	let servedAt: number | undefined;
	let newest: Seconds | undefined;
	let readFrom: Seconds | undefined;
	const pages = scanEdits(
		async (from, page) => await fetchEdits(query, from, page),
		state.cursor - OVERLAP,
	);
	for await (const page of pages) {
		servedAt ??= page.servedAt;
		for (const row of page.rows) {
			readFrom ??= startOfReading(page);
			const events = eventsOf(row, state);
			if (events.length > 0 && changes.length >= query.maxCases) return { state, changes };
			const version = versionOf(row);
			newest = Math.max(newest ?? 0, version.edited);
			state.cursor = Math.max(state.cursor, Math.min(version.edited, readFrom));
			state.seen[caseIdentity(row)] = packVersion(version);
			if (events.length > 0) changes.push({ row, events });
		}
		if (query.isTimeUp() && changes.length > 0) return { state, changes };
	}
	const isSettled =
		newest !== undefined &&
		changes.length === 0 &&
		servedAt !== undefined &&
		servedAt / 1000 - newest > SETTLED;
	// After a quiet time the next poll need not read the last edits again, which may be many after a bulk edit.
	if (isSettled) state = { ...state, cursor: (newest as Seconds) + 1 + OVERLAP };
	return { state: { ...state, completeTo: state.cursor }, changes };
}

/** The cases whose comments are read at every poll, changed or not: those the user gave by ID. */
function watchedIds({ query }: TriggerQuery): string[] | undefined {
	return query.filters.case_ids as string[] | undefined;
}

interface NewComments {
	events: TriggerEvent[];
	state: TriggerState;
}

function commentEvents(caseId: unknown, caseName: unknown, comments: Comment[]): TriggerEvent[] {
	return comments.map((comment) => ({
		at: madeAt(comment),
		event: 'commentAdded',
		caseId,
		caseName,
		comment,
	}));
}

/** New comments of the cases that changed. */
async function readCommentsOfChanged(
	{ client, pageSize }: TriggerQuery,
	before: TriggerState,
	{ state, changes }: Changes,
): Promise<NewComments> {
	const since = Math.max(before.completeTo - OVERLAP, before.start);
	const cases = [...new Map(changes.map(({ row }) => [caseIdentity(row), row])).values()];
	const comments = { ...state.comments };
	const found = await mapConcurrently(cases.length, client.concurrency, async (index) => {
		const caseId = caseIdentity(cases[index]);
		const made = await readCommentsSince(client, caseId, since, pageSize);
		const news = made.filter((comment) => comments[commentIdentity(comment)] === undefined);
		return commentEvents(cases[index].case_id, cases[index].name, news);
	});
	for (const event of found.flat()) {
		if (event.event === 'commentAdded') comments[commentIdentity(event.comment)] = event.at;
	}
	return { events: found.flat(), state: { ...state, comments } };
}

/** New comments of the cases given by ID, whether these changed or not; each case has a time of its own. */
async function readCommentsOfWatched(
	{ client, pageSize }: TriggerQuery,
	ids: string[],
	before: TriggerState,
	{ state }: Changes,
): Promise<NewComments> {
	const watched: TriggerState['watched'] = {};
	const found = await mapConcurrently(ids.length, client.concurrency, async (index) => {
		const caseId = ids[index];
		const known = before.watched[caseId] ?? { to: before.completeTo, ids: [] };
		const since = Math.max(known.to - OVERLAP, before.start);
		const made = await readCommentsSince(client, caseId, since, pageSize);
		const to = Math.max(known.to, ...made.map(madeAt));
		const remembered = made.filter((comment) => madeAt(comment) >= to - OVERLAP);
		watched[caseId] = { to, ids: remembered.map(commentIdentity) };
		return {
			caseId,
			news: made.filter((comment) => !known.ids.includes(commentIdentity(comment))),
		};
	});
	const active = found.filter(({ news }) => news.length > 0);
	const cases = await readCasesById(
		client,
		active.map(({ caseId }) => caseId),
		pageSize,
	);
	const events = active.flatMap(({ caseId, news }) =>
		commentEvents(cases.get(caseId)?.case_id ?? caseId, cases.get(caseId)?.name ?? null, news),
	);
	return { events, state: { ...state, watched } };
}

/**
 * Reads what happened since a state. The state isn't changed: the caller keeps the new one once the events are safe.
 * @throws ApiFailure when any read fails; then nothing counts as seen
 */
export async function poll(query: TriggerQuery, before: TriggerState): Promise<PollResult> {
	const read = await readChanges(query, before);
	const ofCases = read.changes.flatMap(({ row, events }) =>
		events.map((event): TriggerEvent => ({ at: editedAt(row), event, row })),
	);
	const ids = watchedIds(query);
	const ofComments = !query.withComments
		? { events: [], state: read.state }
		: ids === undefined
			? await readCommentsOfChanged(query, before, read)
			: await readCommentsOfWatched(query, ids, before, read);
	const events = [...ofCases, ...ofComments.events].sort((a, b) => a.at - b.at);
	return { events, state: forgetOld(ofComments.state) };
}
