import { mapReads } from './pool';
import type { Page, PageMeta, Row } from './types';

/** A list of the API as its reader sees it: numbered pages, from 1. */
export interface ListSource<T extends Row = Row> {
	fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
	/** Identity of a row: the same row on two pages is kept once. */
	idOf: (row: T) => string;
	/** How many rows were edited since a time by the service's clock; absent where the API can't tell. */
	countEditedSince?: (time: number) => Promise<number>;
}

export interface ReadOptions<T extends Row> {
	/** Rows to a request, 1 to 50. */
	pageSize: number;
	/** Requests in flight at most, which the source itself sees to. */
	concurrency: number;
	/** What to keep of a row, applied page by page so that whole rows needn't be held. */
	shape: (row: T) => Row;
}

/** What a reader noticed; the user gets it as hints. */
export interface Observed {
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** More rows match than were read. */
	isCut: boolean;
	/** How many rows match at least, where the service tells its pages. */
	atLeast?: number;
	/** Times the list was read; 0 where an empty list of IDs asked for nothing. */
	reads: number;
	/** What changed during the last read, when no read was at rest. */
	unrest?: Unrest;
}

/** What changed while a list was read. Totals are undefined where the service doesn't tell them. */
export interface Unrest {
	edited: number;
	totalBefore?: number;
	totalAfter?: number;
}

export interface ListResult {
	rows: Row[];
	observed: Observed;
}

const MAX_READS = 4;

type Entry = [id: string, row: Row];

interface ShapedPage {
	entries: Entry[];
	meta: PageMeta;
	servedAt?: number;
	/** When a row of the page was changed last, by its own dates; 0 where they tell nothing. */
	changedAt: number;
}

type ReadPage = (page: number, perPage?: number) => Promise<ShapedPage>;

function latestChange(rows: Row[]): number {
	const times = rows.map((row) => Date.parse(String(row.updated_at ?? row.created_at)) || 0);
	return Math.max(0, ...times);
}

function pageReader<T extends Row>(
	{ fetchPage, idOf }: ListSource<T>,
	{ pageSize, shape }: ReadOptions<T>,
): ReadPage {
	return async (number, perPage = pageSize) => {
		const { rows, meta, servedAt } = await fetchPage(number, perPage);
		const entries = rows.map((row): Entry => [idOf(row), shape(row)]);
		return { entries, meta, servedAt, changedAt: latestChange(rows) };
	};
}

/** Rows of pages by identity, in order; a row that comes again keeps its place. */
function byIdentity(pages: ShapedPage[]): { rows: Map<string, Row>; repeated: number } {
	const rows = new Map<string, Row>();
	let repeated = 0;
	for (const [id, row] of pages.flatMap(({ entries }) => entries)) {
		if (rows.has(id)) repeated++;
		rows.set(id, row);
	}
	return { rows, repeated };
}

/** Reads pages one after another until one is empty or holds no row that is new. */
async function walk(readPage: ReadPage, pages: ShapedPage[], enough = Infinity): Promise<void> {
	const seen = byIdentity(pages).rows;
	for (let number = pages.length + 1; seen.size < enough; number++) {
		const page = await readPage(number);
		if (page.entries.every(([id]) => seen.has(id))) return;
		pages.push(page);
		for (const [id, row] of page.entries) seen.set(id, row);
	}
}

function isOnlyPage({ entries, meta }: ShapedPage): boolean {
	const isLast = (meta.pages ?? (entries.length === 0 ? 1 : undefined)) === 1;
	return isLast && !meta.hasNextPage;
}

/**
 * Reads the first `limit` rows in ceil(limit / pageSize) requests.
 * Where the service makes pages smaller than asked for, it needs more of them.
 */
export async function readSome<T extends Row>(
	source: ListSource<T>,
	limit: number,
	options: ReadOptions<T>,
): Promise<ListResult> {
	const perPage = Math.min(options.pageSize, limit);
	const readPage = pageReader(source, { ...options, pageSize: perPage });
	const pages = [await readPage(1)];
	const { meta } = pages[0];
	if (meta.pages === undefined) {
		if (pages[0].entries.length > 0) await walk(readPage, pages, limit);
	} else {
		const needed = Math.min(meta.pages, Math.ceil(limit / (meta.perPage ?? perPage)));
		const further = await mapReads(needed - 1, options.concurrency, (index) => readPage(index + 2));
		pages.push(...further);
	}
	const { rows, repeated } = byIdentity(pages);
	const last = pages[pages.length - 1].meta;
	const isMoreOnServer = (last.pages ?? 0) > pages.length || last.hasNextPage;
	const isCut = rows.size > limit || isMoreOnServer;
	const atLeast = last.pages && (last.pages - 1) * (last.perPage ?? perPage) + 1;
	return {
		rows: [...rows.values()].slice(0, limit),
		observed: { repeated, isCut, atLeast, reads: 1 },
	};
}

