import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import { type Connected, type InstalledFolder, startConnected } from '../tools/n8n/fixture';
import { startN8n } from '../tools/n8n/n8n';
import { type N8nApi, outputOf, type WorkflowDefinition } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import type { Runtime } from '../tools/n8n/runtime';
import { casesTrigger, node, workflowOf } from '../tools/n8n/workflows';

/** The two ways in which n8n polls. */
const SETTINGS = {
	'timers in memory': {},
	'durable cursors': {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		N8N_SCHEDULER_JITTER_RATIO: '0',
		// n8n runs late polls in parallel, all from the same state, and skips those this many seconds late.
		N8N_SCHEDULER_MISFIRE_GRACE: '5',
	},
};

export type Polling = keyof typeof SETTINGS;

const EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];

/** The node after the trigger; it outputs what the trigger does. */
const THEN = 'Then';

/** An n8n with one published workflow that waits for cases. */
export interface Poller extends Connected {
	polling: Polling;
	runtime: Runtime;
	userFolder: string;
	/** The key that its requests have, unlike those of other pollers. */
	key: 'tenantOwner' | 'service';
	workflow: { id: string; versionId: string };
}

/** Starts an n8n of its own and publishes {@link reactingWorkflow} in it. */
export async function startPoller(
	folder: InstalledFolder,
	sandbox: Sandbox,
	polling: Polling,
	key: Poller['key'],
): Promise<Poller> {
	const { runtime } = folder;
	const userFolder = join(folder.userFolder, '..', key);
	await folder.installInto(userFolder);
	const settings = SETTINGS[polling];
	const connected = await startConnected(runtime, userFolder, sandbox, sandbox.keys[key], settings);
	const { api } = connected.n8n;
	const workflow = await api.createWorkflow(reactingWorkflow(connected.credentialId));
	await api.publish(workflow);
	return { ...connected, polling, runtime, userFolder, key, workflow };
}

/** Starts n8n again in the same folder. */
export async function restart(poller: Poller): Promise<void> {
	const { runtime, userFolder, polling } = poller;
	poller.n8n = await startN8n({ runtime, userFolder, env: SETTINGS[polling] });
	await poller.n8n.api.logIn();
}

/** Saves and publishes a new version of its workflow. */
export async function republish(poller: Poller, definition: WorkflowDefinition): Promise<void> {
	const { api } = poller.n8n;
	poller.workflow = await api.saveWorkflow(poller.workflow, definition);
	await api.publish(poller.workflow);
}

/**
 * @param seconds of each minute at which it polls; an entry polls at most once a minute
 * @param watched other events and filters of its trigger
 */
export function reactingWorkflow(
	credentialId: string,
	seconds = [0, 10, 20, 30, 40, 50],
	name = 'Cases Trigger',
	watched: IDataObject = {},
): WorkflowDefinition {
	const item = seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` }));
	const trigger = casesTrigger(name, credentialId, {
		pollTimes: { item },
		events: EVENTS,
		...watched,
	});
	return workflowOf('React', [
		{ ...trigger, id: 'same-in-all-versions' },
		node(THEN, 'n8n-nodes-base.noOp', 1),
	]);
}

/** The requests of a poller so far. */
export function requestsOf(sandbox: Sandbox, { key }: Poller) {
	return sandbox.requests.filter((request) => request.key === key);
}

const itemsOfExecutions = new Map<string, string[]>();

/** The events that started the workflow, from all its executions, as `caseCreated 61`. */
export async function reportedBy(api: N8nApi, workflowId: string): Promise<string[]> {
	const { results } = await api.executions(workflowId, ['success']);
	for (const { id } of results) {
		const key = `${workflowId} ${id}`;
		if (itemsOfExecutions.has(key)) continue;
		const items = outputOf(await api.finishedExecution(id), THEN).map(({ json }) => json);
		itemsOfExecutions.set(
			key,
			items.map(({ event, case_id, comment }) => {
				const { comment_id } = (comment ?? {}) as { comment_id?: number };
				return [event, case_id, comment_id].filter(Boolean).join(' ');
			}),
		);
	}
	return results.flatMap(({ id }) => itemsOfExecutions.get(`${workflowId} ${id}`) ?? []);
}

/** How many executions of its workflow succeeded. */
export async function successes({ n8n, workflow }: Poller): Promise<number> {
	return (await n8n.api.executions(workflow.id, ['success'])).count;
}

/** Waits for a failed execution of the workflow. @returns its message */
export async function firstFailure({ polling, n8n, workflow }: Poller): Promise<string> {
	const id = await waitFor(
		`${polling}: a failed execution`,
		async () => (await n8n.api.executions(workflow.id, ['error'])).results[0]?.id,
	);
	const { data } = await n8n.api.finishedExecution(id);
	return String(data.resultData.error?.message);
}
