import { parseTimestamp } from '../../api/timestamps';
import type { Seconds, Window } from './window';

/**
 * What a poll hands to the next one. n8n keeps it as JSON with the workflow, so what was seen is remembered only as long as
 * it can be read again.
 */
export interface TriggerState extends Window {
	version: typeof STATE_VERSION;
	/** Counts the states of a trigger: of two stored ones, the higher is the newer. */
	counter: number;
	/** What is watched. Another tenant or other filters begin with a new state. */
	watched: {
		/** Stands for the tenant and the filters as the workflow stores them. */
		what: string;
		/** Since when events and types of activities are watched, by their names. */
		since: Record<string, Seconds>;
	};
	/** A creation or closing before this time is not reported as one. */
	since: Seconds;
	/** The keys of what was seen, by the minute (base 36) of its time. */
	seen: Record<string, string>;
	/** Cases that were edited right before the last poll. They wait for the next one. */
	waiting: string[];
	/** The cases that match, where that is watched. */
	matches?: StoredMatches;
}

/** Which cases match, as the state has it. */
export interface StoredMatches {
	/** The IDs of all that match: base 36, ascending, each but the first as the difference from the one before. */
	ids: string;
	/** Those of them that didn't match at the last poll. If they don't at the next one either, they no longer match. */
	doubts: string[];
	/** When all of them were read last, by n8n's clock. */
	readAt: Seconds;
}

/** States of other versions can't be used. */
const STATE_VERSION = 3;

/** The state of a trigger that reads from a time on: what is dated earlier is not new. */
export function stateFrom(watched: TriggerState['watched'], from: Seconds): TriggerState {
	return { version: STATE_VERSION, counter: 0, watched, since: from, from, seen: {}, waiting: [] };
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

/** What was seen, opened for one poll: keys, each with the time of what it stands for. */
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
		delete: (at: Seconds, key: string): void => void ofMinute(at)?.delete(hashOf(key)),
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
