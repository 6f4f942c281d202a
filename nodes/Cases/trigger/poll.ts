import type { INodeExecutionData } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import type { RunningPoll } from './activation';
import { findEvents } from './changes/findEvents';
import { withMatchesDue } from './changes/followMatches';
import { identifyReplay, replay } from './changes/replay';
import { startNow } from './changes/startNow';
import { stateSince, type TriggerState } from './changes/state';
import type { Watch } from './changes/watch';
import { toItem } from './items';
import type { Settings } from './settings';
import type { Store } from './store';

/**
 * Finds what happened since the stored state, and stores the next one.
 * @throws ApiFailure; the next poll then starts from the same place
 */
export async function emitNewEvents(
	watch: Watch,
	settings: Settings,
	store: Store,
	{ isActivation, isGivenUp }: RunningPoll,
): Promise<INodeExecutionData[]> {
	const { events, output, replayFrom } = settings;
	const before = stateToReadFrom(watch, settings, store, isActivation);
	if (before === undefined) {
		const replayed = replayFrom && identifyReplay(replayFrom);
		const state = { ...(await startNow(watch)), replayed };
		if (!isGivenUp()) store.save(state);
		const since = new Date(state.start * 1000).toISOString();
		watch.log.info(`No position was stored: changes from ${since} on are reported`);
		return [];
	}
	const found = await findEvents(watch, before).catch((error: unknown) => {
		const isOutage = error instanceof ApiFailure && error.details.retryable;
		// The state is known, so a service that is down must not keep the workflow from being published.
		if (isActivation && isOutage) return { events: [], state: before };
		throw error;
	});
	// A poll that was given up must not move the place that another one has moved since.
	if (isGivenUp()) return [];
	// Last of all: after any failure above the next poll starts from the same place.
	store.save(found.state);
	return found.events
		.filter(({ event }) => events.includes(event))
		.map((event) => toItem(event, output));
}

/** The stored state, or that of Start From or Replay From; undefined where the trigger is to start now. */
function stateToReadFrom(
	{ log }: Watch,
	{ startFrom, replayFrom }: Settings,
	store: Store,
	isActivation: boolean,
): TriggerState | undefined {
	if (store.isUnreadable) {
		log.warn("The stored position can't be read, so the trigger starts from now");
		return undefined;
	}
	let state = store.load();
	if (isActivation && state !== undefined) state = withMatchesDue(state);
	if (state === undefined && startFrom !== undefined) {
		state = stateSince(startFrom);
		store.save(state);
	}
	if (replayFrom === undefined) return state;
	const again = replay(state, replayFrom);
	if (again === undefined) return state;
	const since = formatTimestamp(replayFrom.time * 1000);
	log.info(`'Replay From': changes since ${since} are reported again`);
	return again;
}
