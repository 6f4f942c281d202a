import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import { beginPoll, type RunningPoll } from './activation';
import { findEvents } from './changes/findEvents';
import { withMatchesDue } from './changes/followMatches';
import { replay } from './changes/replay';
import { startNow } from './changes/startNow';
import { stateSince } from './changes/state';
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
	const poll = beginPoll(context, Date.now(), settings.budgetMs);
	if (poll === 'stuck') {
		const seconds = Math.round(settings.budgetMs / 1000);
		throw new ApiFailure(`The last poll did not end within ${seconds} seconds`, {
			description:
				"That poll no longer counts. The next poll starts from the same place. If it keeps happening, lower 'Timeout (Ms)' under 'Options', or check the network between n8n and the service.",
			retryable: true,
		});
	}
	if (poll === 'busy') {
		settings.watch.log.info('Skipped a poll, because the last one is still running');
		return [];
	}
	const store = openStore(context, poll.isActivation, poll.isFirst);
	return await emitNewEvents(settings, store, poll).finally(poll.end);
}

async function emitNewEvents(
	{ watch, events, output, startFrom, replayFrom }: Settings,
	store: Store,
	{ isActivation, isGivenUp }: RunningPoll,
): Promise<INodeExecutionData[]> {
	const { log } = watch;
	if (store.isUnreadable) {
		log.warn("The stored position can't be read, so the trigger starts from now");
	}
	let state = store.load();
	if (isActivation && state !== undefined) state = withMatchesDue(state);
	if (state === undefined && startFrom !== undefined && !store.isUnreadable) {
		state = stateSince(startFrom);
		store.save(state);
	}
	const again = replayFrom && replay(state, replayFrom);
	if (replayFrom && again && !store.isUnreadable) {
		state = again;
		log.info(
			`'Replay From': changes since ${formatTimestamp(replayFrom.time * 1000)} are reported again`,
		);
	}
	if (state === undefined) {
		state = { ...(await startNow(watch)), replayed: again?.replayed };
		if (!isGivenUp()) store.save(state);
		const since = new Date(state.start * 1000).toISOString();
		log.info(`No position was stored: changes from ${since} on are reported`);
		return [];
	}
	const before = state;
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
