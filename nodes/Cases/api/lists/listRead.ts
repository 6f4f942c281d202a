import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Row } from '../types';
import { ApiFailure } from '../failure';
import {
	createPageReader,
	type Entry,
	type KeptPage,
	type ListSource,
	type Promised,
	type ReadOptions,
	type ReadPage,
} from './source';

/** More rows than any list has that a workflow could work on: without an end a list would fill the memory. */
const MOST_ROWS = 1_000_000;

/** One read of a list: the pages that came, what their answers promised, and what shows whether it is complete. */
export class ListRead {
	private readonly pages = new Map<number, Entry[]>();
	/** Rows on each page as it came last. */
	private readonly counts = new Map<number, number>();
	private readonly known = new Set<string>();
	private isLastNew = true;
	/** Rows on a full page: what came on the first of several pages, whatever the service says of its size. */
	readonly size: number;
	promised: Promised;
	/** How many must come by the first answer alone: later ones count rows that came since. */
	readonly promisedAtStart: number;
	/** How many pages there are, by the answers; 1 where they don't say. */
	stated = 1;
	/** What was wrong with a page that was promised; empty for nothing. */
	trouble = '';
	/** How many rows belong to the result. */
	found = 0;
	/** Whether one page was all and isn't full: nothing can have moved. */
	isSingle = false;
	/** Whether each row up to the last one of the last page came, and the first page had not moved meanwhile. */
	isInPlace = false;
	/** Whether the list had as many rows at the end as at the beginning, and all of them came. */
	isTotalKept = false;
	/** Whether the limit is reached, so that nothing behind it is missing. */
	isEnough = false;
	/** Whether the limit left rows out. */
	isTruncated = false;

	private constructor(
		private readonly source: Pick<ListSource, 'mostRows' | 'promised'>,
		private readonly options: Pick<ReadOptions, 'pageSize' | 'pool'>,
		private readonly readPage: ReadPage,
		readonly first: KeptPage,
	) {
		this.promised = source.promised ?? { rows: 0, slack: 0 };
		const { length } = first.entries;
		const { perPage = options.pageSize } = first.meta;
		this.size = this.statesMore() && length > 0 ? length : perPage;
		this.take(1, first);
		this.promisedAtStart = this.promised.rows - this.promised.slack;
	}

	/** Reads the first page. @throws ApiFailure where all rows contradict a filter: the service ignores it */
	static async open<T extends Row>(
		source: ListSource<T>,
		options: ReadOptions<T>,
	): Promise<ListRead> {
		const readPage = createPageReader(source, options);
		const first = await readPage(1);
		const filters = first.entries.map(({ contradicts }) => contradicts);
		const [filter] = filters;
		if (filters.length >= 5 && filter !== undefined && !filters.includes(undefined)) {
			throw source.ignoredFilter?.(filter, filters.length);
		}
		return new ListRead(source, options, readPage, first);
	}

	async read(number: number): Promise<void> {
		this.take(number, await this.readPage(number));
	}

	/** Reads pages one by one until the list ends or there is enough. @returns the number of rows up to the end */
	async readOn(from: number, isEnough = () => false): Promise<number> {
		let number = from - 1;
		while (!isEnough() && (number < from || !this.endsWith(number))) await this.read(++number);
		return (number - 1) * this.size + this.countOn(number);
	}

	/** How many rows a page that was read has. */
	countOn(number: number): number {
		return this.counts.get(number) ?? 0;
	}

	/** The last row of a page as it came first. */
	lastOn(number: number): Entry | undefined {
		return this.pages.get(number)?.at(-1);
	}

	/** Whether the page that was read last is the end of the list. */
	endsWith(number: number): boolean {
		const { pages: planned } = this.first.meta;
		if (this.known.size >= (this.source.mostRows ?? Infinity)) return true;
		const isFull = this.isFull(this.countOn(number));
		if (number === 1) return !isFull && !this.statesMore();
		if (planned === undefined) {
			if (isFull && !this.isLastNew) this.trouble = `Page ${number} only repeated the one before.`;
			return !this.isLastNew;
		}
		return (!isFull && number >= this.stated) || (!this.isLastNew && number > planned);
	}

