import { findEvents } from './poll';
import { watchedSince } from './entries';
import { secondOf, stateFrom, type TriggerState } from './state';
import type { Watch } from './watch';
import { notATime } from './watchedCases';
import { VISIBLE_AFTER, type Seconds } from './window';

/** Where no case matches yet: how far the service's clock may be ahead of its data. */
const CLOCK_TOLERANCE: Seconds = 86_400;

/** The state of a trigger that reports what happens from a time on, also where that is past. */
export function startAt(watch: Watch, time: Seconds): TriggerState {
	const since = watchedSince(watch, {}, time);
	return stateFrom({ what: watch.what, since }, time, time);
}

/**
 * The state of a trigger that starts now: what is there already is known and not an event.
 * @throws ApiFailure when the cases can't be read, or have no usable time
 */
export async function startNow(watch: Watch): Promise<TriggerState> {
	const { rows, said } = await watch.cases.fetchLastEdited();
	// A clock that is ahead would hide what happens next.
	const now = Math.min(watch.now(), said ?? Infinity);
	const times = rows.map((row) => secondOf(row.updated_at)).filter((time) => time !== undefined);
	if (rows.length > 0 && times.length === 0) throw notATime(rows[0].updated_at);
	const newest =
		rows.length === 0 ? now - CLOCK_TOLERANCE : (times.find((time) => time <= now) ?? now);
	const start = { ...startAt(watch, now), from: newest - VISIBLE_AFTER };
	const whole = { ...watch, chosen: [], maxCases: Infinity, isTimeUp: () => false };
	const { state, failure } = await findEvents(whole, start, true);
	if (failure !== undefined) throw failure;
	return { ...state, watched: start.watched };
}
