import {
	createPageReader,
	isOnlyPage,
	mergePages,
	readPageByPage,
	type KeptPage,
	type ListSource,
	type ReadOptions,
	type ReadPage,
} from './pages';
import { mapReads } from './pool';
import { isStable, type ListDrift, type ListEvidence } from './stability';
import type { Row } from './types';

/** What a reader noticed; hints tell it to the user. */
export interface Observed {
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** More rows match than were read. */
	isTruncated: boolean;
	/** Minimum number of rows that match, where the service states page counts. */
	atLeast?: number;
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

/**
 * Reads the first `limit` rows in ceil(limit / pageSize) requests; more where the service makes smaller pages than
 * requested.
 */
export async function readUpTo<T extends Row>(
	source: ListSource<T>,
	limit: number,
	options: ReadOptions<T>,
): Promise<ListResult> {
	const perPage = Math.min(options.pageSize, limit);
	const readPage = createPageReader(source, { ...options, pageSize: perPage });
	const first = await readPage(1);
	let pages = [first];
	if (first.meta.pages !== undefined) {
		const needed = Math.min(first.meta.pages, Math.ceil(limit / (first.meta.perPage ?? perPage)));
		const further = await mapReads(needed - 1, options.concurrency, (index) => readPage(index + 2));
		pages.push(...further);
	} else if (first.entries.length > 0) {
		pages = await readPageByPage(readPage, pages, limit);
	}
	const { rows, repeated } = mergePages(pages);
	const last = pages[pages.length - 1].meta;
	const isMoreOnServer = (last.pages ?? 0) > pages.length || last.hasNextPage;
	const isTruncated = rows.size > limit || isMoreOnServer;
	const atLeast = last.pages && (last.pages - 1) * (last.perPage ?? perPage) + 1;
	return {
		rows: [...rows.values()].slice(0, limit),
		observed: { repeated, isTruncated, atLeast, reads: 1 },
	};
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
	{ planned, perPage, concurrency }: { planned: number; perPage: number; concurrency: number },
): Promise<FurtherPages> {
	const middle = await mapReads(planned - 2, concurrency, (index) => readPage(index + 2));
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
	rows: Map<string, Row>;
	repeated: number;
	evidence: ListEvidence;
}

/**
 * Reads all pages once and gathers evidence of whether the list was stable meanwhile: first page, probe, the other
 * pages, last page, number of edits. Costs two requests more than there are pages, none more for a single page.
 */
async function readWhole<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<WholeRead> {
	const readPage = createPageReader(source, options);
	const first = await readPage(1);
	if (isOnlyPage(first)) {
		const merged = mergePages([first]);
		return { ...merged, evidence: { rowsRead: merged.rows.size } };
	}

	const { meta, servedAt: startedAt } = first;
	const perPage = meta.perPage ?? options.pageSize;
	const probe = meta.pages === undefined ? undefined : await probeFirstPage(readPage, perPage);
	const totalBefore = probe?.meta.pages;
	const planned = planPages(meta.pages, totalBefore, perPage);
	const { concurrency } = options;
	const { pages, ...ending }: FurtherPages =
		planned === undefined
			? { pages: await readPageByPage(readPage, [first]) }
			: await readPlannedPages(readPage, first, { planned, perPage, concurrency });
	const edited = startedAt === undefined ? undefined : await source.countEditedSince?.(startedAt);

	const merged = mergePages(pages);
	const later = [...(probe?.entries ?? []), ...pages.slice(1).flatMap(({ entries }) => entries)];
	return {
		...merged,
		evidence: {
			...ending,
			rowsRead: merged.rows.size,
			totalBefore,
			isFirstPageKept: probe && isSameLastRow(first, probe),
			edited,
			rowsDatedSince:
				startedAt === undefined
					? undefined
					: later.filter(({ changedAt }) => changedAt >= startedAt).length,
		},
	};
}

/**
 * Reads a whole list. Each row that is in the list from the first request to the last is in the result exactly once;
 * where that can't be shown because the list kept changing, `observed.drift` is set.
 *
 * A read that found the list stable is complete. Otherwise the list is read again, at most three times, until it is
 * stable or another read adds no row; then all reads are merged.
 */
export async function readAll<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<ListResult> {
	let merged = new Map<string, Row>();
	for (let reads = 1; ; reads++) {
		const { rows, repeated, evidence } = await readWhole(source, options);
		const observed = { repeated, isTruncated: false, reads };
		if (isStable(evidence)) return { rows: [...rows.values()], observed };
		const known = merged.size;
		const vanished = [...merged].filter(([id]) => !rows.has(id));
		merged = new Map([...rows, ...vanished]);
		if (reads === MAX_READS || (reads > 1 && merged.size === known)) {
			const { edited, totalBefore, totalAfter } = evidence;
			const drift = { edited, totalBefore, totalAfter };
			return { rows: [...merged.values()], observed: { ...observed, drift } };
		}
	}
}
