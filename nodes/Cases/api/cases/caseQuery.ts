import { fetchPage, type Client } from '../http/client';
import { encodeQuery, MAX_URL_LENGTH, type Query, type QueryValue } from '../http/query';
import { CASES_PATH } from '../http/requests';
import type { Case, CaseOrder, Page } from '../types';

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
