import { fetchCases, type CaseFilters, type CaseQuery } from './caseQuery';
import type { Client } from './client';
import { createFilterCheck } from './contradictions';
import { ApiFailure } from './failure';
import { MAX_PAGE_SIZE } from './types';

/** Where this many cases contradict a filter and none agrees with it, no index that lags behind explains that. */
const MANY = 20;

/** The same filters, where those of times are as wide as a service takes them that compares days. */
function byDays(query: CaseFilters): CaseFilters {
	const widen = ([name, value]: [string, unknown]) => {
		if (name.endsWith('_start_date')) return [name, `${String(value).slice(0, 10)}T00:00:00Z`];
		if (name.endsWith('_end_date')) return [name, `${String(value).slice(0, 10)}T23:59:59Z`];
		return [name, value];
	};
	const filters = Object.fromEntries(
		Object.entries(query.filters).map(widen),
	) as typeof query.filters;
	return { ...query, filters };
}

/**
 * Looks a second time where all cases that came contradict filters: for cases that no edit of the last seconds can hide.
 * @param request of the list that came
 * @param contradicting how many cases came
 * @returns whether they were enough for a second look
 * @throws ApiFailure when the service ignores a filter
 */
export async function refuseIgnoredFilter(
	client: Client,
	query: CaseFilters,
	request: CaseQuery,
	contradicting: number,
): Promise<boolean> {
	if (contradicting < MANY) return false;
	const oldest: CaseQuery = { ...request, order: 'LEAST_RECENTLY_EDITED' };
	const { rows } = await fetchCases(client, oldest, 1, MAX_PAGE_SIZE);
	const contradictedFilter = createFilterCheck(byDays(query));
	const again = rows.map(contradictedFilter);
	const [name] = again;
	if (name === undefined || again.includes(undefined)) return true;
	throw new ApiFailure(`The service ignores the filter ${client.nameFilter(name)}`, {
		description: `It returned ${contradicting} cases, and all of them contradict the filter. ${adviceOn(name)}`,
		retryable: false,
	});
}

/** What to try where a filter has no effect. */
export function adviceOn(filter: string): string {
	return filter === 'excluded_tags'
		? "Newer versions of the service call it exclude_tags: remove 'Tags (None)' and add exclude_tags[] under 'Other Filters'."
		: "Remove the filter, or try another 'List Format in Requests' in the credential.";
}
