// Law of this folder: this file reads the list of cases, by filters or by IDs. `listsOfCase.ts` reads the lists of a case.

import { sortKeyOf, type CaseFilters, type CaseOrder, type CaseQuery } from './caseQuery';
import {
	createFilterCheck,
	isHeldAgainstRows,
	refuseIgnored,
	type FilterCheck,
} from './contradictions';
import { ApiFailure } from '../failures/failure';
import { addressOf, fetchPage, type Client } from '../http/client';
import { CASES_PATH, encodeQuery, MAX_URL_LENGTH, type Query } from '../http/requests';
import { caseIdentity } from '../identity';
import { readList, type ListResult, type Observed } from '../lists/readList';
import { isRefusal, type ListSource, type ReadLimits } from '../lists/source';
import { FAR_FUTURE, formatTimestamp, parseTimestamp } from '../timestamps';
import type { Case, Page, Row } from '../types';

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
): Promise<Page> {
	const request = { ...toQuery(query), per_page: perPage, page };
	return await fetchPage(client, CASES_PATH, 'cases', request);
}

/** Enough characters for what requests add to filters: an order, a page, a priority, the time of edits and a case ID. */
export const MOST_ADDED = 300;

/** Checks that every request with these filters can be sent. @throws InvalidInput as `addressOf` */
export function checkFilters(client: Client, query: CaseFilters): void {
	const own = toQuery({ ...query, caseIds: undefined });
	addressOf(client, CASES_PATH, own, MAX_URL_LENGTH - MOST_ADDED);
}

/** How many characters are left in a URL with the filters of a query. */
export function roomInUrl({ tenant, nameFilter }: Client, query: CaseQuery): number {
	return MAX_URL_LENGTH - encodeQuery(toQuery(query), tenant.arrayFormat, nameFilter).length;
}

type QueryById = CaseQuery & { caseIds: string[] };

/** Enough characters for any ID in a URL, such as `filters%5Bcase_ids%5D%5B999%5D=9007199254740991&`. */
const PER_ID = 50;

/** Splits a query into batches of case IDs, in order. Each batch fits into one page and one URL. */
export function splitIntoBatches(client: Client, query: QueryById, pageSize: number): QueryById[] {
	const { filters, caseIds } = query;
	// 200 characters are for the path, the team, the order and the page.
	const room = roomInUrl(client, { filters }) - 200;
	const fitting = Math.max(1, Math.floor(room / PER_ID));
	const size = Math.min(pageSize, fitting);
	return Array.from({ length: Math.ceil(caseIds.length / size) }, (_, index) => ({
		...query,
		caseIds: caseIds.slice(index * size, (index + 1) * size),
	}));
}

export type OrderedQuery = CaseQuery & { order: CaseOrder };

/**
 * Limits a query to cases whose last edit was at a time or later.
 * @returns undefined where the query ends before that time, so that no case can match
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

/**
 * Counts the cases with one request: with one case on a page, the number of pages is the number of cases.
 * @returns undefined where the answer contradicts itself or the filters
 */
async function countByPageOfOne(client: Client, query: CaseQuery): Promise<number | undefined> {
	const { rows, meta } = await fetchCases(client, query, 1, 1);
	const { pages, perPage, hasNextPage, count } = meta;
	if ((pages ?? 1) > 1 !== hasNextPage) return undefined;
	if (rows.length === 0) return hasNextPage || count !== undefined ? undefined : 0;
	// A count is that of the page or that of all pages.
	const isOfOne = perPage === 1 && rows.length === 1 && [undefined, 1, pages].includes(count);
	return isOfOne && !rows.some(createFilterCheck(query)) ? pages : undefined;
}

