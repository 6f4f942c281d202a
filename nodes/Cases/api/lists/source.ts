import { ApiFailure } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import type { Query } from '../http/requests';
import { rowIdentity } from '../identity';
import type { Line, Pool } from '../pool';
import { parseTimestamp } from '../timestamps';
import type { Page, PageMeta, Row } from '../types';

/** How many rows an answer promised. This is a range, because a service may state one page too many. */
export interface Promised {
	least: number;
	most: number;
}

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
	/** The name of the rows in messages, such as `cases`. */
	noun: string;
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Returns a text that identifies a row: its ID or, where it has none, its content. */
	idOf: (row: T) => string;
	/**
	 * Whether rows come in the order of their creation, and no edit can add a row to the list or remove one. While such a list
	 * is read, only a deletion can move rows, so that the reader misses some.
	 */
	isByCreation: boolean;
	/**
	 * Counts the rows edited since a time of the service's clock, in ms since the epoch.
	 * @returns undefined where the answer can't be trusted
	 */
	countEditedSince?: (time: number) => Promise<number | undefined>;
	/** Returns a filter that a row contradicts. Such a row is left out. */
	contradictedFilter?: (row: T) => string | undefined;
	/** Makes the failure for a filter that the service ignores, as the rows show. */
	ignoredFilter?: (filter: string) => ApiFailure;
	/** Whether a row belongs to the result. Without this function all rows do. */
	belongs?: (row: T) => boolean;
	/** Whether all rows after a row that doesn't belong to the result don't belong to it either. */
	endsOutside?: boolean;
	/** How many rows the list can have at most. Known only for a list that is requested by IDs. */
	mostRows?: number;
	/** How many rows an earlier answer, such as the row of the case, promised. */
	promised?: Promised;
}

/**
 * A list in the order of creation, such as the comments of a case.
 * @param noun the name of the rows in messages, and of the field of an answer that has them
 */
export function listAt<T extends Row>(
	client: Client,
	path: string,
	noun: string,
	query: Query = {},
): ListSource<T> {
	return {
		noun,
		isByCreation: true,
		fetchPage: async (page, per_page) =>
			await fetchPage<T>(client, path, noun, { ...query, per_page, page }),
		idOf: rowIdentity,
	};
}

/** How much of a list to read, and how. */
export interface ReadLimits {
	/** How many rows to read, from the first on; undefined means all. */
	limit?: number;
	/** How many rows to request at a time. */
	pageSize: number;
	/** Whether to return an incomplete list, with a hint, instead of failing; undefined where the user can't choose. */
	acceptIncomplete?: boolean;
}

export interface ReadOptions<T extends Row = Row> extends ReadLimits {
	/** Runs the requests of a read, several at a time. */
	pool: Pool;
	/** Returns what to keep of a row. Called as each page comes, so that whole rows needn't stay in memory. */
	shape: (row: T) => Row;
	/** Returns the key by which rows are sorted, lowest first, where several lists or reads are merged. */
	keyOf?: (row: T) => number;
	/** Whether a row can move from one list to another: a case does so when its priority changes. */
	canRowsMove?: boolean;
	/** Whether the rows are read in the reverse of the wanted order. */
	isReordered?: boolean;
}

/** A read that is under way. */
export interface Reading<T extends Row> extends ReadOptions<T> {
	/** The line of the requests for pages of all lists, so that none is sent after one has failed. */
	inLine: Line;
}

/** What is kept of a row. */
export interface Entry {
	id: string;
	/** The shaped row; undefined for a row that isn't in the result. */
	row?: Row;
	/** When the row last changed, by its own dates, in ms since the epoch; undefined for a row without a date. */
	changedAt?: number;
	/** See {@link ReadOptions.keyOf}. */
	key: number;
	/** The filter that the row contradicts. */
	contradicts?: string;
}

export interface KeptPage {
	entries: Entry[];
	meta: PageMeta;
	/** See {@link Page.servedAt}. */
	servedAt?: number;
	/** The failure of a refused page. Such a page may only be behind the last one. */
	refusal?: ApiFailure;
}

/** Reads one page. Without `perPage`, it has the page size of the options. */
export type ReadPage = (page: number, perPage?: number) => Promise<KeptPage>;

const REFUSED = [400, 404, 414, 422];

/** Whether the service refuses this request only, so that another request may succeed. */
export function isRefusal(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && REFUSED.includes(failure.details.httpCode ?? 0);
}

/** Turns a refused page into an empty one, because it may be behind the last page. @throws other failures */
function refusedPage(failure: unknown, number: number): KeptPage {
	if (number === 1 || !isRefusal(failure)) throw failure;
	return { entries: [], meta: { hasNextPage: false }, refusal: failure };
}

export function createPageReader<T extends Row>(
	{ fetchPage, idOf, contradictedFilter, belongs = () => true }: ListSource<T>,
	{ pageSize, shape, keyOf = () => 0, inLine }: Reading<T>,
): ReadPage {
	const keep = (row: T): Entry => {
		const contradicts = contradictedFilter?.(row);
		return {
			id: idOf(row),
			row: contradicts === undefined && belongs(row) ? shape(row) : undefined,
			changedAt: parseTimestamp(row.updated_at ?? row.created_at),
			key: keyOf(row),
			contradicts,
		};
	};
	return async (number, perPage = pageSize) =>
		await inLine(
			async () =>
				await fetchPage(number, perPage).then(
					({ rows, meta, servedAt }): KeptPage => {
						// `splice` empties the page, which promises hold in memory until the next full garbage collection.
						const entries = rows.splice(0).map(keep);
						return { entries, meta, servedAt };
					},
					(failure: unknown) => refusedPage(failure, number),
				),
		);
}
