import type { Log } from '../../api/log';
import type { Activity, Case } from '../../api/types';
import type { NewActivity, NewComment } from './comments';
import type { MatchEvent } from './matches';
import type { MatchingCases } from './matchingCases';
import type { Seconds, TriggerState } from './state';
import type { CaseEvent } from './versions';
import type { WatchedCases } from './watchedCases';

/** What a trigger watches, and how much one poll may take. */
export interface Watch {
	cases: WatchedCases;
	/** The chosen events. The others are found too, but an edit after one of them counts as an update. */
	chosen: readonly string[];
	/** Comments are watched too. */
	withComments: boolean;
	/** Which activities are watched; undefined for none. */
	isActivityWanted?: (activity: Activity) => boolean;
	/** Which cases match the filters is watched too; then `cases` lists the edits of all cases. */
	matching?: MatchingCases;
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
	/** Takes lines for n8n's log: what was skipped or left to the next poll, and why. */
	log: Log;
}

/** Something that happened to a case as a whole. */
export interface OfCase {
	at: Seconds;
	event: CaseEvent | MatchEvent;
	row: Case;
	/** Where the case has no time of edit: when it was seen last. */
	seenAt?: Seconds;
	comment?: undefined;
	activity?: undefined;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent = OfCase | NewComment | NewActivity;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
}