/** @param keep returns what to keep of a case; undefined for one that contradicts a filter */
function caseSource(
	client: Client,
	query: CaseQuery,
	check: FilterCheck,
	keep: (row: Case) => Row | undefined,
): ListSource {
	const { createdSince, caseIds } = query;
	// The last edit of a case is never before its creation, so this limit leaves out no case created since then.
	const sent = createdSince === undefined ? query : (withEditsSince(query, createdSince) ?? query);
	const isBefore = ({ created_at }: Case) =>
		(parseTimestamp(created_at) ?? Infinity) < (createdSince ?? 0);
	const isLimited = sent.teamId !== undefined || Object.keys(sent.filters).length > 0;
	return {
		noun: 'cases',
		fetchPage: async (page, perPage) => {
			const answer = await fetchCases(client, sent, page, perPage);
			if (page === 1) refuseIgnored(client, check, answer.rows, caseIds?.length);
			return answer;
		},
		idOf: caseIdentity,
		isByCreation: !isLimited && /^CREATED_/.test(sent.order ?? ''),
		mostRows: caseIds?.length,
		countEditedSince: async (time) => {
			const edits = withEditsSince(sent, time);
			return edits === undefined ? 0 : await countByPageOfOne(client, edits);
		},
		keep: (row) => (isBefore(row) ? undefined : keep(row)),
		isSifted: createdSince !== undefined,
		isBehindAll: query.order === 'CREATED_DESC' ? isBefore : undefined,
	};
}

/** Splits a query: one query for each priority and each batch of case IDs. */
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
 * Reads the cases that match a query. Each is in the result once. A case that contradicts a filter is left out.
 *
 * If all cases are wanted newest first, they are requested oldest first, so that a case created meanwhile comes last and
 * shifts no page.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be read, or the service ignores
 * a filter
 */
export async function readCases(
	client: Client,
	query: OrderedQuery,
	options: ReadLimits & { shape: (row: Case) => Row },
): Promise<ListResult> {
	const isReordered = options.limit === undefined && query.order === 'CREATED_DESC';
	const order = isReordered ? 'CREATED_ASC' : query.order;
	const queries = splitQuery(client, { ...query, order }, options.pageSize);
	const check = createFilterCheck(query);
	/** The filter that each case left out contradicts. */
	const leftOut = new Map<string, string>();
	const keep = (row: Case) => {
		const filter = check(row);
		if (filter === undefined) leftOut.delete(caseIdentity(row));
		else leftOut.set(caseIdentity(row), filter);
		return filter === undefined ? options.shape(row) : undefined;
	};
	const { rows, observed } = await readList(
		queries.map((each) => caseSource(client, each, check, keep)),
		{
			...options,
			pool: client,
			keyOf: sortKeyOf(query.order),
			canRowsMove: query.priorities !== undefined,
			isReordered,
		},
	);
	if (leftOut.size === 0) return { rows, observed };
	const contradicting: Record<string, number> = {};
	for (const filter of leftOut.values()) {
		contradicting[filter] = (contradicting[filter] ?? 0) + 1;
	}
	return { rows, observed: { ...observed, contradicting } };
}

/**
 * Counts the cases that match filters, with one request for each priority. If the fields of a case can show whether it
 * matches, a full page is read first, to see whether the service applies the filters. If the service doesn't, or if its
 * answers contradict themselves, all cases are read and counted.
 * @throws ApiFailure as {@link readCases}
 */
export async function countCases(
	client: Client,
	query: CaseFilters,
	options: ReadLimits,
): Promise<{ count: number; observed?: Observed }> {
	// The API can't filter by the time of creation, so with `createdSince` the cases are always read.
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
 * Reads cases by their IDs, with up to `pageSize` IDs in a request. If the service refuses a request, the IDs are sent in
 * halves, until each ID at fault is alone.
 * @param note gets what was unusual in each list that was read
 * @param refused gets the failure of each ID at fault; without this map, the first failure is thrown
 * @returns the cases found, by ID
 * @throws ApiFailure for any other failure. If a request without IDs fails too, no ID is at fault.
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

/** Makes the failure for a case that the list of cases doesn't have. */
export function caseNotFound(caseId: string): ApiFailure {
	return new ApiFailure(`Case ${caseId} was not found, or the API key has no access to it`, {
		description:
			"The service gives the same answer for both. Check the ID, and what the key can see: a team key sees only its team's cases.",
		retryable: false,
	});
}

/** Reads one case from the list of cases. @throws ApiFailure when the list can't be read, or doesn't have the case */
export async function readCase(client: Client, caseId: string): Promise<Case> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	if (row === undefined) throw caseNotFound(caseId);
	return row;
}
