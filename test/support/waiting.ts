import '../../tools/engine/environment';
import { EventEmitter } from 'node:events';
import { WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IRunExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { workflowOf } from './workflow';

/** A request to the URL of a button. */
export interface PressOptions {
	method?: 'GET' | 'POST';
	body?: unknown;
	/** Parameters of the URL with other values than n8n has signed. */
	parameters?: Record<string, string>;
	/** The name of the node. */
	name?: string;
	/** The status with which n8n replies once it has taken the answer, or has not. */
	status?: number;
	/** Waits before n8n replies. */
	beforeReply?: () => Promise<unknown>;
}

/** Runs the node's webhook for a waiting execution, as n8n does for a URL whose signature is right. */
export async function pressButton(
	url: string,
	data: IRunExecutionData,
	parameters: Record<string, unknown>,
	casesApi: ICredentialDataDecryptedObject,
	{
		method = 'POST',
		body = {},
		parameters: changed = {},
		name,
		status: statusCode = 200,
		beforeReply,
	}: PressOptions = {},
): Promise<IWebhookResponseData> {
	const { node, workflow, nodeType, additionalData } = await workflowOf(parameters, casesApi, name);
	const query = { ...Object.fromEntries(new URL(url).searchParams), ...changed };
	const httpResponse = Object.assign(new EventEmitter(), { statusCode, closed: false });
	const withRequest = {
		...additionalData,
		httpRequest: { method, query, body, headers: {}, params: {} } as never,
		httpResponse: httpResponse as never,
	};
	const webhookData = { webhookDescription: nodeType.description.webhooks?.[0] } as never;
	const context = new WebhookContext(workflow, node, withRequest, 'trigger', webhookData, [], data);
	const reply = await workflow.expression.withIsolate(
		async () =>
			(await nodeType.webhook?.call(
				context as unknown as IWebhookFunctions,
			)) as IWebhookResponseData,
	);
	await beforeReply?.();
	httpResponse.emit('close');
	return reply;
}
