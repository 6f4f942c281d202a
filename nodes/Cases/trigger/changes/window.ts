/**
 * The law of this folder: everything that happened has a time and a key. It is new if its time lies in the window and its
 * key was not seen.
 *
 * The window begins at `from`. A read that begins at least two minutes after an earlier one ended moves `from` behind the
 * edits that the earlier one saw. So an edit may become visible up to two minutes late. No date of a case is compared with
 * n8n's clock, so a clock that is ahead or behind loses nothing.
 */

/** A time in whole seconds since the epoch, or a number of seconds. */
export type Seconds = number;

/** How long after its date an edit may become visible in the list of edits. */
export const VISIBLE_AFTER: Seconds = 120;

/** How long to wait after an edit until its second is certainly over. Until then, another edit could have the same time. */
const FINAL_AFTER: Seconds = 2;

/** A place in the list of edits: a page of the cases that were edited at `from` or later. */
export interface Place {
	from: Seconds;
	page: number;
	/**
	 * Set while pages are read from the last to the first: a case that leaves a page then shifts others only onto pages that
	 * are still to be read. `second`: the pages of the second `from`, which `count` has counted before. `all`: all pages, for a
	 * service that compares days instead of times.
	 */
	backwards?: 'count' | 'second' | 'all';
}

/** The times of a page of edits, the earliest first. */
export interface EditTimes {
	times: Seconds[];
	/** How many pages there are; undefined where the service doesn't state a number. */
	pages?: number;
}

/** A read of the list of edits, which may take several polls. */
export interface Reading extends Place {
	/** When the read began, by n8n's clock. */
	began: Seconds;
	/** The time of the newest edit that the read has seen, apart from edits dated ahead of the service's clock. */
	newest: Seconds;
}

/** The window as it is kept between two polls. */
export interface Window {
	/** The beginning of the window. Edits before this time aren't read any more. */
	from: Seconds;
	/** A finished read: its newest edit (`to`), its end by n8n's clock (`at`), and how far the service's was `ahead`. */
	mark?: { to: Seconds; at: Seconds; ahead?: Seconds };
	/** The read that isn't finished yet. */
	rest?: Reading;
}

/** The read that a poll begins or continues. */
export function openReading({ from, rest }: Window, now: Seconds): Reading {
	return rest ?? { from, page: 1, began: now, newest: 0 };
}

/** Whether an edit leaves the window when a read ends, because the read before has seen the edit long enough ago. */
export function isLeaving({ mark }: Window, { began }: Reading, edited: Seconds): boolean {
	return mark !== undefined && began - mark.at >= VISIBLE_AFTER && edited <= mark.to;
}

/**
 * Whether an edit's second is over, so that a further edit of the case gets another time.
 * @param clock the time of the answer, by the service's clock
 */
export const isFinal = (edited: Seconds, clock: Seconds): boolean => edited <= clock - FINAL_AFTER;

/** The newest edit of a page and the pages before it. An edit that is dated ahead of the service's clock doesn't count. */
export function newestOf(times: Seconds[], clock: Seconds, before: Seconds): Seconds {
	return Math.max(before, ...times.filter((time) => time <= clock));
}

/**
 * The place to read after a page; undefined at the end of the list. A case that is edited meanwhile moves to the end of the
 * list, and shifts those behind it. So after each page `from` moves on with the edits that were read, and the next page is
 * page 1 again. Page numbers count only where `from` can't move: within one second, or where the service compares days.
 */
export function placeAfter({ from, page, backwards }: Place, answer: EditTimes): Place | undefined {
	const { times, pages } = answer;
	if (backwards === 'count') return { from, page: pages ?? 1, backwards: 'second' };
	const before = page === 1 ? undefined : { from, page: page - 1, backwards };
	if (backwards === 'second') return before ?? { from: from + 1, page: 1 };
	const isBefore = times.some((time) => time < from);
	if (backwards === 'all') return isBefore ? undefined : before;
	if (times.length === 0 || page >= (pages ?? Infinity)) return undefined;
	if (isBefore && pages !== undefined) return { from, page: pages, backwards: 'all' };
	const last = Math.max(...times);
	if (last > from) return { from: Math.max(last - 1, from + 1), page: 1 };
	return pages === undefined ? { from, page: page + 1 } : { from, page: 1, backwards: 'count' };
}

/**
 * The window after a read to the end of the list.
 * @param ended when its last page had come, by n8n's clock
 * @param ahead how far the service's clock is ahead of n8n's; undefined where the service has no clock
 */
export function moveOn(
	{ from, mark }: Window,
	{ began, newest }: Reading,
	ended: Seconds,
	ahead?: Seconds,
): Window {
	if (mark === undefined || began < mark.at) {
		return { from, mark: { to: newest, at: ended, ahead } };
	}
	if (began - mark.at < VISIBLE_AFTER) return { from, mark };
	return {
		from: Math.max(from, mark.to + 1),
		mark: { to: Math.max(newest, mark.to), at: ended, ahead },
	};
}
