import { join } from 'node:path';
import { type Sandbox, startSandbox, WITH_WRITES } from '../sandbox';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	needsOf,
	readExample,
	withCredential,
} from '../tools/n8n/examples';
import { installedFolder, type InstalledFolder } from '../tools/n8n/fixture';
import { outputOf } from '../tools/n8n/n8nApi';
import {
	type N8n,
	startN8n,
	startWebhookProcessor,
	startWorker,
	WORKER_CONCURRENCY,
} from '../tools/n8n/n8n';
import { type RunningProcess, waitFor } from '../tools/n8n/processes';
import { holdRequests } from './hold';
import { type QueueServers, startQueueServers } from './queueServers';
import { startedBy, webhookTrigger } from '../tools/n8n/workflows';
import {
	askWorkflow,
	executionOf,
	press,
	questionButtons,
	waitForNoQuestion,
	waitForQuestions,
} from './buttons';

const EXECUTIONS = 300;

const SETTINGS = {
	N8N_ENCRYPTION_KEY: 'the same in all processes',
	N8N_LOG_LEVEL: 'debug', // the workers' logs then say which executions they started and finished
	// Finds a dead worker's executions in seconds instead of minutes, but takes no busy worker for a dead one.
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '4000',
};

let servers: QueueServers;
let sandbox: Sandbox;
let folder: InstalledFolder;
let main: N8n;
let webhooks: Pick<N8n, 'api' | 'process'>;
let workers: RunningProcess[];
let startAnotherWorker: () => Promise<RunningProcess>;
/** The workflow that asks in a case. */
let askId: string;
let published: Array<{ workflowId: string; path: string; file: string }>;

beforeAll(async () => {
	folder = await installedFolder();
	servers = await startQueueServers();
	sandbox = await startSandbox({ cases: 200, grown: WITH_WRITES });
	const env = { ...servers.env, ...SETTINGS };
	const { runtime } = folder;
	// The main process first and alone: it makes the tables.
	main = await startN8n({ runtime, userFolder: folder.userFolder, env });
	const ownFolder = async (name: string) => {
		const userFolder = join(folder.userFolder, '..', name);
		await folder.installInto(userFolder);
		return { runtime, userFolder, env };
	};
	[webhooks, ...workers] = await Promise.all([
		startWebhookProcessor(await ownFolder('webhooks')),
		startWorker(await ownFolder('worker-1')),
		startWorker(await ownFolder('worker-2')),
	]);
	startAnotherWorker = async () => await startWorker(await ownFolder('worker-3'));
	published = await publishExamples();
});

afterAll(async () => {
	const processes = [...(workers ?? []), webhooks?.process, main?.process];
	await Promise.all(processes.map(async (each) => await each?.kill()));
	await sandbox?.stop();
	await servers?.stop();
	await folder?.remove();
});

