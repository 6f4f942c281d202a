import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	readExample,
	withCredential,
} from '../tools/n8n/examples';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from '../tools/n8n/fixture';
import { freePorts } from '../tools/n8n/processes';
import { branchingWorkflow } from '../tools/n8n/workflows';
import { startBrowser } from './browser';
import { Editor } from './editor';
import { nodesOf, TOUR, type TourCredentials } from './tourStops';

/** Where the pictures go; git ignores it. */
const FOLDER = join(__dirname, '../reports/tour');

let installed: Installed;
let browser: Browser;
let editor: Editor;
let credentials: TourCredentials;

beforeAll(async () => {
	await rm(FOLDER, { recursive: true, force: true });
	await mkdir(FOLDER, { recursive: true });
	installed = await startInstalled({ cases: 600, seedUntil: new Date() });
	prepareCases();
	credentials = await createCredentials();
	browser = await startBrowser();
	editor = await Editor.open(browser, installed.n8n.url);
	editor.page.setDefaultTimeout(40_000);
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
	await browser?.close();
	await installed?.stop();
});

/** The cases edited last are open and have no comments, as on a normal day, and some cases have known actions. */
function prepareCases() {
	const { store } = installed.sandbox;
	const action = (label: string, url: string) => ({ label, action_type: 'webhook' as const, url });
	store.replaceActions(500, [
		action('First action', 'https://example.com/webhook/first-action'),
		action('Second action', 'https://example.com/webhook/second-action'),
	]);
	store.replaceActions(503, [action('First action', 'https://example.com/webhook/first-action')]);
	store.replaceActions(504, [action('First action', 'https://example.com/webhook/first-action')]);
	store.addComment(500, 'Called the owner of the host.');
	for (let index = 0; index < 10; index++) store.createCase({ name: `Port scan ${index + 1}` });
}

async function createCredentials(): Promise<TourCredentials> {
	const { n8n, sandbox, credentialId } = installed;
	const [port] = await freePorts(1);
	const { tenantOwner } = sandbox.keys;
	const create = async (name: string, baseUrl: string, key = tenantOwner, more?: IDataObject) => {
		const data = credentialData(baseUrl, key, more);
		return (await n8n.api.createCredential(name, CREDENTIAL_TYPE, data)).id;
	};
	return {
		right: credentialId,
		wrongKey: await create('Wrong key', sandbox.url, 'wrong-key'),
		wrongPath: await create('Wrong path', `${sandbox.url}/elsewhere`),
		noService: await create('No service', `http://127.0.0.1:${port}`),
		plainHttp: await create('Plain http', 'http://acme.example.com'),
		noAddress: await create('No address', 'acme'),
	};
}

async function takePicture(name: string) {
	await editor.settle();
	await editor.page.screenshot({ path: join(FOLDER, `${name.replaceAll(' ', '-')}.png`) });
}

describe.each(Object.entries(TOUR))('%s', (group, stops) => {
	let workflowId: string;
	beforeAll(async () => {
		const branches = stops.map((stop) => nodesOf(stop, credentials));
		const workflow = branchingWorkflow(group, branches);
		workflowId = (await installed.n8n.api.createWorkflow(workflow)).id;
		await editor.openWorkflow(workflowId);
	});

	test.each(stops)('$name reads $reads', async (stop) => {
		const { name, faults = [], runs, show, reads } = stop;
		const { sandbox } = installed;
		sandbox.faults.clear();
		editor.errors.length = 0;

		// After a failed run the editor of n8n can't run another branch, and a credential's window stays open.
		if (runs || stop.credential !== undefined) await editor.openWorkflow(workflowId);
		await editor.openNode(name);
		await show?.(editor);
		sandbox.faults.add(...faults);
		if (runs) await editor.execute();
		await takePicture(name);
		for (const text of reads) await editor.read(text);
		if (show !== undefined) await editor.page.keyboard.press('Escape'); // closes a list

		expect(editor.errors).toEqual([]);
	});
});

describe('The node panel', () => {
	beforeEach(async () => await editor.openNodePanel());

	test.each(['cases', 'phishing', 'SOAR', 'close case'])('finds the node by "%s"', async (text) => {
		await editor.searchNodes(text);

		await editor.foundNode('Cases').waitFor();
		await takePicture(`panel ${text}`);
	});

	test('shows the actions of the node under names that tell them from case actions', async () => {
		await editor.searchNodes('cases');
		await editor.foundNode('Cases').click();
		await editor.page.getByText(/^Actions \(\d+\)$/).click();

		await editor.read(/Action Button Actions/i);
		await takePicture('panel actions');
	});
});

describe('The canvas', () => {
	test.each(EXAMPLE_FILES)('shows examples/%s with its note', async (file) => {
		const credential = { id: credentials.right, name: CREDENTIAL_NAME };
		const example = withCredential(readExample(file), credential);
		await editor.openWorkflow((await installed.n8n.api.createWorkflow(example)).id);

		await editor.zoomToFit();
		await editor.read(example.name);
		await takePicture(`canvas ${file.replace('.json', '')}`);
	});
});
