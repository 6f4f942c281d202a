import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';
import { asRecord, parseSwitch } from './values';

/** Whether a list that lacks something is the output, an entry of Options: on once it is added, off until then. */
export const ACCEPT_INCOMPLETE: INodeProperties = {
	displayName: 'Accept Incomplete Lists',
	name: 'acceptIncomplete',
	type: 'boolean',
	default: true,
	description:
		'Whether to return what the service returned, with a hint, if it says that there is more. If off, the node fails then.',
};

/** Whether an input item accepts incomplete lists. @throws InvalidInput */
export function readAcceptIncomplete({ parameter }: Parameters, item: number): boolean {
	const { acceptIncomplete = false } = asRecord(parameter('options', item, {}));
	return parseSwitch(acceptIncomplete, ACCEPT_INCOMPLETE.displayName);
}