describe('Queue mode with two workers and a webhook processor', () => {
	test(`completes ${EXECUTIONS} executions of the examples at once, on both workers`, async () => {
		await startExecutions(EXECUTIONS);
		const { counts, files } = await endOfExecutions(EXECUTIONS);

		expect([...files]).toEqual([]);
		expect(counts).toEqual({ success: EXECUTIONS });
		for (const worker of workers) expect(started(worker).size).toBeGreaterThan(0);
		expect(sandbox.rejected).toEqual([]);
	});

	test('asks on a worker, takes the click at the webhook processor, and resumes on any worker', async () => {
		const cases = Array.from({ length: 50 }, (_, index) => index + 1);
		await Promise.all(cases.map(ask));
		const urls = await waitForQuestions(main.api, sandbox, askId, cases);

		const replies = await Promise.all(urls.map(async (url) => await press(at(webhooks, url))));

		expect(replies.map(({ text }) => text)).toEqual(
			cases.map(() => expect.stringContaining('Answer received') as string),
		);
		for (const url of urls) {
			const run = await main.api.finishedExecution(executionOf(url));
			expect(outputOf(run, 'After')).toMatchObject([{ json: { data: { approved: true } } }]);
		}
		await waitForNoQuestion(sandbox, cases);
		const [some, others] = workers.map(started);
		expect(urls.map(executionOf).filter((id) => some.has(id) && others.has(id))).not.toEqual([]);
	});

	test('counts one of two clicks that reach two processes at the same time', async () => {
		const cases = Array.from({ length: 10 }, (_, index) => index + 61);
		await Promise.all(cases.map(ask));
		const urls = await waitForQuestions(main.api, sandbox, askId, cases);
		for (const [index, approve] of urls.entries()) {
			const decline = questionButtons(sandbox, cases[index])[1];
			const replies = await Promise.all([
				press(at(main, approve)),
				press(at(webhooks, decline.url)),
			]);
			const isTaken = replies.map(({ text }) => text.includes('Answer received'));
			expect(isTaken.filter(Boolean)).toHaveLength(1);
			const run = await main.api.finishedExecution(executionOf(approve));
			expect(outputOf(run, 'After')).toMatchObject([{ json: { data: { approved: isTaken[0] } } }]);
		}
	});

	test('loses only the executions of a killed worker', async () => {
		const [killed, other] = workers;
		const before = EXECUTIONS;
		const more = 30;
		const letGo = holdRequests(sandbox);
		const startedBefore = started(killed).size;

		await startExecutions(more);
		// The other worker can't take the rest.
		await waitFor('the worker to have work', () =>
			started(killed).size >= startedBefore + WORKER_CONCURRENCY ? true : undefined,
		);
		await killed.kill();
		letGo();
		const { counts, failed } = await endOfExecutions(before + more);

		expect(counts).toEqual({ success: before + more - failed.length, error: failed.length });
		// Those that it ran, and those that it had taken and not yet begun.
		expect(failed.length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
		for (const id of failed) {
			expect(finished(killed)).not.toContain(id);
			expect(started(other)).not.toContain(id);
			const { data } = await main.api.finishedExecution(id);
			expect(data.resultData.error?.message).toMatch(/failed to be processed too many times/);
		}
	});

	test('ends a question with an error when its worker is killed while it asks', async () => {
		const letGo = holdRequests(sandbox, { method: 'POST' });
		const before = new Set((await main.api.executions(askId)).results.map(({ id }) => id));
		await ask(81);
		const id = await waitFor('the question to be asked', async () => {
			const { results } = await main.api.executions(askId, ['running']);
			const own = results.find((one) => !before.has(one.id));
			return own && workers.some((worker) => started(worker).has(own.id)) ? own.id : undefined;
		});
		const killed = workers.find((worker) => started(worker).has(id));
		await killed?.kill();
		workers.push(await startAnotherWorker());
		letGo();

		const { status } = await main.api.finishedExecution(id);

		expect(['error', 'crashed']).toContain(status);
		for (const { url } of questionButtons(sandbox, 81)) {
			expect((await press(at(webhooks, url))).text).not.toContain('Answer received');
		}
	});
});

/** Asks in a case, through the main process or the webhook processor. */
async function ask(caseId: number) {
	const { api } = caseId % 2 === 0 ? main : webhooks;
	await api.request('POST', '/webhook/ask', { case: caseId, message: 'Isolate?' });
}

/** The URL of a button at another process: workers don't know under which address n8n is reached. */
function at({ api }: Pick<N8n, 'api'>, url: string): string {
	const { pathname, search } = new URL(url);
	return `${api.url}${pathname}${search}`;
}

/** Publishes each example that needs nothing but the service, started by a webhook instead of its own trigger. */
async function publishExamples() {
	const { api } = main;
	await api.setUpOwner();
	const data = credentialData(sandbox.url, sandbox.keys.tenantOwner);
	const { id } = await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
	const asking = await api.createWorkflow(askWorkflow(id, 'ask'));
	await api.publish(asking);
	askId = asking.id;
	return await Promise.all(
		EXAMPLE_FILES.filter((file) => needsOf(readExample(file)) === undefined).map(
			async (file, index) => {
				const path = `example-${index}`;
				const ready = withCredential(readExample(file), { id, name: CREDENTIAL_NAME });
				// Polls run on the main process only; the workers get what they find, here a case.
				const workflow = startedBy(ready, webhookTrigger(path), { case_id: index + 1 });
				const created = await api.createWorkflow(workflow);
				await api.publish(created);
				return { workflowId: created.id, path, file };
			},
		),
	);
}

/** Half of them through the main process, half through the webhook processor. */
async function startExecutions(count: number) {
	await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const { path } = published[index % published.length];
			const { api } = index % 2 === 0 ? main : webhooks;
			await api.request('POST', `/webhook/${path}`, {});
		}),
	);
}

/** Waits until this many have ended. @returns how many in which way, and the ids and files of those that failed */
async function endOfExecutions(total: number) {
	return await waitFor(`${total} executions to end`, async () => {
		const counts: Record<string, number> = {};
		const failed: string[] = [];
		const files = new Set<string>();
		for (const { workflowId, file } of published) {
			for (const status of ['success', 'error', 'crashed', 'canceled']) {
				const { count, results } = await main.api.executions(workflowId, [status]);
				if (count > 0) counts[status] = (counts[status] ?? 0) + count;
				if (status !== 'success' && count > 0) {
					files.add(file);
					failed.push(...results.map(({ id }) => id));
				}
			}
		}
		const ended = Object.values(counts).reduce((sum, count) => sum + count, 0);
		return ended >= total ? { counts, failed, files } : undefined;
	});
}

const started = (worker: RunningProcess) => executionsIn(worker, /Worker started execution (\d+)/);
const finished = (worker: RunningProcess) =>
	executionsIn(worker, /Worker finished execution (\d+)/);

function executionsIn(worker: RunningProcess, pattern: RegExp): Set<string> {
	return new Set(worker.lines.flatMap((line) => pattern.exec(line)?.[1] ?? []));
}
