import { setTimeout as sleep } from 'node:timers/promises';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { startN8n } from '../tools/n8n/n8n';
import { outputOf } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { casesWebhookTrigger, node, workflowOf } from '../tools/n8n/workflows';

const TRIGGER = 'Cases Webhook Trigger';
const THEN = 'Then';
const EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];

let installed: Installed;
let workflow: { id: string; versionId: string };

beforeAll(async () => {
	installed = await startInstalled({ cases: 60 });
	workflow = await api().createWorkflow(reacting());
});

afterAll(async () => {
	// The last one that was started.
	await installed?.n8n.process.stop();
	await installed?.stop();
});

const api = () => installed.n8n.api;
const store = () => installed.sandbox.store;
const webhooks = () => store().webhooks;

function reacting(name = 'React', teamId = 1) {
	const trigger = casesWebhookTrigger(TRIGGER, installed.credentialId, {
		events: EVENTS,
		teamId: { __rl: true, mode: 'id', value: String(teamId) },
	});
	return workflowOf(name, [trigger, node(THEN, 'n8n-nodes-base.noOp', 1)]);
}

/** How long n8n holds what it was publishing when it died: otherwise two minutes. */
const HOLDS_BRIEFLY = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10' };

/** Starts n8n again in the same folder. */
async function restart(env?: Record<string, string>) {
	const { runtime, userFolder } = installed;
	const port = Number(new URL(installed.n8n.url).port);
	installed.n8n = await startN8n({ runtime, userFolder, port, env });
	await api().logIn();
}

/** Makes a change and waits for the execution that it starts. @returns its items, and when it started after the change */
async function reaction(change: () => void, status = ['success']) {
	const before = new Set((await api().executions(workflow.id)).results.map(({ id }) => id));
	const changedAt = Date.now();
	change();
	const found = await waitFor('an execution', async () => {
		const { results } = await api().executions(workflow.id, status);
		return results.find(({ id }) => !before.has(id));
	});
	const run = await api().finishedExecution(found.id);
	return {
		error: run.data.resultData.error,
		items: outputOf(run, THEN).map(({ json }) => json),
		startedMs: Date.parse(found.startedAt) - changedAt,
	};
}

test('publishing makes one webhook, and each change starts the workflow', async () => {
	await api().publish(workflow);
	expect(webhooks()).toMatchObject([
		{ name: 'n8n: React', notifications: ['ALL'], team: { id: 1 } },
	]);
	expect(webhooks()[0].url).toMatch(/\/webhook\/[0-9a-f-]{36}\/cases$/);

	let id = 0;
	const created = await reaction(() => (id = store().createCase({ name: 'New' }).case_id));
	expect(created.items).toMatchObject([{ event: 'caseCreated', case_id: id, name: 'New' }]);
	// An edit within the second of the creation belongs to it.
	await sleep(1100);
	const updated = await reaction(() => store().updateCase(id, { priority: 'HIGH' }));
	expect(updated.items).toMatchObject([{ event: 'caseUpdated', case_id: id, priority: 'HIGH' }]);
	const commented = await reaction(() => store().addComment(id, 'Hello'));
	expect(commented.items).toMatchObject([{ event: 'commentAdded', comment: { text: 'Hello' } }]);
	const closed = await reaction(() => store().closeCase(id));
	expect(closed.items).toMatchObject([{ event: 'caseClosed', status: 'CLOSED' }]);
});

test('what cannot be read after a post is a failed execution', async () => {
	const { faults } = installed.sandbox;
	faults.add({ match: { path: '/api/v2/cases$' }, fault: { kind: 'status', status: 403 } });
	const { error } = await reaction(() => store().createCase(), ['error']);
	expect(error?.message).toMatch(/not allowed/);
});

test('a change starts its execution within a second or so', async () => {
	const times: number[] = [];
	for (let count = 0; count < 21; count++) {
		times.push((await reaction(() => store().createCase())).startedMs);
	}
	times.sort((a, b) => a - b);
	console.log(`From a change to the start of its execution: ${times[10]} ms at the median`);
	expect(times).toHaveLength(21);
});

