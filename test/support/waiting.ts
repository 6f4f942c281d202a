import '../../tools/engine/environment';
import { EventEmitter } from 'node:events';
import { WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	INodeParameters,
	IRunExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { createAdditionalData } from '../../tools/engine/additionalData';
import { MemoryCredentialsHelper } from '../../tools/engine/credentials';
import { builtTypes } from '../../tools/engine/load';
import { buildNode } from '../../tools/engine/node';
import { CASES_NODE } from './service';

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
	const types = await builtTypes();
	const { node, credentials } = buildNode(types, {
		type: CASES_NODE,
		name,
		parameters: parameters as INodeParameters,
		credentials: { casesApi },
	});
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: types.nodeTypes,
	});
	const query = { ...Object.fromEntries(new URL(url).searchParams), ...changed };
	const httpResponse = Object.assign(new EventEmitter(), { statusCode, closed: false });
	const additionalData = {
		...createAdditionalData(new MemoryCredentialsHelper(types.credentialTypes, credentials)),
		httpRequest: { method, query, body, headers: {}, params: {} } as never,
		httpResponse: httpResponse as never,
	};
	const { webhooks = [] } = types.nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
	const webhookData = { webhookDescription: webhooks[0] } as never;
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		'trigger',
		webhookData,
		[],
		data,
	);
	const { webhook } = types.nodeTypes.getByNameAndVersion(CASES_NODE, 1);
	const reply = await workflow.expression.withIsolate(
		async () =>
			(await webhook?.call(context as unknown as IWebhookFunctions)) as IWebhookResponseData,
	);
	await beforeReply?.();
	httpResponse.emit('close');
	return reply;
}
