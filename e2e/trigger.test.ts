import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE, credentialData } from './examples';
import {
	type Connected,
	type InstalledFolder,
	installedFolder,
	SETUP_TIMEOUT_MS,
	startConnected,
} from './fixture';
import { startN8n } from './n8n';
import { type N8nApi, outputOf, type WorkflowDefinition } from './n8n-api';
import { waitFor } from './processes';
import { casesTrigger, node, workflowOf } from './workflows';

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
		// n8n runs polls that are late side by side, each from the same state; later ones than this it skips.
		N8N_SCHEDULER_MISFIRE_GRACE: '5',
	},
};

type Polling = keyof typeof SETTINGS;

const EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];

/** The node behind the trigger: it puts out what the trigger does. */
const THEN = 'Then';

/** Several polls, one failed poll's pause, or a start of n8n, on a busy machine. */
const PATIENCE_MS = 150_000;

/** An n8n with one published workflow that waits for cases. */
interface Poller extends Connected {
	polling: Polling;
	userFolder: string;
	/** Tells its requests from the others'. */
	key: 'tenantOwner' | 'service';
	workflow: { id: string; versionId: string };
}

let folder: InstalledFolder;
let sandbox: Sandbox;
let pollers: Poller[] = [];

beforeAll(async () => {
	folder = await installedFolder();
	sandbox = await startSandbox({ cases: 60, commentsTouchCase: true });
	pollers = await Promise.all([
		startPoller('timers in memory', 'tenantOwner'),
		startPoller('durable cursors', 'service'),
	]);
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
	await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.stop()));
	await sandbox?.stop();
	await folder?.remove();
});

/** What the steps have made each n8n report, in words like `caseCreated 61`. */
const expected: string[] = [];

describe('the Cases Trigger, with timers in memory and with durable cursors,', () => {
	test('reports a case that was created between publishing and the first poll', async () => {
		const firstPoll = new Date(Date.now() + 30_000).getSeconds();
		const waiting = await Promise.all(
			pollers.map(async ({ n8n, credentialId }) => {
				const definition = reactingWorkflow(credentialId, [firstPoll]);
				const workflow = await n8n.api.createWorkflow(definition);
				await n8n.api.publish(workflow);
				return { n8n, workflow };
			}),
		);

		const { case_id } = sandbox.store.createCase({ name: 'Right after publishing' });
		expected.push(`caseCreated ${case_id}`);

		for (const { n8n, workflow } of waiting) {
			await waitFor(
				'the case to be reported',
				async () => ((await reportedBy(n8n.api, workflow.id)).length > 0 ? true : undefined),
				PATIENCE_MS,
			);
			expect(await reportedBy(n8n.api, workflow.id)).toEqual([`caseCreated ${case_id}`]);
			await n8n.api.unpublish(workflow.id);
		}
		await allReported();
	});

	test.each([
		[
			'created',
			() => {
				const { case_id } = sandbox.store.createCase({ name: 'New' });
				return [`caseCreated ${case_id}`];
			},
		],
		[
			'edited',
			() => {
				sandbox.store.updateCase(1, { name: 'Edited' });
				return ['caseUpdated 1'];
			},
		],
		[
			// In this sandbox a comment counts as an edit, without which no poll could see it.
			'commented',
			() => {
				const { id } = sandbox.store.addComment(2, 'A new comment');
				return ['caseUpdated 2', `commentAdded 2 ${id}`];
			},
		],
		[
			'closed',
			() => {
				const { case_id } = [...sandbox.store.cases()].find(({ status }) => status === 'OPEN')!;
				sandbox.store.closeCase(case_id);
				return [`caseClosed ${case_id}`];
			},
		],
	])(
		'starts the workflow once when a case is %s',
		async (_what, change) => {
			const before = await Promise.all(pollers.map(successes));

			expected.push(...change());
			await allReported();

			const after = await Promise.all(pollers.map(successes));
			expect(after).toEqual(before.map((count) => count + 1));
		},
		300_000,
	);

	test('loses nothing and reports nothing twice when n8n is killed between two polls', async () => {
		await nextPolls();
		const edited = [...sandbox.store.cases()][20].case_id;
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await sleep(2000); // the polls under way end
		await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.kill()));

		sandbox.store.updateCase(edited, { name: 'Meanwhile' });
		expected.push(`caseUpdated ${edited}`);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Meanwhile' }).case_id}`);
		await Promise.all(pollers.map(restart));

		await allReported();
		await nextPolls();
		await nextPolls();
		await allReported();
	});

	test('reports a service that is down as a failed execution, and later what happened meanwhile', async () => {
		const { store } = sandbox;
		const port = Number(new URL(sandbox.url).port);
		await sandbox.stop();
		expected.push(`caseCreated ${store.createCase({ name: 'While it is down' }).case_id}`);
		const failures = await Promise.all(pollers.map(firstFailure));
		sandbox = await startSandbox({ port, store });

		for (const message of failures) expect(message).toMatch(/^Nothing answers at/);
		await allReported();
	});

	test('goes on from the same place when the published workflow is changed', async () => {
		await nextPolls();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await Promise.all(
			pollers.map(async (poller) => {
				const definition = reactingWorkflow(poller.credentialId);
				await republish(poller, { ...definition, name: 'Changed' });
			}),
		);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'After' }).case_id}`);

		await allReported();
	});

	test('goes on from the same place when it was unpublished for a while', async () => {
		await Promise.all(
			pollers.map(async ({ n8n, workflow }) => await n8n.api.unpublish(workflow.id)),
		);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Meanwhile' }).case_id}`);
		await Promise.all(pollers.map(async ({ n8n, workflow }) => await n8n.api.publish(workflow)));

		await allReported();
	});

	test('goes on from the same place when its node is renamed', async () => {
		await nextPolls();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await Promise.all(
			pollers.map(async (poller) => {
				await republish(poller, reactingWorkflow(poller.credentialId, undefined, 'Renamed'));
			}),
		);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'After' }).case_id}`);

		await allReported();
	});

	test('cannot be published with a wrong key, and says why', async () => {
		await Promise.all(
			pollers.map(async ({ n8n }) => {
				const data = credentialData(sandbox.url, 'wrong-key');
				const wrong = await n8n.api.createCredential('Wrong key', CREDENTIAL_TYPE, data);
				const workflow = await n8n.api.createWorkflow(reactingWorkflow(wrong.id));

				await expect(n8n.api.publish(workflow)).rejects.toThrow(/refused the API key/);
			}),
		);
	});

	test('has reported everything exactly once in the end', async () => {
		await nextPolls();
		await nextPolls();
		await allReported();
	});
});

async function startPoller(polling: Polling, key: Poller['key']): Promise<Poller> {
	const userFolder = join(folder.userFolder, '..', key);
	await folder.installInto(userFolder);
	const connected = await startConnected(
		folder.runtime,
		userFolder,
		sandbox,
		sandbox.keys[key],
		SETTINGS[polling],
	);
	const { api } = connected.n8n;
	const workflow = await api.createWorkflow(reactingWorkflow(connected.credentialId));
	await api.publish(workflow);
	return { ...connected, polling, userFolder, key, workflow };
}

/** Starts n8n again in the same folder. */
async function restart(poller: Poller): Promise<void> {
	const { runtime } = folder;
	const { userFolder, polling } = poller;
	poller.n8n = await startN8n({ runtime, userFolder, env: SETTINGS[polling] });
	await poller.n8n.api.logIn();
}

async function republish(poller: Poller, definition: WorkflowDefinition): Promise<void> {
	const { api } = poller.n8n;
	poller.workflow = await api.saveWorkflow(poller.workflow, definition);
	await api.publish(poller.workflow);
}

/** @param seconds of each minute at which it polls; n8n takes no shorter interval in one entry */
function reactingWorkflow(
	credentialId: string,
	seconds = [0, 10, 20, 30, 40, 50],
	name = 'Cases Trigger',
) {
	const item = seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` }));
	const trigger = casesTrigger(name, credentialId, {
		pollTimes: { item },
		events: EVENTS,
	});
	return workflowOf('React', [
		{ ...trigger, id: 'same-in-all-versions' },
		node(THEN, 'n8n-nodes-base.noOp', 1),
	]);
}

