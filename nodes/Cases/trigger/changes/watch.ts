import type { ApiFailure } from '../../api/failures/failure';
import type { Log } from '../../api/http/client';
import type { Happening } from './eventId';
import type { Seen, TriggerState } from './state';
import type { WatchedCases } from './watchedCases';
import type { Reading, Seconds } from './window';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** Stands for the tenant and the filters. */
	what: string;
	chosen: readonly string[];
	/** The chosen types of activities, in capitals; empty for all. */
	activityTypes: string[];
	/** Changed cases that one poll takes at most; the others are for the next one. */
	maxCases: number;
	isTimeUp: () => boolean;
	/** n8n's clock. */
	now: () => Seconds;
	log: Log;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent = Happening & { at: Seconds };

/** The cases that match, opened for one poll. */
export interface Matches {
	ids: Set<string>;
	doubts: Set<string>;
	readAt: Seconds;
}

/** What one poll has come to so far. */
export interface Poll {
	watch: Watch;
	/** The state that the last poll stored. It isn't changed. */
	before: TriggerState;
	/** Whether the trigger starts: then all that is there is known from now on. */
	isStart: boolean;
	/** Since when events and types of activities are watched, by their names. */
	since: Record<string, Seconds>;
	reading: Reading;
	/** The service's clock; n8n's where the service has none. */
	clock: Seconds;
	/** How far that is ahead of n8n's; undefined where the service has none. */
	ahead?: Seconds;
	seen: Seen;
	matches?: Matches;
	events: TriggerEvent[];
	/** Cases whose last edit may not be final. The next poll takes them. */
	waiting: Set<string>;
	taken: number;
	/** Cases whose comments or activities were read in this poll, by ID, and why those of some could not be. */
	lists: Map<string, ApiFailure | undefined>;
	/** Why the poll ended early: a failure that isn't that of one case. */
	failure?: ApiFailure;
}

export const isChosen = ({ chosen }: Watch, event: string): boolean => chosen.includes(event);

/** The event of a type of activities, or the event itself. */
const eventOf = (name: string) => name.split(' ')[0];

/**
 * Since when events and types of activities are watched, by their names. What is newly chosen begins now. A type that was
 * watched with all types continues, and so does one that is watched with all types now.
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

/** Since when an event or a type of activities is watched. */
export const sinceOf = ({ since }: Poll, name: string): Seconds =>
	since[name] ?? since[eventOf(name)] ?? Infinity;
