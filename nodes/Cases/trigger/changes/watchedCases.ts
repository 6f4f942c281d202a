import { mayHaveMoreDetails, readDetails } from '../../api/caseDetails';
import { fetchCases, roomInUrl, type CaseFilters } from '../../api/caseQuery';
import { readCases, readCasesById, type OrderedQuery } from '../../api/cases';
import type { Client } from '../../api/client';
import { readComments } from '../../api/comments';
import { createFilterCheck, hasOneOf } from '../../api/contradictions';
import { ApiFailure, quote } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import type { Pool } from '../../api/pool';
import { FAR_FUTURE, formatTimestamp } from '../../api/timestamps';
import type { Activity, Case, CaseOrder, Comment, Page } from '../../api/types';
import { secondOf } from './state';
import type { Page as PageOfEdits, Place, Seconds } from './window';

/** A case of the list of edits. */
export interface Edit {
	row: Case;
	/** What tells the case from others. */
	id: string;
	edited: Seconds;
}

/** A page of the list of edits. A service that compares days returns earlier ones of the day too. */
export interface EditsPage extends PageOfEdits {
	edits: Edit[];
	/** When the service answered, by its Date header. */
	said?: Seconds;
}

/** The cases that a trigger watches, as it reads them from the service. Each reader throws an ApiFailure. */
export interface WatchedCases extends Pick<Pool, 'map'> {
	/** Where cases are given by ID: these. */
	ids?: string[];
	/** Whether a case that was listed is watched. A service may ignore a filter, and not all filters are sent. */
	includes: (row: Case) => boolean;
	/** Fetches a page of the list of edits. */
	fetchEdits: (place: Place) => Promise<EditsPage>;
	/** Reads the first cases in an order; with a status, those in it alone. */
	readFirst: (order: CaseOrder, limit: number, status?: 'CLOSED') => Promise<Case[]>;
	/** Fetches the cases edited last, and the service's clock. */
	fetchLastEdited: () => Promise<{ rows: Case[]; said?: Seconds }>;
	/** Reads cases by their IDs. */
	readById: (ids: string[]) => Promise<Map<string, Case>>;
	readComments: (id: string, limit?: number) => Promise<Comment[]>;
	/** The activities of a case; sends requests only where it may not carry all of them. */
	readActivities: (row: Case) => Promise<Activity[]>;
}

/** Characters of a URL that are left for the path and for what the trigger adds. */
const RESERVED = 300;

/** How many of the cases edited last are read to find the time to start from: some may be dated ahead. */
const LAST_EDITED = 10;

const toSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);

/** A service may refuse a page behind the last one, where cases have left the list since. */
const REFUSED: Array<number | undefined> = [400, 404, 422];

const emptyBehindLast =
	(page: number) =>
	(failure: unknown): Page<Case> => {
		const isRefused = failure instanceof ApiFailure && REFUSED.includes(failure.details.httpCode);
		if (page > 1 && isRefused) return { rows: [], meta: { hasNextPage: false } };
		throw failure;
	};

/**
 * The cases that match filters, which don't limit the time of edits: the trigger sets that itself.
 * @param log takes lines about what was left out, and why
 * @param listsAll whether the list of edits has the cases that don't match too
 */
