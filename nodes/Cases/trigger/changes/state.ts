import { parseTimestamp } from '../../api/timestamps';
import type { Seconds, Window } from './window';

/**
 * What a poll hands to the next one. n8n stores the state as JSON with the workflow. To keep it small, a key is forgotten
 * once the window no longer has its time.
 */
export interface TriggerState extends Window {
	version: typeof STATE_VERSION;
	/** Counts the states of a trigger. Of two stored states, the one with the higher number is newer. */
	counter: number;
	/** What the trigger watches. After a change of the tenant or the filters, it begins with a new state. */
	watched: {
		/** A hash of the tenant and of the filters as the workflow stores them. */
		what: string;
		/** The time from which each event or type of activities is watched, by its name. */
		since: Record<string, Seconds>;
	};
	/** A creation or closing before this time isn't reported as a creation or closing, but as an update. */
	since: Seconds;
	/** The keys of what was seen, as hashes in a row, by the minute of its time in base 36. */
	seen: Record<string, string>;
	/** IDs of cases that were edited right before the last poll, and are left to the next one. */
	waiting: string[];
	/** IDs of cases whose comments or activities couldn't be read. Later polls try again. */
	failing: string[];
	/** Which cases match, if an event for this is chosen. */
	matches?: StoredMatches;
}

export interface StoredMatches {
	/** The IDs of all matching cases, ascending, in base 36. Each but the first is stored as the difference from the one before. */
	ids: string;
	/** IDs of those that seemed not to match at the last poll. If the next poll agrees, they no longer match. */
	doubts: string[];
	/** When all matching cases were last read, by n8n's clock. */
	readAt: Seconds;
}

/** States of other versions can't be used. */
const STATE_VERSION = 4;

/** The first state of a trigger. Edits before `from` are not new. */
export function stateFrom(watched: TriggerState['watched'], from: Seconds): TriggerState {
	const empty = { seen: {}, waiting: [], failing: [] };
	return { version: STATE_VERSION, counter: 0, watched, since: from, from, ...empty };
}

/** Whether a stored value is a state of this version of the trigger. */
export function isState(value: unknown): value is TriggerState {
	return (value as { version?: unknown } | null)?.version === STATE_VERSION;
}

/** Reads a timestamp of the service in whole seconds. @returns undefined where it is not a time */
export function secondOf(value: unknown): Seconds | undefined {
	const time = parseTimestamp(value);
	return time === undefined ? undefined : Math.floor(time / 1000);
}

/** Hashes a text to 40 bits, as eight letters and digits: among ten thousand texts no two are expected to be the same. */
export function hashOf(text: string): string {
	let [first, second] = [0x811c9dc5, 0x3c6ef372];
	for (let index = 0; index < text.length; index++) {
		first = Math.imul(first ^ text.charCodeAt(index), 0x01000193);
		second = Math.imul(second ^ text.charCodeAt(index), 0x2c1b3c6d);
	}
	const mixed = [first ^ second, second].map((half) => (half ^ (half >>> 15)) >>> 0);
	return (mixed[0] * 256 + (mixed[1] % 256)).toString(36).padStart(8, '0');
}

/** What was seen, unpacked for one poll: the hashes of keys, by minute. */
export type Seen = ReturnType<typeof openSeen>;

export function openSeen(packed: TriggerState['seen']) {
	const minutes = new Map(
		Object.entries(packed).map(([minute, text]) => [
			parseInt(minute, 36),
			new Set<string>(text.match(/.{8}/g)),
		]),
	);
	const ofMinute = (at: Seconds) => minutes.get(Math.floor(at / 60));
	const endOf = (minute: number) => (minute + 1) * 60;
	return {
		has: (at: Seconds, key: string): boolean => ofMinute(at)?.has(hashOf(key)) ?? false,
		add: (at: Seconds, key: string): void => {
			const keys = ofMinute(at) ?? new Set();
			minutes.set(Math.floor(at / 60), keys.add(hashOf(key)));
		},
		/**
		 * Forgets the minutes that end by `before`. While more than `most` keys are left, it also forgets the oldest minutes
		 * that end by `end`.
		 * @returns the end of the last minute that was forgotten only because of `most`; 0 for none
		 */
		forget: (before: Seconds, most: number, end: Seconds): Seconds => {
			let count = [...minutes.values()].reduce((sum, keys) => sum + keys.size, 0);
			let forgotten = 0;
			for (const [minute, keys] of [...minutes].sort(([a], [b]) => a - b)) {
				const isOver = endOf(minute) <= before;
				if (!isOver && (count <= most || endOf(minute) > end)) break;
				if (!isOver) forgotten = endOf(minute);
				count -= keys.size;
				minutes.delete(minute);
			}
			return forgotten;
		},
		pack: (): TriggerState['seen'] =>
			Object.fromEntries(
				[...minutes].map(([minute, keys]) => [minute.toString(36), [...keys].join('')]),
			),
	};
}
