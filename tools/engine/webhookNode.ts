import './environment';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HookContext, WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookData,
	IWebhookFunctions,
	IWebhookResponseData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import { MemoryCredentialsHelper } from './credentials';
import { builtTypes } from './load';
import { buildNode, type NodeOptions } from './node';

export interface WebhookNodeOptions extends NodeOptions {
	/** The node's static data as n8n has saved it. Default: empty. */
	staticData?: IDataObject;
	/** "Listen for test event" instead of a published workflow. */
	isTest?: boolean;
	/** Where n8n believes to be reached. Default: where this server is. */
	publicUrl?: string;
	/** The ID in the node's URL. Default: one for all nodes. */
	webhookId?: string;
	workflowName?: string;
	/** Passed to the node's `webhook` method, which waits with it. n8n passes nothing. */
	pause?: (ms: number) => Promise<void>;
}

export interface WebhookNode {
	/** The URL that the node registers. */
	url: string;
	/** Publishes: checks, creates, and saves the static data, as n8n does. @throws what the node throws */
	activate(activation?: WorkflowActivateMode): Promise<void>;
	/** Unpublishes. @returns what the node returns */
	deactivate(): Promise<unknown>;
	/** The static data as n8n last saved it. */
	saved(): IDataObject;
	/** How many posts the node is working on. */
	underWay(): number;
	/** The items of each execution that the node has started. */
	executions: INodeExecutionData[][];
	/** What the node threw after posts. */
	failures: Error[];
	stop(): Promise<void>;
}

/** Serves a webhook node at a real address, and calls its methods as n8n's server does. */
export async function serveWebhookNode(options: WebhookNodeOptions): Promise<WebhookNode> {
	const types = options.types ?? (await builtTypes());
	const { node, credentials } = buildNode(types, options);
	node.webhookId = options.webhookId ?? '6b1e5f0c-9f0e-4a35-8a5c-2f8d1c3b7a90';
	const nodeType = types.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const description = nodeType.description.webhooks![0];
	const executions: INodeExecutionData[][] = [];
	const failures: Error[] = [];
	let underWay = 0;
	let saved = structuredClone(options.staticData ?? {});
	const mode = options.isTest ? 'manual' : 'trigger';

	const server = createServer((request, response) => {
		underWay++;
		void receive(request, response)
			.then((items) => void (items && executions.push(items)))
			.catch((error: Error) => void failures.push(error))
			.finally(() => underWay--);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const publicUrl = options.publicUrl ?? `http://127.0.0.1:${port}`;
	const additionalData = {
		...createAdditionalData(new MemoryCredentialsHelper(types.credentialTypes, credentials)),
		webhookBaseUrl: `${publicUrl}/webhook`,
		webhookTestBaseUrl: `${publicUrl}/webhook-test`,
	};
	/** n8n loads the workflow from its database each time. */
	const load = () =>
		new Workflow({
			id: 'workflow',
			name: options.workflowName ?? 'Workflow',
			nodes: [node],
			connections: {},
			active: !options.isTest,
			nodeTypes: types.nodeTypes,
			staticData: { [`node:${node.name}`]: structuredClone(saved) },
			settings: options.timezone ? { timezone: options.timezone } : {},
		});
	const webhookData = {
		webhookDescription: description,
		node: node.name,
		isTest: options.isTest,
	} as unknown as IWebhookData;
	const call = async (
		workflow: Workflow,
		name: 'checkExists' | 'create' | 'delete',
		activation: WorkflowActivateMode,
	): Promise<unknown> => {
		const callMode = name === 'delete' ? 'internal' : mode;
		const context = new HookContext(
			workflow,
			node,
			additionalData,
			callMode,
			activation,
			webhookData,
		) as unknown as IHookFunctions;
		const method = nodeType.webhookMethods!.default![name]!;
		return await workflow.expression.withIsolate(async () => await method.call(context));
	};
	const save = (workflow: Workflow) => {
		if (!options.isTest) saved = { ...workflow.getStaticData('node', node) };
	};

	async function receive(request: IncomingMessage, response: ServerResponse) {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const workflow = load();
		const text = Buffer.concat(chunks).toString();
		const context = new WebhookContext(
			workflow,
			node,
			{
				...additionalData,
				httpRequest: { method: request.method, body: parsed(text), headers: {} } as never,
				httpResponse: asInExpress(response) as never,
			},
			mode,
			webhookData,
			[],
			null,
		) as unknown as IWebhookFunctions;
		const webhook = nodeType.webhook as (
			this: IWebhookFunctions,
			pause: WebhookNodeOptions['pause'],
		) => Promise<IWebhookResponseData>;
		const answer = await workflow.expression.withIsolate(
			async () => await webhook.call(context, options.pause),
		);
		return answer.workflowData?.[0];
	}

	const path = `${options.isTest ? 'webhook-test' : 'webhook'}/${node.webhookId}/cases`;
	return {
		url: `${publicUrl}/${path}`,
		executions,
		failures,
		saved: () => structuredClone(saved),
		async activate(activation = 'activate') {
			const workflow = load();
			const isThere = await call(workflow, 'checkExists', activation);
			if (isThere !== true) await call(workflow, 'create', activation);
			save(workflow);
		},
		async deactivate() {
			const workflow = load();
			const result = await call(workflow, 'delete', 'update');
			save(workflow);
			return result;
		},
		underWay: () => underWay,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The methods of Express that nodes call. */
function asInExpress(response: ServerResponse) {
	return Object.assign(response, {
		status: (code: number) => Object.assign(response, { statusCode: code }),
		set: (name: string, value: string) => response.setHeader(name, value),
	});
}

/** n8n parses JSON; a body that isn't JSON reaches the node as text. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
