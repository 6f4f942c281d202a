import type { Log } from '../../api/log';
import type { Activity, Case } from '../../api/types';
import type { NewActivity, NewComment } from './comments';
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
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
	/** Takes lines for n8n's log: what was skipped or left to the next poll, and why. */
	log: Log;
}

/** Something that happened, at a time of the service. */
export type TriggerEvent =
	| { at: Seconds; event: CaseEvent; row: Case; comment?: undefined; activity?: undefined }
	| NewComment
	| NewActivity;

/** What a poll found, in the order of change, and the state for the next one. */
export interface Found {
	events: TriggerEvent[];
	state: TriggerState;
	/** Whether the poll's limits left something to the next one. */
	isPartial: boolean;
}
