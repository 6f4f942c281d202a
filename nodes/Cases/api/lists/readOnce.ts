import { isSorted } from './order';
import { PagesRead } from './pagesRead';
import type { Entry, ListSource, ReadOptions } from './source';
import type { Row } from '../types';

/** What one read of a list found, and what shows whether it is complete. */
export interface ListRead {
	entries: Map<string, Entry>;
	/** When reading began, by the service's own clock, in ms since the epoch; undefined without a Date header. */
	startedAt?: number;
	/** Whether one page was all and isn't full: nothing can have moved. */
	isSingle: boolean;
	/** Whether each row up to the last one of the last page came, and the first page had not moved meanwhile. */
	isInPlace: boolean;
	/** Whether the list had as many rows at the end as at the beginning, and all of them came. */
	isTotalKept: boolean;
	/** Whether rows that an answer promised did not come. */
	isShort: boolean;
	/** How many rows the answers promised. */
	promised: number;
	/** What was wrong with a promised page; empty for nothing. */
	trouble: string;
	/** Set where the limit left rows out: how many rows there are, where the service states it. */
	truncated?: { matches?: Matches };
}

/** How many rows match. */
export interface Matches {
	count: number;
	/** Whether the service states it; otherwise it is the number of pages times their size. */
	isExact: boolean;
}

function describe<T extends Row>(
	list: PagesRead<T>,
	isShort: boolean,
	found: Partial<ListRead> = {},
): ListRead {
	return {
		entries: found.entries ?? list.entries(),
		startedAt: list.first.servedAt,
		isSingle: false,
		isInPlace: false,
		isTotalKept: false,
		isShort,
		promised: list.promised.rows,
		trouble: list.trouble,
		...found,
	};
}

/**
 * Reads all pages of a list once: the first, the last that it states, a look whether the first has moved, those between,
 * and what came since. Without page counts they are read one by one.
 *
 * The number of the last page says how many rows come up to its last row. A row that was missed, or one that left, leaves
 * fewer; one that left the first page shows in the look.
 */
export async function readOnce<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<ListRead> {
	const list = new PagesRead(source, options);
	const { meta } = await list.open();
	if (list.endsWith(1)) return describe(list, await list.isShort(), { isSingle: true });
	if (meta.pages === undefined) {
		await list.readOn(2);
		return describe(list, await list.isShort());
	}

	const last = meta.pages;
	if (last > 1) await list.read(last);
	const place = (last - 1) * list.size + list.countOn(last);
	const lastRow = list.lastOn(last);
	const isHeld = last === 1 || (await list.readWithLook(2, last - 1));
	const total = await list.readOn(list.isFull(list.countOn(last)) ? last + 1 : last);

	const entries = list.entries();
	const upToLast = lastRow ? [...entries.keys()].indexOf(lastRow.id) + 1 : entries.size;
	return describe(list, await list.isShort(), {
		entries,
		isInPlace: isHeld && upToLast === place,
		isTotalKept: total === place && entries.size === place,
	});
}

/** Whether a list that is sorted so has come to the rows that don't belong to the result. */
function isPast<T extends Row>(source: ListSource<T>, list: PagesRead<T>): boolean {
	if (source.isSortedByBelonging !== true) return false;
	const entries = [...list.entries().values()];
	const isOutside = ({ row, contradicts, isUnusable }: Entry) =>
		!row && !contradicts && !isUnusable;
	// A service may ignore the order: then rows that belong may come behind those that don't.
	return entries.some(isOutside) && isSorted(entries);
}

/** How many rows match; unknown where some of them are left out. */
function countMatches<T extends Row>(list: PagesRead<T>): Matches | undefined {
	const { pages, total } = list.first.meta;
	if (list.found < list.rows || pages === undefined) return undefined;
	return { count: total ?? pages * list.size, isExact: total !== undefined };
}

/**
 * Reads a list until there are `limit` rows: ceil(limit / page size) requests, more where rows are left out or the service
 * makes smaller pages.
 */
export async function readFirst<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
	limit: number,
): Promise<ListRead> {
	// Where rows are left out, small pages would take many requests to fill the limit.
	const pageSize = source.belongs ? options.pageSize : Math.min(options.pageSize, limit);
	let list = new PagesRead(source, { ...options, pageSize });
	const { entries } = await list.open();
	if (pageSize < options.pageSize && entries.some(({ contradicts }) => contradicts !== undefined)) {
		list = new PagesRead(source, options);
		await list.open();
	}
	const isEnough = () => list.found >= limit || isPast(source, list);
	const planned = isEnough() ? 1 : Math.min(list.stated, Math.ceil(limit / list.size));
	await list.readPages(2, planned);
	if (!isEnough() && !list.endsWith(planned)) await list.readOn(planned + 1, isEnough);
	const isCut = list.found > limit || (list.found === limit && list.mayHaveMore());
	const isWanting = list.found < limit && !isPast(source, list);
	const isShort = isWanting && (await list.isShort());
	return describe(list, isShort, isCut ? { truncated: { matches: countMatches(list) } } : {});
}
