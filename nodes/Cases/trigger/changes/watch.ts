import type { ApiFailure } from '../../api/failures/failure';
import type { Log } from '../../api/http/client';
import type { Happening } from './eventId';
import type { Seen, TriggerState } from './state';
import type { Edit, WatchedCases } from './watchedCases';
import type { Reading, Seconds } from './window';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** A hash of the tenant and the filters. */
	what: string;
	chosen: readonly string[];
	/** The chosen types of activities, in capitals; empty for all. */
	activityTypes: string[];
	/** Whether what a user does is not an event. */
	isIgnored: (user: unknown) => boolean;
	/** How many changed cases a poll handles at most. The others are left for the next poll. */
	maxCases: number;
	isTimeUp: () => boolean;
	/** n8n's clock. */
	now: () => Seconds;
	log: Log;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent = Happening & { at: Seconds };

/** Which cases match the filters, as one poll knows it: see {@link StoredMatches}. */
export interface Matches {
	ids: Set<string>;
	doubts: Set<string>;
	readAt: Seconds;
}

/** A running poll: what it works with, and what it has found so far. */
export interface Poll {
	watch: Watch;
	/** The state that the last poll stored. */
	before: TriggerState;
	/** Whether the trigger starts: what is found is then noted as known, and makes no events. */
	isStart: boolean;
	/** See {@link watchedSince}. */
	since: Record<string, Seconds>;
	reading: Reading;
	/** The time by the service's clock, or by n8n's clock where the service has none. */
	clock: Seconds;
	/** How far the service's clock is ahead of n8n's; undefined where the service has none. */
	ahead?: Seconds;
	seen: Seen;
	matches?: Matches;
	events: TriggerEvent[];
	/** IDs of cases that were edited a moment ago, and so may change again within the second. The next poll handles them. */
	waiting: Set<string>;
	taken: number;
	/** By ID, the cases whose comments or activities earlier polls couldn't read. They are read again at the end of the poll. */
	unread: Map<string, Edit>;
	/** By ID, the cases whose comments or activities were requested in this poll, with the failure if there was one. */
	lists: Map<string, ApiFailure | undefined>;
	/** The failure that ended the poll early. It concerns all cases, not one. */
	failure?: ApiFailure;
}

/** The event in a name such as `activityAdded COMMENTED` or `caseCreated`. */
const eventOf = (name: string) => name.split(' ')[0];

/**
 * The time from which each event or type of activities is watched, by names such as `activityAdded COMMENTED`. A newly
 * chosen one is watched from `now` on. A type keeps its time if all types are watched before or after the change.
 */
export function watchedSince(
	{ chosen, activityTypes }: Watch,
	before: Record<string, Seconds>,
	now: Seconds,
): Record<string, Seconds> {
	const names = chosen.flatMap((event) =>
		event === 'activityAdded' && activityTypes.length > 0
			? activityTypes.map((type) => `${event} ${type}`)
			: [event],
	);
	const isStill = (name: string) => names.includes(name) || names.includes(eventOf(name));
	return Object.fromEntries([
		...Object.entries(before).filter(([name]) => isStill(name)),
		...names.map((name) => [name, before[name] ?? before[eventOf(name)] ?? now] as const),
	]);
}

/** The time from which an event or a type of activities is watched. */
export const sinceOf = ({ since }: Poll, name: string): Seconds =>
	since[name] ?? since[eventOf(name)] ?? Infinity;
