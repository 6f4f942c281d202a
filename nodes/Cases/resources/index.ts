import type { INodeProperties, NodeHint } from 'n8n-workflow';

import type { Operation } from '../n8n/run';
import * as action from './action';
import * as activity from './activity';
import { withBuilderHints } from './builderHints';
import * as cases from './case';
import * as comment from './comment';
import * as record from './record';
import { subtitleOf } from './subtitle';

export { NODE_HINT } from './builderHints';

/** How each operation of a resource works, by their stored names. */
export const OPERATIONS: Record<string, Record<string, Operation>> = {
	action: action.operations,
	activity: activity.operations,
	case: cases.operations,
	comment: comment.operations,
	record: record.operations,
};

const RESOURCE: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Action Button',
			value: 'action',
			description: 'A button or link on a case, which people press; not a step of the workflow',
		},
		{
			name: 'Activity',
			value: 'activity',
			description: 'The history of a case: who did what and when, comments included',
		},
		{
			name: 'Case',
			value: 'case',
			description: "Find, read or count cases, or get one as a text. Cases can't be created here.",
		},
		{
			name: 'Comment',
			value: 'comment',
			description: 'What people wrote on a case',
		},
		{
			name: 'Record',
			value: 'record',
			description: 'The structured data of a case, such as IP addresses, hosts or users',
		},
	],
	default: 'case',
};

/** All fields of the Cases node. */
export const PROPERTIES: INodeProperties[] = withBuilderHints([
	RESOURCE,
	...cases.description,
	...comment.description,
	...activity.description,
	...record.description,
	...action.description,
]);

export const SUBTITLE = subtitleOf(PROPERTIES);

/** What the editor says before the first run of an operation. */
export const HINTS: NodeHint[] = action.hints;
