import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { listSearch, loadOptions } from './methods';
import { runOperation } from './n8n/execute';
import { WAITING_WEBHOOKS } from './n8n/waiting';
import { receiveAnswer } from './n8n/webhook';
import { HINTS, NODE_HINT, operationOf, PROPERTIES, SUBTITLE } from './resources';
import { replyTo } from './resources/action/sendAndWait/reply';

export class Cases implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases',
		name: 'cases',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Find, read, create, update and close cases, comment on them, set their case actions, or ask in a case and wait',
		defaults: { name: 'Cases' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		waitingNodeTooltip: 'Waiting for somebody to press a button in the case',
		webhooks: WAITING_WEBHOOKS,
		hints: HINTS,
		builderHint: NODE_HINT,
		properties: PROPERTIES,
	};

	methods = { listSearch, loadOptions };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as string;
		// For an unknown resource the form has no field `operation`. The default lets `operationOf` report the resource.
		const operation = this.getNodeParameter('operation', 0, '') as string;
		return [await runOperation(this, operationOf(resource, operation), resource)];
	}

	/** Receives the answers to Ask and Wait. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return receiveAnswer(this, replyTo);
	}
}
