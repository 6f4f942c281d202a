import { ApiFailure } from './failure';
import type { Pool } from './pool';
import { parseTimestamp } from './timestamps';
import type { Page, PageMeta, Row } from './types';

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
	/** Fetches a page for a reader, which takes the rows out of it. */
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Identity of a row: a row that is on two pages is kept once. A row without one is left out. */
	idOf: (row: T) => string | undefined;
	/**
	 * Counts the rows edited since a time of the service's clock; absent where the API can't count them.
	 * @returns undefined where the service can't be trusted with it
	 */
	countEditedSince?: (time: number) => Promise<number | undefined>;
	/** Returns a filter that a row contradicts. Such a row is read, but left out. */
	contradictedFilter?: (row: T) => string | undefined;
	/**
	 * Looks again where all rows so far contradict filters, once they are many.
	 * @returns whether it looked
	 * @throws ApiFailure when the service ignores a filter
	 */
	refuseIgnoredFilter?: (contradicting: number) => Promise<boolean>;
	/** Whether a row belongs to the result. The others are read, but left out; absent where all belong to it. */
	belongs?: (row: T) => boolean;
	/** Whether no row belongs to the result that comes after one that doesn't. */
	isSortedByBelonging?: boolean;
	/** Most rows that the list can have, where that is known. */
	mostRows?: number;
}

export interface ReadOptions<T extends Row> {
	/** Rows per request. */
	pageSize: number;
	/** Runs the requests of a read, several at a time. */
	pool: Pool;
	/** What to keep of a row. Applied page by page, so that whole rows needn't stay in memory. */
	shape: (row: T) => Row;
	/** The key by which rows are sorted where they come from several lists, or from one that kept changing. */
	keyOf?: (row: T) => number;
}

/** What is kept of a row. */
export interface Entry {
	id: string;
	row: Row;
	/** When the row last changed, by its own dates, in ms since the epoch; NaN where it has none. */
	changedAt: number;
	/** The key by which the row is sorted; NaN where it has none. */
	key: number;
	/** Whether the row belongs to the result. */
	belongs: boolean;
	/** A filter that the row contradicts; it doesn't belong to the result then. */
	contradicts?: string;
}

/** What is kept of a page. */
export interface KeptPage {
	entries: Entry[];
	/** Rows of the page that can't be told from others, or are not objects. */
	unusable: number;
	meta: PageMeta;
	/** See {@link Page.servedAt}. */
	servedAt?: number;
	/** Why there is no such page. It may be behind the last one. */
	failure?: ApiFailure;
}

/** Reads one page; `perPage` is the page size of the options unless given. */
export type ReadPage = (page: number, perPage?: number) => Promise<KeptPage>;

const BEHIND_THE_LAST: Array<number | undefined> = [400, 404, 422];

/** Some services answer with an error where they have no further page. */
export function isBehindTheLast(failure: unknown, page: number): failure is ApiFailure {
	return (
		page > 1 && failure instanceof ApiFailure && BEHIND_THE_LAST.includes(failure.details.httpCode)
	);
}

/** @throws any other failure */
function pageBehindTheLast(failure: unknown, number: number): KeptPage {
	if (!isBehindTheLast(failure, number)) throw failure;
	return { entries: [], unusable: 0, meta: { hasNextPage: false }, failure };
}

export function createPageReader<T extends Row>(
	{ fetchPage, idOf, contradictedFilter, belongs = () => true }: ListSource<T>,
	{ pageSize, shape, keyOf = () => NaN }: ReadOptions<T>,
): ReadPage {
	const keep = ({ rows, unusable = 0, meta, servedAt }: Page<T>): KeptPage => {
		const entries: Entry[] = [];
		// The promises that waited for the page hold it until the next full garbage collection, but not its rows.
		const taken = rows.splice(0);
		for (const row of taken) {
			const id = idOf(row);
			if (id === undefined) continue;
			const contradicts = contradictedFilter?.(row);
			const isOurs = contradicts === undefined && belongs(row);
			entries.push({
				id,
				row: isOurs ? shape(row) : {},
				changedAt: parseTimestamp(row.updated_at ?? row.created_at),
				key: keyOf(row),
				belongs: isOurs,
				contradicts,
			});
		}
		return { entries, unusable: unusable + taken.length - entries.length, meta, servedAt };
	};
	return async (number, perPage = pageSize) =>
		await fetchPage(number, perPage).then(keep, (failure: unknown) =>
			pageBehindTheLast(failure, number),
		);
}

/** How many rows came on a page. */
export const rowsOn = ({ entries, unusable }: KeptPage) => entries.length + unusable;

export function sumUnusable(pages: KeptPage[]): number {
	return pages.reduce((sum, { unusable }) => sum + unusable, 0);
}

/**
 * Merges pages to the entries of a list, by identity.
 * @returns the entries in the order of the pages, where a repeated row keeps its first place and its last content;
 * and how many rows were repeated, without pages that have no other rows
 */
export function mergePages(pages: KeptPage[]): { entries: Map<string, Entry>; repeated: number } {
	const entries = new Map<string, Entry>();
	let repeated = 0;
	for (const page of pages) {
		const known = entries.size;
		for (const entry of page.entries) entries.set(entry.id, entry);
		const fresh = entries.size - known;
		if (fresh > 0) repeated += page.entries.length - fresh;
	}
	return { entries, repeated };
}

/** The entries that belong to the result. */
export function belongingOf(entries: Iterable<Entry>): Entry[] {
	return [...entries].filter(({ belongs }) => belongs);
}

/**
 * Requests the row behind those that were read, where the service states more: page counts can be wrong.
 * @returns false where there is none; true also where the answer is a failure, as of a service that refuses deep pages,
 * or where the service makes no pages of one row
 */
export async function hasRowBehind<T extends Row>(
	{ fetchPage }: ListSource<T>,
	rowsRead: number,
): Promise<boolean> {
	return await fetchPage(rowsRead + 1, 1).then(
		({ rows, meta }) => rows.length > 0 || meta.perPage !== 1,
		() => true,
	);
}
