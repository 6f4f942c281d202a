/**
 * The law of this folder: everything that happened has a time and a key. It is new if its time lies in the window and its
 * key was not seen.
 *
 * The window begins at `from`. It moves on to what a read has seen once two minutes have passed since that read, so an edit
 * may become visible that late. Elapsed time is always the difference of two readings of n8n's clock, and no date of a case
 * is compared with it: a clock that is ahead or behind loses nothing.
 */

/** Times in whole seconds since the epoch. */
export type Seconds = number;

/** How long after its timestamp an edit may become visible. */
export const VISIBLE_AFTER: Seconds = 120;

/** How long after an edit its second is over for certain, so that no other edit of the case has the same time. */
const FINAL_AFTER: Seconds = 2;

/** A place in the list of edits: a page of the cases edited at a time or later. */
export interface Place {
	from: Seconds;
	page: number;
	/**
	 * Pages are read from the last to the first, so a case that leaves one shifts others only onto pages still to be read:
	 * those of the second `from`, where it has more than one, once they are counted; all where the service compares days.
	 */
	backwards?: 'count' | 'second' | 'all';
}

/** The times of a page of edits, the earliest first. */
export interface EditTimes {
	times: Seconds[];
	/** How many pages there are, where the service says it. */
	pages?: number;
}

/** A read of the list of edits, which may take several polls. */
export interface Reading extends Place {
	/** When it began, by n8n's clock. */
	began: Seconds;
	/** The newest edit that it has seen and that isn't dated ahead of the service's clock. */
	newest: Seconds;
}

/** The window between two polls. */
export interface Window {
	/** Edits before are done with. */
	from: Seconds;
	/** What a whole read has seen, and when it ended by n8n's clock. Two minutes later the window begins behind it. */
	mark?: { to: Seconds; at: Seconds; ahead?: Seconds };
	/** The read that isn't finished yet. */
	rest?: Reading;
}

/** The read that a poll begins or continues. */
export function openReading({ from, rest }: Window, now: Seconds): Reading {
	return rest ?? { from, page: 1, began: now, newest: 0 };
}

/** Whether what the mark has seen leaves the window with a read. */
export function isLeaving({ mark }: Window, { began }: Reading, edited: Seconds): boolean {
	return mark !== undefined && began - mark.at >= VISIBLE_AFTER && edited <= mark.to;
}

/**
 * Whether a version of a case can't change any more without another time of edit.
 * @param clock when the service read it, by its own clock; what is dated far ahead of that isn't waited for
 */
export function isFinal(edited: Seconds, clock: Seconds): boolean {
	return edited <= clock - FINAL_AFTER || edited > clock + VISIBLE_AFTER;
}

/** The newest edit once a page was read: a case that is dated ahead of the service's clock doesn't count. */
export function newestOf(times: Seconds[], clock: Seconds, before: Seconds): Seconds {
	return Math.max(before, ...times.filter((time) => time <= clock));
}

/**
 * The place to read after a page; undefined at the end of the list. A case that is edited meanwhile moves to the end of
 * the list, and others take its place. So the start moves on with what was read, and pages are counted only where the
 * start can't move: within one second, or where the service compares days.
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
 * @param ahead how far the service's clock is ahead of that, where it has one
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
