import { splitIntoBatches, type QueryById } from './caseBatches';
import { fetchCases, matchesNothing, type CaseFilters, type CaseQuery } from './caseQuery';
import type { Client } from './client';
import { ApiFailure } from './failure';
import { caseIdentity } from './identity';
import { sortCases } from './order';
import { mapConcurrently } from './pool';
import type { ListSource, ReadOptions } from './pages';
import { readAll, readUpTo, type ListResult, type Observed } from './readList';
import { FAR_FUTURE, formatTimestamp } from './timestamps';
import { MAX_PAGE_SIZE, type Case, type CaseOrder, type Page, type Row } from './types';

/** How many of the cases, and how to read them. */
export interface ReadCasesOptions {
	/** Undefined reads all. */
	limit?: number;
	pageSize: number;
	shape: (row: Case) => Row;
}

/** Reads of several pages need an order that edits don't change, or rows move between the pages. */
const STABLE_ORDER: CaseOrder = 'CREATED_ASC';

function caseSource(client: Client, query: CaseQuery): ListSource<Case> {
	return {
		fetchPage: async (page, perPage) => await fetchCases(client, query, page, perPage),
		idOf: caseIdentity,
		countEditedSince: async (time) => {
			const filters = {
				updated_at_start_date: formatTimestamp(time),
				updated_at_end_date: FAR_FUTURE,
			};
			const { rows, meta } = await fetchCases(client, { filters }, 1, 1);
			return rows.length === 0 ? 0 : ((meta.perPage === 1 ? meta.pages : undefined) ?? rows.length);
		},
	};
}

function mergeObserved(
	all: Observed[],
	truncated: Pick<Observed, 'isTruncated' | 'atLeast'>,
): Observed {
	return {
		...truncated,
		repeated: all.reduce((sum, { repeated }) => sum + repeated, 0),
		reads: Math.max(...all.map(({ reads }) => reads)),
		drift: all.find(({ drift }) => drift !== undefined)?.drift,
	};
}

/**
 * Reads batches, in order, until so many cases are found: first as many batches side by side as that takes if every ID
 * is found, then more of them in place of the IDs that weren't.
 */
async function readBatchesUpTo(
	enough: number,
	client: Client,
	batches: QueryById[],
	pageSize: number,
): Promise<ListResult[]> {
	const options = { pageSize, concurrency: client.concurrency, shape: (row: Case) => row };
	const idsToBatch = batches[0].caseIds.length;
	const results: ListResult[] = [];
	let found = 0;
	while (found < enough && results.length < batches.length) {
		const count = Math.ceil((enough - found) / idsToBatch);
		const next = batches.slice(results.length, results.length + count);
		const read = await mapConcurrently(
			next.length,
			client.concurrency,
			async (index) => await readAll(caseSource(client, next[index]), options),
		);
		results.push(...read);
		found += read.reduce((sum, { rows }) => sum + rows.length, 0);
	}
	return results;
}

/**
 * Reads cases by IDs that don't fit into one request: in the order of the IDs, or as `order` says.
 * With an `order` a limit saves no request: only when all cases are there is it known which come first.
 */
async function readBatches(
	client: Client,
	{ caseIds, order }: QueryById,
	batches: QueryById[],
	{ limit = Infinity, pageSize, shape }: ReadCasesOptions,
): Promise<ListResult> {
	const enough = order === undefined ? limit : Infinity;
	const results = await readBatchesUpTo(enough, client, batches, pageSize);
	const found: Case[] = results.flatMap(({ rows }) => rows);
	const byId = new Map(found.map((row) => [caseIdentity(row), row]));
	const inOrderOfIds = caseIds
		.map((id) => byId.get(id))
		.filter((row): row is Case => row !== undefined);
	const cases = order === undefined ? inOrderOfIds : sortCases(inOrderOfIds, order);
	const observed = results.map((result) => result.observed);
	const truncated = {
		isTruncated: cases.length > limit || results.length < batches.length,
		atLeast: cases.length > limit ? cases.length : undefined,
	};
	return { rows: cases.slice(0, limit).map(shape), observed: mergeObserved(observed, truncated) };
}

/**
 * Reads cases in the order of the service.
 * Without a chosen order, a read of more than one page is by creation, oldest first.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be had
 */
export async function readCases(
	client: Client,
	query: CaseQuery,
	options: ReadCasesOptions,
): Promise<ListResult> {
	const { limit, pageSize, shape } = options;
	const { caseIds } = query;
	if (matchesNothing(query))
		return { rows: [], observed: { repeated: 0, isTruncated: false, reads: 0 } };
	if (caseIds !== undefined) {
		const byId = { ...query, caseIds };
		const batches = splitIntoBatches(client, byId, pageSize);
		if (batches.length > 1) return await readBatches(client, byId, batches, options);
	}
	const readOptions: ReadOptions<Case> = { pageSize, concurrency: client.concurrency, shape };
	const isOnePage = limit !== undefined && limit <= pageSize;
	const order = query.order ?? (isOnePage ? undefined : STABLE_ORDER);
	const source = caseSource(client, { ...query, order });
	return limit === undefined
		? await readAll(source, readOptions)
		: await readUpTo(source, limit, readOptions);
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
	const query = { filters: {}, caseIds };
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
	const { caseIds } = query;
	if (matchesNothing(query)) return 0;
	const batches =
		caseIds === undefined ? [query] : splitIntoBatches(client, { ...query, caseIds }, pageSize);
	const counts = await mapConcurrently(
		batches.length,
		client.concurrency,
		async (index) => await countBatch(client, batches[index]),
	);
	return counts.reduce((sum, count) => sum + count, 0);
}

async function countBatch(client: Client, query: CaseFilters): Promise<number> {
	const first = await fetchCases(client, query, 1, 1);
	const { pages, perPage } = first.meta;
	if (first.rows.length === 0) return 0;
	if (pages === undefined || perPage === undefined) {
		throw new ApiFailure('The service does not tell how many cases match', {
			description:
				'Its answer has no page counts. Use Get Many with Return All instead, and count its items.',
			retryable: false,
		});
	}
	if (perPage === 1 || pages === 1) return (pages - 1) * perPage + first.rows.length;
	const last = await fetchCases(client, query, pages, 1);
	return (pages - 1) * perPage + last.rows.length;
}
