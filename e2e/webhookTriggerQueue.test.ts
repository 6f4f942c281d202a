import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { installedFolder, type InstalledFolder } from '../tools/n8n/fixture';
import { type N8n, startN8n, startWebhookProcessor, startWorker } from '../tools/n8n/n8n';
import { outputOf } from '../tools/n8n/n8nApi';
import { type RunningProcess, waitFor } from '../tools/n8n/processes';
import { casesWebhookTrigger, node, workflowOf } from '../tools/n8n/workflows';
import { type QueueServers, startQueueServers } from './queueServers';

let servers: QueueServers;
let sandbox: Sandbox;
let folder: InstalledFolder;
let main: N8n;
let webhooks: Pick<N8n, 'api' | 'process'>;
let worker: RunningProcess;

beforeAll(async () => {
	folder = await installedFolder();
	servers = await startQueueServers();
	sandbox = await startSandbox({ cases: 20, grown: ['case-webhooks'] });
	const { runtime, userFolder } = folder;
	const env = {
		...servers.env,
		N8N_ENCRYPTION_KEY: 'the same in all processes',
		N8N_LOG_LEVEL: 'debug',
	};
	main = await startN8n({ runtime, userFolder, env });
	const ownFolder = async (name: string) => {
		const own = join(userFolder, '..', name);
		await folder.installInto(own);
		return { runtime, userFolder: own, env };
	};
	[webhooks, worker] = await Promise.all([
		startWebhookProcessor(await ownFolder('webhooks')),
		startWorker(await ownFolder('worker')),
	]);
});

afterAll(async () => {
	await Promise.all(
		[worker, webhooks?.process, main?.process].map(async (one) => await one?.kill()),
	);
	await sandbox?.stop();
	await servers?.stop();
	await folder?.remove();
});

test('In queue mode the webhook processor reads the case, and a worker runs the workflow', async () => {
	const { api } = main;
	await api.setUpOwner();
	const data = credentialData(sandbox.url, sandbox.keys.tenantOwner);
	const { id } = await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	const trigger = casesWebhookTrigger('Trigger', id, { events: ['caseCreated', 'caseClosed'] });
	const workflow = await api.createWorkflow(
		workflowOf('React', [trigger, node('Then', 'n8n-nodes-base.noOp', 1)]),
	);
	await api.publish(workflow);
	const [webhook] = sandbox.store.webhooks;
	// As behind a load balancer, which leads production webhooks to the webhook processor.
	webhook.url = `${webhooks.api.url}${new URL(webhook.url).pathname}`;

	const { case_id } = sandbox.store.createCase();
	sandbox.store.closeCase(case_id);
	const runs = await waitFor('two executions', async () => {
		const { results } = await api.executions(workflow.id, ['success']);
		return results.length === 2 ? results : undefined;
	});
	const items = await Promise.all(
		runs.map(async (run) => outputOf(await api.finishedExecution(run.id), 'Then')),
	);
	const events = items
		.flat()
		.map(({ json }) => `${json.event as string} ${json.case_id as number}`);
	expect(events.sort()).toEqual([`caseClosed ${case_id}`, `caseCreated ${case_id}`]);
	for (const run of runs) {
		expect(worker.lines.join('\n')).toContain(`Worker started execution ${run.id}`);
	}
	expect(sandbox.deliveries.map(({ status }) => status)).toEqual([200, 200]);
});
