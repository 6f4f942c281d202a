import { startBrowser } from './browser';
import { Editor, EDITOR_SIZE } from './editor';
import { startInstalled } from '../tools/n8n/fixture';
import { branchingWorkflow, casesNode } from '../tools/n8n/workflows';
async function main() {
	const installed = await startInstalled({ cases: 30, seedUntil: new Date() });
	const browser = await startBrowser();
	try {
		const editor = await Editor.open(browser, installed.n8n.url);
		await editor.page.setViewportSize(EDITOR_SIZE);
		const { api } = installed.n8n;
		const one = branchingWorkflow('One case', [
			[casesNode('Get a case', installed.credentialId, { operation: 'get' })],
			[casesNode('Custom', installed.credentialId, { operation: '__CUSTOM_API_CALL__' })],
		]);
		await editor.openWorkflow((await api.createWorkflow(one)).id);
		await editor.openNode('Custom');
		await editor.settle();
		await editor.page.screenshot({ path: '/tmp/custom.png' });
		await editor.openWorkflow((await api.createWorkflow(one)).id);
		await editor.openNode('Get a case');
		await editor.openCredential();
		await editor.settle();
		await editor.page.screenshot({ path: '/tmp/credential.png' });
		await editor.page.getByLabel('Base URL').first().fill(installed.sandbox.url + '/foo').catch((e) => console.log(String(e).slice(0, 300)));
		await editor.page.getByTestId('credential-save-button').click().catch((e) => console.log(String(e).slice(0, 300)));
		await new Promise((r) => setTimeout(r, 4000));
		await editor.page.screenshot({ path: '/tmp/credential2.png' });
	} finally {
		await browser.close();
		await installed.stop();
	}
}
main().catch((e) => { console.error(e); process.exitCode = 1; });