	/** Reads several pages at a time. */
	async readPages(from: number, to: number): Promise<void> {
		const task = async (index: number) => await this.read(from + index);
		await this.options.pool.mapReads(Math.max(0, to - from + 1), task);
	}

	/** Requests the last row of the first page as a page of one; its page count is the number of rows. */
	async isFirstHeld(): Promise<boolean> {
		const { entries, meta } = await this.readPage(this.size, 1);
		if (meta.perPage === 1) this.promisePages(meta.pages ?? 1, 1);
		this.promise(meta.total ?? 0, 0);
		return entries[0]?.id === this.first.entries.at(-1)?.id;
	}

	/** Whether rows that an answer promised did not come. Costs a request where it may only have stated a page too many. */
	async isShort(): Promise<boolean> {
		const missing = this.promised.rows - this.known.size;
		if (this.trouble !== '') return true;
		if (missing <= 0 || this.isEnough) return false;
		if (missing > this.promised.slack) return true;
		const { entries, meta } = await this.readPage(this.known.size + 1, 1);
		return entries.length > 0 || (meta.total ?? 0) > this.known.size;
	}

	private statesMore(): boolean {
		const { pages = 1, hasNextPage, total = 0 } = this.first.meta;
		return pages > 1 || hasNextPage || total > this.first.entries.length;
	}

	/** Whether a page has as many rows as it can have, so that there may be another one whatever the service says. */
	isFull(rows: number): boolean {
		const { perPage } = this.first.meta;
		const isDefault = perPage === undefined && [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE].includes(rows);
		return rows >= Math.min(this.size, this.options.pageSize) || isDefault;
	}

	/** Whether more rows may follow the pages that were read. */
	mayHaveMore(): boolean {
		const { pages, hasNextPage } = this.first.meta;
		return pages === undefined ? hasNextPage : this.stated > Math.max(...this.counts.keys());
	}

	/** How many rows match; unknown where some of them are left out. */
	matches(): { count: number; isExact: boolean } | undefined {
		const { pages, total } = this.first.meta;
		if (this.found < this.known.size || pages === undefined) return undefined;
		return { count: total ?? pages * this.size, isExact: total !== undefined };
	}

	/** The last page may have a single row. Of two pages one may be too many where the list is empty. */
	private promisePages(pages: number, size: number): void {
		if (pages > 1) this.promise((pages - 1) * size + 1, pages === 2 ? size + 1 : size);
	}

	private promise(stated: number, slack: number): void {
		const rows = Math.min(stated, this.source.mostRows ?? Infinity);
		const { rows: most, slack: least } = this.promised;
		if (rows > most || (rows === most && slack < least)) this.promised = { rows, slack };
	}

	private take(number: number, page: KeptPage): void {
		const { entries, meta, refusal } = page;
		if (refusal !== undefined && number <= this.stated) {
			this.trouble = `It refused page ${number}: ${refusal.message}.`;
		}
		const { pages = 1, total = 0 } = meta;
		this.stated = Math.max(this.stated, pages);
		this.promisePages(pages, this.size);
		this.promise(total, 0);
		// A page that is read again at the end may have moved meanwhile, so what it had before counts too.
		this.pages.set(number, [...(this.pages.get(number) ?? []), ...entries]);
		this.counts.set(number, entries.length);
		const before = this.known.size;
		for (const { id, row } of entries) {
			if (!this.known.has(id) && row !== undefined) this.found++;
			this.known.add(id);
		}
		this.isLastNew = this.known.size > before;
		if (this.known.size > MOST_ROWS) {
			throw new ApiFailure(`The list has more than ${MOST_ROWS} rows`, {
				description: 'Set a Limit, or use more filters.',
				retryable: false,
			});
		}
	}

	/** The rows in the order of the pages: a repeated one keeps its first place and its last content. */
	entries(): Map<string, Entry> {
		const numbers = [...this.pages.keys()].sort((a, b) => a - b);
		const all = numbers.flatMap((number) => this.pages.get(number) ?? []);
		return new Map(all.map((entry) => [entry.id, entry]));
	}
}
