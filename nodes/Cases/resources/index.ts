import type { INodeProperties, NodeHint } from 'n8n-workflow';

import type { Operation } from '../n8n/run';
import * as action from './action';
import * as cases from './case';
import * as comment from './comment';
import { subtitleOf } from './subtitle';

/** How each operation of a resource works, by their stored names. */
export const OPERATIONS: Record<string, Record<string, Operation>> = {
	action: action.operations,
	case: cases.operations,
	comment: comment.operations,
};

const RESOURCE: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Case', value: 'case', description: 'Get or count cases' },
		{ name: 'Comment', value: 'comment', description: 'Get the comments of a case' },
		{
			name: 'Action Button',
			value: 'action',
			description: 'Read or change the actions of a case, which it shows as buttons',
		},
	],
	default: 'case',
};

/** All fields of the Cases node. */
export const PROPERTIES: INodeProperties[] = [
	RESOURCE,
	...cases.description,
	...comment.description,
	...action.description,
];

export const SUBTITLE = subtitleOf(PROPERTIES);

/** What the editor says before the first run of an operation. */
export const HINTS: NodeHint[] = action.hints;
