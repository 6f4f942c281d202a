import { ApiFailure } from '../failure';
import type { Row } from '../types';
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

/** One read of a list: the pages that came, and what their answers promised. */
export class ListRead {
	private readonly pages = new Map<number, Entry[]>();
	/** Rows on each page as it came last. */
	private readonly counts = new Map<number, number>();
	private readonly known = new Set<string>();
	private isLastNew = true;
	/** Rows on a full page. */
	readonly size: number;
	promised: Promised;
	/** How many pages there are, by the answers. */
	stated = 1;
	/** What was wrong with a page that was promised; empty for nothing. */
	trouble = '';
	/** How many rows belong to the result. */
	found = 0;
	/** Whether a row came that doesn't belong to the result. */
	hasOutsider = false;
	/** Whether there are as many rows as the limit allows, so that nothing behind them is missing. */
	isEnough = false;
	/**
	 * What shows that no row is missing: the list is a single page that isn't full; each row up to the last one of the last
	 * page came, and the first page had not moved meanwhile; or besides the list was as long at the end as at the beginning.
	 */
	proof?: 'single' | 'in place' | 'same length';

	private constructor(
		private readonly source: Pick<ListSource, 'mostRows' | 'promised'>,
		private readonly options: Pick<ReadOptions, 'pageSize' | 'pool'>,
		private readonly readPage: ReadPage,
		readonly first: KeptPage,
	) {
		const { meta, entries } = first;
		const isFirstOfMore = (meta.pages ?? 1) > 1 && entries.length > 0;
		this.size = meta.perPage ?? (isFirstOfMore ? entries.length : options.pageSize);
		this.promised = source.promised ?? { least: 0, most: 0 };
		this.promisePages(meta.pages ?? 1, this.size);
		this.promise(meta.total ?? 0);
		this.take(1, first);
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
		const areEnough = filters.length >= 5 || source.mostRows !== undefined;
		if (areEnough && filter !== undefined && !filters.includes(undefined)) {
			throw source.ignoredFilter?.(filter, filters.length);
		}
		return new ListRead(source, options, readPage, first);
	}

	async read(number: number): Promise<KeptPage> {
		const page = await this.readPage(number);
		this.take(number, page);
		return page;
	}

	/** Reads pages one by one until the list ends or there is enough. @returns the number of rows up to the end */
	async readOn(from: number, isEnough = () => false): Promise<number> {
		let number = from - 1;
		while (!isEnough() && (number < from || !this.endsWith(number))) await this.read(++number);
		return (number - 1) * this.size + this.countOn(number);
	}

	/** Reads several pages at a time. */
	async readPages(from: number, to: number): Promise<void> {
		const task = async (index: number) => void (await this.read(from + index));
		await this.options.pool.mapReads(Math.max(0, to - from + 1), task);
	}

	/** How many rows a page that was read has. */
	countOn(number: number): number {
		return this.counts.get(number) ?? 0;
	}

	/** Whether the page that was read last is the end of the list. */
	endsWith(number: number): boolean {
		const isFull = this.countOn(number) >= this.size;
		const { pages } = this.first.meta;
		if (this.known.size >= (this.source.mostRows ?? Infinity)) return true;
		if (pages !== undefined) {
			return (!isFull && number >= this.stated) || (!this.isLastNew && number > pages);
		}
		if (isFull && !this.isLastNew) this.trouble = `Page ${number} only repeated the one before.`;
		return !this.isLastNew;
	}

	/** Requests the last row of the first page as a page of one; its page count is the number of rows. */
	async isFirstHeld(): Promise<boolean> {
		const { entries, meta } = await this.readPage(this.size, 1);
		if (meta.perPage === 1) this.promisePages(meta.pages ?? 1, 1);
		return entries[0]?.id === this.first.entries.at(-1)?.id;
	}

	/** Whether rows that an answer promised did not come. Costs a request where it may only have stated a page too many. */
	async isShort(): Promise<boolean> {
		const { size } = this.known;
		if (this.trouble !== '' || this.isEnough) return this.trouble !== '';
		if (size >= this.promised.least && size < this.promised.most) {
			const { entries, meta } = await this.readPage(size + 1, 1);
			this.promise(Math.max(size + entries.length, meta.total ?? 0));
		}
		return size < this.promised.least;
	}

	/** Whether more rows may follow the pages that were read. */
	mayHaveMore(): boolean {
		return this.stated > Math.max(...this.counts.keys());
	}

	/** How many rows match; unknown where some of them are left out. */
	matches(): { count: number; isExact: boolean } | undefined {
		const { pages, total } = this.first.meta;
		if (this.found < this.known.size || pages === undefined) return undefined;
		return { count: total ?? pages * this.size, isExact: total !== undefined };
	}

	/** The rows in the order of the pages: a repeated one keeps its first place and its last content. */
	entries(): Map<string, Entry> {
		const numbers = [...this.pages.keys()].sort((a, b) => a - b);
		const all = numbers.flatMap((number) => this.pages.get(number) ?? []);
		return new Map(all.map((entry) => [entry.id, entry]));
	}

	/** The last page may have a single row, or be one too many. */
	private promisePages(pages: number, size: number): void {
		const upTo = (full: number) => (full > 0 ? full * size + 1 : 0);
		this.promise(upTo(pages - 2), upTo(pages - 1));
	}

	private promise(least: number, most = least): void {
		this.promised = {
			least: Math.max(this.promised.least, least),
			most: Math.max(this.promised.most, most),
		};
	}

	private take(number: number, { entries, meta, refusal }: KeptPage): void {
		if (refusal !== undefined && number <= this.stated) {
			this.trouble = `It refused page ${number}: ${refusal.message}.`;
		}
		const { pages = 1, hasNextPage } = meta;
		this.stated = Math.max(this.stated, pages, hasNextPage ? number + 1 : 1);
		// A page that is read again at the end may have moved meanwhile, so what it had before counts too.
		this.pages.set(number, [...(this.pages.get(number) ?? []), ...entries]);
		this.counts.set(number, entries.length);
		const before = this.known.size;
		for (const { id, row, contradicts } of entries) {
			if (!this.known.has(id) && row !== undefined) this.found++;
			if (!row && !contradicts) this.hasOutsider = true;
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
}
