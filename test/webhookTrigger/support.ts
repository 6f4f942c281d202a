import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CaseStore, type Sandbox, type SandboxOptions } from '../../sandbox';
import { createPoller } from '../../tools/engine/poll';
import {
	serveWebhookNode,
	type WebhookNode,
	type WebhookNodeOptions,
} from '../../tools/engine/webhookNode';
import { engineRealm } from '../support/engineRealm';
import { useSandboxes } from '../support/service';
import { useShortWaits } from '../support/shortWaits';

const WEBHOOK_TRIGGER = 'n8n-nodes-cases.casesWebhookTrigger';
export const ALL_EVENTS = 'caseCreated caseUpdated caseClosed commentAdded activityAdded'.split(
	' ',
);
export const WEBHOOKS = '/api/v1/case_webhooks';
export const TEAM = { __rl: true, mode: 'id', value: '1' };

interface Tenant {
	/** Whether a post is on its way. */
	isPosting: () => boolean;
	/** How many posts are worked on. */
	underWay: () => number;
}

/** A clock that only moves when a test moves it. */
function createClock() {
	let now = Date.parse('2026-01-31T12:00:00Z');
	const sleeping: Array<{ until: number; wake: () => void }> = [];
	const tenants: Tenant[] = [];
	return {
		tenants,
		now: () => now,
		sleep: async (ms: number) => {
			await new Promise<void>((wake) => {
				sleeping.push({ until: now + ms, wake });
				sleeping.sort((a, b) => a.until - b.until);
			});
		},
		/** Whether a post is on its way, or a node works on one and doesn't sleep. */
		isBusy: () =>
			tenants.some(({ isPosting }) => isPosting()) ||
			tenants.reduce((sum, { underWay }) => sum + underWay(), 0) > sleeping.length,
		/** Wakes the next one that sleeps no longer than until then. Otherwise moves to then, and returns false. */
		moveTowards: (then: number) => {
			const [next] = sleeping;
			const wakes = next !== undefined && next.until <= then;
			if (wakes || then < Infinity) now = wakes ? next.until : then;
			if (wakes) sleeping.shift()!.wake();
			return wakes;
		},
	};
}

/** A service that posts webhooks, and nodes that it posts to. All are stopped after the tests of the file. */
export function useWebhookTriggers() {
	const startSandbox = useSandboxes();
	const nodes: WebhookNode[] = [];
	const sandboxes: Sandbox[] = [];
	/** n8n's clock: that of the last service. */
	let { now } = engineRealm.Date;
	useShortWaits();
	beforeAll(() => void jest.spyOn(engineRealm.Date, 'now').mockImplementation(() => now()));
	afterAll(() => jest.restoreAllMocks());
	afterEach(() => {
		expect(sandboxes.splice(0).flatMap(({ rejected }) => rejected)).toEqual([]);
	});
	afterAll(async () => await Promise.all(nodes.map(async (node) => await node.stop())));

	/** @param clock another tenant's, to be in one process with that tenant */
	return async (options: SandboxOptions = {}, clock = createClock()) => {
		now = clock.now;
		const store = new CaseStore({ logsEdits: true, now: () => new Date(clock.now()), ...options });
		const sandbox = await startSandbox({
			grown: ['case-webhooks', 'activity-kinds'],
			...options,
			store,
		});
		sandboxes.push(sandbox);
		const own: WebhookNode[] = [];
		clock.tenants.push({
			isPosting: () => sandbox.deliveries.some(({ status }) => status === undefined),
			underWay: () => own.reduce((sum, node) => sum + node.underWay(), 0),
		});
		const moveTo = async (then: number) => {
			while (clock.isBusy() || clock.moveTowards(then)) {
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
		};
		const credentials = { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } };
		const serve = async (
			parameters: IDataObject = {},
			more: Partial<WebhookNodeOptions> = {},
		): Promise<WebhookNode> => {
			const all = { teamId: TEAM, events: ALL_EVENTS, ...parameters } as INodeParameters;
			const required = { type: WEBHOOK_TRIGGER, parameters: all, credentials };
			const node = await serveWebhookNode({ ...required, pause: clock.sleep, ...more });
			nodes.push(node);
			own.push(node);
			return node;
		};
		return {
			clock,
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
			now: clock.now,
			/** Moves the clock, and lets everything happen that falls due. */
			later: async (ms: number) => await moveTo(clock.now() + ms),
			/** Lets everything that was posted be answered and worked off. */
			settled: async () => await moveTo(Infinity),
			/** What the service posts in version 2.0. */
			notification: (caseId: unknown, activity: IDataObject, more: IDataObject = {}) => ({
				activity: { id: 1, value: '', created_at: new Date(clock.now()), ...activity },
				case: { id: caseId, name: 'Forged', status: 'closed' },
				version: 2.0,
				...more,
			}),
		};
	};
}

/** The items of all executions, as `event case`. */
export const reported = ({ executions }: WebhookNode) =>
	executions.flat().map(({ json }) => `${json.event as string} ${json.case_id as number}`);

/** Posts to a node, as anyone can who knows its URL. @returns the status of the answer */
export async function post({ url }: WebhookNode, body: unknown): Promise<number> {
	const { status } = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return status;
}
