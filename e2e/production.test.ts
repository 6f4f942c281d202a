import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { outputOf, type WorkflowDefinition } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { casesNode, node, webhookTrigger, workflowOf } from '../tools/n8n/workflows';
import { holdRequests } from './hold';

let installed: Installed;

beforeAll(async () => {
	installed = await startInstalled({ cases: 20 }, { N8N_LOG_LEVEL: 'debug' });
});

afterAll(async () => await installed?.stop());

describe('The API key', () => {
	const WRONG_KEY = 'wrong-key-that-nobody-may-read';
	const ids: Record<string, string> = {};

	beforeAll(async () => {
		const { n8n, sandbox } = installed;
		const wrong = await n8n.api.createCredential(
			'Wrong key',
			CREDENTIAL_TYPE,
			credentialData(sandbox.url, WRONG_KEY),
		);
		const bearer = await n8n.api.createCredential(
			'Bearer',
			CREDENTIAL_TYPE,
			credentialData(sandbox.url, sandbox.keys.service, { authScheme: 'bearer' }),
		);
		Object.assign(ids, { wrong: wrong.id, bearer: bearer.id, right: installed.credentialId });
	});

	const byId = (value: number) => ({ __rl: true, mode: 'id', value: String(value) });
	/** A refused key, an unknown case, and answers that repeat the key that was sent. */
	const FAILURES: Array<{ credential: string; parameters: IDataObject; isEchoed?: boolean }> = [
		{ credential: 'wrong', parameters: { operation: 'getAll' } },
		{ credential: 'right', parameters: { operation: 'get', caseId: byId(999_999) } },
		{ credential: 'right', parameters: { operation: 'getAll' }, isEchoed: true },
		{ credential: 'bearer', parameters: { operation: 'count' }, isEchoed: true },
		{
			credential: 'right',
			parameters: {
				resource: 'action',
				operation: 'replace',
				caseId: byId(1),
				actions: { action: [{ url: 'https://x.example', label: 'X', action_type: 'page' }] },
			},
			isEchoed: true,
		},
	];

	test('is only encrypted in the files of n8n after failures of every kind', async () => {
		const { n8n, sandbox, userFolder } = installed;
		const { tenantOwner, service } = sandbox.keys;
		const secrets = [tenantOwner, service, WRONG_KEY];
		const keys: Record<string, string> = { right: tenantOwner, bearer: service, wrong: WRONG_KEY };
		const onError = await n8n.api.createWorkflow(errorWorkflow());
		await n8n.api.publish(onError);

		for (const [index, { credential, parameters, isEchoed }] of FAILURES.entries()) {
			const workflow = failingWorkflow(index, ids[credential], parameters, onError.id);
			const created = await n8n.api.createWorkflow(workflow);
			await n8n.api.publish(created);
			if (isEchoed) {
				const body = { error: `Bad header: Bearer ${keys[credential]}`, sent: [keys[credential]] };
				sandbox.faults.add({ times: 3, fault: { kind: 'status', status: 500, body } });
			}
			await n8n.api.request('POST', `/webhook/failing-${index}`, {});
			const { results } = await waitFor('the execution', async () => {
				const found = await n8n.api.executions(created.id, ['error']);
				return found.count > 0 ? found : undefined;
			});
			const run = await n8n.api.finishedExecution(results[0].id);
			expect(outputOf(run, 'Continues')[0].json.error).toBeDefined();
			expect(outputOf(run, 'Error output', 1)[0].json.error).toBeDefined();
			expect(run.data.resultData.error?.message).toBeDefined();
			sandbox.faults.clear();
		}
		const handled = await waitFor('the error workflow', async () => {
			const found = await n8n.api.executions(onError.id, ['success']);
			return found.count >= FAILURES.length ? found : undefined;
		});
		expect(handled.count).toBe(FAILURES.length);

		const files = await filesOf(userFolder);
		const names = Object.keys(files);
		// The search would find them: it sees what the executions and the log say.
		expect(names.filter((name) => files[name].includes('The service refused the API key'))).toEqual(
			expect.arrayContaining([expect.stringMatching(/database\.sqlite/)]),
		);
		expect(files['n8n.log'].toString()).toMatch(/debug/i);
		for (const secret of secrets) {
			expect(names.filter((name) => files[name].includes(secret))).toEqual([]);
		}
	});

	/** The node three times: with both ways to continue, then with the one that ends the execution. */
	function failingWorkflow(
		index: number,
		credentialId: string,
		parameters: IDataObject,
		errorWorkflowId: string,
	): WorkflowDefinition {
		const more = { ...parameters, options: { maxRetries: 0 } };
		const start = webhookTrigger(`failing-${index}`);
		const first = casesNode('Continues', credentialId, more, { onError: 'continueRegularOutput' });
		const second = casesNode('Error output', credentialId, more, {
			onError: 'continueErrorOutput',
		});
		const workflow = workflowOf(`Failing ${index}`, [start, first, second]);
		const third = casesNode('Fails', credentialId, more);
		return {
			...workflow,
			nodes: [...workflow.nodes, third],
			connections: {
				...workflow.connections,
				'Error output': { main: [[], [{ node: 'Fails', type: 'main', index: 0 }]] },
			},
			settings: { ...workflow.settings, errorWorkflow: errorWorkflowId },
		};
	}
});

