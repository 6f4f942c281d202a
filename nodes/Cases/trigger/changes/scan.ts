import type { Case } from '../../api/types';
import type { Version } from './memory';
import type { Place, Seconds } from './state';

/** A case of the list of edits. */
export interface Edit {
	row: Case;
	/** Which case it is, and which version of it. */
	version: Version;
}

/** A page of the cases edited at a time or later, the least recently edited first. */
export interface EditsPage {
	/** A service that compares days returns earlier edits of the same day too. */
	edits: Edit[];
	/** The cases that came without a usable time. */
	undated: number[];
	/** Whether a service can have more rows than fit on this page. */
	isFull: boolean;
	/** How many rows a page has, where the service says it. */
	size?: number;
	/** Whether the edits don't come in order, as where a search index lags behind. */
	isUnordered: boolean;
	/** The number of pages, where the service says it. */
	pages?: number;
	hasNextPage: boolean;
	/** When the service began to answer, by its clock. */
	servedAt?: Seconds;
}

/** Fetches a page of the cases edited at a time or later, the least recently edited first. */
type FetchEdits = (from: Seconds, page: number) => Promise<EditsPage>;

/** A page as it was read: the edits on it that weren't read before in this scan, and where it is. */
export interface ScannedPage {
	edits: Edit[];
	place: Place;
	servedAt?: Seconds;
	/** Where a service compares days: the page on which the edits from `from` on begin. */
	firstPage?: number;
	/** How many pages come after it, where the service says it. */
	pagesLeft?: number;
	/** Whether it is the last one that is requested. */
	isLast: boolean;
}

interface ScanOptions {
	/** Whether an edit was handled before. */
	isKnown: (edit: Edit) => boolean;
	/** Whether a scan from a later page on may begin with a page whose first edit is this one. Default: if it is known. */
	beginsAt?: (edit: Edit) => boolean;
}

/** Pages in a row without anything new, after which the list is taken to be at its end, whatever its page counts say. */
const MAX_IDLE_PAGES = 3;

/** How often a range is read again at most because rows were skipped, without finding anything. */
const MAX_IDLE_PASSES = 2;

/** One reading of the pages of a range, from its first page on. */
interface Pass {
	/** The page that it begins with. */
	first: number;
	rows: number;
	/** The versions read. */
	keys: Set<string>;
	/** The cases read that have no usable time. */
	undated: Set<number>;
	/** The cases read. One that comes twice has moved, or has taken the place of another. */
	cases: Set<number>;
	/** Whether it found something that was not read before in this scan. */
	isFruitful: boolean;
	/** How many rows its last page had, where the service says it. */
	size?: number;
	/** Whether a page was larger than the one before: then it began behind rows that no page had. */
	hasGap: boolean;
	/** Whether it found an edit that wasn't handled before. */
	hasNews: boolean;
}

const newPass = (first: number): Pass => ({
	first,
	rows: 0,
	keys: new Set(),
	undated: new Set(),
	cases: new Set(),
	isFruitful: false,
	hasGap: false,
	hasNews: false,
});

/**
 * Whether rows may have been skipped: those behind a case that is edited meanwhile take its place on an earlier page. It
 * comes twice then, unless its first place was in front of the pages read.
 */
function mayMissRows({ first, rows, cases, hasGap, hasNews }: Pass, page: number): boolean {
	return cases.size < rows || hasGap || (first > 1 && page > first && hasNews);
}

const keyOf = ({ version: { id, edited, digest } }: Edit) => `${id} ${edited} ${digest}`;

/**
 * Reads the cases edited since a time, in the order of their edits, each version once, page by page.
 *
 * A case that is edited meanwhile moves to the end, so page numbers would skip the case that takes its place. Instead
 * the start moves on, to a second before the last edit read: a service may leave out the very start. Only where a page
 * spans less than two seconds, or where the service compares days, are page numbers used. Rows that come twice, and
 * pages that grow, show that others were skipped; then the range is read again. So is news on several pages behind others,
 * until there is no more of it.
 *
 * A scan that begins with a later page first goes back to one that begins with earlier edits, or with one that is
 * known. Each request has a later start or another page, and pages without anything new are followed by a few only, so
 * the scan comes to an end.
 */
export async function* scanEdits(
	fetchEdits: FetchEdits,
	start: Place,
	{ isKnown, beginsAt = isKnown }: ScanOptions,
): AsyncGenerator<ScannedPage, void, void> {
	const read = new Set<string>();
	let { from, page } = start;
	let isGoingBack = page > 1;
	let staysByPages = false;
	let firstPage: number | undefined;
	let pass = newPass(page);
	let idlePages = 0;
	let idlePasses = 0;
	for (;;) {
		const answer = await fetchEdits(from, page);
		const { pages } = answer;
		const rowCount = answer.edits.length + answer.undated.length;
		const edits = answer.edits.filter(({ version }) => version.edited >= from);
		const hasEarlier = edits.length < answer.edits.length;
		if (isGoingBack && page > 1) {
			// Of rows without a time nobody knows what comes before them.
			const begins = hasEarlier || (edits.length > 0 && beginsAt(edits[0]));
			if (!begins) {
				page = rowCount > 0 ? page - 1 : Math.max(1, Math.min(page - 1, pages ?? 1));
				continue;
			}
		}
		if (isGoingBack) pass = newPass(page);
		isGoingBack = false;
		staysByPages ||= hasEarlier || answer.isUnordered;
		if (hasEarlier) firstPage = page;

		const fresh = edits.filter((edit) => !read.has(keyOf(edit)));
		const isIdle =
			answer.edits.every((edit) => pass.keys.has(keyOf(edit))) &&
			answer.undated.every((id) => pass.undated.has(id));
		for (const id of answer.undated) pass.undated.add(id);
		for (const edit of answer.edits) {
			read.add(keyOf(edit));
			pass.keys.add(keyOf(edit));
			pass.cases.add(edit.version.id);
		}
		pass.rows += answer.edits.length;
		pass.hasGap ||= (answer.size ?? 0) > (pass.size ?? Infinity);
		pass.size = answer.size;
		pass.isFruitful ||= fresh.length > 0;
		idlePages = isIdle ? idlePages + 1 : 0;
		const hasNews = !fresh.every(isKnown);
		pass.hasNews ||= hasNews;
		const hasMore = pages === undefined ? answer.hasNextPage || rowCount > 0 : page < pages;
		const isEnd = (!hasMore && !(answer.isFull && hasNews)) || idlePages >= MAX_IDLE_PAGES;
		const last = edits[edits.length - 1]?.version.edited;
		const canMove = !staysByPages && last !== undefined && last - 1 > from;
		const isPassOver = isEnd || canMove;
		if (isPassOver) idlePasses = pass.isFruitful ? 0 : idlePasses + 1;
		const isRepeated = isPassOver && mayMissRows(pass, page) && idlePasses < MAX_IDLE_PASSES;
		const isLast = isEnd && !isRepeated;
		const pagesLeft = pages === undefined ? undefined : Math.max(0, pages - page);
		const place = { from, page };
		yield { edits: fresh, place, servedAt: answer.servedAt, firstPage, pagesLeft, isLast };

		if (isLast) return;
		if (!isPassOver) {
			page++;
			continue;
		}
		page = isRepeated ? pass.first : 1;
		isGoingBack = page > 1;
		pass = newPass(page);
		idlePages = 0;
		if (isRepeated) continue;
		from = last - 1;
		idlePasses = 0;
	}
}
