import type { Browser } from 'playwright-core';
import { startBrowser } from './browser';
import { Editor } from './editor';
import { CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from '../tools/n8n/fixture';
import { waitFor } from '../tools/n8n/processes';
import { branchingWorkflow, casesNode, node } from '../tools/n8n/workflows';

const OPERATIONS = [
	['case', 'getAll'],
	['case', 'get'],
	['case', 'count'],
	['comment', 'getAll'],
	['action', 'replace'],
	['action', 'upsert'],
	['action', 'clear'],
	['action', 'getAll'],
] as const;

let installed: Installed;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	installed = await startInstalled({ cases: 120 });
	const { n8n, sandbox, credentialId } = installed;
	const wrongKey = await n8n.api.createCredential(
		'Wrong key',
		CREDENTIAL_TYPE,
		credentialData(sandbox.url, 'wrong-key'),
	);
	const branches = [
		...OPERATIONS.map(([resource, operation]) => [
			casesNode(`${resource} ${operation}`, credentialId, { resource, operation }),
		]),
		[
			casesNode('Filtered', credentialId, { filters: { and_tags: [] } }),
			node('After Filtered', 'n8n-nodes-base.noOp', 1),
		],
		[casesNode('With a wrong key', wrongKey.id, {})],
	];
	const workflow = branchingWorkflow('Every form', branches);
	const { id } = await n8n.api.createWorkflow(workflow);
	browser = await startBrowser();
	editor = await Editor.open(browser, n8n.url);
	await editor.openWorkflow(id);
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
	await browser?.close();
	await installed?.stop();
});

describe('The form', () => {
	test.each(OPERATIONS)('of %s %s opens without a console error', async (resource, operation) => {
		editor.errors.length = 0;

		await editor.openNode(`${resource} ${operation}`);

		await editor.field('operation').waitFor();
		expect(await editor.field('resource').locator('input').inputValue()).toMatch(
			new RegExp(resource, 'i'),
		);
		expect(editor.errors).toEqual([]);
	});

	test('lists cases, searches them and loads further pages for the case locator', async () => {
		const { sandbox } = installed;
		const wanted = sandbox.store.createCase({ name: 'Unpaid invoice of a lighthouse' });
		await editor.openNode('case get');

		await editor.openCaseList();
		await waitFor('a full page', async () =>
			(await editor.caseCount()) === 50 ? true : undefined,
		);
		await editor.scrollCaseList();
		await waitFor('a second page', async () =>
			(await editor.caseCount()) === 100 ? true : undefined,
		);
		await editor.searchCase('lighthouse');
		await waitFor('the match', async () => ((await editor.caseCount()) === 1 ? true : undefined));

		await editor.cases.first().click();
		expect(await editor.chosenCase.inputValue()).toMatch(
			new RegExp(`^#${wanted.case_id} ${wanted.name} · \\w+ · \\w+$`),
		);
	});

	test('suggests the tags of the newest cases', async () => {
		await editor.openNode('Filtered');

		const choices = await editor.openChoices('and_tags');

		for (const { name } of installed.sandbox.store.tags().slice(0, 3)) {
			await choices.getByText(name, { exact: true }).waitFor();
		}
	});
});

describe('The output', () => {
	test('is previewed in the next node before the first run', async () => {
		await editor.openNode('After Filtered');

		await editor.input.getByText('Preview').waitFor();
		expect(await editor.input.textContent()).toContain('case_id');
	});

	test('is shown as a table after a run', async () => {
		await editor.openNode('case getAll');

		await editor.execute();

		await editor.output.getByText('case_id').waitFor();
		const headings = await editor.output.locator('th').allTextContents();
		expect(headings.map((text) => text.trim())).toEqual(
			expect.arrayContaining(['case_id', 'name', 'status', 'priority', 'team']),
		);
		expect(await editor.output.getByTestId('ndv-items-count').textContent()).toContain('50 items');
	});

	test('is the node’s own message when the key is wrong', async () => {
		await editor.openNode('With a wrong key');

		await editor.execute();

		expect(await editor.output.getByTestId('node-error-message').textContent()).toMatch(/API key/);
	});
});

describe('The node panel', () => {
	beforeAll(async () => await editor.openNodePanel());

	test.each(['cases', 'incident'])('finds the node by "%s"', async (text) => {
		await editor.searchNodes(text);

		await editor.foundNode('Cases').waitFor();
	});
});
