import type { Run } from './run';
import { readsToCome } from './secondLook';
import {
	OVERLAP,
	REMEMBERED,
	SECOND_LOOK_AFTER,
	type FirstRead,
	type Place,
	type Seconds,
	type TriggerState,
} from './state';

/** An edit this old is not read once more; the service's clock may be so far ahead of its data. */
const FRESH: Seconds = 7200;

/**
 * The newest edit that counts. The list is sorted by time, so dates ahead of the service's clock are its last ones: they
 * are read again until the clock has passed them. Without a clock, one case alone doesn't carry the time.
 */
function newestOf({ before, now, times }: Run): Seconds {
	const sorted = [...times].sort(([a], [b]) => b - a);
	const isOneCase = sorted.length > 0 && sorted[0][1].size === 1;
	const counts =
		now === undefined ? sorted.slice(isOneCase ? 1 : 0) : sorted.filter(([time]) => time <= now);
	const newest = counts[0]?.[0];
	return Math.max(before.newest, newest ?? before.newest);
}

/**
 * The first second in which cases may be edited once more, so that digests must tell the edits in it apart: that of the
 * last poll or, where the clock was set back, of now.
 */
function recentFrom({ before, now = Infinity }: Run): Seconds {
	return Math.min(before.newest, now) - OVERLAP;
}

/** How far a poll has read the list of edits. */
export interface Progress {
	/** Where the next poll continues; undefined where all was read. */
	rest?: Place;
	/** Whether it began behind what is done, so that no edit since is left out. */
	isFromStart: boolean;
	/** See {@link TriggerState.page}. */
	page?: number;
	/** Up to where edits were read once more. */
	done?: Seconds;
	/** Where the next poll continues to read edits once more. */
	lookRest?: Place;
}

/** The state after a poll. */
export function nextState(run: Run, progress: Progress): TriggerState {
	const { rest } = progress;
	const newest = newestOf(run);
	const reads = readsToCome(run, newest, progress.done);
	return rest === undefined
		? completeState(run, newest, reads, progress)
		: partialState(run, newest, reads, rest);
}

/** The state after a poll whose limits left edits to the next one. */
function partialState(run: Run, newest: Seconds, reads: FirstRead[], rest: Place): TriggerState {
	const { before, now, memory } = run;
	const began = before.rest === undefined ? now : before.rest.began;
	// What was edited just before it was read is to be read once more; old edits are not.
	const isFresh = now === undefined || now - newest < FRESH;
	const secondLook =
		before.secondLook !== undefined || isFresh
			? { from: newest - SECOND_LOOK_AFTER, ...before.secondLook, reads }
			: undefined;
	// From here on everything may be read again.
	const needed = Math.min(rest.from, began ?? -Infinity, secondLook?.from ?? Infinity);
	const floor = Math.max(before.floor, needed - REMEMBERED);
	return {
		...before,
		start: run.state.start,
		newest,
		floor,
		secondLook,
		rest: { ...rest, began },
		...memory.pack({ floor, digestsFrom: recentFrom(run), keepsOlder: true }),
	};
}

/** The state after a poll that read all edits. */
function completeState(
	run: Run,
	newest: Seconds,
	reads: FirstRead[],
	{ isFromStart, page, done, lookRest }: Progress,
): TriggerState {
	const { before, memory } = run;
	const settled = newest - SECOND_LOOK_AFTER;
	let { from } = before;
	// What was read first in this poll, a minute after it was edited, needs no second look.
	if (done !== undefined) from = Math.max(from, done, before.newest <= done ? settled : done);
	else if (isFromStart || before.rest !== undefined) {
		from = Math.max(from, Math.min(settled, before.secondLook?.from ?? settled));
	}
	const since = Math.max(before.since, before.floor, Math.min(from, newest - REMEMBERED));
	return {
		...before,
		start: run.state.start,
		newest,
		from,
		since,
		floor: since,
		secondLook:
			reads.length === 0
				? undefined
				: {
						from: done === undefined ? (before.secondLook?.from ?? from) : from,
						reads,
						rest: done === undefined ? (lookRest ?? before.secondLook?.rest) : undefined,
					},
		rest: undefined,
		page,
		...memory.pack({
			floor: since,
			// A read takes a while, so a second that the last poll may have read too early is compared once more.
			digestsFrom: reads.length === 0 ? newest + 1 : recentFrom(run),
			keepsOlder: false,
		}),
	};
}
