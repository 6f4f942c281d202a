import { fetchCases, matchesNothing, type CaseFilters, type CaseQuery } from './caseQuery';
import { countEditedSince, readCases, splitQuery } from './cases';
import type { Client } from './client';
import { createFilterCheck } from './contradictions';
import { isBehindTheLast } from './pages';
import type { Observed } from './readList';

/** How many cases match, and what was noticed where they were read to be counted. */
export interface CaseCount {
	count: number;
	observed?: Observed;
}

/**
 * Counts the cases that match filters with one request: with one case to a page, the number of pages is the total.
 * A service that makes larger pages than requested is counted by its last page, with a second request. Several
 * priorities take a request each, and one that looks for cases that moved between them.
 *
 * The cases are read and counted where the answers have no page counts, contradict themselves or the filters, or cases
 * moved meanwhile.
 */
export async function countCases(
	client: Client,
	query: CaseFilters,
	pageSize: number,
): Promise<CaseCount> {
	if (matchesNothing(query)) return { count: 0 };
	// The API has no filter for the creation.
	if (query.createdSince !== undefined) return await countByReading(client, query, pageSize);
	const parts = splitQuery(client, query, pageSize);
	const lists = await client.map(
		parts.length,
		async (index) => await countList(client, parts[index], query),
	);
	const count = lists.reduce((sum, list) => sum + (list.count ?? NaN), 0);
	const couldMove = query.priorities !== undefined;
	if (Number.isNaN(count) || (couldMove && (await haveMoved(client, query, lists)))) {
		return await countByReading(client, query, pageSize);
	}
	return { count };
}

interface ListCount {
	/** Undefined where the answers can't be trusted. */
	count?: number;
	/** When counting began, by the service's clock. */
	servedAt?: number;
}

async function countList(client: Client, part: CaseQuery, whole: CaseFilters): Promise<ListCount> {
	const contradictedFilter = createFilterCheck(whole);
	const { rows, unusable, meta, servedAt } = await fetchCases(client, part, 1, 1);
	const { pages, perPage, total, hasNextPage } = meta;
	if (unusable !== undefined || rows.some((row) => contradictedFilter(row) !== undefined))
		return {};
	if (rows.length === 0) return (pages ?? 1) > 1 || hasNextPage ? {} : { count: 0, servedAt };
	if (pages === undefined || perPage === undefined || rows.length > perPage) return {};
	if (pages === 1) {
		const mayHaveMore = hasNextPage || (perPage > 1 && rows.length === perPage);
		return mayHaveMore ? {} : { count: rows.length, servedAt };
	}
	if (rows.length < perPage) return {};
	if (perPage === 1) return { count: pages, servedAt };
	if (total !== undefined) return { count: total, servedAt };
	const last = await fetchCases(client, part, pages, 1);
	const onLast = last.rows.length;
	if (onLast === 0 || onLast > perPage || last.meta.hasNextPage) return {};
	const isEnd = onLast < perPage || (await isBehindLast(client, part, pages + 1));
	return isEnd ? { count: (pages - 1) * perPage + onLast, servedAt } : {};
}

/** Whether a page has no case. */
async function isBehindLast(client: Client, part: CaseQuery, page: number): Promise<boolean> {
	return await fetchCases(client, part, page, 1).then(
		({ rows }) => rows.length === 0,
		(failure: unknown) => {
			if (isBehindTheLast(failure, page)) return true;
			throw failure;
		},
	);
}

/** Whether a case may have moved from one list to another while they were counted. */
async function haveMoved(client: Client, query: CaseFilters, lists: ListCount[]): Promise<boolean> {
	const startedAt = lists.reduce((time, { servedAt = NaN }) => Math.min(time, servedAt), Infinity);
	return Number.isNaN(startedAt) || (await countEditedSince(client, query, startedAt)) !== 0;
}

async function countByReading(
	client: Client,
	query: CaseFilters,
	pageSize: number,
): Promise<CaseCount> {
	const options = { pageSize, shape: () => ({}) };
	const { rows, observed } = await readCases(client, { ...query, order: 'CREATED_ASC' }, options);
	return { count: rows.length, observed };
}
