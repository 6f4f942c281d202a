import { fetchCases, matchesNothing, type CaseFilters, type CaseQuery } from './caseQuery';
import { readCases, splitQuery } from './cases';
import { countByPageOfOne, type StatedCount } from './countPages';
import type { Client } from './client';
import { createFilterCheck, isHeldAgainstRows } from './contradictions';
import type { Observed } from './lists/readList';
import type { Reading } from './lists/source';

/** How many cases match, and what was noticed where they were read to be counted. */
export interface CaseCount {
	count: number;
	observed?: Observed;
}

/**
 * Counts the cases that match filters. With one case to a page, the number of pages is the total, so it costs one request
 * for each priority; with a filter that cases can be held against, a full page before it, to see whether the filter has an
 * effect. Where the answers can't be trusted with it, the cases are read.
 * @throws ApiFailure as {@link readCases}
 */
export async function countCases(
	client: Client,
	query: CaseFilters,
	options: Reading,
): Promise<CaseCount> {
	if (matchesNothing(query)) return { count: 0 };
	// The API has no filter for the creation.
	const queries =
		query.createdSince === undefined ? splitQuery(client, query, options.pageSize) : [];
	const stated = await client.map(
		queries.length,
		async (index) => await countByPages(client, queries[index], options.pageSize),
	);
	const counts = stated.flatMap(({ count }) => count ?? []);
	if (counts.length > 0 && counts.length === stated.length) {
		return { count: counts.reduce((sum, count) => sum + count, 0) };
	}
	const { rows, observed } = await readCases(
		client,
		{ ...query, order: 'CREATED_ASC' },
		{ ...options, shape: () => ({}), promised: stated.map(({ promised }) => promised) },
	);
	return { count: rows.length, observed };
}

async function countByPages(
	client: Client,
	query: CaseQuery,
	pageSize: number,
): Promise<StatedCount> {
	if (isHeldAgainstRows(query)) {
		const { rows } = await fetchCases(client, query, 1, pageSize);
		if (rows.some(createFilterCheck(query))) return { promised: 0 };
	}
	return await countByPageOfOne(client, query);
}
