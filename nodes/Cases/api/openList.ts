import { ApiFailure } from './failure';
import {
	createPageReader,
	rowsOn,
	type KeptPage,
	type ListSource,
	type ReadOptions,
	type ReadPage,
} from './pages';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Row } from './types';

/** Whether the service says that it has more pages than were read, or more rows than the first page has. */
function statesMore(pages: KeptPage[]): boolean {
	const { meta } = pages[pages.length - 1];
	if ((meta.pages ?? 0) > pages.length || meta.hasNextPage) return true;
	return pages.length === 1 && (meta.total ?? 0) > rowsOn(pages[0]);
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

/** How many times a row of a list may come again on average: where more come, the pages are not those of one list. */
const MOST_REPEATS = 1.5;

/** How many pages are read one after another at most. They are read so where the service doesn't state how many there are. */
const MOST_UNPLANNED_PAGES = 100_000;

function refuseEndless(): never {
	throw new ApiFailure(`The list has more than ${MOST_UNPLANNED_PAGES} pages`, {
		description:
			"Each had rows that were not on the ones before, and the service didn't state how many pages there are. Set a larger 'Page Size' under 'Options', a Limit, or more filters.",
		retryable: false,
	});
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
	/** Whether reading stopped because the same rows came again, though the list may have others. */
	isRepeating: () => boolean;
	/** Whether the service says that it has more pages than were read. */
	statesMore: () => boolean;
	/** Reads further pages up to one, several at a time. Stops where they have no new rows. */
	readTo: (last: number) => Promise<void>;
	/**
	 * Reads further pages, one after another, until the list ends or there is enough.
	 * @throws ApiFailure where it doesn't end
	 */
	readOn: (isEnough?: () => boolean) => Promise<void>;
}

/**
 * Reads the first page of a list.
 *
 * Page counts are hints: they plan the reading, and what comes decides. A list ends with a page that isn't full and
 * isn't said to be followed by another one, or without page counts with a page that has no new row. So all
 * requests but three, and those under way with them, bring a new row. Reading also ends where a service answers each
 * request with the first page and a new row now and then.
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
	let repeats = 0;
	let contradicting = 0;
	let isLastIdle = false;
	let hasLookedAgain = false;

	/** Counts what is new on a page; pages that are under way at the same time come in any order. */
	const take = (page: KeptPage): KeptPage => {
		const before = known.size;
		for (const { id, belongs, contradicts } of page.entries) {
			if (known.has(id)) repeats++;
			else if (belongs) found++;
			else if (contradicts !== undefined) contradicting++;
			known.add(id);
		}
		isLastIdle = known.size === before;
		if (isLastIdle) idle++;
		return page;
	};
	const isRepeating = () =>
		repeats > MOST_REPEATS * known.size + MOST_IDLE_PAGES * rowsOn(pages[0]);
	const isStuck = () => idle > MOST_IDLE_PAGES || isRepeating();
	/** Whether a list without page counts ends with a full page of known rows, as where the service ignores the page. */
	const endsInRepeats = () => {
		const isCounted = pages.some(({ meta }) => meta.pages !== undefined);
		const areFull = isLastFull(pages.slice(0, 1), pageSize) && isLastFull(pages, pageSize);
		return isLastIdle && !isCounted && areFull;
	};
	/** So that the whole list isn't read for nothing. */
	const refuseIgnoredFilter = async () => {
		if (contradicting < known.size || hasLookedAgain) return;
		hasLookedAgain = (await source.refuseIgnoredFilter?.(contradicting)) === true;
	};

	const isAtEnd = (): boolean => {
		const last = pages[pages.length - 1];
		if (isStuck() || found >= (source.mostRows ?? Infinity)) return true;
		if (isLastIdle) {
			const isPromised = (last.meta.pages ?? 0) > pages.length;
			return !isPromised && (rowsOn(last) > 0 || !last.meta.hasNextPage);
		}
		if (statesMore(pages)) return false;
		return last.meta.pages !== undefined && !isLastFull(pages, pageSize);
	};

	pages.push(take(await readPage(1)));
	await refuseIgnoredFilter();
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
		isRepeating: () => isRepeating() || endsInRepeats(),
		statesMore: () => statesMore(pages),
		readTo: async (last) => {
			const offset = pages.length + 1;
			const task = async (index: number) => take(await readPage(index + offset));
			const further = await pool.mapReads(last - pages.length, task, isStuck);
			for (const page of further) pages.push(page);
			// Pages came in any order, so only an empty one is known to have no new row.
			isLastIdle = further.length > 0 && rowsOn(pages[pages.length - 1]) === 0;
			const missing = further.findIndex(({ failure }) => failure !== undefined);
			if (missing !== -1 && further.slice(missing).some((page) => rowsOn(page) > 0)) {
				throw further[missing].failure as ApiFailure;
			}
			await refuseIgnoredFilter();
		},
		readOn: async (isEnough = () => false) => {
			const last = pages.length + MOST_UNPLANNED_PAGES;
			while (!isEnough() && !isAtEnd()) {
				if (pages.length === last) refuseEndless();
				pages.push(take(await readPage(pages.length + 1)));
				await refuseIgnoredFilter();
			}
		},
	};
}
