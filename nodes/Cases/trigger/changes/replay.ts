import { numberOfText } from './digest';
import { openMarks } from './memory';
import { stateSince, type Seconds, type TriggerState } from './state';

/** The time since which changes are reported again. */
interface Replay {
	time: Seconds;
	/** The expression that the time comes from. */
	expression?: string;
}

/** What tells a replay from others. An expression that gives another time with each poll is replayed once all the same. */
export const identifyReplay = ({ time, expression }: Replay): number =>
	expression === undefined ? time : numberOfText(expression);

/**
 * The state that replays from a time: what was reported since is forgotten. The memory of which cases match is kept,
 * because no list says which cases matched at an earlier time.
 * @param state undefined for a trigger that has none yet
 * @returns undefined where the state comes from this very replay
 */
export function replay(state: TriggerState | undefined, from: Replay): TriggerState | undefined {
	const { time } = from;
	const replayed = identifyReplay(from);
	if (state === undefined) return { ...stateSince(time), replayed };
	if (state.replayed === replayed) return undefined;
	// A place further ahead would leave out changes.
	if (time >= state.newest) return { ...state, replayed };
	// What is still to be read from an earlier place on, or once more, must not get lost; but the trigger began no earlier.
	const place = Math.min(state.rest?.from ?? state.from, state.secondLook?.from ?? time);
	const start = Math.min(time, Math.max(place, state.start));
	const given = givenSince(state.given, start);
	return { ...stateSince(start), given, matches: state.matches, replayed };
}

/** Comments of given cases from a time on are new again. A round that isn't over may have older ones still to read. */
function givenSince(given: TriggerState['given'], start: Seconds): TriggerState['given'] {
	return (
		given && {
			from: Math.min(given.from, start),
			newest: given.newest,
			marks: openMarks(given.marks).pack(given.from, start),
		}
	);
}
