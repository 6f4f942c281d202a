import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type sleep,
} from 'n8n-workflow';

import { listSearch, loadOptions } from './methods';
import { toNodeError } from './n8n/errors';
import { SUBTITLE } from './trigger/events';
import { LIFE_CYCLE } from './webhookTrigger/lifeCycle';
import { receive } from './webhookTrigger/receive';
import { webhookTriggerFields } from './webhookTrigger/settings';

export class CasesWebhookTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases Webhook Trigger',
		name: 'casesWebhookTrigger',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Starts a workflow as soon as a case of a team changes',
		defaults: { name: 'Cases Webhook Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		// n8n puts a UUID before this path, which keeps the URL secret.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'cases',
				// The node registers the URL itself, so nobody needs to copy it.
				ndvHideUrl: true,
			},
		],
		triggerPanel: {
			activationHint:
				"The service posts each change to n8n. It can't if n8n's URL is localhost: then set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to a URL that the service can reach.",
		},
		properties: webhookTriggerFields,
	};

	methods = { listSearch, loadOptions };
	webhookMethods = LIFE_CYCLE;

	// n8n passes no second parameter; tests do.
	async webhook(this: IWebhookFunctions, pause?: typeof sleep): Promise<IWebhookResponseData> {
		const items = await receive(this, pause).catch((error: unknown) => {
			throw toNodeError(this, error);
		});
		return { noWebhookResponse: true, ...(items.length > 0 && { workflowData: [items] }) };
	}
}
