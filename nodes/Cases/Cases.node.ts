import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { errorJson } from './errors';
import { getTags, getTeams, getUserEmails, getUserIds } from './lists/suggestions';
import { searchCases } from './lists/searchCases';
import * as action from './resources/action';
import * as cases from './resources/case';
import * as comment from './resources/comment';
import { runOperation, type Operation } from './run';

const OPERATIONS: Record<string, Record<string, Operation>> = {
	action: action.operations,
	case: cases.operations,
	comment: comment.operations,
};

export class Cases implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases',
		name: 'cases',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read cases and their comments, and replace the actions of cases',
		defaults: { name: 'Cases' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Action', value: 'action' },
					{ name: 'Case', value: 'case' },
					{ name: 'Comment', value: 'comment' },
				],
				default: 'case',
			},
			...cases.description,
			...comment.description,
			...action.description,
		],
	};

	methods = {
		listSearch: { searchCases },
		loadOptions: { getTags, getTeams, getUserEmails, getUserIds },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as 'action' | 'case' | 'comment';
		const operation = this.getNodeParameter('operation', 0) as string;
		const results = await runOperation(this, OPERATIONS[resource][operation], resource);
		return [
			results.flatMap((result) => {
				const pairedItem = result.items.map((item) => ({ item }));
				const rows = 'rows' in result ? result.rows : [errorJson(result.failure)];
				return rows.map((row) => ({ json: row, pairedItem }) as INodeExecutionData);
			}),
		];
	}
}
