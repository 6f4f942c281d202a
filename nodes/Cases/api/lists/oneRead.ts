import { ApiFailure } from '../failures/failure';
import { READ_LESS } from '../failures/failureTable';
import { parseTimestamp } from '../timestamps';
import type { Page, Row } from '../types';
import { isRefusal, type Entry, type ListSource, type Promised, type Reading } from './source';

/** More rows than n8n can store of an execution. Without this limit, a list without an end would fill the memory. */
const MOST_ROWS = 250_000;

interface KeptPage extends Omit<Page, 'rows'> {
	entries: Entry[];
	/** Whether no row behind this page is in the result. */
	isLast?: boolean;
	/** The failure of a refused page. Such a page may only be behind the last one. */
	refusal?: ApiFailure;
}

/** Creates a function that reads one page. Without `perPage`, it has the page size of the options. */
function createPageReader(
	{ fetchPage, idOf, keep = (row) => row, isBehindAll }: ListSource,
	{ pageSize, keyOf = () => 0, inLine }: Reading,
) {
	const entryOf = (row: Row): Entry => ({
		id: idOf(row),
		row: keep(row),
		changedAt: parseTimestamp(row.updated_at ?? row.created_at),
		key: keyOf(row),
	});
	const toKept = ({ rows, ...answer }: Page): KeptPage => {
		const isLast = isBehindAll !== undefined && rows.some(isBehindAll);
		// `splice` empties the page, which promises hold in memory until the next full garbage collection.
		return { ...answer, isLast, entries: rows.splice(0).map(entryOf) };
	};
	/** Turns a refused page into an empty one, because it may be behind the last page. @throws other failures */
	const toEmpty = (failure: unknown): KeptPage => {
		if (!isRefusal(failure)) throw failure;
		return { entries: [], meta: { hasNextPage: false }, refusal: failure };
	};
	return async (number: number, perPage = pageSize): Promise<KeptPage> =>
		await inLine(async () => {
			const page = fetchPage(number, perPage).then(toKept);
			return await (number === 1 ? page : page.catch(toEmpty));
		});
}

/** What came of a page, in all reads of it. */
interface PageRead {
	/** If a page is read again, its earlier rows are kept, too: they may have moved to a page that was read before. */
	entries: Entry[];
	/** How many rows it had, and whether one of them was new, when it was last read. */
	count: number;
	isNew: boolean;
	/** Whether it ever was not full, or had no new row. */
	isOdd: boolean;
}

/** One read of a list: the pages that came, and what their answers promised. */
export class OneRead {
	private readonly pages = new Map<number, PageRead>();
	/** The IDs of all rows that came. */
	private readonly knownIds = new Set<string>();
	private lastWithRows = 1;
	/** Whether a page came behind which no row is in the result. */
	private hasEnded = false;
	/** Rows on a full page. */
	private readonly size: number;
	/** The highest number of pages that an answer stated. */
	private statedPages = 1;
	/** How many rows the list had when all pages were read: what the service stated, and what is certain. */
	atEnd: { stated?: number; least: number } = { least: 0 };
	/** How many rows the first answer promised. Later answers would also count rows that were added since. */
	readonly promised: Promised;
	/** What was wrong with a promised page; empty if nothing was wrong. */
	trouble = '';
	/** How many rows are in the result. */
	found = 0;
	/**
	 * What shows that no row is missing. `single`: the list is one page that isn't full. `in place`: no row up to the last
	 * row of the last page has moved. `same length`: the same, and no row was added after that.
	 */
	proof?: 'single' | 'in place' | 'same length';

