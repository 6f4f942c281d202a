import { splitIntoBatches } from './caseBatches';
import { fetchCases, matchesNothing, type CaseFilters, type CaseQuery } from './caseQuery';
import type { Client } from './client';
import { ApiFailure } from './failure';
import { caseIdentity } from './identity';
import { sortKeyOf } from './order';
import type { ListSource } from './pages';
import { readAll, readUpTo, type ListResult, type ReadAllOptions } from './readList';
import { FAR_FUTURE, formatTimestamp } from './timestamps';
import { MAX_PAGE_SIZE, type Case, type CaseOrder, type Page, type Row } from './types';

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

/** Limits the time of the last edit to what cases created since a time can have. */
function withEditsSince(query: CaseQuery, time: number): CaseQuery {
	const { updated_at_start_date: start = '', updated_at_end_date: end = FAR_FUTURE } =
		query.filters;
	const since = formatTimestamp(time);
	return {
		...query,
		filters: {
			...query.filters,
			updated_at_start_date: start > since ? start : since,
			updated_at_end_date: end,
		},
	};
}

function caseSource(client: Client, query: CaseQuery): ListSource<Case> {
	const { createdSince } = query;
	const sent = createdSince === undefined ? query : withEditsSince(query, createdSince);
	return {
		fetchPage: async (page, perPage) => await fetchCases(client, sent, page, perPage),
		idOf: caseIdentity,
		countEditedSince: async (time) => {
			const filters = {
				updated_at_start_date: formatTimestamp(time),
				updated_at_end_date: FAR_FUTURE,
			};
			const { rows, meta } = await fetchCases(client, { filters }, 1, 1);
			return rows.length === 0 ? 0 : ((meta.perPage === 1 ? meta.pages : undefined) ?? rows.length);
		},
		belongs:
			createdSince === undefined
				? undefined
				: ({ created_at }) => !(Date.parse(String(created_at)) < createdSince),
		isSortedByBelonging: query.order === 'CREATED_DESC',
	};
}

/** The queries that make one query together: one for each priority and each batch of case IDs. */
function splitQuery(client: Client, query: CaseQuery, pageSize: number): CaseQuery[] {
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
 * Reads cases in an order; the service decides ties. If several lists are needed, for several priorities or many case
 * IDs, they are merged and sorted here, ties by case ID.
 *
 * Reading all cases newest first requests them oldest first: a case created meanwhile then comes last and shifts no page.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be had
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
	const sources = splitQuery(client, { ...query, order }, pageSize).map((part) =>
		caseSource(client, part),
	);
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

/** Reads a page of fifty of the newest cases, for lists in the editor. */
export async function readNewestCases(
	client: Client,
	filters: CaseFilters['filters'],
	page: number,
): Promise<Page<Case>> {
	return await fetchCases(client, { filters, order: 'CREATED_DESC' }, page, MAX_PAGE_SIZE);
}

/**
 * Reads cases by their IDs, up to `pageSize` to a request.
 * @returns the cases found, by ID
 */
export async function readCasesById(
	client: Client,
	caseIds: string[],
	pageSize: number,
): Promise<Map<string, Case>> {
	const query: OrderedQuery = { filters: {}, caseIds, order: 'CREATED_ASC' };
	const { rows } = await readCases(client, query, { pageSize, shape: (row) => row });
	return new Map(rows.map((row: Case) => [caseIdentity(row), row]));
}

/**
 * Counts cases with one request: with one case to a page, the number of pages is the total.
 * A service that makes larger pages than requested is counted by its last page, with a second request.
 * @throws ApiFailure when the service doesn't return page counts
 */
export async function countCases(
	client: Client,
	query: CaseFilters,
	pageSize: number,
): Promise<number> {
	if (matchesNothing(query)) return 0;
	if (query.createdSince !== undefined) {
		// The API has no filter for the creation, so these are counted one by one.
		const options = { pageSize, shape: () => ({}) };
		const { rows } = await readCases(client, { ...query, order: 'CREATED_ASC' }, options);
		return rows.length;
	}
	const queries = splitQuery(client, query, pageSize);
	const counts = await client.map(
		queries.length,
		async (index) => await countList(client, queries[index]),
	);
	return counts.reduce((sum, count) => sum + count, 0);
}

async function countList(client: Client, query: CaseFilters): Promise<number> {
	const first = await fetchCases(client, query, 1, 1);
	const { pages, perPage } = first.meta;
	if (first.rows.length === 0) return 0;
	if (pages === undefined || perPage === undefined) {
		throw new ApiFailure("The service doesn't say how many cases match", {
			description:
				'Its answer has no page counts. Use Get Many with Return All instead, and count its items.',
			retryable: false,
		});
	}
	if (perPage === 1 || pages === 1) return (pages - 1) * perPage + first.rows.length;
	const last = await fetchCases(client, query, pages, 1);
	return (pages - 1) * perPage + last.rows.length;
}
