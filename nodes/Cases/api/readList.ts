import { observeLeftOut, type ListResult, type Observed, type ReadEntries } from './observed';
import { isSorted, sortByKey } from './order';
import { belongingOf, hasRowBehind, type Entry, type ListSource, type ReadOptions } from './pages';
import { isStable, type ListDrift } from './stability';
import type { Row } from './types';
import { readWhole, type WholeRead } from './wholeRead';

const MAX_READS = 4;

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
	/** When reading began, by the service's own clock; NaN where it is not known. */
	startedAt: number;
	repeated: number;
	/** Whether nothing moved while the lists were read. */
	isProven: boolean;
	/** Whether each edit during the read may be of a row that was read after the edit: as many rows are dated since then. */
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

	const entries =
		lists.length === 1 ? lists[0].entries : new Map(lists.flatMap((list) => [...list.entries]));
	const isDatedSince = ({ changedAt }: Entry) => !(changedAt < startedAt);
	return {
		entries,
		lists,
		startedAt,
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
	const isOther = (one?: number, other?: number) =>
		one !== undefined && other !== undefined && one !== other;
	const isOtherTotal = ({ evidence }: WholeRead, index: number) => {
		const { totalBefore, totalAfter } = before.lists[index].evidence;
		return isOther(totalBefore, evidence.totalBefore) || isOther(totalAfter, evidence.totalAfter);
	};
	if (read.lists.some(isOtherTotal)) return true;
	let newest = -Infinity;
	for (const { changedAt } of before.entries.values()) {
		if (changedAt > newest) newest = changedAt;
	}
	// A row that is older was there before, but didn't come: the service has put rows in another order.
	const isNew = (changedAt: number) => changedAt > newest && !(changedAt < before.startedAt);
	return [...read.entries.values()].some(({ id, changedAt }) => {
		const known = before.entries.get(id);
		return known === undefined ? isNew(changedAt) : !Object.is(known.changedAt, changedAt);
	});
}

/** How many rows a list has, by what the service states before and after reading it; 0 where it states nothing. */
function totalOf({ isSinglePage, evidence, leastRows }: WholeRead): number {
	const { rowsRead, totalBefore = 0, totalAfter = 0 } = evidence;
	return isSinglePage ? rowsRead : Math.max(totalBefore, totalAfter) || leastRows;
}

function sumOfTotals({ lists }: Attempt): number {
	return lists.reduce((sum, list) => sum + totalOf(list), 0);
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
 * more for a single page; one more behind a full last page, where more rows can come.
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
		// Rows of a list that changes may never be as many as the service states.
		const isMerged = reads > 1 && (hasChanged ? merged.size === known : isWhole(read, merged));
		before = read;
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
	const isRepeating = read.lists.some((list) => list.isRepeating);
	if (isRepeating && !isMissing) return { read: merged.size, isRepeating };
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
