import type { INodeProperties, INodePropertyOptions, NodeHint } from 'n8n-workflow';

import type { Operation } from '../n8n/run';
import * as action from './action';
import * as cases from './case';
import * as comment from './comment';

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

/** What the editor says before the first run of an operation. */
export const HINTS: NodeHint[] = action.hints;

/** What the canvas shows under the node's name, by resource and operation: the action texts of the operations. */
const SUBTITLES = Object.fromEntries(
	PROPERTIES.filter(({ name }) => name === 'operation').flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value, action }) => [
			`${String(displayOptions?.show?.resource?.[0])}.${String(value)}`,
			action,
		]),
	),
);

export const SUBTITLE = `={{ (${JSON.stringify(SUBTITLES)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
