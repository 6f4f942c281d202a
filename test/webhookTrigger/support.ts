import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CaseStore, type Sandbox, type SandboxOptions } from '../../sandbox';
import { createPoller } from '../../tools/engine/poll';
import {
	serveWebhookNode,
	type WebhookNode,
	type WebhookNodeOptions,
} from '../../tools/engine/webhookNode';
import { useSandboxes } from '../support/service';

const WEBHOOK_TRIGGER = 'n8n-nodes-cases.casesWebhookTrigger';
export const ALL_EVENTS = 'caseCreated caseUpdated caseClosed commentAdded activityAdded'.split(
	' ',
);
export const WEBHOOKS = '/api/v1/case_webhooks';
export const TEAM = { __rl: true, mode: 'id', value: '1' };

/** A service that posts webhooks, and nodes that it posts to. All are stopped after the tests of the file. */
export function useWebhookTriggers() {
	const startSandbox = useSandboxes();
	const nodes: WebhookNode[] = [];
	const sandboxes: Sandbox[] = [];
	afterEach(() => {
		expect(sandboxes.splice(0).flatMap(({ rejected }) => rejected)).toEqual([]);
	});
	afterAll(async () => await Promise.all(nodes.map(async (node) => await node.stop())));

	return async (options: SandboxOptions = {}) => {
		const store = new CaseStore({ logsEdits: true, ...options });
		const sandbox = await startSandbox({
			grown: ['case-webhooks', 'activity-kinds'],
			...options,
			store,
		});
		sandboxes.push(sandbox);
		const credentials = { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } };
		const serve = async (
			parameters: IDataObject = {},
			more: Partial<WebhookNodeOptions> = {},
		): Promise<WebhookNode> => {
			const all = { teamId: TEAM, events: ALL_EVENTS, ...parameters } as INodeParameters;
			const required = { type: WEBHOOK_TRIGGER, parameters: all, credentials };
			const node = await serveWebhookNode({ ...required, ...more });
			nodes.push(node);
			return node;
		};
		return {
			sandbox,
			store,
			serve,
			/** A node whose workflow is published. */
			published: async (parameters?: IDataObject, more?: Partial<WebhookNodeOptions>) => {
				const node = await serve(parameters, more);
				await node.activate();
				sandbox.clearRequests();
				return node;
			},
			poller: async (parameters: IDataObject) =>
				await createPoller({
					type: 'n8n-nodes-cases.casesTrigger',
					parameters: parameters as INodeParameters,
					credentials,
				}),
			paths: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
			/** Waits until everything that was posted has been answered and worked off. */
			settled: async (node: WebhookNode) => {
				while (sandbox.deliveries.some(({ status }) => status === undefined)) {
					await new Promise((resolve) => setImmediate(resolve));
				}
				await node.settled();
			},
		};
	};
}

/** The items of all executions, as `event case`. */
export const reported = ({ executions }: WebhookNode) =>
	executions.flat().map(({ json }) => `${json.event as string} ${json.case_id as number}`);

/** Posts to a node, as anyone can who knows its URL. @returns the status of the answer */
export async function post({ url, settled }: WebhookNode, body: unknown): Promise<number> {
	const { status } = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	await settled();
	return status;
}

/** What the service posts in version 2.0. */
export const notification = (caseId: unknown, activity: IDataObject, more: IDataObject = {}) => ({
	activity: { id: 1, value: '', created_at: new Date().toISOString(), ...activity },
	case: { id: caseId, name: 'Forged', status: 'closed' },
	version: 2.0,
	...more,
});
