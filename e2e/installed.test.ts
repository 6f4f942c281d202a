import { setTimeout as sleep } from 'node:timers/promises';
import { type ICredentialType, type IDataObject, NodeConnectionTypes } from 'n8n-workflow';
import { startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { startFakeModel } from './fakeModel';
import { holdRequests } from './hold';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { outputOf, pairedItemsOf } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import {
	casesNode,
	CASES_NODE,
	CASES_TRIGGER,
	itemsNode,
	manualWorkflow,
	node,
	START,
} from '../tools/n8n/workflows';

let installed: Installed;

beforeAll(async () => {
	installed = await startInstalled({ cases: 3000 });
});

afterAll(async () => await installed?.stop());

describe('The installed package', () => {
	test('is loaded under its own name, with its credential type and the variant for AI agents', async () => {
		const types = await installed.n8n.api.nodeTypes();
		const named = (wanted: string) => types.find(({ name }) => name === wanted);
		const tool = named(`${CASES_NODE}Tool`);

		for (const name of [CASES_NODE, CASES_TRIGGER]) {
			const ofCases = [expect.objectContaining({ name: CREDENTIAL_TYPE })];
			expect(named(name)?.credentials).toEqual(ofCases);
		}
		expect(tool?.outputs).toEqual(['ai_tool']);
	});
});

describe('The test of the credential in n8n', () => {
	const result = async (baseUrl: string, apiKey: string, more: IDataObject = {}) =>
		await installed.n8n.api.testCredential(CREDENTIAL_TYPE, credentialData(baseUrl, apiKey, more));

	test.each(['header', 'bearer'])('accepts the right key, sent as %s', async (authScheme) => {
		const { sandbox } = installed;
		sandbox.clearRequests();

		expect(await result(sandbox.url, sandbox.keys.personal, { authScheme })).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		const { headers } = sandbox.requests[0];
		expect(headers[authScheme === 'header' ? 'x-user-token' : 'authorization']).toBeDefined();
		expect(headers[authScheme === 'header' ? 'authorization' : 'x-user-token']).toBeUndefined();
	});

	test.each(['header', 'bearer'])(
		'says what to do about a wrong key, sent as %s',
		async (authScheme) => {
			const { status, message } = await result(installed.sandbox.url, 'wrong-key', { authScheme });

			expect(status).toBe('Error');
			expect(message).toMatch(/key/i);
		},
	);

	test('accepts a certificate that cannot be verified only when the user allows it', async () => {
		const sandbox = await startSandbox({ https: true, cases: 1 });
		try {
			const strict = await result(sandbox.url, sandbox.keys.personal);
			const lenient = await result(sandbox.url, sandbox.keys.personal, { ignoreSslIssues: true });

			expect([strict.status, lenient.status]).toEqual(['Error', 'OK']);
		} finally {
			await sandbox.stop();
		}
	});

	test('says what to do about a base URL that answers with a web page', async () => {
		const { sandbox } = installed;
		sandbox.faults.add({ fault: { kind: 'html' } });

		const { status, message } = await result(sandbox.url, sandbox.keys.personal);

		expect(status).toBe('Error');
		expect(message).toMatch(/base url/i);
	});

	test('says what to do about a base URL without the API behind it', async () => {
		const { sandbox } = installed;

		const { status, message } = await result(`${sandbox.url}/elsewhere`, sandbox.keys.personal);

		expect(status).toBe('Error');
		expect(message).toMatch(/base url/i);
	});
});

describe('A credential with a key of each user', () => {
	test('has its API key marked in n8n, and no other field', async () => {
		const types = await installed.n8n.api.request<ICredentialType[]>(
			'GET',
			'/types/credentials.json',
		);
		const properties = types.find(({ name }) => name === CREDENTIAL_TYPE)?.properties ?? [];

		const ofEachUser = properties.filter(({ resolvableField }) => resolvableField === true);
		expect(ofEachUser.map(({ name }) => name)).toEqual(['apiKey']);
	});

	test('belongs to a project of a team, and an n8n without a license refuses both', async () => {
		const { api } = installed.n8n;
		const data = credentialData('https://acme.example.com', 'any');

		const inPersonalProject = async () =>
			await api.rest('POST', '/credentials', {
				...{ name: 'Of each user', type: CREDENTIAL_TYPE, data },
				isResolvable: true,
			});
		const project = async () => await api.rest('POST', '/projects', { name: 'Team' });

		await expect(inPersonalProject()).rejects.toThrow(/not available in personal projects/);
		await expect(project()).rejects.toThrow(/Plan lacks license/);
	});
});

describe('The Cases node as a tool of an AI agent', () => {
	test('is called by the model with its arguments and answers with cases', async () => {
		const { sandbox, n8n, credentialId } = installed;
		const { api } = n8n;
		const wanted = sandbox.store.createCase({ name: 'Unpaid invoice of a lighthouse' });
		const model = await startFakeModel([{ tool: 'Cases', args: { Search: 'lighthouse' } }]);
		try {
			const openAi = await api.createCredential('Model', 'openAiApi', {
				apiKey: 'not-checked',
				url: model.url,
			});
			const { id } = await api.createWorkflow(agentWorkflow(credentialId, openAi.id));
			sandbox.clearRequests();

			const run = await api.runManually(id, START);

			expect(run.data.resultData.error).toBeUndefined();
			expect(outputOf(run, 'Agent')[0].json.output).toBe('Done.');
			expect(model.tools.map((tool) => tool.function)).toEqual([
				expect.objectContaining({
					description: expect.stringMatching(/many cases/i),
					parameters: expect.objectContaining({ properties: { Search: expect.anything() } }),
				}),
			]);
			expect(sandbox.requests[0].query).toMatchObject({ filters: { search: 'lighthouse' } });
			expect(model.toolResults.join()).toContain(`"case_id":${wanted.case_id}`);
		} finally {
			await model.stop();
		}
	});
});

/** An agent that may search cases with a text of the model's choice. */
function agentWorkflow(credentialId: string, modelCredentialId: string) {
	const model = {
		...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
			model: { __rl: true, mode: 'id', value: 'fake' },
		}),
		credentials: { openAiApi: { id: modelCredentialId, name: 'Model' } },
	};
	const tool = {
		...casesNode('Cases', credentialId, {
			resource: 'case',
			operation: 'getAll',
			limit: 5,
			filters: { search: "={{ $fromAI('Search', 'Words to look for', 'string') }}" },
		}),
		type: `${CASES_NODE}Tool`,
	};
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, {
		promptType: 'define',
		text: 'Find the case.',
	});
	const workflow = manualWorkflow('Agent', [agent]);
	return {
		...workflow,
		nodes: [...workflow.nodes, model, tool],
		connections: {
			...workflow.connections,
			Model: {
				ai_languageModel: [
					[{ node: 'Agent', type: NodeConnectionTypes.AiLanguageModel, index: 0 }],
				],
			},
			Cases: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
		},
	};
}

