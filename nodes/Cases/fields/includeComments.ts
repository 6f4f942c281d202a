import type { INodeProperties } from 'n8n-workflow';

import type { Parameters } from './parameters';
import { asRecord, parseSwitch } from './values';

/** Whether cases come with their comments, an entry of Options: on once it is added, off until then. */
export const INCLUDE_COMMENTS: INodeProperties = {
	displayName: 'Include Comments',
	name: 'includeComments',
	type: 'boolean',
	default: true,
	description:
		'Whether to return all comments of each case, in a field named comments. Takes at least one more request for each case.',
};

/** Whether an input item wants the comments of its cases. @throws InvalidInput */
export function readIncludeComments({ parameter }: Parameters, item: number): boolean {
	const { includeComments = false } = asRecord(parameter('options', item, {}));
	return parseSwitch(includeComments, INCLUDE_COMMENTS.displayName);
}
