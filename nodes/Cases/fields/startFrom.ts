import type { INodeProperties } from 'n8n-workflow';

import { parseDate } from './dates';

/** Where the first poll of a trigger goes back to, an entry of Options. */
export const START_FROM: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description:
		'When you publish for the first time, also report changes since this time. If empty, only later changes are reported.',
};

/**
 * The time in whole seconds since the epoch; undefined starts now.
 * @param timezone of the workflow
 * @throws InvalidInput
 */
export function readStartFrom(
	{ startFrom }: Record<string, unknown>,
	timezone: string,
): number | undefined {
	const time = parseDate(startFrom, timezone, START_FROM.displayName);
	return time === undefined ? undefined : Math.floor(time / 1000);
}
