import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { listSearch, loadOptions } from './methods';
import { runOperation } from './n8n/execute';
import { HINTS, NODE_HINT, operationOf, PROPERTIES, SUBTITLE } from './resources';

export class Cases implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases',
		name: 'cases',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Read cases with their comments, history and records, set case actions, or start a workflow when cases change',
		defaults: { name: 'Cases' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		hints: HINTS,
		builderHint: NODE_HINT,
		properties: PROPERTIES,
	};

	methods = { listSearch, loadOptions };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as string;
		// A resource that the form doesn't know has no field for its operation.
		const operation = this.getNodeParameter('operation', 0, '') as string;
		return [await runOperation(this, operationOf(resource, operation), resource)];
	}
}