	private constructor(
		private readonly source: ListSource,
		private readonly options: Reading,
		private readonly readPage: ReturnType<typeof createPageReader>,
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

	private static async open(source: ListSource, options: Reading): Promise<OneRead> {
		const readPage = createPageReader(source, options);
		return new OneRead(source, options, readPage, await readPage(1));
	}

	/**
	 * Reads all pages of a list once: first the first page, then the last one, then those between. Without page counts, or
	 * where the last page is empty, pages are read one by one.
	 *
	 * Two requests for single rows check whether rows moved meanwhile. If the last row of the first page kept its place until
	 * the last page had come, and the last row of the last page kept its place until all pages had come, no row between them
	 * moved.
	 */
	static async readAll(source: ListSource, options: Reading): Promise<OneRead> {
		const list = await OneRead.open(source, options);
		if (list.endsWith(1)) list.proof = 'single';
		else await list.readBehindFirst(list.first.meta.pages ?? 0);
		return list;
	}

	/**
	 * Reads a list until there are `limit` rows. This takes ceil(limit / page size) requests, or more where rows are left out
	 * or the service returns smaller pages.
	 */
	static async readFirst(source: ListSource, options: Reading): Promise<OneRead> {
		const { limit = Infinity } = options;
		// Where rows are left out, small pages would take many requests to fill the limit.
		const pageSize = source.isSifted ? options.pageSize : Math.min(options.pageSize, limit);
		let list = await OneRead.open(source, { ...options, pageSize });
		const isLeftOut = list.first.entries.some(({ row }) => row === undefined);
		if (isLeftOut && pageSize < options.pageSize) list = await OneRead.open(source, options);
		const planned = list.isEnough() ? 1 : Math.min(list.statedPages, Math.ceil(limit / list.size));
		await options.pool.mapReads(planned - 1, async (index) => void (await list.read(index + 2)));
		if (!list.endsWith(planned)) await list.readOn(planned + 1);
		return list;
	}

	private async readBehindFirst(last: number): Promise<void> {
		const { entries } = last > 1 ? await this.read(last) : this.first;
		if (last === 0 || entries.length === 0) return await this.readOn(2);
		const place = (last - 1) * this.size + entries.length;
		const [lastOfFirst, lastRow] = [this.first.entries.at(-1)?.id, entries.at(-1)?.id];
		let again: string | undefined = lastOfFirst;
		await this.options.pool.mapReads(last - 1, async (index) => {
			if (index > 0) await this.read(index + 1);
			else again = (await this.readRow(this.size)).id;
		});
		const end = await this.readRow(place);
		this.atEnd = end;
		if (end.stated !== place) await this.readOn(entries.length < this.size ? last : last + 1);

		const ids = [...this.entries().keys()];
		const isHeld = again === lastOfFirst && end.id === lastRow;
		if (isHeld && ids[place - 1] === lastRow) {
			this.proof = end.stated === place ? 'same length' : 'in place';
		}
	}

	private async read(number: number): Promise<KeptPage> {
		const page = await this.readPage(number);
		this.take(number, page);
		return page;
	}

	/** Reads pages one by one, until the list ends or has enough rows. */
	private async readOn(from: number): Promise<void> {
		let number = from - 1;
		while (!this.isEnough() && (number < from || !this.endsWith(number))) await this.read(++number);
	}

	/** Whether the list ends with a page that was read. */
	private endsWith(number: number): boolean {
		const { count = 0, isNew = false } = this.pages.get(number) ?? {};
		if (!isNew || this.knownIds.size >= (this.source.mostRows ?? Infinity)) return true;
		return this.first.meta.pages !== undefined && count < this.size && number >= this.statedPages;
	}

	/** Whether there are as many rows as the limit allows, so that nothing behind them is missing. */
	private isEnough(): boolean {
		return this.hasEnded || this.found >= (this.options.limit ?? Infinity);
	}

	/**
	 * Requests the row at a place, counted from 1, as a page of one row. The answer's number of pages is then the number of
	 * rows, or one more where the service states a page too many.
	 * @returns the row's ID, the number of rows that the service states, and the number that is certain
	 */
	private async readRow(place: number): Promise<{ id?: string; stated?: number; least: number }> {
		const { entries, meta } = await this.readPage(place, 1);
		const stated = meta.perPage === 1 ? meta.pages : undefined;
		return { id: entries[0]?.id, stated, least: meta.total ?? (stated ?? 1) - 1 };
	}

	/** Whether promised rows did not come. Sends a request where the service may only have stated a page too many. */
	async isShort(): Promise<boolean> {
		const { size } = this.knownIds;
		const isMissed = [...this.pages].some(([page, { isOdd }]) => isOdd && page < this.lastWithRows);
		if (this.trouble !== '' || isMissed) return true;
		if (this.isEnough()) return false;
		const least = Math.max(this.promised.least, this.atEnd.least);
		if (size < least || size >= this.promised.most) return size < least;
		const behind = await this.readRow(size + 1);
		return behind.id !== undefined || behind.least > size;
	}

	/** Whether more rows may follow the pages that were read. */
	mayHaveMore(): boolean {
		return !this.hasEnded && this.statedPages > Math.max(...this.pages.keys());
	}

	/** How many rows match; undefined where some rows of the list are left out. */
	matches(): { count: number; isExact: boolean } | undefined {
		const { pages, total } = this.first.meta;
		if (this.source.isSifted || this.found < this.knownIds.size || !pages) return undefined;
		return { count: total ?? pages * this.size, isExact: total !== undefined };
	}

	/** The rows in the order of the pages. A row that came twice has its first place and its last content. */
	entries(): Map<string, Entry> {
		const inOrder = [...this.pages].sort(([a], [b]) => a - b);
		return new Map(inOrder.flatMap(([, page]) => page.entries.map((entry) => [entry.id, entry])));
	}

	private take(number: number, { entries, meta, isLast = false, refusal }: KeptPage): void {
		if (refusal !== undefined && number <= this.statedPages) {
			this.trouble = `It refused page ${number}. ${refusal.message}: ${refusal.details.description}`;
		}
		const { pages = 1, hasNextPage } = meta;
		this.statedPages = Math.max(this.statedPages, pages, hasNextPage ? number + 1 : 1);
		this.hasEnded ||= isLast;
		const known = this.knownIds.size;
		for (const { id, row } of entries) {
			if (!this.knownIds.has(id) && row !== undefined) this.found++;
			this.knownIds.add(id);
		}
		const isNew = this.knownIds.size > known;
		if (isNew) this.lastWithRows = Math.max(this.lastWithRows, number);
		const isFull = entries.length >= this.size;
		const { entries: earlier = [], isOdd = false } = this.pages.get(number) ?? {};
		this.pages.set(number, {
			entries: [...earlier, ...entries],
			count: entries.length,
			isNew,
			isOdd: isOdd || !isFull || !isNew,
		});
		if (isFull && !isNew && this.first.meta.pages === undefined) {
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
