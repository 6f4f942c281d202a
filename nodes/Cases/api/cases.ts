import { formatTimestamp, FAR_FUTURE } from './timestamps';
import { caseIdentity } from './identity';
import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { sortCases } from './order';
import { mapConcurrently } from './pool';
import { encodeQuery, MAX_URL_LENGTH, type Query, type QueryValue } from './query';
import {
	readAll,
	readSome,
	type ListResult,
	type ListSource,
	type Observed,
	type ReadOptions,
} from './readList';
import { CASES_PATH } from './requests';
import { MAX_PAGE_SIZE, type Case, type CaseOrder, type Page, type Row } from './types';

/** Checked filters, as they go into a query. */
export interface CaseFilters {
	team_id?: string;
	filters: Record<string, QueryValue>;
	/** `case_ids` was given as an empty list: the user asked for no case, not for all of them. */
	matchesNothing: boolean;
}

/** Which cases, in which order. */
export interface CaseQuery extends CaseFilters {
	order?: CaseOrder;
}

/** How many of the cases, and how to read them. */
export interface ReadCasesOptions {
	/** Undefined reads all. */
	limit?: number;
	pageSize: number;
	shape: (row: Case) => Row;
}

/** Reads of several pages need an order that edits don't change, or rows move between the pages. */
const STABLE_ORDER: CaseOrder = 'CREATED_ASC';

async function fetchCases(client: Client, query: Query): Promise<Page<Case>> {
	return await fetchPage<Case>(client, CASES_PATH, 'cases', query);
}

/**
 * Fetches a page and checks that the service has heeded the `case_ids` filter, if there is one:
 * a case that wasn't asked for must not pass for one that was.
 */
export async function fetchAskedCases(client: Client, query: Query): Promise<Page<Case>> {
	const page = await fetchCases(client, query);
	const asked = query.filters?.case_ids as string[] | undefined;
	const stranger =
		asked === undefined ? undefined : page.rows.find((row) => !asked.includes(String(row.case_id)));
	if (stranger === undefined) return page;
	throw new ApiFailure('The service ignored the filter for case IDs', {
		description: `It answered with case ${String(stranger.case_id)}, which was not asked for. Try another Array Format in the credential: the service may expect lists of values in another form.`,
		retryable: false,
	});
}

function caseSource(client: Client, { order, team_id, filters }: CaseQuery): ListSource<Case> {
	return {
		fetchPage: async (page, per_page) =>
			await fetchAskedCases(client, { filters, team_id, order, per_page, page }),
		idOf: caseIdentity,
		countEditedSince: async (time) => {
			const edited = {
				updated_at_start_date: formatTimestamp(time),
				updated_at_end_date: FAR_FUTURE,
			};
			const { rows, meta } = await fetchCases(client, { filters: edited, per_page: 1, page: 1 });
			return rows.length === 0 ? 0 : ((meta.perPage === 1 ? meta.pages : undefined) ?? rows.length);
		},
	};
}

/** Parts of a query with many case IDs: each part fits into one page and one URL. */
function splitByCaseIds(client: Client, query: CaseQuery, pageSize: number): CaseQuery[] {
	const ids = query.filters.case_ids as string[] | undefined;
	if (ids === undefined) return [query];
	const { arrayFormat } = client.tenant;
	const lengthWith = (case_ids: string[]) =>
		encodeQuery({ filters: { ...query.filters, case_ids } }, arrayFormat).length;
	const longest = ids.reduce((a, b) => (b.length > a.length ? b : a));
	const perId = lengthWith([longest, longest]) - lengthWith([longest]);
	// 200 characters are left for the path, the team, the order and the page; an index takes up to 2 more.
	const room = MAX_URL_LENGTH - 200 - lengthWith([longest]);
	const size = Math.max(1, Math.min(pageSize, Math.floor(room / (perId + 2))));
	const parts: CaseQuery[] = [];
	for (let start = 0; start < ids.length; start += size) {
		const case_ids = ids.slice(start, start + size);
		parts.push({ ...query, filters: { ...query.filters, case_ids } });
	}
	return parts;
}

function mergeObserved(all: Observed[], cut: Pick<Observed, 'isCut' | 'atLeast'>): Observed {
	return {
		...cut,
		repeated: all.reduce((sum, { repeated }) => sum + repeated, 0),
		reads: Math.max(...all.map(({ reads }) => reads)),
		unrest: all.find(({ unrest }) => unrest !== undefined)?.unrest,
	};
}

/**
 * Reads parts, in order, until so many cases are found: side by side as many as that takes if every ID is found,
 * then further ones for the IDs that weren't.
 */