export function watchCases(
	client: Client,
	filters: CaseFilters,
	pageSize: number,
	log: Log,
	listsAll = false,
): WatchedCases {
	const { caseIds, priorities } = filters;
	const given = caseIds && new Set(caseIds);
	const isWanted = priorities && hasOneOf('priority', priorities);
	// Where the case IDs are too many for a URL, `includes` picks the cases.
	const sent = roomInUrl(client, filters) < RESERVED ? { ...filters, caseIds: undefined } : filters;
	const listed = listsAll ? { filters: {}, caseIds: sent.caseIds } : sent;
	const contradicted = createFilterCheck({ ...sent, priorities: undefined });
	const warned = new Set<string>();
	return {
		map: client.map,
		ids: caseIds,
		includes: (row) => {
			if (given?.has(caseIdentity(row)) === false || isWanted?.(row) === false) return false;
			const filter = contradicted(row);
			if (filter !== undefined && !warned.has(filter)) {
				warned.add(filter);
				log.warn(`Left out cases that contradict the filter ${client.nameFilter(filter)}`);
			}
			return filter === undefined;
		},
		fetchEdits: async ({ from, page, crowded }) => {
			const until = crowded === undefined ? FAR_FUTURE : formatTimestamp((from + 1) * 1000);
			const times = {
				updated_at_start_date: formatTimestamp(from * 1000),
				updated_at_end_date: until,
			};
			const answer = await fetchCases(
				client,
				{
					...listed,
					filters: { ...listed.filters, ...times },
					order: 'LEAST_RECENTLY_EDITED',
				},
				page,
				pageSize,
			).catch(emptyBehindLast(page));
			return toEditsPage(answer, from, pageSize, log);
		},
		fetchLastEdited: async () => {
			const query = { ...listed, order: 'RECENTLY_EDITED' } as const;
			const { rows, servedAt } = await fetchCases(client, query, 1, LAST_EDITED);
			return { rows, said: toSeconds(servedAt) };
		},
		readFirst: async (order, limit, status) => {
			const inStatus = status === undefined ? filters.filters : { ...filters.filters, status };
			const query: OrderedQuery = { ...filters, filters: inStatus, order };
			const { rows } = await readCases(client, query, { limit, pageSize, shape: (row) => row });
			return rows;
		},
		readById: async (ids) => await readCasesById(client, ids, pageSize),
		readComments: async (id, limit) => {
			const { rows } = await readComments(client, id, { limit, pageSize });
			return rows as Comment[];
		},
		readActivities: async (row) => {
			if (!mayHaveMoreDetails(row, 'activities')) return row.activities as Activity[];
			const { rows } = await readDetails(client, row, 'activities');
			return rows as Activity[];
		},
	};
}

/** How much earlier than requested an edit may be, where a service compares days: a day in any timezone. */
const DAY: Seconds = 86_400;

/** Where this many rows come and none has a usable time, the service is at fault, not a single row. */
const ALL_BAD = 20;

/**
 * Reads a page of edits. Rows without a usable time are left out and named.
 * @throws ApiFailure where no row has one, and where the service didn't heed the time or the order: otherwise every
 * case would be an event
 */
function toEditsPage(
	{ rows, meta, servedAt }: Page<Case>,
	from: Seconds,
	pageSize: number,
	log: Log,
): EditsPage {
	const edits = rows.flatMap((row) => {
		const edited = secondOf(row.updated_at);
		return edited === undefined ? [] : [{ row, id: caseIdentity(row), edited }];
	});
	const undated = rows.filter((row) => secondOf(row.updated_at) === undefined);
	if (undated.length >= ALL_BAD && edits.length === 0) throw notATime(rows[0].updated_at);
	if (undated.length > 0) {
		log.info(`Skipped ${nameFirst(undated.map(caseIdentity))}: updated_at is not a time`);
	}
	const times = edits.map(({ edited }) => edited);
	const steps = times.slice(1).map((time, index) => time - times[index]);
	const isDescending = steps.some((step) => step < 0) && !steps.some((step) => step > 0);
	if (isDescending || times.some((time) => time < from - DAY)) {
		throw new ApiFailure('The service ignored the requested time or order of changes', {
			description:
				"The trigger needs the filter updated_at_start_date and the order LEAST_RECENTLY_EDITED. Ask the service's administrator why they have no effect.",
			retryable: false,
		});
	}
	return {
		edits,
		times,
		isFull: rows.length >= Math.min(pageSize, meta.perPage ?? pageSize),
		pages: meta.pages,
		hasNext: meta.hasNextPage,
		said: toSeconds(servedAt),
	};
}

/** The failure where no case has a usable time: without one no change can be followed. */
export function notATime(value: unknown): ApiFailure {
	return new ApiFailure(
		`The service sent ${quote(value ?? '')} as updated_at, which is not a time`,
		{
			description:
				"The trigger finds changes by their times. Ask the service's administrator why updated_at is not a time.",
			retryable: false,
		},
	);
}

/** One case and how many others, for a line of the log, which never holds the content of a case without an ID. */
export function nameFirst(ids: string[]): string {
	const first = /^[\w-]{1,40}$/.test(ids[0]) ? ids[0] : 'without an ID';
	const others = ids.length - 1;
	if (others === 0) return `case ${first}`;
	return `case ${first} and ${others} ${others === 1 ? 'other' : 'others'}`;
}
