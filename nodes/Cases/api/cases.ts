import { splitIntoBatches } from './caseBatches';
import {
	fetchCases,
	fetchCasesOrNone,
	matchesNothing,
	type CaseFilters,
	type CaseQuery,
} from './caseQuery';
import type { Client } from './client';
import { createFilterCheck } from './contradictions';
import { readUpTo } from './firstRows';
import { caseIdentity } from './identity';
import type { ListResult } from './observed';
import { sortKeyOf } from './order';
import type { ListSource } from './pages';
import { readAll, type ReadAllOptions } from './readList';
import { refuseIgnoredFilter } from './ignoredFilters';
import { FAR_FUTURE, formatTimestamp, parseTimestamp } from './timestamps';
import { createVersionCheck } from './twoVersions';
import { MAX_PAGE_SIZE, type Case, type CaseOrder, type Row } from './types';

/** Which cases, and the order in which they are returned. */
export interface OrderedQuery extends CaseFilters {
	order: CaseOrder;
}

/** How many of the cases, and how to read them. */
export interface ReadCasesOptions {
	/** Undefined reads all. */
	limit?: number;
	pageSize: number;
	shape: (row: Case) => Row;
}

/**
 * Limits the time of the last edit to a time or later.
 * @returns undefined where the filters have an end before it, so that no case can match
 */
function withEditsSince<T extends CaseFilters>(query: T, time: number): T | undefined {
	const { updated_at_start_date: start = '', updated_at_end_date: end = FAR_FUTURE } =
		query.filters;
	const since = formatTimestamp(time);
	if (end < since) return undefined;
	return {
		...query,
		filters: {
			...query.filters,
			updated_at_start_date: start > since ? start : since,
			updated_at_end_date: end,
		},
	};
}

/** Whether a case has an ID by which it can be told from others. */
export function hasIdentity({ case_id }: Case): boolean {
	return typeof case_id === 'number' || (typeof case_id === 'string' && case_id.trim() !== '');
}

function caseSource(client: Client, query: CaseQuery, whole: CaseFilters): ListSource<Case> {
	const { createdSince } = query;
	// No edit is before the creation.
	const sent = createdSince === undefined ? query : (withEditsSince(query, createdSince) ?? query);
	return {
		fetchPage: async (page, perPage) => await fetchCases(client, sent, page, perPage),
		idOf: (row) => (hasIdentity(row) ? caseIdentity(row) : undefined),
		countEditedSince: async (time) => await countEditedSince(client, whole, time),
		contradictedFilter: createFilterCheck(whole),
		refuseIgnoredFilter: async (contradicting) =>
			await refuseIgnoredFilter(client, whole, sent, contradicting),
		belongs:
			createdSince === undefined
				? undefined
				: ({ created_at }) => !(parseTimestamp(created_at) < createdSince),
		isSortedByBelonging: query.order === 'CREATED_DESC',
		mostRows: query.caseIds?.length,
	};
}

/**
 * Counts the cases that match filters and were edited since a time. Edits of other cases, which are many on a busy
 * tenant, don't count. A case that no longer matches since its edit isn't counted either, but changes the totals.
 */
export async function countEditedSince(
	client: Client,
	{ filters, teamId, priorities }: CaseFilters,
	time: number,
): Promise<number | undefined> {
	const edits = withEditsSince<CaseFilters>({ filters, teamId }, time);
	if (edits === undefined) return 0;
	const edited = await countByPageOfOne(client, edits);
	if (edited === 0 || priorities === undefined) return edited;
	// Some of them may have another priority.
	const counts = await client.map(priorities.length, async (index) => {
		const ofOne = { ...edits.filters, priority: priorities[index] };
		return await countByPageOfOne(client, { ...edits, filters: ofOne });
	});
	return counts.reduce<number | undefined>((sum, count) => addKnown(sum, count), 0);
}

function addKnown(sum: number | undefined, count: number | undefined): number | undefined {
	return sum === undefined || count === undefined ? undefined : sum + count;
}

