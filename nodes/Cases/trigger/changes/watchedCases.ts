import { mayHaveMoreDetails, readDetails } from '../../api/caseDetails';
import {
	fetchCases,
	fetchCasesOrNone,
	roomInUrl,
	type CaseFilters,
	type CaseQuery,
} from '../../api/caseQuery';
import { readCases, readCasesById, type OrderedQuery } from '../../api/cases';
import type { Client } from '../../api/client';
import { readComments } from '../../api/comments';
import { createFilterCheck, hasOneOf } from '../../api/contradictions';
import type { ApiFailure } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import { FAR_FUTURE, formatTimestamp } from '../../api/timestamps';
import type { Activity, Case, CaseOrder, Comment, Page } from '../../api/types';
import { readEditsPage } from './editsPage';
import { readEach, type ListsOfCases } from './readEach';
import type { EditsPage } from './scan';
import type { Seconds } from './state';

/** The comments of a case, or why they can't be read. */
type CommentList = Comment[] | ApiFailure;

/** The cases that a trigger watches, as it reads them from the service. Each reader throws an ApiFailure. */
export interface WatchedCases {
	/** Where cases are given by ID: these. */
	ids?: string[];
	/** Cases on a page of the list of edits. */
	pageSize: number;
	/** Whether a case that was read is watched: has one of the given IDs and one of several given priorities. */
	includes: (row: Case) => boolean;
	/** What messages call a filter that a case contradicts although the service gave it; undefined for none. */
	contradicted: (row: Case) => string | undefined;
	/** Fetches a page of the cases edited at a time or later, the least recently edited first. */
	fetchEdits: (from: Seconds, page: number) => Promise<EditsPage>;
	/** Fetches a few of the cases that were edited last, as one of them may have no usable time. */
	fetchLastEdited: () => Promise<Page<Case>>;
	/** Reads the first cases in an order; with a status, those in it alone. */
	readFirst: (order: CaseOrder, limit: number, status?: 'CLOSED') => Promise<Case[]>;
	/** Reads cases by their IDs. */
	readById: (ids: string[]) => Promise<Map<string, Case>>;
	/** Reads the comments of cases: a list for each or, for single ones, why it can't be read. */
	readComments: (ids: string[], options?: CommentsToRead) => Promise<CommentList[]>;
	/**
	 * Reads the activities of cases: of each those that it carries. Where it has more and is watched closely, all of them,
	 * if they can be read.
	 */
	readActivities: (cases: Array<{ row: Case; isClose: boolean }>) => Promise<Activity[][]>;
}

interface CommentsToRead {
	/** Comments of one case to read; undefined reads all. */
	limit?: number;
	/** Once it returns true no further case is read, and the lists of those that were are returned: at least one. */
	isTimeUp?: () => boolean;
}

/** Characters of a URL that are left for the path and for what the trigger adds. */
const RESERVED = 300;

/**
 * The cases that match filters, which don't limit the time of edits: the trigger sets that itself.
 * @param info takes lines for n8n's log: what was skipped, and why
 * @param listsAll whether the lists of edits have the cases that don't match too
 */
export function watchCases(
	client: Client,
	filters: CaseFilters,
	pageSize: number,
	info: Log['info'],
	listsAll = false,
): WatchedCases {
	const ids = filters.caseIds;
	const given = ids && new Set(ids);
	const { priorities } = filters;
	const isWanted = priorities && hasOneOf('priority', priorities);
	// Where the case IDs are too many for a URL, `includes` picks the cases.
	const sent =
		roomInUrl(client, filters) >= RESERVED ? filters : { ...filters, caseIds: undefined };
	const listed = listsAll ? { filters: {}, caseIds: sent.caseIds } : sent;
	const fetchLastEdited = async () =>
		await fetchCases(client, { ...listed, order: 'RECENTLY_EDITED' }, 1, LAST_EDITED);
	const contradictedFilter = createFilterCheck({ ...sent, priorities: undefined });
	const source: ListsOfCases = { client, given, info, fetchLastEdited };
	return {
		ids,
		pageSize,
		includes: (row) =>
			(given === undefined || given.has(caseIdentity(row))) &&
			(isWanted === undefined || isWanted(row)),
		contradicted: (row) => {
			const filter = contradictedFilter(row);
			return filter === undefined ? undefined : client.nameFilter(filter);
		},
		fetchEdits: async (from, page) => {
			const times = {
				updated_at_start_date: formatTimestamp(from * 1000),
				updated_at_end_date: FAR_FUTURE,
			};
			const query: CaseQuery = {
				...listed,
				filters: { ...listed.filters, ...times },
				order: 'LEAST_RECENTLY_EDITED',
			};
			const answer = await fetchCasesOrNone(client, query, page, pageSize);
			return readEditsPage(answer, from, pageSize, info);
		},
		fetchLastEdited,
		readFirst: async (order, limit, status) => {
			const inStatus = status === undefined ? filters.filters : { ...filters.filters, status };
			const query: OrderedQuery = { ...filters, filters: inStatus, order };
			const { rows } = await readCases(client, query, { limit, pageSize, shape: (row) => row });
			return rows;
		},
		readById: async (caseIds) => await readCasesById(client, caseIds, pageSize),
		readComments: async (caseIds, { limit, isTimeUp = () => false } = {}) =>
			await readEach(source, caseIds.map(rowOf), isTimeUp, async (row) => {
				const { rows } = await readComments(client, caseIdentity(row), {
					limit,
					pageSize: Math.min(pageSize, MAX_COMMENTS),
				});
				return rows as Comment[];
			}),
		readActivities: async (cases) => {
			const lists = cases.map(({ row }) => listOf(row.activities));
			const withMore = cases.flatMap(({ row, isClose }, index) =>
				isClose && mayHaveMoreDetails(row, 'activities') ? [index] : [],
			);
			const read = await readEach(
				source,
				withMore.map((index) => cases[index].row),
				() => false,
				async (row) => {
					const { rows } = await readDetails(client, row, 'activities');
					return rows as Activity[];
				},
			);
			withMore.forEach((index, at) => {
				if (Array.isArray(read[at])) lists[index] = read[at];
			});
			return lists;
		},
	};
}

/** A case of which no more is known than its ID. */
const rowOf = (id: string): Case => ({ case_id: id });

/** Comments on a page at most. */
const MAX_COMMENTS = 50;

const listOf = (value: unknown): Activity[] =>
	Array.isArray(value)
		? value.filter((entry): entry is Activity => typeof entry === 'object' && entry !== null)
		: [];

/** How many of the cases edited last are read to find the time to start from. */
const LAST_EDITED = 10;
