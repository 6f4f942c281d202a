import type { IDataObject } from 'n8n-workflow';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from '../tools/n8n/fixture';
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
	const { n8n, credentialId } = installed;
	const trigger = casesWebhookTrigger(TRIGGER, credentialId, { events: EVENTS });
	const definition = workflowOf('React', [trigger, node(THEN, 'n8n-nodes-base.noOp', 1)]);
	workflow = await n8n.api.createWorkflow(definition);
}, SETUP_TIMEOUT_MS);

afterAll(async () => await installed?.stop());

const webhooks = () => installed.sandbox.store.webhooks;
const api = () => installed.n8n.api;

/** Makes a change and waits for the execution that it starts. @returns its items and how long it took to start */
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
		run,
		items: outputOf(run, THEN).map(({ json }) => json),
		startedMs: Date.parse(found.startedAt) - changedAt,
	};
}

test('publishing makes one webhook, and each change starts the workflow', async () => {
	const { store } = installed.sandbox;
	await api().publish(workflow);
	expect(webhooks()).toMatchObject([
		{ name: 'n8n: React', notifications: ['ALL'], team: { id: 1 } },
	]);
	expect(webhooks()[0].url).toMatch(/\/webhook\/[0-9a-f-]{36}\/webhook$/);

	let caseId = 0;
	const created = await reaction(() => (caseId = store.createCase({ name: 'New' }).case_id));
	expect(created.items).toMatchObject([{ event: 'caseCreated', case_id: caseId, name: 'New' }]);
	const updated = await reaction(() => store.updateCase(caseId, { priority: 'HIGH' }));
	expect(updated.items).toMatchObject([
		{ event: 'caseUpdated', case_id: caseId, priority: 'HIGH' },
	]);
	const commented = await reaction(() => store.addComment(caseId, 'Hello'));
	expect(commented.items).toMatchObject([{ event: 'commentAdded', comment: { text: 'Hello' } }]);
	const closed = await reaction(() => store.closeCase(caseId));
	expect(closed.items).toMatchObject([{ event: 'caseClosed', status: 'CLOSED' }]);
});

test('a service that cannot be read after it posted makes a failed execution', async () => {
	const { faults, store } = installed.sandbox;
	faults.add({
		match: { path: '/api/v2/cases$' },
		times: 99,
		fault: { kind: 'status', status: 403 },
	});
	const { run } = await reaction(() => store.createCase({ name: 'New' }), ['error']);
	faults.clear();
	console.log(
		JSON.stringify(run.data.resultData.error),
		installed.n8n.process.lines.slice(-30).join('\n'),
	);
	expect(run.data.resultData.error?.message).toMatch(/./);
});

test('starts within half a second, at the median', async () => {
	const { store } = installed.sandbox;
	const times: number[] = [];
	for (let count = 0; count < 20; count++) {
		times.push((await reaction(() => store.createCase({ name: `New ${count}` }))).startedMs);
	}
	times.sort((a, b) => a - b);
	console.log(
		`From a change to the start of its execution: ${times[10]} ms at the median (${times[0]} to ${times[19]})`,
	);
});
