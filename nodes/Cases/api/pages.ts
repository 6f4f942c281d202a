import type { Pool } from './pool';
import type { Page, PageMeta, Row } from './types';

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Identity of a row: a row that is on two pages is kept once. */
	idOf: (row: T) => string;
	/** Counts the rows edited since a time of the service's clock; absent where the API can't count them. */
	countEditedSince?: (time: number) => Promise<number>;
	/** Whether a row belongs to the result. The others are read, but left out; absent where all belong to it. */
	belongs?: (row: T) => boolean;
	/** Whether no row belongs to the result that comes after one that doesn't. */
	isSortedByBelonging?: boolean;
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
}

/** What is kept of a page. */
export interface KeptPage {
	entries: Entry[];
	meta: PageMeta;
	/** See {@link Page.servedAt}. */
	servedAt?: number;
}

/** Reads one page; `perPage` is the page size of the options unless given. */
export type ReadPage = (page: number, perPage?: number) => Promise<KeptPage>;

export function createPageReader<T extends Row>(
	{ fetchPage, idOf, belongs = () => true }: ListSource<T>,
	{ pageSize, shape, keyOf = () => NaN }: Pick<ReadOptions<T>, 'pageSize' | 'shape' | 'keyOf'>,
): ReadPage {
	return async (number, perPage = pageSize) => {
		const { rows, meta, servedAt } = await fetchPage(number, perPage);
		const entries = rows.map((row): Entry => {
			const isOurs = belongs(row);
			return {
				id: idOf(row),
				row: isOurs ? shape(row) : {},
				changedAt: Date.parse(String(row.updated_at ?? row.created_at)),
				key: keyOf(row),
				belongs: isOurs,
			};
		});
		return { entries, meta, servedAt };
	};
}

/** Whether a first page is the whole list. */
export function isOnlyPage({ entries, meta }: KeptPage): boolean {
	const { pages = entries.length === 0 ? 1 : undefined, hasNextPage } = meta;
	return pages === 1 && !hasNextPage;
}

/** Whether the service has more pages than were read. */
export function hasMorePages(pages: KeptPage[]): boolean {
	const { meta } = pages[pages.length - 1];
	return (meta.pages ?? 0) > pages.length || meta.hasNextPage;
}

/**
 * Merges pages to the entries of a list, by identity.
 * @returns the entries in the order of the pages, where a repeated row keeps its first place and its last content;
 * and how many rows were repeated
 */
export function mergePages(pages: KeptPage[]): { entries: Map<string, Entry>; repeated: number } {
	const entries = new Map<string, Entry>();
	let repeated = 0;
	for (const entry of pages.flatMap((page) => page.entries)) {
		if (entries.has(entry.id)) repeated++;
		entries.set(entry.id, entry);
	}
	return { entries, repeated };
}

/** The entries that belong to the result. */
export function belongingOf(entries: Iterable<Entry>): Entry[] {
	return [...entries].filter(({ belongs }) => belongs);
}

/**
 * Reads further pages one after another until a page brings no new row.
 * @param given the pages that were read before
 * @param enough stops once this many rows that belong to the result were read
 * @returns the given pages and the further ones
 */
export async function readPageByPage(
	readPage: ReadPage,
	given: KeptPage[],
	enough = Infinity,
): Promise<KeptPage[]> {
	const pages = [...given];
	const { entries } = mergePages(pages);
	let found = belongingOf(entries.values()).length;
	while (found < enough) {
		const page = await readPage(pages.length + 1);
		const fresh = page.entries.filter(({ id }) => !entries.has(id));
		if (fresh.length === 0) break;
		pages.push(page);
		for (const entry of fresh) entries.set(entry.id, entry);
		found += belongingOf(fresh).length;
	}
	return pages;
}
