import type { Client } from '../api/client';
import type { Log } from '../api/log';
import { isOfTypes } from '../fields/detailTypes';
import { findMatching } from './changes/matchingCases';
import type { Watch } from './changes/watch';
import { watchCases } from './changes/watchedCases';
import { isMatchEvent } from './events';
import type { Settings } from './settings';

/**
 * What the settings watch, as the search for events reads it.
 * @param isTimeUp whether the poll's time is up
 */
export function openWatch(
	client: Client & { log: Log },
	{ events, filters, activityTypes, pageSize, maxCases, readMemoryEvery }: Settings,
	isTimeUp: () => boolean,
): Watch {
	const { log } = client;
	const areMatchesWatched = events.some(isMatchEvent);
	const cases = watchCases(client, filters, pageSize, log.info, areMatchesWatched);
	return {
		cases,
		matching: areMatchesWatched
			? findMatching(client, filters, cases, readMemoryEvery, log.warn)
			: undefined,
		chosen: events,
		withComments: events.includes('commentAdded'),
		isActivityWanted: events.includes('activityAdded')
			? ({ activity_type }) => isOfTypes(activity_type, activityTypes)
			: undefined,
		maxCases,
		isTimeUp,
		log,
	};
}
