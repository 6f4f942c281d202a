import { fetchCases, roomInUrl, type CaseFilters, type CaseQuery } from '../../api/caseQuery';
import { readCases, readCasesById, type OrderedQuery } from '../../api/cases';
import type { Client } from '../../api/client';
import { readComments } from '../../api/comments';
import { ApiFailure } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import { FAR_FUTURE, formatTimestamp } from '../../api/timestamps';
import type { Case, CaseOrder, Comment, Page } from '../../api/types';
import { editedAt, type Seconds } from './state';

/** The cases that a trigger watches, as it reads them from the service. Each reader throws an ApiFailure. */
export interface WatchedCases {
	/** Where cases are given by ID: these. */
	ids?: string[];
	/** Whether a case that was read is watched: has one of the given IDs and one of several given priorities. */
	includes: (row: Case) => boolean;
	/** Fetches a page of the cases edited at a time or later, the least recently edited first. */
	fetchEdits: (from: Seconds, page: number) => Promise<Page<Case>>;
	/** Fetches the case that was edited last. */
	fetchLastEdited: () => Promise<Page<Case>>;
	/** Reads the first cases in an order; with a status, those in it alone. */
	readFirst: (order: CaseOrder, limit: number, status?: 'CLOSED') => Promise<Case[]>;
	/** Reads cases by their IDs. */
	readById: (ids: string[]) => Promise<Map<string, Case>>;
	/** Reads the comments of cases, a list for each. */
	readComments: (ids: string[], options?: CommentsToRead) => Promise<Comment[][]>;
}

interface CommentsToRead {
	/** Comments of one case to read; undefined reads all. */
	limit?: number;
	/** Once it returns true no further case is read, and the lists of those that were are returned: at least one. */
	isTimeUp?: () => boolean;
}

/** Characters of a URL that are left for the path and for what the trigger adds. */
const RESERVED = 300;

/** The cases that match filters, which don't limit the time of edits: the trigger sets that itself. */
export function watchCases(client: Client, filters: CaseFilters, pageSize: number): WatchedCases {
	const ids = filters.caseIds;
	const given = ids && new Set(ids);
	const { priorities } = filters;
	// Where the case IDs are too many for a URL, `includes` picks the cases.
	const sent =
		roomInUrl(client, filters) >= RESERVED ? filters : { ...filters, caseIds: undefined };
	return {
		ids,
		includes: (row) =>
			(given === undefined || given.has(caseIdentity(row))) &&
			(priorities === undefined || priorities.includes(String(row.priority))),
		fetchEdits: async (from, page) => {
			const times = {
				updated_at_start_date: formatTimestamp(from * 1000),
				updated_at_end_date: FAR_FUTURE,
			};
			const query: CaseQuery = {
				...sent,
				filters: { ...sent.filters, ...times },
				order: 'LEAST_RECENTLY_EDITED',
			};
			const edits = await fetchCases(client, query, page, pageSize);
			refuseOtherEdits(edits, from);
			return edits;
		},
		fetchLastEdited: async () =>
			await fetchCases(client, { ...sent, order: 'RECENTLY_EDITED' }, 1, 1),
		readFirst: async (order, limit, status) => {
			const inStatus = status === undefined ? filters.filters : { ...filters.filters, status };
			const query: OrderedQuery = { ...filters, filters: inStatus, order };
			const { rows } = await readCases(client, query, { limit, pageSize, shape: (row) => row });
			return rows;
		},
		readById: async (caseIds) => await readCasesById(client, caseIds, pageSize),
		readComments: async (caseIds, { limit, isTimeUp = () => false } = {}) => {
			const lists = await client.map(caseIds.length, async (index) => {
				if (index > 0 && isTimeUp()) return undefined;
				const { rows } = await readComments(client, caseIds[index], { limit, pageSize });
				return rows as Comment[];
			});
			return lists.filter((list) => list !== undefined);
		},
	};
}

/** Checks that the service heeded the time and the order: otherwise every case would be an event. */
function refuseOtherEdits({ rows }: Page<Case>, from: Seconds): void {
	const times = rows.map(editedAt);
	if (times.every((time, index) => time >= (times[index - 1] ?? from))) return;
	throw new ApiFailure('The service ignored the requested time or order of changes', {
		description:
			"The trigger needs the filter updated_at_start_date and the order LEAST_RECENTLY_EDITED. Ask the service's administrator why they have no effect.",
		retryable: false,
	});
}
