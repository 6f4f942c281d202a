import { ApiFailure } from './failure';
import type { Pool } from './pool';
import { parseTimestamp } from './timestamps';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Page, type PageMeta, type Row } from './types';

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
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
	/** By which the row is sorted; NaN where nothing is. */
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

function createPageReader<T extends Row>(
	{ fetchPage, idOf, contradictedFilter, belongs = () => true }: ListSource<T>,
	{ pageSize, shape, keyOf = () => NaN }: ReadOptions<T>,
): ReadPage {
	const keep = ({ rows, unusable = 0, meta, servedAt }: Page<T>): KeptPage => {
		const entries: Entry[] = [];
		for (const row of rows) {
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
		return { entries, unusable: unusable + rows.length - entries.length, meta, servedAt };
	};
	return async (number, perPage = pageSize) =>
		await fetchPage(number, perPage).then(keep, (failure: unknown) =>
			pageBehindTheLast(failure, number),
		);
}

const rowsOn = ({ entries, unusable }: KeptPage) => entries.length + unusable;

/** Whether the service says that it has more pages than were read. */
function statesMore(pages: KeptPage[]): boolean {
	const { meta } = pages[pages.length - 1];
	return (meta.pages ?? 0) > pages.length || meta.hasNextPage;
}

/**
 * Whether the last page that was read has as many rows as a page can have, so that there may be another one whatever the
 * service says.
 */
function isLastFull(pages: KeptPage[], requested: number): boolean {
	const rows = rowsOn(pages[pages.length - 1]);
	if (pages.length > 1) return rows >= rowsOn(pages[0]);
	const stated = pages[0].meta.perPage ?? requested;
	return rows >= Math.min(stated, requested) || [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE].includes(rows);
}

/** How many pages without a new row a list may have before its end: after more of them it is not read on. */
const MOST_IDLE_PAGES = 2;

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

/** A list of which some pages were read. */
export interface OpenList {
	/** The pages read, from the first one on. */
	pages: KeptPage[];
	readPage: ReadPage;
	/** Rows on a full page, by what the service answers. */
	rowsPerPage: number;
	/** How many rows the list has at least, by the page counts of its first page. */
	leastRows: () => number;
	/** How many rows were read, each counted once. */
	rowsRead: () => number;
	/** How many of them belong to the result. */
	rowsFound: () => number;
	/** Whether the first page was the whole list, and nothing said otherwise when it was read. */
	isSinglePage: () => boolean;
	/** Whether the list has no further page. */
	isAtEnd: () => boolean;
	/** Whether the service says that it has more pages than were read. */
	statesMore: () => boolean;
	/** Reads further pages up to one, several at a time. Stops where they have no new rows. */
	readTo: (last: number) => Promise<void>;
	/** Reads further pages, one after another, until the list ends or there is enough. */
	readOn: (isEnough?: () => boolean) => Promise<void>;
}

/**
 * Reads the first page of a list.
 *
 * Page counts are hints: they plan the reading, and what comes decides. A list ends with a page that isn't full and
 * isn't said to be followed by another one, or without page counts with a page that has no new row. So each request
 * brings a new row but for three, and those that are under way with them.
 */
export async function openList<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<OpenList> {
	const { pageSize, pool } = options;
	const readPage = createPageReader(source, options);
	const known = new Set<string>();
	const pages: KeptPage[] = [];
	let found = 0;
	let idle = 0;
	let isLastIdle = false;

	/** Counts what is new on a page; pages that are under way at the same time come in any order. */
	const take = (page: KeptPage): KeptPage => {
		const before = known.size;
		for (const { id, belongs } of page.entries) {
			if (!known.has(id) && belongs) found++;
			known.add(id);
		}
		isLastIdle = known.size === before;
		if (isLastIdle) idle++;
		return page;
	};
	const isStuck = () => idle > MOST_IDLE_PAGES;

	const isAtEnd = (): boolean => {
		const last = pages[pages.length - 1];
		if (isStuck() || last.failure !== undefined || found >= (source.mostRows ?? Infinity)) {
			return true;
		}
		if (isLastIdle) {
			const isPromised = (last.meta.pages ?? 0) > pages.length;
			return !isPromised && (rowsOn(last) > 0 || !last.meta.hasNextPage);
		}
		if (statesMore(pages)) return false;
		return last.meta.pages !== undefined && !isLastFull(pages, pageSize);
	};

	pages.push(take(await readPage(1)));
	const [first] = pages;
	const stated = first.meta.perPage ?? pageSize;
	const isMoreStated = statesMore(pages);
	const isFirstFull = isLastFull(pages, pageSize);
	const isShort = rowsOn(first) > 0 && rowsOn(first) < stated && isMoreStated;
	const rowsPerPage = isShort ? rowsOn(first) : stated;
	const { pages: statedPages = 1 } = first.meta;
	return {
		pages,
		readPage,
		rowsPerPage,
		leastRows: () => (statedPages > 1 ? (statedPages - 1) * rowsPerPage + 1 : 0),
		rowsRead: () => known.size,
		rowsFound: () => found,
		isSinglePage: () =>
			!isMoreStated &&
			(first.meta.pages !== undefined || !isFirstFull) &&
			known.size === first.entries.length,
		isAtEnd,
		statesMore: () => statesMore(pages),
		readTo: async (last) => {
			const offset = pages.length + 1;
			const task = async (index: number) => take(await readPage(index + offset));
			const further = await pool.mapReads(last - pages.length, task, isStuck);
			for (const page of further) pages.push(page);
			isLastIdle = further.length > 0 && rowsOn(pages[pages.length - 1]) === 0;
			const missing = further.findIndex(({ failure }) => failure !== undefined);
			if (missing !== -1 && further.slice(missing).some((page) => rowsOn(page) > 0)) {
				throw further[missing].failure as ApiFailure;
			}
		},
		readOn: async (isEnough = () => false) => {
			while (!isEnough() && !isAtEnd()) pages.push(take(await readPage(pages.length + 1)));
		},
	};
}
