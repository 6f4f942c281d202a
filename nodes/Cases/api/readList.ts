import { ApiFailure } from './failure';
import { isSorted, sortByKey } from './order';
import {
	belongingOf,
	mergePages,
	openList,
	type Entry,
	type KeptPage,
	type ListSource,
	type OpenList,
	type ReadOptions,
} from './pages';
import { isStable, type ListDrift, type ListEvidence } from './stability';
import type { Row } from './types';

/** What a reader noticed; hints tell it to the user. */
export interface Observed {
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** More rows match than were read. */
	isTruncated: boolean;
	/** Nothing says whether there are more rows; absent where that is known. */
	mayHaveMore?: boolean;
	/** How many rows match, where the service states page counts. */
	matches?: { atLeast: number; atMost: number };
	/** Number of times the list was read. */
	reads: number;
	/** What changed during the last read; only where the list changed in each read. */
	drift?: ListDrift;
	/**
	 * Rows may be missing though nothing shows that the list changed: how many were read, and how many there are, where
	 * the service states it.
	 */
	incomplete?: { read: number; stated?: number };
	/** Rows left out because they can't be told from others; absent for none. */
	unusable?: number;
	/** Rows left out because they contradict a filter, by the name of the filter; absent for none. */
	contradicting?: Record<string, number>;
}

export interface ListResult {
	rows: Row[];
	observed: Observed;
}

const MAX_READS = 4;

/** What was read of several lists. */
interface ReadEntries {
	entries: Map<string, Entry>;
	unusable: number;
}

/**
 * What a reader noticed of rows that are left out.
 * @throws ApiFailure when no row can be used
 */
export function observeLeftOut({
	entries,
	unusable,
}: ReadEntries): Pick<Observed, 'unusable' | 'contradicting'> {
	if (entries.size === 0 && unusable > 0) {
		throw new ApiFailure('No row of the list can be used', {
			description: `The service returned ${unusable} rows, but none of them has an ID. Check that 'Base URL' in the credential is the address of your tenant.`,
			retryable: false,
		});
	}
	const contradicting: Record<string, number> = {};
	for (const { contradicts } of entries.values()) {
		if (contradicts !== undefined) {
			contradicting[contradicts] = (contradicting[contradicts] ?? 0) + 1;
		}
	}
	return {
		...(unusable === 0 ? {} : { unusable }),
		...(Object.keys(contradicting).length === 0 ? {} : { contradicting }),
	};
}

export function sumUnusable(pages: KeptPage[]): number {
	return pages.reduce((sum, { unusable }) => sum + unusable, 0);
}

/**
 * Requests the last row of the first page as a page of one. Its page count is the exact total, and its row shows
 * whether the first page has moved.
 * @returns undefined where the service doesn't make pages of one row
 */
async function probeFirstPage({ readPage, rowsPerPage }: OpenList): Promise<KeptPage | undefined> {
	const probe = await readPage(rowsPerPage, 1);
	return probe.meta.perPage === 1 && probe.entries.length <= 1 ? probe : undefined;
}

/**
 * Reads the planned pages, the last one after all others, so that it shows the total at the end, and then those that
 * were not planned.
 * @returns the total at the end; undefined where the planned page was not the last one
 */
async function readPlanned(list: OpenList, planned: number): Promise<number | undefined> {
	await list.readTo(planned - 1);
	if (!list.isAtEnd()) await list.readTo(planned);
	const last = list.pages[planned - 1];
	const expected = list.rowsRead();
	await list.readOn();
	const endedAsPlanned = last !== undefined && list.rowsRead() === expected;
	return endedAsPlanned
		? (planned - 1) * list.rowsPerPage + last.entries.length + last.unusable
		: undefined;
}

function isSameLastRow(first: KeptPage, probe: KeptPage): boolean {
	return probe.entries.length === 1 && probe.entries[0].id === first.entries.at(-1)?.id;
}

/** When the service began to answer the first request; undefined where the clock is not known or was set back. */
function startOf([first, ...others]: KeptPage[]): number | undefined {
	return others.reduce(
		(time, { servedAt = Infinity }) => time && Math.min(time, servedAt),
		first.servedAt,
	);
}

interface WholeRead extends ReadEntries {
	repeated: number;
	evidence: ListEvidence;
	/** When reading began, by the service's own clock. */
	startedAt?: number;
	isSinglePage: boolean;
}

/**
 * Reads all pages once and gathers evidence of whether the list was stable meanwhile: first page, probe, the other
 * pages, last page. Costs one request more than there are pages, none more for a single page; and one more where the
 * last page is full.
 */