describe('An item that fails', () => {
	const idOfNoCase = 999_999;
	const replaceOn = (onError: 'continueRegularOutput' | 'continueErrorOutput') =>
		manualWorkflow(`Replace, ${onError}`, [
			itemsNode('Items', [{ id: 1 }, { id: idOfNoCase }, { id: 2 }]),
			casesNode(
				'Replace',
				installed.credentialId,
				{
					resource: 'action',
					operation: 'replace',
					caseId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
					actionsFrom: 'fields',
					actions: {
						action: [{ url: 'https://hooks.example/run', label: 'Run', action_type: 'webhook' }],
					},
				},
				{ onError },
			),
		]);

	test('stays in the output, in its place, with Continue (using regular output)', async () => {
		const { api } = installed.n8n;
		const { id } = await api.createWorkflow(replaceOn('continueRegularOutput'));

		const run = await api.runManually(id, START);

		expect(run.status).toBe('success');
		const output = outputOf(run, 'Replace');
		expect(output.map(({ json }) => json.case_id)).toEqual([1, undefined, 2]);
		expect(output[1].json.error).toMatch(/999999|not found/i);
		expect(pairedItemsOf(output)).toEqual([0, 1, 2]);
	});

	test('goes only to the error output with Continue (using error output)', async () => {
		const { api } = installed.n8n;
		const { id } = await api.createWorkflow(replaceOn('continueErrorOutput'));

		const run = await api.runManually(id, START);

		expect(run.status).toBe('success');
		expect(outputOf(run, 'Replace').map(({ json }) => json.case_id)).toEqual([1, 2]);
		const errors = outputOf(run, 'Replace', 1);
		expect(errors.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/999999|not found/i),
		]);
		expect(pairedItemsOf(errors)).toEqual([1]);
	});
});

describe('An execution that is cancelled', () => {
	test('during Return All sends no further request', async () => {
		const { sandbox, n8n, credentialId } = installed;
		const { id } = await n8n.api.createWorkflow(
			manualWorkflow('Return All', [
				casesNode('Cases', credentialId, {
					resource: 'case',
					operation: 'getAll',
					returnAll: true,
					options: { concurrency: 2 },
				}),
			]),
		);
		sandbox.faults.add({ fault: { kind: 'latency', ms: 300 } });
		sandbox.clearRequests();

		const executionId = await n8n.api.startManually(id, START);
		await waitFor('the first pages', () => (sandbox.requests.length > 5 ? true : undefined));
		const letGo = holdRequests(sandbox);
		await n8n.api.stopExecution(executionId);
		await waitFor('open requests to end', () => (sandbox.stats.inFlight === 0 ? true : undefined));
		const sent = sandbox.requests.length;
		await sleep(2000);
		letGo();

		expect(sandbox.requests).toHaveLength(sent);
		expect(await n8n.api.finishedExecution(executionId)).toMatchObject({ status: 'canceled' });
	});
});
