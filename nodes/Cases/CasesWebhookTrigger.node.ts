import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { listSearch, loadOptions } from './methods';
import { SUBTITLE } from './trigger/events';
import { LIFE_CYCLE } from './webhookTrigger/lifeCycle';
import { receive, type ReceiverClock } from './webhookTrigger/receive';
import { webhookTriggerFields } from './webhookTrigger/settings';

export class CasesWebhookTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases Webhook Trigger',
		name: 'casesWebhookTrigger',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Start a workflow as soon as a case of a team changes',
		defaults: { name: 'Cases Webhook Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		// n8n puts a UUID before this path, which keeps the URL secret.
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'cases' }],
		properties: webhookTriggerFields,
	};

	methods = { listSearch, loadOptions };
	webhookMethods = LIFE_CYCLE;

	// n8n passes no clock; tests do.
	async webhook(this: IWebhookFunctions, clock?: ReceiverClock): Promise<IWebhookResponseData> {
		const items = await receive(this, clock);
		return { noWebhookResponse: true, ...(items.length > 0 && { workflowData: [items] }) };
	}
}
