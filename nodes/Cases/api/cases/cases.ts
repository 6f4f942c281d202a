// Law of this folder: the list of cases is read here, by filters or by IDs; what one case has, in the file beside.

import { sortKeyOf, type CaseFilters, type CaseQuery } from './caseQuery';
import { createFilterCheck, ignoredFilter, isHeldAgainstRows } from './contradictions';
import { ApiFailure } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import { CASES_PATH, encodeQuery, MAX_URL_LENGTH, type Query } from '../http/requests';
import { caseIdentity } from '../identity';
import { readList, type ListResult, type Observed } from '../lists/readList';
import { isRefusal, type ListSource, type ReadLimits } from '../lists/source';
import { FAR_FUTURE, formatTimestamp, parseTimestamp } from '../timestamps';
import type { Case, CaseOrder, Page, Row } from '../types';

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

type QueryById = CaseQuery & { caseIds: string[] };

/** How many characters an ID takes in a URL at most, such as `filters%5Bcase_ids%5D%5B999%5D=9007199254740991&`. */
const PER_ID = 50;

/** Splits a query into batches of case IDs, in order. Each batch fits into one page and one URL. */
export function splitIntoBatches(client: Client, query: QueryById, pageSize: number): QueryById[] {
	const { filters, caseIds } = query;
	// The path, the team, the order and the page take the rest.
	const room = roomInUrl(client, { filters }) - 200;
	const fitting = Math.max(1, Math.floor(room / PER_ID));
	const size = Math.min(pageSize, fitting);
	return Array.from({ length: Math.ceil(caseIds.length / size) }, (_, index) => ({
		...query,
		caseIds: caseIds.slice(index * size, (index + 1) * size),
	}));
}

/** Which cases, and the order in which they are returned. */
export type OrderedQuery = CaseQuery & { order: CaseOrder };

/** How many of the cases, and how to read them. */
interface ReadCasesOptions extends ReadLimits {
	shape: (row: Case) => Row;
}

/**
 * Limits the time of the last edit to a time or later.
 * @returns undefined where the filters have an end before it, so that no case can match
 */
function withEditsSince(query: CaseQuery, time: number): CaseQuery | undefined {
	const { filters } = query;
	const { updated_at_start_date: start = '', updated_at_end_date: end = FAR_FUTURE } = filters;
	const since = formatTimestamp(time);
	if (end < since) return undefined;
	const from = start > since ? start : since;
	const within = { updated_at_start_date: from, updated_at_end_date: end };
	return { ...query, filters: { ...filters, ...within } };
}

/** Whether no edit can let a case into the list or out of it, or move one. */
function isByCreation({ filters, teamId, order }: CaseQuery): boolean {
	const isOrder = order === 'CREATED_ASC' || order === 'CREATED_DESC';
	return isOrder && teamId === undefined && Object.keys(filters).length === 0;
}

/**
 * Counts cases by the pages of one case that the service states.
 * @returns undefined where the answer doesn't agree with itself or with the filters
 */
async function countByPageOfOne(client: Client, query: CaseQuery): Promise<number | undefined> {
	const { rows, meta } = await fetchCases(client, query, 1, 1);
	const { pages, perPage, hasNextPage, count } = meta;
	if ((pages ?? 1) > 1 !== hasNextPage) return undefined;
	if (rows.length === 0) return hasNextPage || count !== undefined ? undefined : 0;
	const isOfOne = perPage === 1 && rows.length === 1;
	return isOfOne && !rows.some(createFilterCheck(query)) ? pages : undefined;
}

function caseSource(client: Client, query: CaseQuery, whole: CaseFilters): ListSource<Case> {
	const { createdSince } = query;
	// No edit is before the creation.
	const sent = createdSince === undefined ? query : (withEditsSince(query, createdSince) ?? query);
	const isSince = ({ created_at }: Case) =>
		(parseTimestamp(created_at) ?? Infinity) >= (createdSince ?? 0);
	return {
		noun: 'cases',
		fetchPage: async (page, perPage) => await fetchCases(client, sent, page, perPage),
		idOf: caseIdentity,
		isByCreation: isByCreation(sent),
		mostRows: query.caseIds?.length,
		countEditedSince: async (time) => {
			const edits = withEditsSince(sent, time);
			return edits === undefined ? 0 : await countByPageOfOne(client, edits);
		},
		contradictedFilter: createFilterCheck(whole),
		ignoredFilter: (filter) => ignoredFilter(filter, client.nameFilter(filter)),
		belongs: createdSince === undefined ? undefined : isSince,
		endsOutside: query.order === 'CREATED_DESC',
	};
}