async function readWhole<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<WholeRead> {
	const list = await openList(source, options);
	const { pages } = list;
	const [{ meta, ...first }] = pages;
	const isMoreStated = meta.pages !== undefined && list.statesMore() && !list.isAtEnd();
	const probe = isMoreStated ? await probeFirstPage(list) : undefined;
	const totalBefore = probe?.meta.pages ?? meta.total;
	const planned =
		probe === undefined ? meta.pages : Math.ceil((probe.meta.pages ?? 0) / list.rowsPerPage);
	let totalAfter: number | undefined;
	if (isMoreStated && planned !== undefined && planned > 1) {
		totalAfter = await readPlanned(list, planned);
	} else {
		await list.readOn();
	}

	const merged = mergePages(pages);
	const startedAt = startOf(pages);
	const later = [...(probe?.entries ?? []), ...pages.slice(1).flatMap(({ entries }) => entries)];
	return {
		...merged,
		unusable: sumUnusable(pages),
		evidence: {
			rowsRead: merged.entries.size,
			totalBefore,
			totalAfter,
			isFirstPageKept: probe && isSameLastRow({ meta, ...first }, probe),
			rowsDatedSince: startedAt && later.filter(({ changedAt }) => changedAt >= startedAt).length,
		},
		startedAt,
		isSinglePage: list.isSinglePage(),
	};
}

/** How several lists that make one are read. */
export interface ReadAllOptions<T extends Row> extends ReadOptions<T> {
	/** Whether a row can move from one list to another, as a case does whose priority changes. */
	canRowsMove?: boolean;
	/** Whether the lists are read in the opposite order, so that one stable list is sorted too. */
	isReordered?: boolean;
}

/** One read of all lists. */
interface Attempt extends ReadEntries {
	lists: WholeRead[];
	repeated: number;
	/** Whether nothing moved while the lists were read. */
	isProven: boolean;
	/** Whether all edits during the read are of rows in the version that was read, so that another read decides. */
	isExplained: boolean;
	edited?: number;
}

/** Reads all lists once; last comes a look for edits since the first request. */
async function readOnce<T extends Row>(
	sources: Array<ListSource<T>>,
	options: ReadAllOptions<T>,
): Promise<Attempt> {
	const lists = await options.pool.map(
		sources.length,
		async (index) => await readWhole(sources[index], options),
	);
	const startedAt = lists.reduce((time, list) => Math.min(time, list.startedAt ?? NaN), Infinity);
	const isTimeKnown = !Number.isNaN(startedAt);
	const couldMove = options.canRowsMove === true || lists.some((list) => !list.isSinglePage);
	const [{ countEditedSince }] = sources;
	const edited = couldMove && isTimeKnown ? await countEditedSince?.(startedAt) : undefined;
	const isUnedited = isTimeKnown && (countEditedSince === undefined || edited === 0);

	const entries = new Map<string, Entry>();
	for (const list of lists) for (const [id, entry] of list.entries) entries.set(id, entry);
	const isDatedSince = ({ changedAt }: Entry) => !(changedAt < startedAt);
	return {
		entries,
		lists,
		unusable: lists.reduce((sum, list) => sum + list.unusable, 0),
		repeated: lists.reduce((sum, list) => sum + list.repeated, 0),
		isProven:
			!couldMove ||
			(isUnedited && lists.every((list) => list.isSinglePage || isStable(list.evidence))),
		isExplained: !edited || edited <= [...entries.values()].filter(isDatedSince).length,
		edited,
	};
}

/** Whether two reads had the same rows in the same versions and places. */
function isSameRead(one: Attempt, other: Attempt): boolean {
	if (one.entries.size !== other.entries.size) return false;
	const others = other.entries.values();
	for (const entry of one.entries.values()) {
		const { id, changedAt } = others.next().value as Entry;
		if (entry.id !== id || !Object.is(entry.changedAt, changedAt)) return false;
	}
	return true;
}

/** Whether a read shows that the lists changed since the one before. */
function showsChange(before: Attempt, read: Attempt): boolean {
	const isOtherTotal = (list: WholeRead, index: number) => {
		const { totalBefore, totalAfter } = before.lists[index].evidence;
		const { evidence } = list;
		const isOther = (one?: number, other?: number) => one && other && one !== other;
		return isOther(totalBefore, evidence.totalBefore) || isOther(totalAfter, evidence.totalAfter);
	};
	if (read.lists.some(isOtherTotal)) return true;
	let newest = -Infinity;
	for (const { changedAt } of before.entries.values()) {
		if (changedAt > newest) newest = changedAt;
	}
	return [...read.entries.values()].some(({ id, changedAt }) => {
		const known = before.entries.get(id);
		return known === undefined ? changedAt > newest : !Object.is(known.changedAt, changedAt);
	});
}

