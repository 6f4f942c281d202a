import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { encodeQuery, MAX_URL_LENGTH, type Query, type QueryValue } from './query';
import { CASES_PATH } from './requests';
import type { Case, CaseOrder, Page } from './types';

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

/** Fetches a page of the case list. Behind the last page it is empty, also where the service answers with an error. */
export async function fetchCasesOrNone(
	client: Client,
	query: CaseQuery,
	page: number,
	perPage: number,
): Promise<Page<Case>> {
	return await fetchCases(client, query, page, perPage).catch((failure: unknown): Page<Case> => {
		const isBehind =
			failure instanceof ApiFailure && [400, 404, 422].includes(failure.details.httpCode ?? 0);
		if (page > 1 && isBehind) return { rows: [], meta: { hasNextPage: false } };
		throw failure;
	});
}

/** How many characters a URL has left once it carries these filters. */
export function roomInUrl({ tenant, nameFilter }: Client, query: CaseQuery): number {
	return MAX_URL_LENGTH - encodeQuery(toQuery(query), tenant.arrayFormat, nameFilter).length;
}
