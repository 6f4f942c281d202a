import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { actionTextsOf } from './fields/descriptions';
import { errorJson } from './n8n/errors';
import { getTags, getTeams, getUserEmails, getUserIds } from './methods/loadOptions';
import { searchCases } from './methods/listSearch';
import * as action from './resources/action';
import * as cases from './resources/case';
import * as comment from './resources/comment';
import { runOperation, type Operation } from './n8n/run';

const OPERATIONS: Record<string, Record<string, Operation>> = {
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
		{ name: 'Case', value: 'case' },
		{ name: 'Comment', value: 'comment' },
		{ name: 'Action', value: 'action' },
	],
	default: 'case',
};

const OPERATION_FIELDS = [...cases.description, ...comment.description, ...action.description];

/** What the canvas shows under the node's name. */
const ACTION_TEXTS = actionTextsOf(OPERATION_FIELDS);

export class Cases implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases',
		name: 'cases',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: `={{ (${ACTION_TEXTS})[$parameter["resource"] + "." + $parameter["operation"]] }}`,
		description: 'Read cases and their comments, and replace the actions of cases',
		defaults: { name: 'Cases' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		properties: [RESOURCE, ...OPERATION_FIELDS],
	};

	methods = {
		listSearch: { searchCases },
		loadOptions: { getTags, getTeams, getUserEmails, getUserIds },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as 'action' | 'case' | 'comment';
		const operation = this.getNodeParameter('operation', 0) as string;
		const results = await runOperation(this, OPERATIONS[resource][operation], resource);
		const items = results.flatMap((result) => {
			const pairedItem = result.items.map((item) => ({ item }));
			const rows = 'rows' in result ? result.rows : [errorJson(result.failure)];
			return rows.map((row) => ({ json: row, pairedItem }) as INodeExecutionData);
		});
		// A model would get an empty text for no item, and could not tell it from a failure.
		const isEmptyTool = items.length === 0 && this.isToolExecution?.();
		return [
			isEmptyTool ? [{ json: { result: `No ${resource} found` }, pairedItem: { item: 0 } }] : items,
		];
	}
}