/** Waits until every n8n has polled once more. */
async function nextPolls(): Promise<void> {
	const before = pollers.map(polls);
	await waitFor(
		'each n8n to poll',
		() => (pollers.every((poller, index) => polls(poller) > before[index]) ? true : undefined),
		PATIENCE_MS,
	);
}

function polls({ key }: Poller): number {
	return sandbox.requests.filter((request) => request.key === key).length;
}

const itemsOfExecutions = new Map<string, string[]>();

/** What the workflow was started with, all its executions together. */
async function reportedBy(api: N8nApi, workflowId: string): Promise<string[]> {
	const { results } = await api.executions(workflowId, ['success']);
	for (const { id } of results) {
		const key = `${workflowId} ${id}`;
		if (itemsOfExecutions.has(key)) continue;
		const items = outputOf(await api.finishedExecution(id), THEN).map(({ json }) => json);
		itemsOfExecutions.set(
			key,
			items.map(({ event, case_id, id }) => [event, case_id, id].filter(Boolean).join(' ')),
		);
	}
	return results.flatMap(({ id }) => itemsOfExecutions.get(`${workflowId} ${id}`) ?? []);
}

/** Waits until each n8n has reported as much as is expected, then compares. */
async function allReported(): Promise<void> {
	const reported: Partial<Record<Polling, string[]>> = {};
	for (const { polling, n8n, workflow } of pollers) {
		await waitFor(
			`${polling}: ${expected.length} items`,
			async () => {
				reported[polling] = await reportedBy(n8n.api, workflow.id);
				return reported[polling].length >= expected.length ? true : undefined;
			},
			PATIENCE_MS,
		).catch(() => undefined); // what is missing is then told by the comparison
		reported[polling]?.sort();
	}
	const all = [...expected].sort();
	expect(reported).toEqual({ 'timers in memory': all, 'durable cursors': all });
}

async function successes({ n8n, workflow }: Poller): Promise<number> {
	return (await n8n.api.executions(workflow.id, ['success'])).count;
}

/** The message of a failed execution of the workflow, once there is one. */
async function firstFailure({ polling, n8n, workflow }: Poller): Promise<string> {
	const id = await waitFor(
		`${polling}: a failed execution`,
		async () => (await n8n.api.executions(workflow.id, ['error'])).results[0]?.id,
		PATIENCE_MS,
	);
	const { data } = await n8n.api.finishedExecution(id);
	return String(data.resultData.error?.message);
}
