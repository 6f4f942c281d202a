import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	readExample,
	withCredential,
} from './examples';
import { installedFolder, type InstalledFolder, SETUP_TIMEOUT_MS } from './fixture';
import { type N8n, startN8n, startWorker } from './n8n';
import { type RunningProcess, waitFor } from './processes';
import { type QueueServers, startQueueServers } from './queue-servers';
import { startedBy, webhookTrigger } from './workflows';

const EXECUTIONS = 300;

const SETTINGS = {
	N8N_ENCRYPTION_KEY: 'the same in all processes',
	N8N_LOG_LEVEL: 'debug', // the workers' logs then tell which executions they started and finished
	// Finds a dead worker's executions in seconds instead of minutes.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '4000',
};

let servers: QueueServers;
let sandbox: Sandbox;
let folder: InstalledFolder;
let main: N8n;
let workers: RunningProcess[];
let published: Array<{ workflowId: string; path: string }>;

beforeAll(async () => {
	folder = await installedFolder();
	servers = await startQueueServers();
	sandbox = await startSandbox({ cases: 200 });
	const env = { ...servers.env, ...SETTINGS };
	const { runtime } = folder;
	// The main process first and alone: it makes the tables.
	main = await startN8n({ runtime, userFolder: folder.userFolder, env });
	workers = await Promise.all(
		['worker-1', 'worker-2'].map(async (name) => {
			const userFolder = join(folder.userFolder, '..', name);
			await folder.installInto(userFolder);
			return await startWorker({ runtime, userFolder, env });
		}),
	);
	published = await publishExamples();
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
	await Promise.all(workers?.map(async (worker) => await worker.kill()) ?? []);
	await main?.process.kill();
	await sandbox?.stop();
	await servers?.stop();
	await folder?.remove();
});

describe('queue mode with two workers', () => {
	test(`${EXECUTIONS} executions of the examples at once all succeed, on both workers`, async () => {
		await startExecutions(EXECUTIONS);
		const counts = await endOfExecutions(EXECUTIONS);

		expect(counts).toEqual({ success: EXECUTIONS });
		for (const worker of workers) expect(started(worker).size).toBeGreaterThan(0);
		expect(sandbox.rejected).toEqual([]);
	});

	test('a killed worker takes nothing with it but the executions it was running', async () => {
		const [killed, other] = workers;
		const before = EXECUTIONS;
		const more = 30;
		sandbox.faults.add({ fault: { kind: 'latency', ms: 300 } });
		const startedBefore = started(killed).size;

		await startExecutions(more);
		await waitFor('the worker to have work', () =>
			started(killed).size > startedBefore + 5 ? true : undefined,
		);
		await killed.kill();
		sandbox.faults.clear();
		const counts = await endOfExecutions(before + more);

		const running = [...started(killed)].filter((id) => !finished(killed).has(id));
		expect(running.length).toBeGreaterThan(0);
		expect(counts.error ?? 0).toBeLessThanOrEqual(running.length);
		expect(counts.success + (counts.error ?? 0)).toBe(before + more);
		expect(started(other).size).toBeGreaterThan(0);
	});
});

/** Publishes each example, started by a webhook instead of its own trigger. */
async function publishExamples() {
	const { api } = main;
	await api.setUpOwner();
	const data = credentialData(sandbox.url, sandbox.keys.tenantOwner);
	const { id } = await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	return await Promise.all(
		EXAMPLE_FILES.map(async (file, index) => {
			const path = `example-${index}`;
			const ready = withCredential(readExample(file), { id, name: CREDENTIAL_NAME });
			// Polls run on the main process only; the workers get what they find, here a case.
			const workflow = startedBy(ready, webhookTrigger(path), { case_id: index + 1 });
			const created = await api.createWorkflow(workflow);
			await api.publish(created);
			return { workflowId: created.id, path };
		}),
	);
}

async function startExecutions(count: number) {
	await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const { path } = published[index % published.length];
			await main.api.request('POST', `/webhook/${path}`, {});
		}),
	);
}

/** How many executions ended in which way, once as many as given have. */
async function endOfExecutions(total: number): Promise<Record<string, number>> {
	return await waitFor(
		`${total} executions to end`,
		async () => {
			const counts: Record<string, number> = {};
			for (const { workflowId } of published) {
				for (const status of ['success', 'error', 'crashed', 'canceled']) {
					const { count } = await main.api.executions(workflowId, [status]);
					if (count > 0) counts[status] = (counts[status] ?? 0) + count;
				}
			}
			const ended = Object.values(counts).reduce((sum, count) => sum + count, 0);
			return ended >= total ? counts : undefined;
		},
		180_000,
	);
}

const started = (worker: RunningProcess) => executionsIn(worker, /Worker started execution (\d+)/);
const finished = (worker: RunningProcess) =>
	executionsIn(worker, /Worker finished execution (\d+)/);

function executionsIn(worker: RunningProcess, pattern: RegExp): Set<string> {
	return new Set(worker.lines.flatMap((line) => pattern.exec(line)?.[1] ?? []));
}