/** The queries that make one query together: one for each priority and each batch of case IDs. */
function splitQuery(client: Client, query: CaseQuery, pageSize: number): CaseQuery[] {
	const { priorities, caseIds, ...rest } = query;
	const queries: CaseQuery[] = priorities?.map((priority) => ({
		...rest,
		filters: { ...rest.filters, priority },
	})) ?? [rest];
	if (caseIds === undefined) return queries;
	return queries.flatMap((each) => splitIntoBatches(client, { ...each, caseIds }, pageSize));
}

/**
 * Reads the cases that match filters, in an order. Each is in the result once, and none that contradicts a filter.
 *
 * All cases, newest first, are requested oldest first: a case created meanwhile then comes last and shifts no page.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be read, or the service ignores
 * a filter
 */
export async function readCases(
	client: Client,
	query: OrderedQuery,
	options: ReadCasesOptions,
): Promise<ListResult> {
	const isReordered = options.limit === undefined && query.order === 'CREATED_DESC';
	const order = isReordered ? 'CREATED_ASC' : query.order;
	const queries = splitQuery(client, { ...query, order }, options.pageSize);
	const sources = queries.map((each) => caseSource(client, each, query));
	return await readList(sources, {
		...options,
		pool: client,
		keyOf: sortKeyOf(query.order),
		canRowsMove: query.priorities !== undefined,
		isReordered,
	});
}

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
	options: ReadLimits,
): Promise<{ count: number; observed?: Observed }> {
	// The API has no filter for the creation.
	if (query.createdSince === undefined) {
		const queries = splitQuery(client, query, options.pageSize);
		const counts = await client.map(queries.length, async (index) => {
			const each = queries[index];
			const page = isHeldAgainstRows(each) && (await fetchCases(client, each, 1, options.pageSize));
			if (page && page.rows.some(createFilterCheck(each))) return undefined;
			return await countByPageOfOne(client, each);
		});
		if (!counts.includes(undefined)) {
			return { count: counts.reduce<number>((sum, count = 0) => sum + count, 0) };
		}
	}
	const inOrder: OrderedQuery = { ...query, order: 'CREATED_ASC' };
	const { rows, observed } = await readCases(client, inOrder, { ...options, shape: () => ({}) });
	return { count: rows.length, observed };
}

/**
 * Reads cases by their IDs, up to `pageSize` to a request. A request that is refused, because of one of them or because it
 * is long, is halved until the ID at fault is alone.
 * @param note gets what the reader noticed
 * @param refused gets the failure of each such ID; without it nothing is halved, and the first failure is thrown
 * @returns the cases found, by ID
 * @throws ApiFailure also where the service refuses a request without IDs
 */
export async function readCasesById(
	client: Client,
	caseIds: string[],
	pageSize: number,
	note: (observed: Observed) => void = () => {},
	refused?: Map<string, ApiFailure>,
): Promise<Map<string, Case>> {
	const found = new Map<string, Case>();
	const read = async (some: string[]): Promise<void> => {
		const query: OrderedQuery = { filters: {}, caseIds: some, order: 'CREATED_ASC' };
		const { rows, observed } = await readCases(client, query, { pageSize, shape: (row) => row });
		note(observed);
		rows.forEach((row: Case) => found.set(caseIdentity(row), row));
	};
	const readOrHalve = async (some: string[]): Promise<void> =>
		await read(some).catch(async (failure: unknown) => {
			if (!isRefusal(failure) || refused === undefined) throw failure;
			if (some === caseIds) await fetchCases(client, { filters: {} }, 1, 1);
			if (some.length === 1) return void refused.set(some[0], failure);
			const middle = Math.ceil(some.length / 2);
			await readOrHalve(some.slice(0, middle));
			await readOrHalve(some.slice(middle));
		});
	await readOrHalve(caseIds);
	return found;
}

/** The failure of a case that the list has no row for. */
export function caseNotFound(caseId: string): ApiFailure {
	return new ApiFailure(`Case ${caseId} was not found, or the API key has no access to it`, {
		description:
			"The service gives the same answer for both. Check the ID, and what the key can see: a team key sees only its team's cases.",
		retryable: false,
	});
}

/** A case as the list of cases has it now. @throws ApiFailure when it can't be read, or isn't found */
export async function readCase(client: Client, caseId: string): Promise<Case> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	if (row === undefined) throw caseNotFound(caseId);
	return row;
}
