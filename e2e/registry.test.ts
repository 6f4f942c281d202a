import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { type N8n, startN8n, startWorker } from '../tools/n8n/n8n';
import { type N8nApi, outputOf } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { provideRuntime, type Runtime, runtimes } from '../tools/n8n/runtime';
import { makeTempFolder } from '../tools/n8n/tempFolder';
import {
	casesNode,
	CASES_NODE,
	CASES_TRIGGER,
	node,
	webhookTrigger,
	workflowOf,
} from '../tools/n8n/workflows';
import { startBrowser } from './browser';
import { Editor } from './editor';
import { reactingWorkflow, reportedBy } from './pollers';
import { type QueueServers, startQueueServers } from './queueServers';
import { type Registry, startRegistry } from './registry';

// n8n installs the package itself here, in each way in which users let it. From a file: see installed.test.ts.

const PACKAGE = 'n8n-nodes-cases';
const FIRST = '1.0.0';
const NEXT = '1.0.1';
const LAST = '1.0.2';
const tarball = (version: string) => `${PACKAGE}-${version}.tgz`;

let folder: string;
let runtime: Runtime;
let sandbox: Sandbox;
let registry: Registry;
let checksum: string;

beforeAll(async () => {
	folder = await makeTempFolder();
	runtime = await provideRuntime(runtimes.current);
	sandbox = await startSandbox({ cases: 5 });
	registry = await startRegistry();
	checksum = await registry.publish(FIRST);
});

afterAll(async () => {
	await registry?.stop();
	await sandbox?.stop();
	if (folder) await rm(folder, { recursive: true });
});

/** Starts an n8n in a folder of its own, which has no package at first. */
async function start(name: string, env: Record<string, string> = {}): Promise<N8n> {
	const userFolder = join(folder, name);
	return await startN8n({ runtime, userFolder, env: { ...registry.env, ...env } });
}

/** The version that n8n says it has installed. */
async function installedVersion(api: N8nApi): Promise<string | undefined> {
	const packages = await api.rest<Array<{ packageName: string; installedVersion: string }>>(
		'GET',
		'/community-packages',
	);
	return packages.find(({ packageName }) => packageName === PACKAGE)?.installedVersion;
}

async function hasNodes(api: N8nApi): Promise<boolean> {
	const names = (await api.nodeTypes()).map(({ name }) => name);
	return [CASES_NODE, CASES_TRIGGER].every((name) => names.includes(name));
}

async function createCredential(api: N8nApi): Promise<string> {
	const data = credentialData(sandbox.url, sandbox.keys.tenantOwner);
	return (await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data)).id;
}

/** Counts the cases whenever its webhook is called. */
const countingWorkflow = (path: string, credentialId: string) =>
	workflowOf(path, [
		webhookTrigger(path),
		casesNode('Count', credentialId, { operation: 'count' }),
	]);

/** Calls the webhook. @returns what the node named Count returned, or the error */
async function count(api: N8nApi, path: string, workflowId: string): Promise<unknown> {
	const before = new Set((await api.executions(workflowId)).results.map(({ id }) => id));
	await api.request('POST', `/webhook/${path}`, {});
	const started = await waitFor('the execution', async () =>
		(await api.executions(workflowId)).results.find(({ id }) => !before.has(id)),
	);
	const run = await api.finishedExecution(started.id);
	return run.data.resultData.error?.message ?? outputOf(run, 'Count')[0].json.count;
}

