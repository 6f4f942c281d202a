import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL_NAME, readExample, withCredential } from '../tools/n8n/examples';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from '../tools/n8n/fixture';
import { outputOf, type WorkflowDefinition } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { startedBy, webhookTrigger } from '../tools/n8n/workflows';
import {
	answerOnPage,
	executionOf,
	openPage,
	press,
	questionButtons,
	waitForQuestion,
} from './buttons';
import { startFakeModel, withModel } from './fakeModel';

let installed: Installed;

beforeAll(async () => {
	installed = await startInstalled({ cases: 20 });
}, SETUP_TIMEOUT_MS);

afterAll(async () => await installed?.stop());

/** A copy in which some nodes have other parameters. */
function withParameters(
	workflow: WorkflowDefinition,
	changed: Record<string, IDataObject>,
): WorkflowDefinition {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...(changed[node.name] ?? {}) },
	})) as WorkflowDefinition['nodes'];
	return { ...workflow, nodes };
}

const POLLS_OFTEN = {
	pollTimes: {
		item: [0, 10, 20, 30, 40, 50].map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	},
};

const published: string[] = [];

/** Publishes a changed copy of an example until the end of the test. */
async function publish(file: string, change: (workflow: WorkflowDefinition) => WorkflowDefinition) {
	const { n8n, credentialId } = installed;
	const example = withCredential(readExample(file), { id: credentialId, name: CREDENTIAL_NAME });
	const created = await n8n.api.createWorkflow(change(example));
	await n8n.api.publish(created);
	published.push(created.id);
	return created.id;
}

// Also those of a test that failed, so that they don't react to the cases of the next one.
afterEach(async () => {
	for (const id of published.splice(0)) await installed.n8n.api.unpublish(id);
});

const criticalCase = () =>
	installed.sandbox.store.createCase({ name: 'New', priority: 'CRITICAL' }).case_id;

test('examples/with-clicks/ask-before-isolating.json asks in three cases of one poll, and each goes its own way', async () => {
	const { n8n, sandbox } = installed;
	await publish('with-clicks/ask-before-isolating.json', (workflow) =>
		withParameters(workflow, {
			'New critical case': POLLS_OFTEN,
			'Isolate?': { options: { limitWaitTime: 2 } },
		}),
	);
	const cases = [criticalCase(), criticalCase(), criticalCase()];
	const [[yes], [, no], [late]] = await Promise.all(
		cases.map(async (one) => await waitForQuestion(n8n.api, sandbox, one, { count: 2 })),
	);
	const executions = [yes, no, late].map(({ url }) => executionOf(url));
	expect(new Set(executions).size).toBe(3);

	await Promise.all([press(yes.url), press(no.url)]);

	const runs = await Promise.all(
		executions.map(async (execution) => await n8n.api.finishedExecution(execution, 240_000)),
	);
	const casesAt = (node: string) =>
		runs.map((run) => outputOf(run, node).map(({ json }) => json.case_id));
	expect(casesAt('Isolate the hosts')).toEqual([[cases[0]], [], []]);
	expect(casesAt('Leave the hosts')).toEqual([[], [cases[1]], []]);
	expect(casesAt('Remove the buttons')).toEqual([[], [], [cases[2]]]);
	expect(cases.flatMap((one) => questionButtons(sandbox, one))).toEqual([]);
	expect(sandbox.rejected).toEqual([]);
});

test('examples/button-starts-workflow.json puts a button on a new case that runs its second row', async () => {
	const { n8n, sandbox } = installed;
	const id = await publish('button-starts-workflow.json', (workflow) =>
		withParameters(workflow, { 'New critical case': POLLS_OFTEN }),
	);
	const caseId = criticalCase();
	const label = 'Tell the story';
	await waitFor(
		'the button',
		() =>
			sandbox.store
				.getCase(caseId)
				.actions()
				.find((one) => one.label === label),
		150_000,
	);

	expect(await sandbox.press(caseId, label)).toMatchObject({ status: 200 });

	const texts = await waitFor('the second row', async () => {
		const { results } = await n8n.api.executions(id, ['success']);
		const runs = await Promise.all(results.map(async (one) => n8n.api.finishedExecution(one.id)));
		const items = runs.flatMap((run) => outputOf(run, 'Read the case'));
		return items.length > 0 ? items : undefined;
	});
	expect(texts).toMatchObject([{ json: { case_id: caseId, text: expect.stringMatching(/^# /) } }]);
});

test('examples/with-a-model/approve-in-the-case.json lets an agent add a button after a click', async () => {
	const { n8n, sandbox } = installed;
	const caseId = criticalCase();
	const url = `https://example.com/runbook?why=${'because'.repeat(12)}`;
	const toolParameters = { Case_ID: String(caseId), URL: url, Label: 'Runbook' };
	const model = await startFakeModel([
		{ tool: 'Add_button', args: { toolParameters, hitlParameters: {} } },
	]);
	try {
		const { id } = await n8n.api.createCredential('Model', 'openAiApi', {
			apiKey: 'not-checked',
			url: model.url,
		});
		await publish('with-a-model/approve-in-the-case.json', (workflow) =>
			startedBy(withModel(workflow, id), webhookTrigger('agent'), { chatInput: 'Add the runbook' }),
		);
		await n8n.api.request('POST', '/webhook/agent', {});
		const [review] = await waitForQuestion(n8n.api, sandbox, caseId);
		expect(await openPage(review.url)).toContain(`Runbook (${url})`);
		await answerOnPage(review.url, 0);

		const run = await n8n.api.finishedExecution(executionOf(review.url));

		expect(outputOf(run, 'Agent')[0].json.output).toBe('Done.');
		expect(sandbox.store.getCase(caseId).actions()).toMatchObject([{ label: 'Runbook', url }]);
	} finally {
		await model.stop();
	}
});
