import type { Page, PageMeta, Row } from './types';

/** A list of the API, in numbered pages from 1. */
export interface ListSource<T extends Row = Row> {
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Identity of a row: a row that is on two pages is kept once. */
	idOf: (row: T) => string;
	/** Counts the rows edited since a time of the service's clock; absent where the API can't count them. */
	countEditedSince?: (time: number) => Promise<number>;
}

export interface ReadOptions<T extends Row> {
	/** Rows per request. */
	pageSize: number;
	/** Maximum number of requests in flight; the source itself enforces it. */
	concurrency: number;
	/** What to keep of a row. Applied page by page, so that whole rows needn't stay in memory. */
	shape: (row: T) => Row;
}

/** What is kept of a row. */
interface Entry {
	id: string;
	row: Row;
	/** When the row last changed, by its own dates, in ms since the epoch; NaN where it has none. */
	changedAt: number;
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
	{ fetchPage, idOf }: ListSource<T>,
	{ pageSize, shape }: Pick<ReadOptions<T>, 'pageSize' | 'shape'>,
): ReadPage {
	return async (number, perPage = pageSize) => {
		const { rows, meta, servedAt } = await fetchPage(number, perPage);
		const entries = rows.map((row) => ({
			id: idOf(row),
			row: shape(row),
			changedAt: Date.parse(String(row.updated_at ?? row.created_at)),
		}));
		return { entries, meta, servedAt };
	};
}

/** Whether a first page is the whole list. */
export function isOnlyPage({ entries, meta }: KeptPage): boolean {
	const { pages = entries.length === 0 ? 1 : undefined, hasNextPage } = meta;
	return pages === 1 && !hasNextPage;
}

/**
 * Merges pages to the rows of a list, by identity.
 * @returns the rows in the order of the pages, where a repeated row keeps its first place and its last content;
 * and how many rows were repeated
 */
export function mergePages(pages: KeptPage[]): { rows: Map<string, Row>; repeated: number } {
	const rows = new Map<string, Row>();
	let repeated = 0;
	for (const { id, row } of pages.flatMap(({ entries }) => entries)) {
		if (rows.has(id)) repeated++;
		rows.set(id, row);
	}
	return { rows, repeated };
}

/**
 * Continues after the given pages, one page after another, until a page has no new row.
 * @param enough stops as soon as this many rows are read
 * @returns the given pages and the further ones
 */
export async function readPageByPage(
	readPage: ReadPage,
	given: KeptPage[],
	enough = Infinity,
): Promise<KeptPage[]> {
	const pages = [...given];
	const seen = new Set(mergePages(pages).rows.keys());
	while (seen.size < enough) {
		const page = await readPage(pages.length + 1);
		if (page.entries.every(({ id }) => seen.has(id))) break;
		pages.push(page);
		for (const { id } of page.entries) seen.add(id);
	}
	return pages;
}
