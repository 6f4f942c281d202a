import { startingState, type Seconds, type TriggerState } from './state';

/**
 * The state that replays from a time: what was reported since is forgotten. The memory of which cases match is kept,
 * because no list says which cases matched at an earlier time.
 * @param state undefined for a trigger that has none yet
 */
export function replay(state: TriggerState | undefined, time: Seconds): TriggerState {
	// A place further ahead would leave out changes.
	if (state !== undefined && time >= state.newest) return { ...state, replayed: time };
	// What is still to be read from an earlier place on, or once more, must not get lost.
	const { rest, from = time, secondLook } = state ?? {};
	const start = Math.min(time, rest?.from ?? from, secondLook?.from ?? time);
	// A service may leave out the very start of a range.
	return { ...startingState(start), from: start - 1, matches: state?.matches, replayed: time };
}
