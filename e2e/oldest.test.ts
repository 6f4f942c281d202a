import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox';
import { startBrowser } from './browser';
import { Editor } from './editor';
import {
	type Connected,
	installedFolder,
	type InstalledFolder,
	startConnected,
} from '../tools/n8n/fixture';
import { outputOf } from '../tools/n8n/n8nApi';
import { n8nCli } from '../tools/n8n/n8nCli';
import { askWorkflow, executionOf, press, waitForNoQuestion, waitForQuestion } from './buttons';
import { reactingWorkflow, reportedBy } from './pollers';
import { waitFor } from '../tools/n8n/processes';
import { runtimes } from '../tools/n8n/runtime';
import { casesNode, CASES_NODE, CASES_TRIGGER, manualWorkflow, node } from '../tools/n8n/workflows';

const CASES = 120;

/** Errors that this n8n's editor prints with any node: of its banners, assistant, licence and own previews. */
const N8N_S_OWN =
	/dynamic banners|\/rest\/ai\/|lacks license|\/executions\/last-successful|\/n8n-nodes-base\./;

let folder: InstalledFolder;
let sandbox: Sandbox;
let connected: Connected;

beforeAll(async () => {
	folder = await installedFolder(runtimes.oldest);
	sandbox = await startSandbox({ cases: CASES });
	const { runtime, userFolder } = folder;
	connected = await startConnected(runtime, userFolder, sandbox, sandbox.keys.tenantOwner);
});

afterAll(async () => {
	await connected?.n8n.process.stop();
	await sandbox?.stop();
	await folder?.remove();
});

/** The node before another one, which would show a preview of its output. */
const getMany = (parameters: object) =>
	manualWorkflow('Get Many', [
		casesNode('Cases', connected.credentialId, { operation: 'getAll', ...parameters }),
		node('Then', 'n8n-nodes-base.noOp', 1),
	]);

/** Runs it from the command line: the editor's way of running is another one there. */
async function run(id: string, parameters: object) {
	const cli = n8nCli(folder.runtime, folder.userFolder);
	await cli.importWorkflow({ id, ...getMany(parameters) });
	const { data } = await cli.execute(id);
	expect(data.resultData.error).toBeUndefined();
	return data;
}

describe('The oldest supported n8n, 1.123,', () => {
	test('loads the package', async () => {
		const { api, process } = connected.n8n;

		const names = (await api.nodeTypes()).map(({ name }) => name);

		expect(names).toEqual(expect.arrayContaining([CASES_NODE, CASES_TRIGGER]));
		expect(process.lines.join('\n')).not.toMatch(/n8n-nodes-cases.*(error|fail)/i);
	});

	test('runs Get Many with Return All', async () => {
		const data = await run('getMany', { returnAll: true });

		const ids = outputOf({ data }, 'Cases').map(({ json }) => json.case_id);
		const expected = [...sandbox.store.cases()].map(({ case_id }) => case_id);
		expect(new Set(ids)).toEqual(new Set(expected));
		expect(ids).toHaveLength(CASES);
	});

	test('shows the hints of a run', async () => {
		const data = await run('getSome', { limit: 10 });

		expect(data.resultData.runData.Cases[0].hints).toEqual([
			expect.objectContaining({
				message: expect.stringMatching(/kept the first 10; there are/),
			}),
		]);
	});

	test('shows the message for a network failure', async () => {
		sandbox.faults.add({ fault: { kind: 'latency', ms: 5000 } });

		const failed = run('slow', { options: { timeout: 200, maxRetries: 0 } });

		await expect(failed).rejects.toThrow(/did not answer in time/);
		sandbox.faults.clear();
	});

	test('starts a workflow when a case is created, without a time limit for polls from n8n', async () => {
		const { n8n, credentialId } = connected;
		const created = await n8n.api.createWorkflow(reactingWorkflow(credentialId));
		await n8n.api.activate(created);

		const { case_id } = sandbox.store.createCase({ name: 'New' });

		const reported = await waitFor('the case to be reported', async () => {
			const found = await reportedBy(n8n.api, created.id);
			return found.length > 0 ? found : undefined;
		});
		expect(reported).toEqual([`caseCreated ${case_id}`]);
	});

	test('asks in a case, waits for the click, and continues with the answer', async () => {
		const { n8n, credentialId } = connected;
		sandbox.store.replaceActions(1, []);
		const created = await n8n.api.createWorkflow(askWorkflow(credentialId, 'ask'));
		await n8n.api.activate(created);
		await waitFor('the webhook to be registered', async () => {
			const asked = n8n.api.request('POST', '/webhook/ask', { case: 1, message: 'Isolate?' });
			return await asked.then(
				() => true,
				() => undefined,
			);
		});

		const [, decline] = await waitForQuestion(n8n.api, sandbox, 1, { count: 2 });
		const changed = decline.url.replace(/key=[^&]*/, 'key=other');
		// Other versions answer 401. Here n8n lets it through, and the node knows that it is none of its buttons.
		expect((await press(changed)).text).toMatch(/Invalid token|No answer needed/);
		expect((await press(decline.url)).text).toContain('Answer received');

		const run = await n8n.api.finishedExecution(executionOf(decline.url));
		expect(outputOf(run, 'After')).toMatchObject([
			{ json: { case_id: 1, data: { approved: false } } },
		]);
		await waitForNoQuestion(sandbox, [1]);
	});

	describe('in its editor', () => {
		let browser: Browser;
		let editor: Editor;

		beforeAll(async () => {
			browser = await startBrowser();
			editor = await Editor.open(browser, connected.n8n.url);
			const { id } = await connected.n8n.api.createWorkflow(getMany({}));
			await editor.openWorkflow(id);
			await editor.settle();
		});

		afterAll(async () => await browser?.close());

		test('opens the form and previews the output in the next node, without a console error', async () => {
			await editor.openNode('Cases');
			await editor.field('operation').waitFor();

			await editor.openNode('Then');
			await editor.input.getByText('Preview').waitFor();

			expect(await editor.input.textContent()).toContain('case_id');
			expect(editor.errors.filter((error) => !N8N_S_OWN.test(error))).toEqual([]);
		});
	});
});