async function readPartsUpTo(
	enough: number,
	client: Client,
	parts: CaseQuery[],
	pageSize: number,
): Promise<ListResult[]> {
	const options = { pageSize, concurrency: client.concurrency, shape: (row: Case) => row };
	const idsToPart = (parts[0].filters.case_ids as string[]).length;
	const results: ListResult[] = [];
	let found = 0;
	while (found < enough && results.length < parts.length) {
		const count = Math.ceil((enough - found) / idsToPart);
		const next = parts.slice(results.length, results.length + count);
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
 * Reads a list of case IDs that doesn't fit into one request: in the order asked, or as `order` says.
 * With an `order` a limit saves no request: only when all cases are there is it known which come first.
 */
async function readParts(
	client: Client,
	query: CaseQuery,
	parts: CaseQuery[],
	{ limit = Infinity, pageSize, shape }: ReadCasesOptions,
): Promise<ListResult> {
	const { order } = query;
	const enough = order === undefined ? limit : Infinity;
	const results = await readPartsUpTo(enough, client, parts, pageSize);
	const found: Case[] = results.flatMap(({ rows }) => rows);
	const byId = new Map(found.map((row) => [caseIdentity(row), row]));
	const asked = query.filters.case_ids as string[];
	const inAskedOrder = asked
		.map((id) => byId.get(id))
		.filter((row): row is Case => row !== undefined);
	const cases = order === undefined ? inAskedOrder : sortCases(inAskedOrder, order);
	const observed = results.map((result) => result.observed);
	const cut = {
		isCut: cases.length > limit || results.length < parts.length,
		atLeast: cases.length > limit ? cases.length : undefined,
	};
	return { rows: cases.slice(0, limit).map(shape), observed: mergeObserved(observed, cut) };
}

/**
 * Reads cases (section 4.1) in the order of the service.
 * Without a chosen order, a read of more than one page is by creation, oldest first.
 * @throws InvalidInput when the filters don't fit into a URL; ApiFailure when a page can't be had
 */
export async function readCases(
	client: Client,
	query: CaseQuery,
	options: ReadCasesOptions,
): Promise<ListResult> {
	const { limit, pageSize, shape } = options;
	if (query.matchesNothing) return { rows: [], observed: { repeated: 0, isCut: false, reads: 0 } };
	const parts = splitByCaseIds(client, query, pageSize);
	if (parts.length > 1) return await readParts(client, query, parts, options);

	const readOptions: ReadOptions<Case> = { pageSize, concurrency: client.concurrency, shape };
	const isOnePage = limit !== undefined && limit <= pageSize;
	const order = query.order ?? (isOnePage ? undefined : STABLE_ORDER);
	const source = caseSource(client, { ...query, order });
	return limit === undefined
		? await readAll(source, readOptions)
		: await readSome(source, limit, readOptions);
}

/** Reads one page of fifty of the newest cases, for lists in the editor. */
export async function readCasePage(
	client: Client,
	filters: Query['filters'],
	page: number,
): Promise<Page<Case>> {
	return await fetchCases(client, {
		filters,
		order: 'CREATED_DESC',
		per_page: MAX_PAGE_SIZE,
		page,
	});
}

/**
 * Reads cases by their IDs, up to `pageSize` to a request.
 * @returns the cases found, by ID
 */
export async function readCasesById(
	client: Client,
	ids: string[],
	pageSize: number,
): Promise<Map<string, Case>> {
	if (ids.length === 0) return new Map();
	const query = { filters: { case_ids: ids }, matchesNothing: false };
	const { rows } = await readCases(client, query, { pageSize, shape: (row) => row });
	return new Map(rows.map((row: Case) => [caseIdentity(row), row]));
}

/**
 * Counts cases with one request: with one case to a page, the number of pages is the total.
 * A service that makes larger pages than asked for is counted by its last page, with a second request.
 * @throws ApiFailure when the service doesn't tell page counts
 */
export async function countCases(
	client: Client,
	query: CaseQuery,
	pageSize: number,
): Promise<number> {
	if (query.matchesNothing) return 0;
	const parts = splitByCaseIds(client, query, pageSize);
	const counts = await mapConcurrently(
		parts.length,
		client.concurrency,
		async (index) => await countPart(client, parts[index]),
	);
	return counts.reduce((sum, count) => sum + count, 0);
}

async function countPart(client: Client, { filters, team_id }: CaseQuery): Promise<number> {
	const first = await fetchAskedCases(client, { filters, team_id, per_page: 1, page: 1 });
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
	const last = await fetchCases(client, { filters, team_id, per_page: 1, page: pages });
	return (pages - 1) * perPage + last.rows.length;
}
