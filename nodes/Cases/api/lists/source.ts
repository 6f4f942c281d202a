import { ApiFailure } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import { commentIdentity } from '../identity';
import type { Pool } from '../pool';
import { parseTimestamp } from '../timestamps';
import type { Page, PageMeta, Row } from '../types';

/** How many rows there are, by what an answer said. A range, as a service may state one page too many. */
export interface Promised {
	least: number;
	most: number;
}

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
	/** What its rows are called in messages, such as `cases`. */
	noun: string;
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Tells a row from others: its ID or, without one, its content. */
	idOf: (row: T) => string;
	/**
	 * Whether rows come in the order of their creation, and no edit can let one in or out. Then nothing but a deletion can
	 * hide a row from a reader.
	 */
	isByCreation: boolean;
	/**
	 * Counts the rows edited since a time of the service's clock, in ms since the epoch.
	 * @returns undefined where the answer can't be trusted
	 */
	countEditedSince?: (time: number) => Promise<number | undefined>;
	/** Returns a filter that a row contradicts. Such a row is left out. */
	contradictedFilter?: (row: T) => string | undefined;
	/** What to throw where the rows show that the service ignores this filter. */
	ignoredFilter?: (filter: string) => ApiFailure;
	/** Whether a row belongs to the result; all do where this is left out. */
	belongs?: (row: T) => boolean;
	/** Whether, after a row that doesn't belong to the result, none does. */
	endsOutside?: boolean;
	/** Most rows that the list can have, where that is known: it is requested by IDs. */
	mostRows?: number;
	/** What another answer of the run promised. */
	promised?: Promised;
}

/**
 * A list in the order of creation, such as the comments of a case.
 * @param noun what its rows are called, also in the answers
 */
export function listAt<T extends Row>(client: Client, path: string, noun: string): ListSource<T> {
	return {
		noun,
		isByCreation: true,
		fetchPage: async (page, per_page) => await fetchPage<T>(client, path, noun, { per_page, page }),
		idOf: commentIdentity,
	};
}

/** How much of a list to read, and how. */
export interface ReadLimits {
	/** How many rows, the first ones; undefined reads all. */
	limit?: number;
	/** Rows per request. */
	pageSize: number;
	/** Whether an incomplete list is the result, with a note, instead of a failure; undefined where nobody can choose. */
	acceptIncomplete?: boolean;
}

export interface ReadOptions<T extends Row = Row> extends ReadLimits {
	/** Runs the requests of a read, several at a time. */
	pool: Pool;
	/** What to keep of a row. Applied page by page, so that whole rows needn't stay in memory. */
	shape: (row: T) => Row;
	/** The key by which rows are sorted, the lowest first, where several lists or reads are merged. */
	keyOf?: (row: T) => number;
	/** Whether a row can move from one list to another, as a case does whose priority changes. */
	canRowsMove?: boolean;
	/** Whether the rows are read in the opposite order of the one that is wanted. */
	isReordered?: boolean;
}

/** What is kept of a row. */
export interface Entry {
	id: string;
	/** The shaped row; undefined for one that isn't in the result. */
	row?: Row;
	/** When the row last changed, by its own dates, in ms since the epoch; undefined without one. */
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
	/** Why the service refused the page, which may be behind the last one. */
	refusal?: ApiFailure;
}

/** Reads one page; `perPage` is the page size of the options unless given. */
export type ReadPage = (page: number, perPage?: number) => Promise<KeptPage>;

const REFUSED = [400, 404, 414, 422];

/** Whether the service refuses what a request asks for, so that it may answer another one. */
export function isRefusal(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && REFUSED.includes(failure.details.httpCode ?? 0);
}

/** A refused page is kept as an empty one, as it may be behind the last page. @throws other failures */
function refusedPage(failure: unknown, number: number): KeptPage {
	if (number === 1 || !isRefusal(failure)) throw failure;
	return { entries: [], meta: { hasNextPage: false }, refusal: failure };
}

export function createPageReader<T extends Row>(
	{ fetchPage, idOf, contradictedFilter, belongs = () => true }: ListSource<T>,
	{ pageSize, shape, keyOf = () => 0 }: ReadOptions<T>,
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
		await fetchPage(number, perPage).then(
			({ rows, meta, servedAt }): KeptPage => {
				// Empties the page: JavaScript promises hold it until the next full garbage collection.
				const entries = rows.splice(0).map(keep);
				return { entries, meta, servedAt };
			},
			(failure: unknown) => refusedPage(failure, number),
		);
}
