import { ACCESS } from '../sandbox/auth';
import { mayRead } from '../sandbox/query';
import { EXPECTATIONS, PREPARATIONS } from '../test/examples/expectations';
import {
	AGENT_EXAMPLE,
	callsWorkflow,
	CREDENTIAL_ID,
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	readExample,
	withCredential,
} from '../tools/n8n/examples';
import { startFakeModel, withModel } from './fakeModel';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from '../tools/n8n/fixture';
import { outputOf } from '../tools/n8n/n8nApi';
import { type N8nCli, n8nCli } from '../tools/n8n/n8nCli';
import { manualTrigger, START, startedBy, triggerOf } from '../tools/n8n/workflows';

let installed: Installed;
let cli: N8nCli;

beforeAll(async () => {
	installed = await startInstalled({ cases: 400 });
	const { runtime, userFolder, sandbox } = installed;
	cli = n8nCli(runtime, userFolder);
	await cli.importCredential({
		id: CREDENTIAL_ID,
		name: CREDENTIAL_NAME,
		type: CREDENTIAL_TYPE,
		data: credentialData(sandbox.url, sandbox.keys.personal),
	});
}, SETUP_TIMEOUT_MS);

afterAll(async () => await installed?.stop());

test('Every example has an expectation', () => {
	expect(Object.keys(EXPECTATIONS).sort()).toEqual(EXAMPLE_FILES);
});

test.each(EXAMPLE_FILES)('examples/%s imports and does what it says', async (file) => {
	const workflow = readExample(file);
	const { sandbox } = installed;
	PREPARATIONS[file]?.(sandbox);
	sandbox.clearRequests();
	await cli.importWorkflow(workflow);

	const run = await execute(workflow);

	expect(run.data.resultData.error).toBeUndefined();
	expect(sandbox.rejected).toEqual([]);
	EXPECTATIONS[file]({
		sandbox,
		visible: [...sandbox.store.cases()].filter(({ team }) => mayRead(ACCESS.personal, team.id)),
		outputOf: (node) => outputOf(run, node).map(({ json }) => json),
	});
});

test(`examples/${AGENT_EXAMPLE} lets a model find cases and read what happened in one`, async () => {
	const { sandbox, n8n, credentialId } = installed;
	const { case_id, name } = sandbox.store.createCase({ name: 'Unpaid invoice of a lighthouse' });
	const { value } = sandbox.store.addComment(case_id, 'The keeper has paid');
	const model = await startFakeModel([
		{ tool: 'Find_cases', args: { Search: 'lighthouse', Status: '', Priority: '' } },
		{ tool: 'Read_case', args: { Case_ID: String(case_id) } },
	]);
	try {
		const modelCredential = await n8n.api.createCredential('Model', 'openAiApi', {
			apiKey: 'not-checked',
			url: model.url,
		});
		const example = withCredential(readExample(AGENT_EXAMPLE), {
			id: credentialId,
			name: CREDENTIAL_NAME,
		});
		const asked = startedBy(withModel(example, modelCredential.id), manualTrigger(), {
			chatInput: 'What was said about the lighthouse?',
		});
		const { id } = await n8n.api.createWorkflow(asked);
		sandbox.clearRequests();

		const run = await n8n.api.runManually(id, START);

		expect(run.data.resultData.error).toBeUndefined();
		expect(outputOf(run, 'Agent')[0].json.output).toBe('Done.');
		expect(model.tools.map((tool) => tool.function.name).sort()).toEqual([
			'Find_cases',
			'Read_case',
		]);
		const [cases, text] = model.toolResults;
		expect(cases).toContain(`"case_id":${case_id}`);
		expect(cases).toContain(name);
		expect(text).toContain(value);
		expect(sandbox.rejected).toEqual([]);
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	} finally {
		await model.stop();
	}
});

/**
 * The command line starts Manual Triggers only, and calls only published workflows. Others are started as by the
 * editor's button.
 */
async function execute(workflow: ReturnType<typeof readExample>) {
	const { id } = workflow;
	const trigger = triggerOf(workflow);
	if (trigger.type === 'n8n-nodes-base.manualTrigger' && !callsWorkflow(workflow)) {
		return await cli.execute(id);
	}
	return await installed.n8n.api.runManually(id, trigger.name);
}
