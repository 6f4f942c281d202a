import { ApiFailure } from '../failures/failure';
import { READ_LESS } from '../failures/failureTable';
import type { Row } from '../types';
import {
	createPageReader,
	type Entry,
	type KeptPage,
	type ListSource,
	type Promised,
	type Reading,
	type ReadOptions,
	type ReadPage,
} from './source';

/** More rows than n8n can store of an execution. Without this limit, a list without an end would fill the memory. */
const MOST_ROWS = 250_000;

/** One read of a list: the pages that came, and what their answers promised. */
export class ListRead {
	private readonly pages = new Map<number, Entry[]>();
	/** How many rows each page had when it was last read. */
	private readonly counts = new Map<number, number>();
	/** The IDs of all rows that came. */
	private readonly knownIds = new Set<string>();
	private isLastNew = true;
	/** The numbers of pages that were not full, or had no new row. */
	private readonly oddPages: number[] = [];
	private lastWithRows = 1;
	/** How many rows the list had when all pages were read: what the service stated, and what is certain. */
	atEnd: { stated?: number; least: number } = { least: 0 };
	/** Rows on a full page. */
	readonly size: number;
	/** How many rows the first answer promised. Later answers would also count rows that were added since. */
	readonly promised: Promised;
	/** The highest number of pages that an answer stated. */
	statedPages = 1;
	/** What was wrong with a promised page; empty if nothing was wrong. */
	trouble = '';
	/** How many rows belong to the result. */
	found = 0;
	/** Whether a row came behind which no row belongs to the result. */
	hasEnded = false;
	/** Whether there are as many rows as the limit allows, so that nothing behind them is missing. */
	isEnough = false;
	/**
	 * What shows that no row is missing. `single`: the list is one page that isn't full. `in place`: no row up to the last
	 * row of the last page has moved. `same length`: the same, and no row was added after that.
	 */
	proof?: 'single' | 'in place' | 'same length';

	private constructor(
		private readonly source: Pick<ListSource, 'mostRows' | 'promised' | 'endsOutside'> & {
			belongs?: unknown;
		},
		private readonly options: Pick<ReadOptions, 'pageSize' | 'pool'>,
		private readonly readPage: ReadPage,
		readonly first: KeptPage,
	) {
		const { meta, entries } = first;
		const isFirstOfMore = (meta.pages ?? 1) > 1 && entries.length > 0;
		this.size = meta.perPage ?? (isFirstOfMore ? entries.length : options.pageSize);
		const { pages = 1, total = 0 } = meta;
		// The last page may have a single row. The service may also state one page too many.
		const upTo = (full: number) => (full > 0 ? full * this.size + 1 : 0);
		const { least = 0, most = 0 } = source.promised ?? {};
		this.promised = {
			least: Math.max(least, total, upTo(pages - 2)),
			most: Math.max(most, total, upTo(pages - 1)),
		};
		this.take(1, first);
	}

	/** Reads the first page. @throws ApiFailure where the rows show that the service ignores a filter */
	static async open<T extends Row>(source: ListSource<T>, options: Reading<T>): Promise<ListRead> {
		const readPage = createPageReader(source, options);
		const first = await readPage(1);
		const filters = first.entries.map(({ contradicts }) => contradicts);
		const filter = filters.find((name) => name !== undefined);
		const isIgnored =
			filters.length > (source.mostRows ?? Infinity) ||
			(filters.length >= 5 && !filters.includes(undefined));
		if (filter !== undefined && isIgnored) throw source.ignoredFilter?.(filter);
		return new ListRead(source, options, readPage, first);
	}

	async read(number: number): Promise<KeptPage> {
		const page = await this.readPage(number);
		this.take(number, page);
		return page;
	}

	/** Reads pages one by one, until the list ends or `isEnough` returns true. */
	async readOn(from: number, isEnough = () => false): Promise<void> {
		let number = from - 1;
		while (!isEnough() && (number < from || !this.endsWith(number))) await this.read(++number);
	}

	/** Reads several pages at a time. */
	async readPages(from: number, to: number): Promise<void> {
		const task = async (index: number) => void (await this.read(from + index));
		await this.options.pool.mapReads(Math.max(0, to - from + 1), task);
	}

	/** Whether the list ends with a page. @param number that of the page read last */
	endsWith(number: number): boolean {
		const isAll = this.knownIds.size >= (this.source.mostRows ?? Infinity);
		if (isAll || !this.isLastNew) return true;
		const isFull = (this.counts.get(number) ?? 0) >= this.size;
		return this.first.meta.pages !== undefined && !isFull && number >= this.statedPages;
	}

	/**
	 * Requests the row at a place, counted from 1, as a page of one row. The answer's number of pages is then the number of
	 * rows, or one more where the service states a page too many.
	 * @returns the row's ID, the number of rows that the service states, and the number that is certain
	 */
	async readRow(place: number): Promise<{ id?: string; stated?: number; least: number }> {
		const { entries, meta } = await this.readPage(place, 1);
		const stated = meta.perPage === 1 ? meta.pages : undefined;
		return { id: entries[0]?.id, stated, least: meta.total ?? (stated ?? 1) - 1 };
	}

