import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { beginPoll } from './activation';
import { findEvents, startNow } from './changes/findEvents';
import { startingState } from './changes/state';
import { readExamples } from './examples';
import { toItem } from './items';
import { readSettings, type Settings } from './settings';
import { openStore, type Store } from './store';

/**
 * One poll of the trigger: items of what happened since the last one, oldest first.
 * @throws InvalidInput or ApiFailure; the next poll then starts from the same place
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const settings = await readSettings(context);
	if (settings.isTest) return await readExamples(settings);
	const poll = beginPoll(context);
	if (poll === undefined) return [];
	const store = openStore(context, poll.isActivation);
	return await emitNewEvents(settings, store, poll.isActivation).finally(poll.end);
}

async function emitNewEvents(
	{ watch, events, output, startFrom }: Settings,
	store: Store,
	isActivation: boolean,
): Promise<INodeExecutionData[]> {
	let state = store.load();
	if (state === undefined) {
		state = startFrom === undefined ? await startNow(watch) : startingState(startFrom);
		store.save(state);
		if (startFrom === undefined) return [];
	}
	const found = await findEvents(watch, state).catch((error: unknown) => {
		const isOutage = error instanceof ApiFailure && error.details.retryable;
		// The state is known, so a service that is down must not keep the workflow from being published.
		if (isActivation && isOutage) return undefined;
		throw error;
	});
	if (found === undefined) return [];
	// Last of all: after any failure above the next poll starts from the same place.
	store.save(found.state);
	return found.events
		.filter(({ event }) => events.includes(event))
		.map((event) => toItem(event, output));
}