test('a test event makes a webhook of its own for as long as it is awaited', async () => {
	const production = structuredClone(webhooks());
	const body = { triggerToStartFrom: { name: TRIGGER } };
	const waiting = await api().rest('POST', `/workflows/${workflow.id}/run`, body);
	expect(waiting).toMatchObject({ waitingForWebhook: true });
	expect(webhooks()).toMatchObject([...production, { notifications: ['ALL'], team: { id: 1 } }]);
	expect(webhooks()[1].url).toMatch(/\/webhook-test\/[0-9a-f-]{36}\/cases$/);

	// The published workflow reacts too: of the two executions one is manual.
	const before = new Set((await api().executions(workflow.id)).results.map(({ id }) => id));
	const { case_id } = store().createCase();
	const started = await waitFor('both executions', async () => {
		const { results } = await api().executions(workflow.id, ['success']);
		const found = results.filter(({ id }) => !before.has(id));
		return found.length >= 2 ? found : undefined;
	});
	await waitFor('the test webhook to be deleted', () =>
		webhooks().length === 1 ? true : undefined,
	);
	expect(webhooks()).toEqual(production);
	const runs = await Promise.all(started.map(async ({ id }) => await api().finishedExecution(id)));
	for (const run of runs) expect(outputOf(run, TRIGGER)).toMatchObject([{ json: { case_id } }]);
});

test('a restart leaves the webhook, and publishing again makes one that was deleted', async () => {
	const before = structuredClone(webhooks());
	await installed.n8n.process.stop();
	await restart();
	const { items } = await reaction(() => store().createCase({ name: 'After the restart' }));
	expect(items).toMatchObject([{ event: 'caseCreated', name: 'After the restart' }]);
	expect(webhooks()).toEqual(before);

	// n8n 2.41 asks a published node nothing when it starts.
	webhooks().length = 0;
	await api().unpublish(workflow.id);
	await api().publish(workflow);
	expect(webhooks()).toMatchObject([{ url: before[0].url }]);
});

test('publishing again leaves one webhook, and unpublishing none', async () => {
	workflow = await api().saveWorkflow(workflow, { ...reacting('Renamed') });
	await api().publish(workflow);
	expect(webhooks()).toMatchObject([{ name: 'n8n: Renamed' }]);
	await api().unpublish(workflow.id);
	await waitFor('the webhook to be deleted', () => (webhooks().length === 0 ? true : undefined));
});

function addWebhook(name: string, url: string) {
	const team = { id: 1, name: 'SOC' };
	const id = store().nextId();
	webhooks().push({ id, name, url, version_number: 2, notifications: ['CREATED'], team });
}

/** Names all webhooks of the team, those of the node as `own`. */
const named = (url: string) => webhooks().map((one) => (one.url === url ? 'own' : one.name));

/** Kills n8n when the service gets its nth request from now; it answers that one, and none after it. */
function killAtRequest(nth: number): Promise<void> {
	const { faults } = installed.sandbox;
	return new Promise((resolve, reject) => {
		let count = 0;
		const run = () => {
			if (++count !== nth) return;
			faults.add({ times: 99, fault: { kind: 'drop' } });
			installed.n8n.process.kill().then(resolve, reject);
		};
		faults.add({ times: 99, fault: { kind: 'change', run } });
	});
}

/** As before n8n 2.41, and with its own setting since: each start activates all published workflows. */
const ACTIVATES_AT_START = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };

describe('n8n killed with SIGKILL', () => {
	const ignore = () => undefined;
	const TRIES = ['list', 'delete', 'delete again', 'create', 'list again'];
	let own: { id: string; versionId: string };
	let url: string;
	const activate = async () => {
		const { id, versionId } = own;
		await api().rest('POST', `/workflows/${id}/activate`, { versionId });
	};

	beforeAll(async () => {
		webhooks().length = 0;
		await installed.n8n.process.stop();
		await restart(ACTIVATES_AT_START);
		own = await api().createWorkflow(reacting('Killed'));
		await activate();
		url = webhooks()[0].url;
	});

	/** Kills n8n in a change of the workflow, and starts it again. */
	async function killed(nth: number, change: () => Promise<unknown>) {
		const death = killAtRequest(nth);
		await change().catch(ignore);
		await death;
		installed.sandbox.faults.clear();
		await restart(ACTIVATES_AT_START);
	}

	test.each(TRIES.map((what, at) => [what, at + 1]))(
		'after the request to %s leaves one webhook, once the next start has activated the workflow',
		async (_what, nth) => {
			await api().unpublish(own.id);
			expect(webhooks()).toEqual([]);
			addWebhook('foreign', 'https://other.example/hook');
			addWebhook('left', url);
			addWebhook('left', url);
			await killed(nth, async () => await activate());
			expect(named(url)).toEqual(['foreign', 'own']);
			expect(webhooks()[1]).toMatchObject({ name: 'n8n: Killed', notifications: ['ALL'] });
			webhooks().shift();
		},
	);

	test.each([1, 2])(
		'after request %i of unpublishing leaves one webhook, or none, once that has run to its end',
		async (nth) => {
			addWebhook('foreign', 'https://other.example/hook');
			await killed(nth, async () => await api().unpublish(own.id));
			expect(named(url).filter((name) => name === 'own').length).toBeLessThanOrEqual(1);
			await activate();
			expect(named(url).sort()).toEqual(['foreign', 'own']);
			webhooks().splice(named(url).indexOf('foreign'), 1);
		},
	);

	test('at a changed address, deletes the former webhook at the start, and makes one there', async () => {
		const { port } = new URL(installed.n8n.url);
		const env = { ...ACTIVATES_AT_START, WEBHOOK_URL: `http://127.0.0.1:${port}/` };
		await installed.n8n.process.stop();
		addWebhook('foreign', 'https://other.example/hook');
		const requests = installed.sandbox.requests.length;
		await restart(env);
		// List, list of the former one, its deletion, creation, list again.
		const paths = installed.sandbox.requests.slice(requests).map(({ method }) => method);
		expect(paths).toEqual(['GET', 'GET', 'DELETE', 'POST', 'GET']);
		const [, made] = webhooks();
		expect(webhooks()).toMatchObject([{ name: 'foreign' }, { name: 'n8n: Killed' }]);
		expect(made.url).toContain(env.WEBHOOK_URL);
		await api().unpublish(own.id);
		expect(webhooks()).toMatchObject([{ name: 'foreign' }]);
	});
});

test('n8n killed when it has made the webhook leaves one after publishing again', async () => {
	webhooks().length = 0;
	await installed.n8n.process.stop();
	await restart(HOLDS_BRIEFLY);
	const created = await api().createWorkflow(reacting('Held'));
	const death = killAtRequest(2);
	await api()
		.publish(created)
		.catch(() => undefined);
	await death;
	installed.sandbox.faults.clear();
	expect(webhooks()).toMatchObject([{ name: 'n8n: Held' }]);
	await restart(HOLDS_BRIEFLY);
	// n8n 2.41 takes the webhook for made, and asks the node nothing when it starts.
	const publish = async () => {
		await api().unpublish(created.id);
		await api().publish(created);
		return true as const;
	};
	await waitFor('the workflow to be published', async () => publish().catch(() => undefined));
	expect(webhooks()).toMatchObject([{ name: 'n8n: Held' }]);
	await api().unpublish(created.id);
	await waitFor('the webhook to be deleted', () => (webhooks().length === 0 ? true : undefined));
});

test('a team with five webhooks is a clear error', async () => {
	// With n8n's usual lease, in which it tries several times.
	await installed.n8n.process.stop();
	await restart();
	webhooks().length = 0;
	for (let id = 1; id <= 5; id++) {
		addWebhook('Other', `https://other.example/${id}`);
	}
	const created = await api().createWorkflow(reacting('Sixth'));
	await expect(api().publish(created)).rejects.toThrow(
		/already has 5.*A team can have five webhooks/,
	);
	expect(webhooks()).toHaveLength(5);
});