	/** Whether promised rows did not come. Sends a request where the service may only have stated a page too many. */
	async isShort(): Promise<boolean> {
		const { size } = this.knownIds;
		if (this.trouble !== '' || this.oddPages.some((number) => number < this.lastWithRows))
			return true;
		if (this.isEnough) return false;
		const least = Math.max(this.promised.least, this.atEnd.least);
		if (size < least || size >= this.promised.most) return size < least;
		const behind = await this.readRow(size + 1);
		return behind.id !== undefined || behind.least > size;
	}

	/** Whether more rows may follow the pages that were read. */
	mayHaveMore(): boolean {
		return !this.hasEnded && this.statedPages > Math.max(...this.counts.keys());
	}

	/** How many rows match; undefined where some rows of the list are left out. */
	matches(): { count: number; isExact: boolean } | undefined {
		const { pages, total } = this.first.meta;
		if (this.source.belongs || this.found < this.knownIds.size || !pages) return undefined;
		return { count: total ?? pages * this.size, isExact: total !== undefined };
	}

	/** The rows in the order of the pages. A row that came twice has its first place and its last content. */
	entries(): Map<string, Entry> {
		const inOrder = [...this.pages].sort(([a], [b]) => a - b);
		return new Map(inOrder.flatMap(([, page]) => page.map((entry) => [entry.id, entry])));
	}

	private take(number: number, { entries, meta, refusal }: KeptPage): void {
		if (refusal !== undefined && number <= this.statedPages) {
			this.trouble = `It refused page ${number}. ${refusal.message}: ${refusal.details.description}`;
		}
		const { pages = 1, hasNextPage } = meta;
		this.statedPages = Math.max(this.statedPages, pages, hasNextPage ? number + 1 : 1);
		// If a page is read again, its earlier rows are kept, too: they may have moved to a page that was read before.
		this.pages.set(number, [...(this.pages.get(number) ?? []), ...entries]);
		this.counts.set(number, entries.length);
		const before = this.knownIds.size;
		for (const { id, row, contradicts } of entries) {
			if (!this.knownIds.has(id) && row !== undefined) this.found++;
			if (this.source.endsOutside && !row && !contradicts) this.hasEnded = true;
			this.knownIds.add(id);
		}
		this.isLastNew = this.knownIds.size > before;
		if (this.isLastNew) this.lastWithRows = Math.max(this.lastWithRows, number);
		const isFull = entries.length >= this.size;
		if (!isFull || !this.isLastNew) this.oddPages.push(number);
		if (isFull && !this.isLastNew && this.first.meta.pages === undefined) {
			this.trouble = `Page ${number} only repeated the one before.`;
		}
		if (this.knownIds.size > MOST_ROWS) {
			throw new ApiFailure(`The list has more than ${MOST_ROWS} rows`, {
				description: READ_LESS,
				retryable: false,
			});
		}
	}
}

/**
 * Reads all pages of a list once: first the first page, then the last one, then those between. Without page counts, or where
 * the last page is empty, pages are read one by one.
 *
 * Two requests for single rows check whether rows moved meanwhile. If the last row of the first page kept its place until the
 * last page had come, and the last row of the last page kept its place until all pages had come, no row between them moved.
 */
export async function readOnce<T extends Row>(
	source: ListSource<T>,
	options: Reading<T>,
): Promise<ListRead> {
	const list = await ListRead.open(source, options);
	const { pages: last = 0 } = list.first.meta;
	if (list.endsWith(1)) {
		list.proof = 'single';
		return list;
	}
	const { entries } = last > 1 ? await list.read(last) : list.first;
	if (last === 0 || entries.length === 0) {
		await list.readOn(2);
		return list;
	}
	const place = (last - 1) * list.size + entries.length;
	const [lastOfFirst, lastRow] = [list.first.entries.at(-1)?.id, entries.at(-1)?.id];
	let again: { id?: string } = { id: lastOfFirst };
	await options.pool.mapReads(last - 1, async (index) => {
		if (index > 0) await list.read(index + 1);
		else again = await list.readRow(list.size);
	});
	const end = await list.readRow(place);
	list.atEnd = end;
	if (end.stated !== place) await list.readOn(entries.length < list.size ? last : last + 1);

	const ids = [...list.entries().keys()];
	const isHeld = again.id === lastOfFirst && end.id === lastRow;
	if (isHeld && ids[place - 1] === lastRow) {
		list.proof = end.stated === place ? 'same length' : 'in place';
	}
	return list;
}

/**
 * Reads a list until there are `limit` rows. This takes ceil(limit / page size) requests, or more where rows are left out or
 * the service returns smaller pages.
 */
export async function readFirst<T extends Row>(
	source: ListSource<T>,
	options: Reading<T>,
	limit: number,
): Promise<ListRead> {
	// Where rows are left out, small pages would take many requests to fill the limit.
	const pageSize = source.belongs ? options.pageSize : Math.min(options.pageSize, limit);
	let list = await ListRead.open(source, { ...options, pageSize });
	const isContradicted = list.first.entries.some(({ contradicts }) => contradicts !== undefined);
	if (isContradicted && pageSize < options.pageSize) list = await ListRead.open(source, options);
	const isEnough = () => list.found >= limit || list.hasEnded;
	const planned = isEnough() ? 1 : Math.min(list.statedPages, Math.ceil(limit / list.size));
	await list.readPages(2, planned);
	if (!isEnough() && !list.endsWith(planned)) await list.readOn(planned + 1, isEnough);
	list.isEnough = isEnough();
	return list;
}
