import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import { parseDate } from './dates';
import type { Parameters } from './parameters';
import { asRecord } from './values';

/** From when on a trigger reports changes again, an entry of Options. */
export const REPLAY_FROM: INodeProperties = {
	displayName: 'Replay From',
	name: 'replayFrom',
	type: 'dateTime',
	default: '',
	description:
		'Report changes since this time once more, at the next poll. The same time is not replayed twice. The items have the same event_id as before.',
};

/**
 * The time in whole seconds since the epoch; undefined for none.
 * @throws InvalidInput for what is not a time, or is in the future by n8n's clock
 */
export function readReplayFrom({ parameter, timezone, startedAt }: Parameters): number | undefined {
	const { replayFrom } = asRecord(parameter('options', 0, {}));
	const time = parseDate(replayFrom, timezone, REPLAY_FROM.displayName);
	if (time === undefined) return undefined;
	if (time > startedAt) {
		throw new InvalidInput(
			`'Replay From' is ${formatTimestamp(time)}, a time in the future`,
			'Enter the time from which changes are to be reported again, or remove the option.',
		);
	}
	return Math.floor(time / 1000);
}
