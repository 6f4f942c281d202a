import { ApiFailure } from '../../api/failure';
import { findEvents } from './findEvents';
import {
	editedAt,
	notATime,
	SECOND_LOOK_AFTER,
	startingState,
	type Seconds,
	type TriggerState,
} from './state';
import type { Watch } from './watch';

/** Where no case matches yet: how far the service's clock may be ahead of its data. */
const CLOCK_TOLERANCE: Seconds = 86_400;

/** What is dated this much earlier than the start is still new: data may lag behind the clock, an entry behind its edit. */
const START_TOLERANCE: Seconds = 45;

/**
 * The state of a trigger that starts now: what is there already is known and not an event.
 * @throws ApiFailure when the service returns no time to start from
 */
export async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, servedAt } = await watch.cases.fetchLastEdited();
	const now = servedAt === undefined ? undefined : servedAt / 1000;
	const times = rows.map(editedAt).filter((time) => time !== undefined);
	if (rows.length > 0 && times.length === 0) throw notATime(rows[0].updated_at, 'updated_at');
	// One case alone may be dated in the future.
	const newest = now === undefined ? (times[1] ?? times[0]) : times[0];
	if (newest === undefined && now === undefined) {
		throw new ApiFailure('There is no time to start from', {
			description:
				"No case matches yet, and the service's answers have no Date header. Add the option 'Start From'.",
			retryable: false,
		});
	}
	const since =
		newest === undefined
			? now! - CLOCK_TOLERANCE
			: Math.min(newest, now ?? newest) - SECOND_LOOK_AFTER;
	const unbounded = { ...watch, maxCases: Infinity, isTimeUp: () => false };
	// Whatever this read finds is known afterwards, whenever it is dated.
	const start = startingState(since);
	const { state } = await findEvents(unbounded, start);
	const second = state.clock?.at;
	// Where no case matches, only Date headers say the time, and a single one may be far ahead.
	if (newest === undefined && second !== undefined && second < since) {
		const earlier = startingState(second - START_TOLERANCE, second - CLOCK_TOLERANCE);
		return { ...earlier, matches: state.matches };
	}
	return { ...state, start: (now ?? newest!) - START_TOLERANCE };
}
