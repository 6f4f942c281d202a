import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
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
const OPERATIONS: Record<string, Record<string, Operation>> = {
	action: action.operations,
	activity: activity.operations,
	case: cases.operations,
	comment: comment.operations,
	record: record.operations,
};

/** What n8n adds by itself to the choices of Resource and Operation. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** How an operation works. One that this version of the node doesn't have fails with InvalidInput. */
export function operationOf(resource: string, operation: string): Operation {
	const operations = Object.hasOwn(OPERATIONS, resource) ? OPERATIONS[resource] : {};
	return Object.hasOwn(operations, operation)
		? operations[operation]
		: async () => await Promise.reject(unknownOperation(resource, operation));
}

function unknownOperation(resource: string, operation: string): InvalidInput {
	const isCustom = [resource, operation].includes(CUSTOM_API_CALL);
	return new InvalidInput(
		isCustom
			? 'A custom API call needs the HTTP Request node'
			: `The Cases node has no operation ${quote(operation)} of resource ${quote(resource)}`,
		`${isCustom ? 'Replace this node by' : 'Choose one from the list. For another request of the API, use'} an HTTP Request node: set its 'Authentication' to Predefined Credential Type and its 'Credential Type' to Cases API.`,
	);
}

const RESOURCE: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Activity',
			value: 'activity',
			description: 'The history of a case: who did what and when, comments included',
		},
		{
			name: 'Case',
			value: 'case',
			description: 'Create, update, close, find or count cases, or get one as a text',
		},
		{
			name: 'Case Action',
			value: 'action',
			description: 'A button on a case, which people press; not a step of the workflow',
		},
		{
			name: 'Comment',
			value: 'comment',
			description: 'What people and workflows write on a case',
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

/** What a click on a button of Ask and Wait does. */
export const REPLY_TO = action.replyTo;