describe('The package in Settings → Community nodes', () => {
	let n8n: N8n;
	let browser: Browser;
	let page: Page;
	let credentialId: string;

	beforeAll(async () => {
		n8n = await start('window');
		await n8n.api.setUpOwner();
		browser = await startBrowser();
		({ page } = await Editor.open(browser, n8n.url));
	});

	afterAll(async () => {
		await browser?.close();
		await n8n?.process.stop();
	});

	const openWindow = async () => await page.goto(`${n8n.url}/settings/community-nodes`);

	test('is installed by its name', async () => {
		expect(await hasNodes(n8n.api)).toBe(false);
		await openWindow();
		await page.getByRole('button', { name: 'Install a community node' }).click();
		await page.locator('input[name=packageNameInput]').fill(PACKAGE);
		await page.getByTestId('user-agreement-checkbox').click();
		await page.getByTestId('install-community-package-button').click();
		await page.getByText('Package installed').waitFor();

		expect(await installedVersion(n8n.api)).toBe(FIRST);
		expect(await hasNodes(n8n.api)).toBe(true);
		expect(registry.downloads).toEqual([tarball(FIRST)]);
		credentialId = await createCredential(n8n.api);
	});

	test('is updated, and workflows, waiting questions and triggers continue', async () => {
		const { api } = n8n;
		const counting = await api.createWorkflow(countingWorkflow('count', credentialId));
		const asking = await api.createWorkflow(askingWorkflow(credentialId));
		const reacting = await api.createWorkflow(reactingWorkflow(credentialId));
		for (const workflow of [counting, asking, reacting]) await api.publish(workflow);
		expect(await count(api, 'count', counting.id)).toBe(5);
		await api.request('POST', '/webhook/ask', {});
		const button = await waitFor('the button', async () => {
			const { results } = await api.executions(asking.id, ['waiting']);
			return results.length > 0 ? buttonOf(1) : undefined;
		});
		const seen = [sandbox.store.createCase().case_id];
		const created = () => seen.map((id) => `caseCreated ${id}`).sort();
		/** Waits for the events of all cases created so far. The question is an event of its own. */
		const reported = async () =>
			await waitFor('the cases to be reported', async () => {
				const events = await reportedBy(n8n.api, reacting.id);
				const found = events.filter((event) => event.startsWith('caseCreated')).sort();
				return found.length >= seen.length ? found : undefined;
			});
		expect(await reported()).toEqual(created());

		await registry.publish(NEXT);
		seen.push(sandbox.store.createCase().case_id);
		await openWindow();
		await page
			.getByTestId('community-package-card')
			.getByRole('button', { name: 'Update' })
			.click();
		await page.getByRole('button', { name: 'Confirm update' }).click();
		await page.getByText('Package updated').waitFor();
		seen.push(sandbox.store.createCase().case_id);

		expect(await installedVersion(api)).toBe(NEXT);
		expect(registry.downloads).toEqual([tarball(FIRST), tarball(NEXT)]);
		expect(await count(api, 'count', counting.id)).toBe(5 + seen.length);
		await fetch(button, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{}',
		});
		const answered = await waitFor(
			'the answer',
			async () => (await api.executions(asking.id, ['success'])).results[0],
		);
		const answer = await api.finishedExecution(answered.id);
		expect(outputOf(answer, 'After')[0].json).toMatchObject({ data: { approved: true } });
		expect(await reported()).toEqual(created());

		await n8n.process.stop();
		seen.push(sandbox.store.createCase().case_id);
		n8n = await start('window');
		await n8n.api.logIn();
		expect(await reported()).toEqual(created());
	});
});

/** Asks in case 1 whenever its webhook is called. */
function askingWorkflow(credentialId: string) {
	const ask = casesNode('Ask', credentialId, {
		resource: 'action',
		operation: 'sendAndWait',
		caseId: { __rl: true, mode: 'id', value: '1' },
		message: 'Continue?',
	});
	return workflowOf('Ask', [webhookTrigger('ask'), ask, node('After', 'n8n-nodes-base.noOp', 1)]);
}

/** The address of the button with which the question in a case is approved. */
const buttonOf = (caseId: number) =>
	sandbox.store
		.getCase(caseId)
		.actions()
		.find(({ action_text }) => action_text === 'Approve')?.url;

