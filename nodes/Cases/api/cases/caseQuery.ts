import { fetchPage, type Client } from '../http/client';
import { encodeQuery, MAX_URL_LENGTH, type Query, type QueryValue } from '../http/query';
import { CASES_PATH } from '../http/requests';
import { parseTimestamp } from '../timestamps';
import { PRIORITIES, type Case, type CaseOrder, type Page } from '../types';

/** Which cases. What is undefined or missing limits nothing. */
export interface CaseFilters {
	/** By the API's own names, without `case_ids`. */
	filters: Record<string, QueryValue>;
	/** IDs, each once. An empty list means no case, not all of them. */
	caseIds?: string[];
	teamId?: string;
	/** Several priorities, of which a case has one. The API takes one, so there is a request for each. */
	priorities?: string[];
	/**
	 * Cases created at this time or later, in ms since the epoch. The API has no filter for it, so {@link filters}
	 * limit the time of the last edit, which is never before the creation, and the rows are checked.
	 */
	createdSince?: number;
}

/** Which cases, in which order; without an order it is up to the service. */
export interface CaseQuery extends CaseFilters {
	order?: CaseOrder;
}

/** Whether no case can match, so that no request is needed. */
export function matchesNothing({ caseIds }: CaseFilters): boolean {
	return caseIds?.length === 0;
}

function toQuery({ filters, caseIds, teamId, order }: CaseQuery): Query {
	return {
		filters: caseIds === undefined ? filters : { ...filters, case_ids: caseIds },
		team_id: teamId,
		order,
	};
}

/**
 * Fetches one page of the case list.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when the page can't be read
 */
export async function fetchCases(
	client: Client,
	query: CaseQuery,
	page: number,
	perPage: number,
): Promise<Page<Case>> {
	const request = { ...toQuery(query), per_page: perPage, page };
	return await fetchPage<Case>(client, CASES_PATH, 'cases', request);
}

/** How many characters a URL has left once it carries these filters. */
export function roomInUrl({ tenant, nameFilter }: Client, query: CaseQuery): number {
	return MAX_URL_LENGTH - encodeQuery(toQuery(query), tenant.arrayFormat, nameFilter).length;
}

/** A query with case IDs. */
export type QueryById = CaseQuery & { caseIds: string[] };

/** Characters of a URL that are left for the path, the team, the order and the page. */
const RESERVED = 200;

/** How many of the case IDs fit into one URL, besides the other filters; at least one. */
function idsToUrl(client: Client, { filters, caseIds }: QueryById): number {
	const longest = caseIds.reduce((a, b) => (b.length > a.length ? b : a), '');
	const roomBeside = (ids: string[]) => roomInUrl(client, { filters, caseIds: ids });
	const room = roomBeside([longest]) - RESERVED;
	const perId = roomBeside([longest]) - roomBeside([longest, longest]);
	// An index of up to three digits takes two characters more than the one measured.
	const perIndex = client.tenant.arrayFormat === 'indices' ? 2 : 0;
	return 1 + Math.max(0, Math.floor(room / (perId + perIndex)));
}

/** Splits a query into batches of case IDs, in order. Each batch fits into one page and one URL. */
export function splitIntoBatches(client: Client, query: QueryById, pageSize: number): QueryById[] {
	const { caseIds } = query;
	const size = Math.min(pageSize, idsToUrl(client, query));
	return Array.from({ length: Math.ceil(caseIds.length / size) }, (_, index) => ({
		...query,
		caseIds: caseIds.slice(index * size, (index + 1) * size),
	}));
}

const timeIn = (field: string) => (row: Case) => parseTimestamp(row[field]);

/** From the lowest; NaN for a priority that the document doesn't name. */
function priorityOf(row: Case): number {
	const name = typeof row.priority === 'string' ? row.priority.trim().toUpperCase() : '';
	const rank = PRIORITIES.findIndex((known) => known === name);
	return rank === -1 ? NaN : rank;
}

/** What cases are sorted by in each order. */
const SORT_KEYS: Record<CaseOrder, [key: (row: Case) => number, direction: 1 | -1]> = {
	RECENTLY_EDITED: [timeIn('updated_at'), -1],
	LEAST_RECENTLY_EDITED: [timeIn('updated_at'), 1],
	PRIORITY_ASC: [priorityOf, 1],
	PRIORITY_DESC: [priorityOf, -1],
	OPENED_ASC: [timeIn('opened_at'), 1],
	OPENED_DESC: [timeIn('opened_at'), -1],
	CREATED_ASC: [timeIn('created_at'), 1],
	CREATED_DESC: [timeIn('created_at'), -1],
};

/** The key by which the service sorts cases in an order: the lowest comes first, and a case without one last. */
export function sortKeyOf(order: CaseOrder): (row: Case) => number {
	const [key, direction] = SORT_KEYS[order];
	return (row) => {
		const value = direction * key(row);
		return Number.isNaN(value) ? Infinity : value;
	};
}
