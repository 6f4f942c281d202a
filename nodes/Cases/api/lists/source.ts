import { ApiFailure } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import type { Query } from '../http/requests';
import { rowIdentity } from '../identity';
import type { Line, Pool } from '../pool';
import type { Page, Row } from '../types';

/** How many rows an answer promised. This is a range, because a service may state one page too many. */
export interface Promised {
	least: number;
	most: number;
}

/** A list of the API, in numbered pages from 1. */
export interface ListSource {
	/** The name of the rows in messages, such as `cases`. */
	noun: string;
	fetchPage: (page: number, perPage: number) => Promise<Page>;
	/** Returns a text that identifies a row: its ID or, where it has none, its content. */
	idOf: (row: Row) => string;
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
	/**
	 * Returns what to keep of a row; undefined for a row that isn't in the result. Called as each page comes, so that whole
	 * rows needn't stay in memory. Without this function all rows are kept as they are.
	 */
	keep?: (row: Row) => Row | undefined;
	/** Whether `keep` leaves out rows in every page, not only in answers that contradict a filter. */
	isSifted?: boolean;
	/** Whether no row behind this one is in the result. */
	isBehindAll?: (row: Row) => boolean;
	/** How many rows the list can have at most. Known only for a list that is requested by IDs. */
	mostRows?: number;
	/** How many rows an earlier answer, such as the row of the case, promised. */
	promised?: Promised;
}

/**
 * A list in the order of creation, such as the comments of a case.
 * @param noun the name of the rows in messages, and of the field of an answer that has them
 */
export function listAt(client: Client, path: string, noun: string, query: Query = {}): ListSource {
	return {
		noun,
		isByCreation: true,
		fetchPage: async (page, per_page) =>
			await fetchPage(client, path, noun, { ...query, per_page, page }),
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

export interface ReadOptions extends ReadLimits {
	/** Runs the requests of a read, several at a time. */
	pool: Pool;
	/** Returns the key by which rows are sorted, lowest first, where several lists or reads are merged. */
	keyOf?: (row: Row) => number;
	/** Whether a row can move from one list to another: a case does so when its priority changes. */
	canRowsMove?: boolean;
	/** Whether the rows are read in the reverse of the wanted order. */
	isReordered?: boolean;
}

/** A read that is under way. */
export interface Reading extends ReadOptions {
	/** The line of the requests for pages of all lists, so that none is sent after one has failed. */
	inLine: Line;
}

/** What is kept of a row. */
export interface Entry {
	id: string;
	/** Undefined for a row that isn't in the result. */
	row?: Row;
	/** When the row last changed, by its own dates, in ms since the epoch; undefined for a row without a date. */
	changedAt?: number;
	/** See {@link ReadOptions.keyOf}. */
	key: number;
}

const REFUSED = [400, 404, 414, 422];

/** Whether the service refuses this request only, so that another request may succeed. */
export function isRefusal(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && REFUSED.includes(failure.details.httpCode ?? 0);
}