/**
 * @returns how many cases match, or at least whether any does; undefined where the service ignored a filter, or only rows
 * without an ID came
 */
async function countByPageOfOne(client: Client, query: CaseFilters): Promise<number | undefined> {
	const contradictedFilter = createFilterCheck(query);
	const { rows, meta } = await fetchCases(client, query, 1, 1);
	if (rows.length === 0) return 0;
	if (rows.some((row) => contradictedFilter(row) !== undefined)) return undefined;
	const stated = meta.perPage === 1 ? meta.pages : undefined;
	const found = rows.filter(hasIdentity).length;
	// A row without an ID may come with each answer, and an empty list may be stated to have one page.
	if (found === 0 && (stated ?? 1) === 1) return undefined;
	return stated ?? found;
}

/** The queries that make one query together: one for each priority and each batch of case IDs. */
export function splitQuery<T extends CaseQuery>(
	client: Client,
	query: T,
	pageSize: number,
): CaseQuery[] {
	const { priorities, ...rest } = query;
	const queries: CaseQuery[] = priorities?.map((priority) => ({
		...rest,
		filters: { ...rest.filters, priority },
	})) ?? [rest];
	const { caseIds } = query;
	if (caseIds === undefined) return queries;
	return queries.flatMap((each) => splitIntoBatches(client, { ...each, caseIds }, pageSize));
}

/**
 * Reads the cases that match filters, in an order. Each is in the result once, and none that contradicts a filter.
 *
 * Reading all cases newest first requests them oldest first: a case created meanwhile then comes last and shifts no page.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be read, or the service ignores
 * a filter
 */
export async function readCases(
	client: Client,
	query: OrderedQuery,
	{ limit, pageSize, shape }: ReadCasesOptions,
): Promise<ListResult> {
	if (matchesNothing(query)) {
		return { rows: [], observed: { repeated: 0, isTruncated: false, reads: 0 } };
	}
	const isReordered = limit === undefined && query.order === 'CREATED_DESC';
	const order = isReordered ? 'CREATED_ASC' : query.order;
	const queries = splitQuery(client, { ...query, order }, pageSize);
	const sources = queries.map((each) => caseSource(client, each, query));
	const options: ReadAllOptions<Case> = {
		pageSize,
		pool: client,
		shape,
		keyOf: sortKeyOf(query.order),
		canRowsMove: query.priorities !== undefined,
		isReordered,
	};
	return limit === undefined
		? await readAll(sources, options)
		: await readUpTo(sources, limit, options);
}

/** A page of cases for a list in the editor. */
export interface NewestCases {
	cases: Case[];
	/** Whether there may be another page. */
	isMore: boolean;
	/** Number of pages, where the service states it. */
	pages?: number;
}

/** Reads a page of fifty of the newest cases. A page behind the last one is empty. */
export async function readNewestCases(
	client: Client,
	filters: CaseFilters['filters'],
	page: number,
): Promise<NewestCases> {
	const query = { filters, order: 'CREATED_DESC' } as const;
	const contradictedFilter = createFilterCheck(query);
	const { rows, meta } = await fetchCasesOrNone(client, query, page, MAX_PAGE_SIZE);
	const { pages, hasNextPage } = meta;
	return {
		cases: rows.filter((row) => hasIdentity(row) && contradictedFilter(row) === undefined),
		isMore: rows.length > 0 && ((pages ?? page) > page || hasNextPage),
		pages,
	};
}

/**
 * Reads cases by their IDs, up to `pageSize` to a request.
 * @param note gets what the reader noticed
 * @returns the cases found, by ID
 */
export async function readCasesById(
	client: Client,
	caseIds: string[],
	pageSize: number,
	note: (observed: ListResult['observed']) => void = () => {},
): Promise<Map<string, Case>> {
	const query: OrderedQuery = { filters: {}, caseIds, order: 'CREATED_ASC' };
	const { rows, observed } = await readCases(client, query, {
		pageSize,
		shape: createVersionCheck(),
	});
	note(observed);
	return new Map(rows.map((row: Case) => [caseIdentity(row), row]));
}
