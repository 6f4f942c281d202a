import type { ApiFailure } from '../../api/failures/failure';
import type { Log } from '../../api/log';
import type { Activity, Case, Comment } from '../../api/types';
import type { Seen, TriggerState, Watched } from './state';
import type { WatchedCases } from './watchedCases';
import type { Reading, Seconds } from './window';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** See {@link Watched.what}. */
	what: string;
	/** The chosen events. */
	chosen: readonly string[];
	/** The chosen types of activities, in capitals; empty for all. */
	activityTypes: readonly string[];
	/** Whether it is watched which cases match. Then the list of edits has all cases. */
	areMatchesWatched: boolean;
	/** Changed cases that one poll takes at most; the others are for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
	/** n8n's clock. */
	now: () => Seconds;
	log: Log;
}

/** Something that happened, at a time of the service. */
export interface TriggerEvent {
	at: Seconds;
	event: string;
	row: Case;
	comment?: Comment;
	activity?: Activity;
	/** Where the case can't be read any more: when that was noticed. */
	seenAt?: Seconds;
}

/** The cases that match, opened for one poll. */
export interface Matches {
	ids: Set<string>;
	doubts: Set<string>;
	readAt: Seconds;
}

/** What one poll has come to so far. */
export interface Run {
	watch: Watch;
	/** The state that the last poll stored. It isn't changed. */
	before: TriggerState;
	/** Whether the trigger starts: then all that is there is known from now on. */
	isStart: boolean;
	watched: Watched;
	reading: Reading;
	/** The service's clock; n8n's where the service has none. */
	clock: Seconds;
	/** What the Date header of the last page said. */
	said?: Seconds;
	seen: Seen;
	matches?: Matches;
	events: TriggerEvent[];
	/** Cases whose last edit may not be final. The next poll takes them. */
	waiting: Set<string>;
	/** Changed cases that were taken. */
	taken: number;
	/** Cases whose comments or activities were read in this poll, and those of which that failed, by ID. */
	read: Set<string>;
	failed: Map<string, ApiFailure>;
	/** Why the poll ended early: a failure that isn't that of one case. */
	failure?: ApiFailure;
}

export const isChosen = ({ chosen }: Watch, event: string): boolean => chosen.includes(event);
