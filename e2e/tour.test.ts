import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { CasesApi } from '../credentials/CasesApi.credentials';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	readExample,
	withCredential,
} from '../tools/n8n/examples';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { freePorts, waitFor } from '../tools/n8n/processes';
import { branchingWorkflow, CASES_NODE, casesNode } from '../tools/n8n/workflows';
import { startBrowser } from './browser';
import { Editor, EDITOR_SIZE } from './editor';
import { shownForm, type ShownList } from './tourForms';
import {
	FORMS,
	nodesOf,
	OPERATIONS,
	type Stop,
	TOUR,
	type TourCredentials,
	type TourStop,
} from './tourStops';

/** Where the pictures go; git ignores it. */
const FOLDER = join(__dirname, '../reports/tour');

/** High enough for a form with everything added. */
const TALL = { ...EDITOR_SIZE, height: 3400 };

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
});

afterAll(async () => {
	await browser?.close();
	await installed?.stop();
});

/** The cases edited last are open and have no comments, as on a normal day, and some cases have known actions. */
function prepareCases() {
	const { store } = installed.sandbox;
	const action = (label: string, url: string) => ({ label, action_type: 'webhook' as const, url });
	const first = action('First action', 'https://example.com/webhook/first-action');
	const second = action('Second action', 'https://example.com/webhook/second-action');
	for (const id of [500, 503, 505]) store.replaceActions(id, [first, second]);
	store.replaceActions(504, [first]);
	store.replaceActions(506, []);
	for (let index = 0; index < 60; index++) store.addComment(507, `Comment ${index + 1}`);
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

/** Opens a workflow with a branch for each stop. */
async function openStops(name: string, stops: Array<Stop | TourStop>) {
	const branches = stops.map((stop) => nodesOf(stop, credentials));
	const workflow = branchingWorkflow(name, branches);
	await editor.openWorkflow((await installed.n8n.api.createWorkflow(workflow)).id);
}

async function takePicture(name: string, page: Page = editor.page) {
	await page.waitForTimeout(400); // what fades in
	await page.screenshot({ path: join(FOLDER, `${name.replaceAll(' ', '-')}.png`) });
}

/** The form alone, as high as it is. */
async function takeFormPicture(name: string) {
	// A list that loads its entries can't be opened until they are there.
	await editor.form.locator('.el-select input:disabled').first().waitFor({ state: 'hidden' });
	await editor.page.mouse.move(0, 0); // away from the fields, which show more buttons under it
	const { x, y, width, height } = (await editor.form.first().boundingBox())!;
	await takeClip(name, { x, y: y - 40, width, height: height + 50 });
}

/** An open list, with what is above it. */
async function takeListPicture(name: string) {
	const { x, y, width, height } = (await editor.openList.boundingBox())!;
	await takeClip(name, { x: x - 30, y: y - 100, width: width + 60, height: height + 120 });
}

type Clip = NonNullable<NonNullable<Parameters<Page['screenshot']>[0]>['clip']>;

async function takeClip(name: string, clip: Clip) {
	await editor.page.waitForTimeout(300); // what fades in
	await editor.page.screenshot({ path: join(FOLDER, `${name.replaceAll(' ', '-')}.png`), clip });
}

describe('The form', () => {
	/** Those that were opened in a form before. */
	const opened = new Set<string>();

	beforeAll(async () => {
		await editor.page.setViewportSize(TALL);
		await openStops('Forms', FORMS);
	});
	afterAll(async () => await editor.page.setViewportSize(EDITOR_SIZE));

	test.each(FORMS)('$name shows its fields and lists', async (stop) => {
		const { name, properties, parameters, above } = stop;
		const { labels, lists } = shownForm(properties, parameters as INodeParameters);
		editor.errors.length = 0;

		await editor.openNode(name);
		await takeFormPicture(name);
		expect(await editor.labels()).toEqual([...above, ...labels]);

		for (const list of lists) {
			const key = JSON.stringify(list);
			if (opened.has(key)) continue;
			opened.add(key);
			await expectList(list, name);
		}
		expect(editor.errors).toEqual([]);
	});

	test('of the trigger says when it starts the workflow', async () => {
		await editor.openNode('form trigger');
		const title = editor.page.getByText('When will this node trigger my flow?');
		await title.click();

		await editor.read('While you build the workflow');
		const { x, y } = (await title.boundingBox())!;
		await takeClip('help of the trigger', { x, y, width: 500, height: TALL.height - y });
	});

	test('of the credential shows its fields', async () => {
		const labels = new CasesApi().properties.filter(({ type }) => type !== 'notice');

		await editor.openNode(FORMS[0].name);
		await editor.openCredential();

		await takePicture('form credential');
		const shown = await editor.labels('editCredential-modal');
		expect(shown).toEqual([
			...labels.map(({ displayName }) => displayName),
			'Allowed HTTP Request Domains', // n8n's own
		]);
		await editor.closeCredential();
	});

	test('lists cases with their status and priority', async () => {
		await editor.openNode('form case get');
		await editor.openCaseList();

		await takePicture('list of cases');
		for (const text of await editor.cases.allInnerTexts()) {
			expect(text.trim()).toMatch(/^#\d+ .+ · (Open|Closed) · \w+$/);
		}
	});
});

/** Opens a list, and reads all entries to their end. */
async function expectList({ opens, entries }: ShownList, form: string) {
	const shown =
		'field' in opens
			? await editor.openChoices(opens.field)
			: await editor.openEntries(opens.button);
	await takeListPicture(`list ${'field' in opens ? opens.field : opens.button} in ${form}`);
	const texts = (await shown.allInnerTexts()).map((text) => text.trim().split('\n'));
	const names = texts.map(([name]) => name);
	if (entries === undefined) {
		const suggested = texts.filter(([name]) => name !== 'Any Team');
		expect(suggested.length).toBeGreaterThan(0);
		for (const [, description] of suggested) {
			// Teams and tags come from the service's own lists, the rest from the newest cases.
			if (description !== undefined) expect(description).toMatch(/^\d+ of 200 newest cases$/);
		}
	} else {
		expect(names.filter((name) => name !== 'Custom API Call')).toEqual(entries); // n8n's own
	}
	// n8n truncates a description after two lines.
	expect(await editor.truncatedDescriptions()).toEqual([]);
	await editor.closeList();
}

test('Get Many of cases shows its options on the first screen', async () => {
	await openStops('First screen', [
		{ name: 'Get', parameters: { resource: 'case', operation: 'getAll' } },
	]);
	await editor.openNode('Get');
	await takePicture('first screen');
	const { y, height } = (await editor.entriesButton('Add Option').boundingBox())!;
	expect(y + height).toBeLessThan(EDITOR_SIZE.height);
});

test('The list of cases says why it cannot be read, and what to do', async () => {
	const parameters = { resource: 'case', operation: 'get' };
	await openStops('List', [{ name: 'Get', parameters, credential: 'wrongKey', reads: [] }]);
	await editor.openNode('Get');
	await editor.chosenCase.click();
	await editor.read('The service refused the API key (401)');
	await takePicture('list with a wrong key');
	await editor.read(/check that the key is complete/);
});

describe.each(Object.entries(TOUR))('%s', (group, stops) => {
	beforeAll(async () => await openStops(group, stops));

	test.each(stops)('$name reads $reads', async ({ name, faults = [], show, opensNext, reads }) => {
		const { sandbox } = installed;
		sandbox.faults.clear();
		editor.errors.length = 0;

		await editor.clearRun();
		await editor.openNode(name);
		sandbox.faults.add(...faults);
		if (show !== undefined) await show(editor);
		else if (opensNext !== true) await editor.execute();
		await takePicture(name);
		for (const text of reads) await editor.read(text);
		if (show !== undefined) await editor.closeCredential();

		expect(editor.errors).toEqual([]);
	});
});

describe('Ask and Wait', () => {
	const parameters = {
		resource: 'action',
		operation: 'sendAndWait',
		caseId: { __rl: true, mode: 'id', value: '506' },
		message: 'Isolate web-7?',
		approvalOptions: { values: { approvalType: 'double' } },
	};

	test('waits, puts its buttons on the page of the case, and shows the answer', async () => {
		const { n8n, sandbox, credentialId } = installed;
		const ask = casesNode('Ask', credentialId, { ...parameters, options: { buttonType: 'page' } });
		const workflow = await n8n.api.createWorkflow(branchingWorkflow('Ask and Wait', [[ask]]));
		await editor.openWorkflow(workflow.id);
		await editor.openNode('Ask');

		await editor.startExecution();
		await editor.read(/Waiting for/);
		await takePicture('ask waits');

		const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
		await page.goto(`${sandbox.url}/cases/506`);
		await page.getByText('Isolate web-7?').first().waitFor();
		await takePicture('ask in the case', page);
		const [{ url }] = await waitFor('the button', () => {
			const actions = sandbox.store.getCase(506).actions();
			return actions.length > 0 ? actions : undefined;
		});
		await page.goto(url);
		await takePicture('ask page', page);
		await page.getByRole('button', { name: 'Approve' }).click();
		await page.getByText('Answer received').waitFor();
		await takePicture('ask answered', page);
		await page.close();

		await editor.read('approved');
		await takePicture('ask output');
	});
});

describe('The human review that n8n makes of Ask and Wait', () => {
	beforeAll(async () => {
		const example = readExample('ask-about-cases.json');
		const caseId = { __rl: true, mode: 'list', value: '' };
		const nodes = example.nodes.map((each) =>
			each.type === `${CASES_NODE}HitlTool`
				? { ...each, parameters: { ...each.parameters, caseId } }
				: each,
		);
		const credential = { id: credentials.right, name: CREDENTIAL_NAME };
		const workflow = withCredential({ ...example, nodes }, credential);
		await editor.openWorkflow((await installed.n8n.api.createWorkflow(workflow)).id);
		await editor.zoomToFit();
		await takePicture('review canvas');
		await editor.openNode('Approve in the case');
	});

	test('shows the message, the case, and how to approve', async () => {
		await takePicture('review form');
		expect(await editor.labels()).toEqual([
			'Credential',
			'Message',
			'Case',
			'Approval Options',
			'Type of Approval',
			'Approve Button Label',
			'Decline Button Label',
			'Options',
		]);
	});

	test('offers the options of Ask and Wait', async () => {
		const entries = await editor.openEntries('Add Option');
		await takePicture('review options');
		expect((await entries.allInnerTexts()).map((text) => text.trim())).toEqual([
			'Button Type',
			'Keep Buttons',
			'Limit Wait Time (Minutes)',
		]);
		await editor.closeList();
	});

	test('lists cases', async () => {
		await editor.openCaseList();
		await takePicture('review cases');
		expect(await editor.cases.first().innerText()).toMatch(/^#\d+ /);
	});
});

describe('The node panel', () => {
	beforeAll(async () => await editor.openNodePanel());

	test.each(['cases', 'incident', 'phishing', 'SOAR', 'close case', 'ask', 'wait', 'approval'])(
		'finds the node by "%s"',
		async (text) => {
			await editor.searchNodes(text);

			await editor.foundNode('Cases').waitFor();
			await takePicture(`panel ${text}`);
		},
	);

	test('shows the actions of the node under names that tell them from case actions', async () => {
		await editor.searchNodes('cases');
		await editor.foundNode('Cases').click();
		await editor.page.getByText(/^Actions \(\d+\)$/).click();

		await editor.read(/Case Action Actions/i);
		await takePicture('panel actions');
	});
});

test('The canvas shows what each node does, and no subtitle is truncated', async () => {
	const parameters = OPERATIONS.map((operation) => ({
		...operation,
		caseId: { __rl: true, mode: 'id', value: '500' },
	}));
	const nodes = parameters.map((each) =>
		casesNode(`${each.resource} ${each.operation}`, credentials.right, each),
	);
	const rows = [0, 1, 2, 3].map((row) => nodes.filter((_, index) => index % 4 === row));
	const workflow = branchingWorkflow('Canvas', rows);
	await editor.openWorkflow((await installed.n8n.api.createWorkflow(workflow)).id);
	await editor.zoomToFit();

	await takePicture('canvas');
	await editor.read('Replace all actions: #500');
	await editor.read('Get case · #500');
	expect(await editor.truncatedSubtitles()).toEqual([]);
});
