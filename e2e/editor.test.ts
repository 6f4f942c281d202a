import type { Browser } from 'playwright-core';
import { startBrowser } from './browser';
import { Editor } from './editor';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { waitFor } from '../tools/n8n/processes';
import { branchingWorkflow, casesNode } from '../tools/n8n/workflows';

let installed: Installed;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	installed = await startInstalled({ cases: 120 });
	const { n8n, credentialId } = installed;
	const branches = [
		[casesNode('One case', credentialId, { operation: 'get' })],
		[casesNode('Many cases', credentialId, {})],
		[casesNode('Filtered', credentialId, { filters: { and_tags: [] } })],
	];
	const workflow = branchingWorkflow('In the editor', branches);
	const { id } = await n8n.api.createWorkflow(workflow);
	browser = await startBrowser();
	editor = await Editor.open(browser, n8n.url);
	await editor.openWorkflow(id);
});

afterAll(async () => {
	await browser?.close();
	await installed?.stop();
});

describe('The form', () => {
	test('lists cases, searches them and loads further pages for the case locator', async () => {
		const { sandbox } = installed;
		const wanted = sandbox.store.createCase({ name: 'Unpaid invoice of a lighthouse' });
		await editor.openNode('One case');

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
	test('is shown as a table after a run', async () => {
		await editor.openNode('Many cases');

		await editor.execute();

		await editor.output.getByText('case_id').waitFor();
		const headings = await editor.output.locator('th').allTextContents();
		expect(headings.map((text) => text.trim())).toEqual(
			expect.arrayContaining(['case_id', 'name', 'status', 'priority', 'team']),
		);
		expect(await editor.output.getByTestId('ndv-items-count').textContent()).toContain('50 items');
	});
});
