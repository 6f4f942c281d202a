import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startBrowser } from './browser';
import { Editor, EDITOR_SIZE } from './editor';
import { CREDENTIAL_NAME, EXAMPLE_FILES, readExample, withCredential } from '../tools/n8n/examples';
import { startInstalled } from '../tools/n8n/fixture';
import type { N8nApi } from '../tools/n8n/n8nApi';
import { branchingWorkflow, casesNode, casesTrigger, workflowOf } from '../tools/n8n/workflows';

const FOLDER = join(__dirname, '../docs/images');

/** Large enough for a workflow with a few nodes, small enough to be readable in a README. */
const CANVAS_SIZE = { width: 1100, height: 650 };

/** The canvas of this size, without what is around it. */
const WORKFLOW_ALONE = { x: 43, y: 66, width: 1056, height: 546 };

/** Takes the pictures of the README again, in the real editor. @param only the recipes to take; default: everything */
async function main(only: string[]) {
	await mkdir(FOLDER, { recursive: true });
	const installed = await startInstalled({ cases: 300, seedUntil: new Date() });
	const browser = await startBrowser();
	try {
		const editor = await Editor.open(browser, installed.n8n.url);
		const shoot = async (name: string, clip?: typeof WORKFLOW_ALONE) => {
			await editor.settle();
			await editor.page.screenshot({ path: join(FOLDER, `${name}.png`), clip });
			console.log(`docs/images/${name}.png`);
		};
		const { api } = installed.n8n;
		const { credentialId } = installed;

		await editor.page.setViewportSize(CANVAS_SIZE);
		for (const file of EXAMPLE_FILES.filter((each) => only.length === 0 || only.includes(each))) {
			await editor.openWorkflow(await importExample(api, file, credentialId));
			await editor.zoomToFit();
			await editor.hideControls();
			await shoot(`recipe-${basename(file, '.json')}`, WORKFLOW_ALONE);
		}
		if (only.length > 0) return;

		const ofEach = { __rl: true, mode: 'id', value: '={{ $json.case_id }}' };
		const comments = branchingWorkflow('Comments of a search', [
			[
				casesNode('Search cases', credentialId, {
					...{ operation: 'getAll', returnAll: true, filters: { search: 'phishing' } },
				}),
				casesNode('Get comments', credentialId, {
					...{ resource: 'comment', operation: 'getAll', caseId: ofEach, returnAll: true },
				}),
			],
		]);
		await editor.openWorkflow((await api.createWorkflow(comments)).id);
		await editor.executeWorkflow();
		await editor.dismissMessages();
		await editor.zoomToFit();
		await shoot('workflow');

		await editor.page.setViewportSize(EDITOR_SIZE);
		await editor.openWorkflow(await importExample(api, 'scheduled-actions.json', credentialId));
		await editor.openNode('Replace actions');
		await shoot('replace-actions');

		await editor.openWorkflow(await importExample(api, 'open-critical-cases.json', credentialId));
		await editor.openNode('Get open critical cases');
		await editor.execute();
		await editor.dismissMessages();
		await shoot('get-many');

		const onChange = workflowOf('On changes', [
			casesTrigger('Case created or closed', credentialId, {
				events: ['caseCreated', 'caseClosed'],
			}),
		]);
		await editor.openWorkflow((await api.createWorkflow(onChange)).id);
		await editor.openNode('Case created or closed');
		await editor.execute();
		await editor.dismissMessages();
		await shoot('trigger');

		const one = branchingWorkflow('One case', [
			[casesNode('Get a case', credentialId, { operation: 'get' })],
		]);
		await editor.openWorkflow((await api.createWorkflow(one)).id);
		await editor.openNode('Get a case');
		await editor.openCaseList();
		await shoot('case-list');

		await editor.openNode('Get a case');
		await editor.openCredential();
		await shoot('credential');
	} finally {
		await browser.close();
		await installed.stop();
	}
}

async function importExample(api: N8nApi, file: string, credentialId: string): Promise<string> {
	const credential = { id: credentialId, name: CREDENTIAL_NAME };
	return (await api.createWorkflow(withCredential(readExample(file), credential))).id;
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