describe('The package in the environment of n8n', () => {
	const managed = (version: string, integrity: string) => ({
		N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
		N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name: PACKAGE, version, checksum: integrity }]),
		// As by default in n8n 3; the checksum is enough to install.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	});

	test('is not installed with a wrong checksum, and n8n says so', async () => {
		const n8n = await start('managed', managed(FIRST, 'sha512-wrong'));
		try {
			await n8n.api.setUpOwner();
			expect(await hasNodes(n8n.api)).toBe(false);
			expect(n8n.process.lines.join('\n')).toMatch(/Failed to install community package/);
		} finally {
			await n8n.process.stop();
		}
	});

	test.each([FIRST, LAST])('is installed and updated at the start: version %s', async (version) => {
		const integrity = version === FIRST ? checksum : await registry.publish(LAST);
		const n8n = await start('managed', managed(version, integrity));
		try {
			await n8n.api.logIn();
			expect(await installedVersion(n8n.api)).toBe(version);
			expect(await hasNodes(n8n.api)).toBe(true);
			await expect(n8n.api.rest('DELETE', `/community-packages?name=${PACKAGE}`)).rejects.toThrow(
				/managed via environment variables/,
			);
		} finally {
			await n8n.process.stop();
		}
	});

	test('is removed once the list does not name it', async () => {
		const n8n = await start('managed', {
			...managed(LAST, checksum),
			N8N_COMMUNITY_PACKAGES: '[]',
		});
		try {
			await n8n.api.logIn();
			expect(await installedVersion(n8n.api)).toBeUndefined();
			expect(await hasNodes(n8n.api)).toBe(false);
		} finally {
			await n8n.process.stop();
		}
	});
});

describe('A worker of queue mode without the package', () => {
	let servers: QueueServers;
	let main: N8n;
	let env: Record<string, string>;
	let workflowId: string;

	beforeAll(async () => {
		servers = await startQueueServers();
		env = { ...servers.env, ...registry.env, N8N_ENCRYPTION_KEY: 'the same in all processes' };
		main = await start('main', env);
		await main.api.setUpOwner();
		await main.api.rest('POST', '/community-packages', { name: PACKAGE, version: FIRST });
		const counting = await main.api.createWorkflow(
			countingWorkflow('queued', await createCredential(main.api)),
		);
		await main.api.publish(counting);
		workflowId = counting.id;
	});

	afterAll(async () => {
		await main?.process.stop();
		await servers?.stop();
	});

	/** Starts a worker, which has a folder of its own without the package, for as long as it is used. */
	async function withWorker<T>(
		name: string,
		more: Record<string, string>,
		use: () => Promise<T>,
	): Promise<T> {
		const userFolder = join(folder, name);
		await mkdir(userFolder);
		const worker = await startWorker({ runtime, userFolder, env: { ...env, ...more } });
		try {
			return await use();
		} finally {
			await worker.stop();
		}
	}

	const countQueued = async () => await count(main.api, 'queued', workflowId);

	test('does not know the nodes', async () => {
		expect(await withWorker('bare', {}, countQueued)).toMatch(
			/Unrecognized node type: n8n-nodes-cases\.cases/,
		);
	});

	test('installs it at its start with N8N_REINSTALL_MISSING_PACKAGES', async () => {
		const settings = { N8N_REINSTALL_MISSING_PACKAGES: 'true' };

		const result = await withWorker('reinstalling', settings, countQueued);

		expect(result).toBe([...sandbox.store.cases()].length);
	});

	test('installs it while it runs, when the main process does', async () => {
		await main.api.rest('DELETE', `/community-packages?name=${PACKAGE}`);

		const result = await withWorker('running', {}, async () => {
			await main.api.rest('POST', '/community-packages', { name: PACKAGE, version: FIRST });
			return await waitFor('the worker to know the nodes', async () => {
				const counted = await countQueued();
				return typeof counted === 'number' ? counted : undefined;
			});
		});

		expect(result).toBe([...sandbox.store.cases()].length);
	});
});
