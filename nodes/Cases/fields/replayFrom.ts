import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import { parseDate } from './dates';
import type { Parameters } from './parameters';
import { asRecord } from './values';

/** Since when a trigger reports changes again, an entry of Options. */
export const REPLAY_FROM: INodeProperties = {
	displayName: 'Replay From',
	name: 'replayFrom',
	type: 'dateTime',
	default: '',
	description:
		'Report changes since this time once more, at the next poll. The same time or expression is not replayed twice. The items have the same event_id as before.',
};

/** The time since which changes are reported again. */
export interface ReplayFrom {
	/** In whole seconds since the epoch. */
	time: number;
	/** The expression that the time comes from. Another poll may get another time from it. */
	expression?: string;
}

/**
 * The time, and the expression if it comes from one; undefined for none.
 * @throws InvalidInput for what is not a time, or is in the future by n8n's clock
 */
export function readReplayFrom(
	{ replayFrom }: Record<string, unknown>,
	{ stored, timezone }: Parameters,
): ReplayFrom | undefined {
	const time = parseDate(replayFrom, timezone, REPLAY_FROM.displayName);
	if (time === undefined) return undefined;
	// An expression like $now is evaluated after the poll has begun.
	if (time > Date.now()) {
		throw new InvalidInput(
			`'Replay From' is ${formatTimestamp(time)}, a time in the future`,
			'Enter the time from which changes are to be reported again, or remove the option.',
		);
	}
	const entry = asRecord(stored('options')).replayFrom;
	const isExpression = typeof entry === 'string' && entry.startsWith('=');
	return { time: Math.floor(time / 1000), ...(isExpression && { expression: entry }) };
}
