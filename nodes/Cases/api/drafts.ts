import type { ActionInput } from './types';

/**
 * Longest time from the read on which a write rests to the write, in ms. The API can't write on a condition, so what
 * another writer adds between the two is removed.
 */
const MAX_AGE_MS = 2000;

/** Whether a read is too old to write what rests on it. @param now as `readAt`, in ms since the epoch */
export function isTooOld(readAt: number, now: number): boolean {
	// The clock may have been set back.
	return Math.abs(now - readAt) > MAX_AGE_MS;
}

/** What to write to a case. */
export interface Draft {
	/** All actions that the case is to have. */
	actions: ActionInput[];
	/** When the read that they rest on was answered, by the local clock, in ms since the epoch. */
	readAt: number;
}

/** The read on which a draft rests, and how to draft again. */
export interface Basis {
	readAt: Draft['readAt'];
	/**
	 * Reads the case again and drafts from that.
	 * @returns undefined where nothing has to be written any more
	 * @throws why the case can't be written any more
	 */
	again: () => Promise<Draft | undefined>;
}
