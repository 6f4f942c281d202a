import type { Run } from './run';
import { SECOND_LOOK_AFTER, type FirstRead, type Seconds } from './state';

/** For how many polls the state keeps how far they read. If there are more, the last but one is dropped. */
const MAX_READS = 8;

/** Without a time of the service, this many polls count as a minute. */
const POLLS_OF_A_MINUTE = 3;

/** Until when a second look is due; undefined while none is. */
export function secondLookDue({ before, now }: Run): Seconds | undefined {
	const due = before.secondLook?.reads.filter(({ at, polls }) =>
		at !== undefined && now !== undefined
			? now - at >= SECOND_LOOK_AFTER
			: polls + 1 >= POLLS_OF_A_MINUTE,
	);
	return due?.[due.length - 1]?.to;
}

/** Whether an edit that is known is due for its second look. What is dated ahead of the clock always is. */
export function isLookDue({ now }: Run, edited: Seconds, lookTo?: Seconds): boolean {
	return lookTo !== undefined && (edited <= lookTo || (now !== undefined && edited > now));
}

/** What is still to be read once more, with what this poll read first. */
export function readsToCome(
	{ before, now, readAt, times, taken }: Run,
	newest: Seconds,
	done: Seconds = -Infinity,
): FirstRead[] {
	const earlier = before.secondLook?.reads ?? [];
	const reads = earlier
		.filter(({ to }) => to > done)
		// A clock that stepped back counts from where it is now.
		.map(({ to, at = now, polls }) => ({
			to,
			at: at && Math.min(at, now ?? at),
			polls: polls + 1,
		}));
	const readTo = reads[reads.length - 1]?.to ?? done;
	if (taken === 0 && newest <= Math.max(readTo, before.from)) return reads;
	// Dates a little ahead of the service's clock have passed when the look is due.
	const nearEnd = (now ?? -Infinity) + SECOND_LOOK_AFTER;
	const to = [...times.keys()].reduce((a, b) => (b <= nearEnd ? Math.max(a, b) : a), newest);
	// A poll can take longer than a minute: its last edits are as new as its last answer.
	const all = [...reads, { to, at: readAt, polls: 0 }];
	return all.length <= MAX_READS ? all : [...all.slice(0, -2), ...all.slice(-1)];
}
