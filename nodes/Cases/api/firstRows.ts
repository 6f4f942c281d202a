import { observeLeftOut, type ListResult, type Observed } from './observed';
import { openList, type OpenList } from './openList';
import { isSorted, sortByKey } from './order';
import {
	belongingOf,
	hasRowBehind,
	mergePages,
	rowsOn,
	sumUnusable,
	type Entry,
	type ListSource,
	type ReadOptions,
} from './pages';
import type { Row } from './types';

interface FirstRows {
	/** Those that belong to the result; of the last page also those behind the limit. */
	entries: Entry[];
	/** All that were read. */
	read: Map<string, Entry>;
	unusable: number;
	repeated: number;
	isTruncated: boolean;
	/** Whether nothing says if there are more rows than were read. */
	mayHaveMore: boolean;
	/** Whether the list has rows that did not come. */
	isMissing: boolean;
	/** Whether reading stopped because the same rows kept coming. */
	isRepeating: boolean;
	/** How many rows it has at least, by the page counts or by those that came. */
	leastRows: number;
	matches: Observed['matches'];
}

/** How many rows match, by the page counts of the last page; not known where some of the rows are left out. */
function countMatches({ pages, rowsPerPage }: OpenList): Observed['matches'] {
	const { pages: count, perPage = rowsPerPage, total, hasNextPage } = pages[pages.length - 1].meta;
	// Of larger pages than stated nobody knows how many there are.
	if (pages.some((page) => rowsOn(page) > perPage)) return undefined;
	const isWhole = pages.every(({ entries, unusable }) => unusable === 0 && entries.every(isOurs));
	if (count === undefined || perPage !== rowsPerPage || !isWhole) return undefined;
	// A page count that leaves no room for what the same answer promises counts nothing.
	if (count < pages.length || (hasNextPage && count === pages.length)) return undefined;
	if (total !== undefined && count > 1) return { atLeast: total, atMost: total };
	return { atLeast: (count - 1) * perPage + 1, atMost: count * perPage };
}

const isOurs = ({ belongs }: Entry) => belongs;

async function readFirstRows<T extends Row>(
	source: ListSource<T>,
	limit: number,
	options: ReadOptions<T>,
): Promise<FirstRows> {
	// Where rows are left out by date, small pages would take many requests to fill the limit.
	const pageSize = source.belongs ? options.pageSize : Math.min(options.pageSize, limit);
	const opened = await openList(source, { ...options, pageSize });
	const isContradicted = opened.pages[0].entries.some(
		({ contradicts }) => contradicts !== undefined,
	);
	// The same where rows contradict a filter and are left out: then full pages are read.
	const list =
		isContradicted && pageSize < options.pageSize ? await openList(source, options) : opened;
	const { pages } = list;
	// A service may ignore the order: then rows that belong may come behind those that don't.
	const isPast = () =>
		source.isSortedByBelonging === true &&
		pages[pages.length - 1].entries.some(({ belongs, contradicts }) => !belongs && !contradicts) &&
		isSorted(pages.flatMap(({ entries }) => entries));
	const isEnough = () => list.rowsFound() >= limit || isPast();
	const stated = pages[0].meta.pages ?? 1;
	if (!isEnough() && stated > 1) {
		await list.readTo(Math.min(stated, Math.ceil(limit / list.rowsPerPage)));
	}
	await list.readOn(isEnough);

	const unusable = sumUnusable(pages);
	const rowsRead = list.rowsRead() + unusable;
	const isShort = !isEnough() && list.leastRows() > rowsRead;
	const isMissing = isShort && (await hasRowBehind(source, rowsRead));
	const { entries: read, repeated } = mergePages(pages);
	const ours = belongingOf(read.values());
	const isTruncated = ours.length > limit || (!isPast() && !list.isAtEnd() && list.statesMore());
	return {
		entries: ours,
		read,
		unusable,
		repeated,
		isTruncated,
		mayHaveMore: !isPast() && !list.isAtEnd() && pages[pages.length - 1].meta.pages === undefined,
		isMissing,
		isRepeating: list.isRepeating(),
		leastRows: Math.max(list.leastRows(), rowsRead),
		matches: source.belongs === undefined ? countMatches(list) : undefined,
	};
}

/**
 * Reads the first `limit` rows of lists that make one, sorted where they are several. A list costs ceil(limit /
 * pageSize) requests; more where the service makes smaller pages than requested, rows don't belong to the result, or a
 * full page may be followed by another one.
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
	const read = new Map<string, Entry>();
	for (const list of lists) for (const [id, entry] of list.read) read.set(id, entry);
	const unusable = lists.reduce((sum, list) => sum + list.unusable, 0);
	const [first] = lists;
	const all = new Map(lists.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry])));
	const entries = lists.length === 1 ? first.entries : sortByKey([...all.values()]);
	const isTruncated = entries.length > limit || lists.some((list) => list.isTruncated);
	return {
		rows: entries.slice(0, limit).map(({ row }) => row),
		observed: {
			repeated: lists.reduce((sum, list) => sum + list.repeated, 0),
			isTruncated,
			matches: isTruncated ? sumOfMatches(lists) : undefined,
			reads: 1,
			...incompleteness(lists, read.size),
			...observeLeftOut({ entries: read, unusable }),
		},
	};
}

function incompleteness(lists: FirstRows[], read: number): Pick<Observed, 'incomplete'> {
	if (lists.some(({ isMissing }) => isMissing)) {
		return { incomplete: { read, stated: lists.reduce((sum, list) => sum + list.leastRows, 0) } };
	}
	return lists.some((list) => list.isRepeating) ? { incomplete: { read, isRepeating: true } } : {};
}

function sumOfMatches(lists: FirstRows[]): Observed['matches'] {
	const counts = lists.map(({ entries, isTruncated, mayHaveMore, matches }) => {
		if (isTruncated) return matches;
		return mayHaveMore ? undefined : { atLeast: entries.length, atMost: entries.length };
	});
	return counts.reduce(
		(sum, count) =>
			sum && count && { atLeast: sum.atLeast + count.atLeast, atMost: sum.atMost + count.atMost },
		{ atLeast: 0, atMost: 0 },
	);
}