/** How many rows a list has, by what the service states before and after reading it; 0 where it states nothing. */
function totalOf({ isSinglePage, evidence }: WholeRead): number {
	const { rowsRead, totalBefore = 0, totalAfter = 0 } = evidence;
	return isSinglePage ? rowsRead : Math.max(totalBefore, totalAfter);
}

function sumOfTotals({ lists }: Attempt): number {
	return lists.reduce((sum, list) => sum + totalOf(list), 0);
}

/**
 * Asks for the row behind those that were read, where the service states more: page counts can be wrong.
 * @returns false where there is none; true also where the service makes no pages of one row
 */
export async function hasRowBehind<T extends Row>(
	{ fetchPage }: ListSource<T>,
	rowsRead: number,
): Promise<boolean> {
	const next = await fetchPage(rowsRead + 1, 1).catch(() => undefined);
	return next !== undefined && (next.rows.length > 0 || next.meta.perPage !== 1);
}

/** Whether a list has rows that did not come. */
async function isMissingRows<T extends Row>(
	source: ListSource<T>,
	list: WholeRead,
): Promise<boolean> {
	const usable = list.entries.size + list.unusable;
	return totalOf(list) > usable && (await hasRowBehind(source, usable));
}

/**
 * Reads the whole of lists that make one. Each row that is in them from the first request to the last is in the result
 * exactly once; where that can't be shown, `observed.drift` or `observed.incomplete` is set.
 *
 * A read that found all lists stable is complete, and so is one that is like the read before. Otherwise they are read
 * again, at most three times, and all reads are merged; where the lists change, until another read adds no row. The rows
 * of one stable list keep its order, others are sorted by their keys. Costs two requests more than there are pages, none
 * more for a single page.
 */
export async function readAll<T extends Row>(
	sources: Array<ListSource<T>>,
	options: ReadAllOptions<T>,
): Promise<ListResult> {
	let merged = new Map<string, Entry>();
	let before: Attempt | undefined;
	let hasChanged = false;
	for (let reads = 1; ; reads++) {
		const read = await readOnce(sources, options);
		const isLikeBefore = before !== undefined && isSameRead(before, read);
		const isSettled = read.isProven || (isLikeBefore && read.isExplained);
		hasChanged ||= before !== undefined && showsChange(before, read);
		const known = merged.size;
		const vanished = [...merged].filter(([id]) => !read.entries.has(id));
		merged = isSettled ? read.entries : new Map([...read.entries, ...vanished]);
		before = read;

		const isMerged = reads > 1 && (hasChanged ? merged.size === known : isWhole(read, merged));
		if (!isSettled && !isMerged && reads < MAX_READS) continue;
		const { repeated, unusable } = read;
		const leftOut = observeLeftOut({ entries: merged, unusable });
		const observed: Observed = { repeated, isTruncated: false, reads, ...leftOut };
		const rows = inOrder(merged, sources.length === 1 && isSettled, options);
		if (isSettled || !hasChanged) {
			observed.incomplete = await findMissing(sources, read, merged, isSettled);
		} else {
			observed.drift = driftOf(read);
		}
		return { rows, observed };
	}
}

/** Whether several reads, none of which showed a change, have had as many rows together as there are. */
function isWhole(read: Attempt, merged: Map<string, Entry>): boolean {
	return sumOfTotals(read) === merged.size;
}

function driftOf({ lists, edited }: Attempt): ListDrift {
	const { totalBefore, totalAfter } = lists.length === 1 ? lists[0].evidence : {};
	return { edited, totalBefore, totalAfter };
}

/** What is missing in unchanged lists; undefined for nothing. */
async function findMissing<T extends Row>(
	sources: Array<ListSource<T>>,
	read: Attempt,
	merged: Map<string, Entry>,
	isSettled: boolean,
): Promise<Observed['incomplete']> {
	if (read.isProven || isWhole(read, merged)) return undefined;
	const missing = await Promise.all(
		read.lists.map(async (list, index) => await isMissingRows(sources[index], list)),
	);
	const isMissing = missing.includes(true);
	if (isSettled && !isMissing) return undefined;
	return { read: merged.size, ...(isMissing ? { stated: sumOfTotals(read) } : {}) };
}

function inOrder<T extends Row>(
	merged: Map<string, Entry>,
	isOneStable: boolean,
	{ isReordered, keyOf }: ReadAllOptions<T>,
): Row[] {
	const read = belongingOf(merged.values());
	const rows = isReordered === true ? read.reverse() : read;
	const isInOrder = isOneStable && isReordered !== true && isSorted(rows);
	return (keyOf === undefined || isInOrder ? rows : sortByKey(rows)).map(({ row }) => row);
}
