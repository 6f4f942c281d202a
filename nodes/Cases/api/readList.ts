import { sortByKey } from './order';
import {
	belongingOf,
	createPageReader,
	hasMorePages,
	isOnlyPage,
	mergePages,
	readPageByPage,
	type Entry,
	type KeptPage,
	type ListSource,
	type ReadOptions,
	type ReadPage,
} from './pages';
import type { Pool } from './pool';
import { isStable, type ListDrift, type ListEvidence } from './stability';
import type { Row } from './types';

/** What a reader noticed; hints tell it to the user. */
export interface Observed {
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** More rows match than were read. */
	isTruncated: boolean;
	/** How many rows match, where the service states page counts. */
	matches?: { atLeast: number; atMost: number };
	/** Number of times the list was read. */
	reads: number;
	/** What changed during the last read; only where no read found the list stable. */
	drift?: ListDrift;
}

export interface ListResult {
	rows: Row[];
	observed: Observed;
}

const MAX_READS = 4;

interface FirstRows {
	entries: Entry[];
	observed: Observed;
}

/** How many rows match, by the page counts of the last page; not known where some of the rows are left out. */
function countMatches(
	pages: KeptPage[],
	requested: number,
	isFiltered: boolean,
): Observed['matches'] {
	const { pages: count, perPage = requested } = pages[pages.length - 1].meta;
	if (count === undefined || isFiltered) return undefined;
	return { atLeast: (count - 1) * perPage + 1, atMost: count * perPage };
}

async function readFirstRows<T extends Row>(
	source: ListSource<T>,
	limit: number,
	options: ReadOptions<T>,
): Promise<FirstRows> {
	// Where rows are left out, small pages would take many requests to fill the limit.
	const perPage = source.belongs ? options.pageSize : Math.min(options.pageSize, limit);
	const readPage = createPageReader(source, { ...options, pageSize: perPage });
	const first = await readPage(1);
	let pages = [first];
	if (first.meta.pages !== undefined) {
		const needed = Math.min(first.meta.pages, Math.ceil(limit / (first.meta.perPage ?? perPage)));
		const further = await options.pool.mapReads(needed - 1, (index) => readPage(index + 2));
		pages = [first, ...further];
	}
	const isUnplanned = first.meta.pages === undefined && first.entries.length > 0;
	const isEndReached = () =>
		!hasMorePages(pages) ||
		(source.isSortedByBelonging === true && pages.at(-1)?.entries.at(-1)?.belongs === false);
	if (isUnplanned || (source.belongs !== undefined && !isEndReached())) {
		pages = await readPageByPage(readPage, pages, limit);
	}
	const { entries, repeated } = mergePages(pages);
	const ours = belongingOf(entries.values());
	const isTruncated = ours.length > limit || !isEndReached();
	const matches = countMatches(pages, perPage, source.belongs !== undefined);
	return {
		entries: ours.slice(0, limit),
		observed: { repeated, isTruncated, matches: isTruncated ? matches : undefined, reads: 1 },
	};
}

/**
 * Reads the first `limit` rows of lists that make one, sorted where they are several. A list costs ceil(limit /
 * pageSize) requests; more where the service makes smaller pages than requested, or rows don't belong to the result.
 */
export async function readUpTo<T extends Row>(
	sources: Array<ListSource<T>>,
	limit: number,
	options: ReadOptions<T>,
): Promise<ListResult> {
	const lists = await options.pool.map(
		sources.length,
		async (index) => await readFirstRows(sources[index], limit, options),
	);
	if (lists.length === 1) {
		const [{ entries, observed }] = lists;
		return { rows: entries.map(({ row }) => row), observed };
	}
	const all = new Map(lists.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry])));
	const rows = sortByKey([...all.values()]).map(({ row }) => row);
	const observed: Observed = {
		repeated: lists.reduce((sum, list) => sum + list.observed.repeated, 0),
		isTruncated: rows.length > limit || lists.some((list) => list.observed.isTruncated),
		matches: sumOfMatches(lists),
		reads: 1,
	};
	return { rows: rows.slice(0, limit), observed };
}

function sumOfMatches(lists: FirstRows[]): Observed['matches'] {
	const counts = lists.map(({ entries, observed: { isTruncated, matches } }) =>
		isTruncated ? matches : { atLeast: entries.length, atMost: entries.length },
	);
	return counts.reduce(
		(sum, count) =>
			sum && count && { atLeast: sum.atLeast + count.atLeast, atMost: sum.atMost + count.atMost },
		{ atLeast: 0, atMost: 0 },
	);
}

/**
 * Requests the last row of the first page as a page of one. Its page count is the exact total, and its row shows
 * whether the first page has moved.
 * @returns undefined where the service doesn't make pages of one row
 */
async function probeFirstPage(readPage: ReadPage, perPage: number): Promise<KeptPage | undefined> {
	const probe = await readPage(perPage, 1);
	return probe.meta.perPage === 1 ? probe : undefined;
}

/** Returns how many pages the list has; undefined where page counts are missing or contradict each other. */
function planPages(stated: number | undefined, total: number | undefined, perPage: number) {
	if (stated === undefined) return undefined;
	const planned = total === undefined ? stated : Math.ceil(total / perPage);
	return planned > 1 && Math.abs(planned - stated) <= 1 ? planned : undefined;
}

interface FurtherPages extends Pick<ListEvidence, 'endedAsPlanned' | 'totalAfter'> {
	/** All pages, including the first one. */
	pages: KeptPage[];
}

