import {
	fetchCases,
	fetchCasesOrNone,
	matchesNothing,
	type CaseFilters,
	type CaseQuery,
} from './caseQuery';
import { countEditedSince, hasIdentity, readCases, splitQuery } from './cases';
import type { Client } from './client';
import { createFilterCheck } from './contradictions';
import type { Observed } from './observed';
import type { Case, Page } from './types';

/** How many cases match, and what was noticed where they were read to be counted. */
export interface CaseCount {
	count: number;
	observed?: Observed;
}

/**
 * Counts the cases that match filters with one request: with one case to a page, the number of pages is the total.
 * A service that makes larger pages than requested, or says something else besides, is counted by its last page, with a
 * second and a third request. Several priorities take a request each, and one that looks for cases that moved between
 * them.
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
	const queries = splitQuery(client, query, pageSize);
	const lists = await client.map(
		queries.length,
		async (index) => await countList(client, queries[index]),
	);
	const count = lists.reduce((sum, list) => sum + (list.count ?? NaN), 0);
	const couldMove = query.priorities !== undefined;
	if (Number.isNaN(count) || (couldMove && (await haveMoved(client, query, lists)))) {
		// Where several cases came in place of one, pages may have this size whatever is requested, and a full one is not the end.
		const came = lists.reduce((most, list) => Math.max(most, list.came), 1);
		return await countByReading(client, query, came > 1 ? Math.min(pageSize, came) : pageSize);
	}
	return { count };
}

interface ListCount {
	/** Undefined where the answers can't be trusted. */
	count?: number;
	/** How many cases came where one was requested. */
	came: number;
	/** When counting began, by the service's clock. */
	servedAt?: number;
}

async function countList(client: Client, query: CaseQuery): Promise<ListCount> {
	const contradictedFilter = createFilterCheck(query);
	const first = await fetchCases(client, query, 1, 1);
	const isContradicted = first.rows.some((row) => contradictedFilter(row) !== undefined);
	return {
		count: isContradicted ? undefined : await countByPages(client, query, first),
		came: first.rows.filter(hasIdentity).length,
		servedAt: first.servedAt,
	};
}

/** @returns how many cases a list has, by its page counts; undefined where they can't be trusted */
async function countByPages(
	client: Client,
	query: CaseQuery,
	{ rows, unusable, meta }: Page<Case>,
): Promise<number | undefined> {
	const { pages, perPage, count, total, hasNextPage } = meta;
	if (unusable !== undefined || !rows.every(hasIdentity)) return undefined;
	if (rows.length === 0) {
		const mayHaveSome = (pages ?? 1) > 1 || hasNextPage || count !== undefined;
		return mayHaveSome ? undefined : 0;
	}
	if (pages === undefined || perPage === undefined || rows.length > perPage) return undefined;
	const isOnPage = count === undefined || count === rows.length;
	if (pages === 1) {
		const mayHaveMore = hasNextPage || (perPage > 1 && rows.length === perPage);
		return mayHaveMore || !isOnPage ? undefined : rows.length;
	}
	if (rows.length < perPage) return undefined;
	const isAgreed = hasNextPage && (isOnPage || count === total);
	if (isAgreed && perPage === 1) return pages;
	if (isAgreed && total !== undefined) return total;
	const last = await fetchCasesOrNone(client, query, pages, 1);
	const onLast = last.rows.length;
	if (onLast === 0 || onLast > perPage || last.meta.hasNextPage) return undefined;
	const isEnd =
		onLast < perPage || (await fetchCasesOrNone(client, query, pages + 1, 1)).rows.length === 0;
	return isEnd ? (pages - 1) * perPage + onLast : undefined;
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