/** Whether a time of change is not before the first request was answered. */
function isChangedSince(changedAt: number, { servedAt }: ShapedPage): boolean {
	return servedAt !== undefined && changedAt >= servedAt;
}

/** The total of the list and whether its first page is still as it was read; see {@link sweep}. */
async function probe(
	readPage: ReadPage,
	first: ShapedPage,
	perPage: number,
): Promise<{ total?: number; isFirstPageKept: boolean }> {
	const { entries, meta, changedAt } = await readPage(perPage, 1);
	// A service that doesn't make pages of one row can't be asked this way.
	if (meta.perPage !== 1) return { isFirstPageKept: true };
	const isSameRow = entries.length === 1 && entries[0][0] === first.entries.at(-1)?.[0];
	return { total: meta.pages, isFirstPageKept: isSameRow && !isChangedSince(changedAt, first) };
}

interface Sweep {
	rows: Map<string, Row>;
	repeated: number;
	/** What changed meanwhile; undefined when the list was at rest, so that the read is complete. */
	unrest?: Unrest;
}

/**
 * Reads all pages once and tells whether the list was at rest meanwhile.
 *
 * After the first page a probe asks for its last row as a page of one: that gives the exact total and shows whether
 * the first page has moved. The last page is read after all others and gives the total again. Last comes a look for
 * edits since the first request. A row that vanishes changes the total, any other change is an edit; so the same
 * total and no edit mean that no row moved. A row that came, was read in the place of another and vanished again
 * shows by its own date. Costs two requests more than there are pages, none more for one page.
 *
 * When the page counts are missing or contradict each other, the pages are walked one by one to the end.
 */
async function sweep<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<Sweep> {
	const readPage = pageReader(source, options);
	const first = await readPage(1);
	const pages = [first];
	if (isOnlyPage(first)) return byIdentity(pages);

	const { pages: planned, perPage = options.pageSize } = first.meta;
	const { total: totalBefore, isFirstPageKept } =
		planned === undefined
			? { total: undefined, isFirstPageKept: true }
			: await probe(readPage, first, perPage);
	const count = totalBefore === undefined ? planned : Math.ceil(totalBefore / perPage);
	const isPlanSound =
		planned !== undefined && count !== undefined && count > 1 && Math.abs(count - planned) <= 1;

	let totalAfter: number | undefined;
	if (isPlanSound) {
		const middle = await mapReads(count - 2, options.concurrency, (index) => readPage(index + 2));
		const last = await readPage(count);
		pages.push(...middle, last);
		totalAfter = (count - 1) * perPage + last.entries.length;
		if ((last.meta.pages ?? 0) > count || last.meta.hasNextPage) {
			await walk(readPage, pages);
			totalAfter = undefined;
		}
	} else {
		await walk(readPage, pages);
	}
	const edited =
		first.servedAt === undefined ? 0 : ((await source.countEditedSince?.(first.servedAt)) ?? 0);
	const read = byIdentity(pages);
	const isTotalKept =
		totalBefore === undefined ||
		(totalBefore === read.rows.size && (!isPlanSound || totalBefore === totalAfter));
	const isNoneNew = pages.slice(1).every(({ changedAt }) => !isChangedSince(changedAt, first));
	const isAtRest = edited === 0 && isFirstPageKept && isTotalKept && isNoneNew;
	return { ...read, unrest: isAtRest ? undefined : { edited, totalBefore, totalAfter } };
}

/**
 * Reads a list whole. Each row that is in the list from the first request to the last is in the result exactly once;
 * where that can't be shown because the list kept changing, `observed.unrest` says so.
 *
 * A read during which the list was at rest is complete. Otherwise it is read again, at most three times, until it
 * is at rest or another read adds no row; then all reads are merged.
 */
export async function readAll<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<ListResult> {
	let merged = new Map<string, Row>();
	for (let reads = 1; ; reads++) {
		const { rows, repeated, unrest } = await sweep(source, options);
		if (unrest === undefined) {
			return { rows: [...rows.values()], observed: { repeated, isCut: false, reads } };
		}
		const known = merged.size;
		const vanished = [...merged].filter(([id]) => !rows.has(id));
		merged = new Map([...rows, ...vanished]);
		if (reads === MAX_READS || (reads > 1 && merged.size === known)) {
			return { rows: [...merged.values()], observed: { repeated, isCut: false, reads, unrest } };
		}
	}
}