/** Reads the last page after all others, so that it shows the total at the end. */
async function readPlannedPages(
	readPage: ReadPage,
	first: KeptPage,
	{ planned, perPage, pool }: { planned: number; perPage: number; pool: Pool },
): Promise<FurtherPages> {
	const middle = await pool.mapReads(planned - 2, (index) => readPage(index + 2));
	const last = await readPage(planned);
	const pages = [first, ...middle, last];
	const endedAsPlanned = (last.meta.pages ?? 0) <= planned && !last.meta.hasNextPage;
	if (!endedAsPlanned) return { pages: await readPageByPage(readPage, pages), endedAsPlanned };
	return { pages, endedAsPlanned, totalAfter: (planned - 1) * perPage + last.entries.length };
}

function isSameLastRow(first: KeptPage, probe: KeptPage): boolean {
	return probe.entries.length === 1 && probe.entries[0].id === first.entries.at(-1)?.id;
}

interface WholeRead {
	entries: Map<string, Entry>;
	repeated: number;
	/** Without the number of edits. */
	evidence: ListEvidence;
	/** When the service began to answer the first request, by its own clock. */
	startedAt?: number;
	isSinglePage: boolean;
}

/**
 * Reads all pages once and gathers evidence of whether the list was stable meanwhile: first page, probe, the other
 * pages, last page. Costs one request more than there are pages, none more for a single page.
 */
async function readWhole<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<WholeRead> {
	const readPage = createPageReader(source, options);
	const first = await readPage(1);
	const { meta, servedAt: startedAt } = first;
	if (isOnlyPage(first)) {
		const merged = mergePages([first]);
		const evidence = { rowsRead: merged.entries.size };
		return { ...merged, evidence, startedAt, isSinglePage: true };
	}

	const perPage = meta.perPage ?? options.pageSize;
	const probe = meta.pages === undefined ? undefined : await probeFirstPage(readPage, perPage);
	const totalBefore = probe?.meta.pages;
	const planned = planPages(meta.pages, totalBefore, perPage);
	const { pages, ...ending }: FurtherPages =
		planned === undefined
			? { pages: await readPageByPage(readPage, [first]) }
			: await readPlannedPages(readPage, first, { planned, perPage, pool: options.pool });

	const merged = mergePages(pages);
	const later = [...(probe?.entries ?? []), ...pages.slice(1).flatMap(({ entries }) => entries)];
	const rowsDatedSince =
		startedAt === undefined
			? undefined
			: later.filter(({ changedAt }) => changedAt >= startedAt).length;
	return {
		...merged,
		evidence: {
			...ending,
			rowsRead: merged.entries.size,
			totalBefore,
			isFirstPageKept: probe && isSameLastRow(first, probe),
			rowsDatedSince,
		},
		startedAt,
		isSinglePage: false,
	};
}

/** How several lists that make one are read. */
export interface ReadAllOptions<T extends Row> extends ReadOptions<T> {
	/** Whether a row can move from one list to another, as a case does whose priority changes. */
	canRowsMove?: boolean;
	/** Whether the lists are read in the opposite order, so that one stable list is sorted too. */
	isReordered?: boolean;
}

interface Attempt {
	entries: Map<string, Entry>;
	repeated: number;
	/** Undefined when all lists were stable. */
	drift?: ListDrift;
}

/** Reads all lists once; last comes a look for edits since the first request. */
async function readOnce<T extends Row>(
	sources: Array<ListSource<T>>,
	options: ReadAllOptions<T>,
): Promise<Attempt> {
	const reads = await options.pool.map(
		sources.length,
		async (index) => await readWhole(sources[index], options),
	);
	const startedAt = reads.reduce((time, read) => Math.min(time, read.startedAt ?? NaN), Infinity);
	const couldMove = options.canRowsMove === true || reads.some((read) => !read.isSinglePage);
	const edited =
		couldMove && !Number.isNaN(startedAt)
			? await sources[0].countEditedSince?.(startedAt)
			: undefined;
	const entries = new Map(reads.flatMap((read) => [...read.entries]));
	const repeated = reads.reduce((sum, read) => sum + read.repeated, 0);
	if (reads.every(({ evidence }) => isStable({ ...evidence, edited })))
		return { entries, repeated };
	const { totalBefore, totalAfter } = reads.length === 1 ? reads[0].evidence : {};
	return { entries, repeated, drift: { edited, totalBefore, totalAfter } };
}

/**
 * Reads the whole of lists that make one. Each row that is in them from the first request to the last is in the result
 * exactly once; where that can't be shown because they kept changing, `observed.drift` is set.
 *
 * A read that found all lists stable is complete. Otherwise they are read again, at most three times, until they are
 * stable or another read adds no row; then all reads are merged. The rows of one stable list keep its order, others are
 * sorted by their keys. Costs two requests more than there are pages, none more for a single page.
 */
export async function readAll<T extends Row>(
	sources: Array<ListSource<T>>,
	options: ReadAllOptions<T>,
): Promise<ListResult> {
	let merged = new Map<string, Entry>();
	for (let reads = 1; ; reads++) {
		const { entries, repeated, drift } = await readOnce(sources, options);
		const observed = { repeated, isTruncated: false, reads };
		if (drift === undefined && sources.length === 1 && options.isReordered !== true) {
			return { rows: belongingOf(entries.values()).map(({ row }) => row), observed };
		}
		const known = merged.size;
		const vanished = [...merged].filter(([id]) => !entries.has(id));
		merged = drift === undefined ? entries : new Map([...entries, ...vanished]);
		if (drift === undefined || reads === MAX_READS || (reads > 1 && merged.size === known)) {
			const read = belongingOf(merged.values());
			const rows = options.isReordered === true ? read.reverse() : read;
			const inOrder = options.keyOf === undefined ? rows : sortByKey(rows);
			return { rows: inOrder.map(({ row }) => row), observed: { ...observed, drift } };
		}
	}
}
