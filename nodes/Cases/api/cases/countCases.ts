import { fetchCases, type CaseFilters, type CaseQuery } from './caseQuery';
import { countByPageOfOne, readCases, splitQuery, type OrderedQuery } from './cases';
import type { Client } from '../http/client';
import { createFilterCheck, isHeldAgainstRows } from './contradictions';
import type { Observed } from '../lists/readList';
import type { Reading } from '../lists/source';

/**
 * Counts the cases that match filters. With one case to a page, the number of pages is the total, so it costs one request
 * for each priority; with a filter that cases can be held against, a full page before it, to see whether the filter has an
 * effect. Where the answers can't be trusted with it, the cases are read.
 * @returns also what was noticed where they were read
 * @throws ApiFailure as {@link readCases}
 */
export async function countCases(
	client: Client,
	query: CaseFilters,
	options: Reading,
): Promise<{ count: number; observed?: Observed }> {
	// The API has no filter for the creation.
	if (query.createdSince === undefined) {
		const queries = splitQuery(client, query, options.pageSize);
		const counts = await client.map(
			queries.length,
			async (index) => await countByPages(client, queries[index], options.pageSize),
		);
		if (!counts.includes(undefined)) {
			return { count: counts.reduce<number>((sum, count = 0) => sum + count, 0) };
		}
	}
	const inOrder: OrderedQuery = { ...query, order: 'CREATED_ASC' };
	const { rows, observed } = await readCases(client, inOrder, { ...options, shape: () => ({}) });
	return { count: rows.length, observed };
}

async function countByPages(
	client: Client,
	query: CaseQuery,
	pageSize: number,
): Promise<number | undefined> {
	if (isHeldAgainstRows(query)) {
		const { rows } = await fetchCases(client, query, 1, pageSize);
		if (rows.some(createFilterCheck(query))) return undefined;
	}
	return await countByPageOfOne(client, query);
}