function errorWorkflow(): WorkflowDefinition {
	return workflowOf('On error', [
		node('Error', 'n8n-nodes-base.errorTrigger', 1),
		node('Then', 'n8n-nodes-base.noOp', 1),
	]);
}

/** The contents of all files that an n8n has written, by their names: database, its log to be written, logs. */
async function filesOf(userFolder: string): Promise<Record<string, Buffer>> {
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => join(parentPath, name));
	const contents = await Promise.all(
		files.map(async (file) => [file.slice(userFolder.length + 1), await readFile(file)] as const),
	);
	return Object.fromEntries(contents);
}

describe('A service with a rate limit', () => {
	const EXECUTIONS = 50;
	const CASES = 200;
	const REFUSED = 30;
	let limited: Sandbox;

	beforeAll(async () => {
		limited = await startSandbox({ cases: CASES, rateLimit: { perSecond: 10 } });
	});

	afterAll(async () => await limited?.stop());

	test(`completes ${EXECUTIONS} executions at once, each with all its cases and its write`, async () => {
		const { api } = installed.n8n;
		const data = credentialData(limited.url, limited.keys.tenantOwner);
		const { id: credentialId } = await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
		const workflow = await api.createWorkflow(readingAndWriting(credentialId));
		await api.publish(workflow);

		// While some run, a busy n8n may fail to start others.
		const letGo = holdRequests(limited);
		await Promise.all(
			Array.from({ length: EXECUTIONS }, async (_, index) => {
				await api.request('POST', '/webhook/limited', { case_id: index + 1 });
			}),
		);
		letGo();
		// A busy machine may never meet the limit.
		limited.faults.add({ times: REFUSED, fault: { kind: 'status', status: 429, retryAfter: 1 } });
		const ended = await waitFor(`${EXECUTIONS} executions to end`, async () => {
			const found = await api.executions(workflow.id, ['success', 'error', 'crashed']);
			return found.count >= EXECUTIONS ? found : undefined;
		});

		expect(ended.results.map(({ status }) => status)).toEqual(Array(EXECUTIONS).fill('success'));
		for (const { id } of ended.results) {
			const run = await api.finishedExecution(id);
			const read = outputOf(run, 'Get all cases').map(({ json }) => json.case_id);
			expect(new Set(read).size).toBe(CASES);
			expect(read).toHaveLength(CASES);
		}
		for (let case_id = 1; case_id <= EXECUTIONS; case_id++) {
			const actions = limited.store.getCase(case_id).actions();
			expect(actions.map(({ label }) => label)).toEqual([`Case ${case_id}`]);
		}
		const refused = limited.requests.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThanOrEqual(REFUSED);
		expect(limited.rejected).toEqual([]);
	});

	/** Reads all cases, then writes to the one that its webhook names. */
	function readingAndWriting(credentialId: string): WorkflowDefinition {
		const caseId = '{{ $("Webhook").first().json.body.case_id }}';
		return workflowOf('Reading and writing', [
			webhookTrigger('limited'),
			casesNode('Get all cases', credentialId, { operation: 'getAll', returnAll: true }),
			casesNode(
				'Replace actions',
				credentialId,
				{
					resource: 'action',
					operation: 'replace',
					caseId: { __rl: true, mode: 'id', value: `=${caseId}` },
					actions: {
						action: [{ url: 'https://x.example', label: `=Case ${caseId}`, action_type: 'page' }],
					},
				},
				{ executeOnce: true },
			),
		]);
	}
});
