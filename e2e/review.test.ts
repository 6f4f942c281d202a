import type { IConnections, IDataObject, INode, NodeConnectionType } from 'n8n-workflow';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import type { WorkflowDefinition } from '../tools/n8n/n8nApi';
import { casesNode, node, webhookTrigger, workflowOf } from '../tools/n8n/workflows';
import {
	answerOnPage,
	openPage,
	press,
	questionButtons,
	waitForNoQuestion,
	waitForQuestion,
} from './buttons';
import { type FakeModel, startFakeModel, type ToolCall } from './fakeModel';

let installed: Installed;
const models: FakeModel[] = [];

beforeAll(async () => {
	installed = await startInstalled({ cases: 20 });
	for (let id = 1; id <= 20; id++) installed.sandbox.store.replaceActions(id, []);
});

afterAll(async () => {
	await installed?.stop();
	await Promise.all(models.map(async (model) => await model.stop()));
});

const fromAi = (name: string) => `={{ $fromAI('${name}', \`${name}\`, 'string') }}`;

/** A call of the gated tool, as the model makes it: what the tool needs stands below toolParameters. */
const replace = (caseId: number, url: string, tool = 'Set_button'): ToolCall => ({
	tool,
	args: { toolParameters: { Case_ID: String(caseId), URL: url }, hitlParameters: {} },
});

const sub = (name: string, type: NodeConnectionType, parent = 'Agent'): IConnections => ({
	[name]: { [type]: [[{ node: parent, type, index: 0 }]] },
});

/** Tools of an agent by their names: the parameters of their Cases nodes. */
type Tools = Record<string, IDataObject>;

const caseOfModel = { __rl: true, mode: 'id', value: fromAi('Case_ID') };
const setsButton = {
	resource: 'action',
	operation: 'replace',
	caseId: caseOfModel,
	actions: { action: [{ label: 'New', url: fromAi('URL'), action_type: 'page' }] },
};
const SETS_BUTTONS: Tools = { 'Set button': setsButton, 'Set other button': setsButton };

const reviewOf = (tool: string) => `Review of ${tool}`;

/** An agent with tools, each of which runs once somebody approves it in the case that it is about. */
function agentWorkflow(path: string, modelCredential: string, review: IDataObject, tools: Tools) {
	const ask = workflowOf(path, [
		webhookTrigger(path),
		node('Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, {
			promptType: 'define',
			text: 'Work on the case',
			options: {},
		}),
	]);
	const tool = (name: string): INode => {
		const made = casesNode(name, installed.credentialId, tools[name]);
		return { ...made, type: `${made.type}Tool` };
	};
	const gate = (name: string): INode => {
		const made = casesNode(name, installed.credentialId, {
			resource: 'action',
			operation: 'sendAndWait',
			message: '=The agent wants to run {{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}',
			caseId: { __rl: true, mode: 'id', value: '={{ $tool.parameters.Case_ID }}' },
			responseType: 'approval',
			approvalOptions: { values: { approvalType: 'double' } },
			...review,
		});
		return { ...made, type: `${made.type}HitlTool` };
	};
	const model: INode = {
		...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
			model: { __rl: true, mode: 'id', value: 'gpt-5-mini' },
			options: {},
		}),
		credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
	};
	return {
		...ask,
		nodes: [
			...ask.nodes,
			...Object.keys(tools).flatMap((name) => [tool(name), gate(reviewOf(name))]),
			model,
		],
		connections: {
			...ask.connections,
			...Object.fromEntries(
				Object.keys(tools).flatMap((name) => [
					...Object.entries(sub(name, 'ai_tool', reviewOf(name))),
					...Object.entries(sub(reviewOf(name), 'ai_tool')),
				]),
			),
			...sub('Model', 'ai_languageModel'),
		},
	} satisfies WorkflowDefinition;
}

/** Starts an agent whose model makes these calls. @returns the model, and a function that waits for the end */
async function startAgent(
	path: string,
	turns: Array<ToolCall | ToolCall[]>,
	review: IDataObject = {},
	tools = SETS_BUTTONS,
) {
	const { api } = installed.n8n;
	const model = await startFakeModel(turns);
	models.push(model);
	const { id } = await api.createCredential('Model', 'openAiApi', {
		apiKey: 'not-checked',
		url: model.url,
	});
	const workflow = await api.createWorkflow(agentWorkflow(path, id, review, tools));
	await api.publish(workflow);
	await api.request('POST', `/webhook/${path}`, {});
	const end = async () => {
		const { results } = await api.executions(workflow.id);
		const run = await api.finishedExecution(results[0].id);
		expect(run.data.resultData.error).toBeUndefined();
		expect(run.status).toBe('success');
		return run;
	};
	return { model, end };
}

const urlsOf = (caseId: number) =>
	installed.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ url }) => url);

const question = async (caseId: number, count = 2) =>
	await waitForQuestion(installed.n8n.api, installed.sandbox, caseId, { count });

const REJECTED = /User rejected the tool call/;

describe('A human review of the tools of an AI agent', () => {
	test('lets the tool run after a click in the case', async () => {
		const { model, end } = await startAgent('approve', [replace(1, 'https://a.example/1')]);
		const [approve] = await question(1);
		expect(approve.label).toContain('The agent wants to run Set_button: {');
		expect(model.toolResults).toEqual([]);
		await press(approve.url);
		await end();
		expect(urlsOf(1)).toEqual(['https://a.example/1']);
		expect(model.toolResults).toEqual([expect.stringContaining('https://a.example/1')]);
	});

	test('stops the tool after a click on Decline, and the model learns it', async () => {
		const { model, end } = await startAgent('decline', [replace(2, 'https://a.example/2')]);
		const [, decline] = await question(2);
		await press(decline.url);
		await end();
		await waitForNoQuestion(installed.sandbox, [2]);
		expect(model.toolResults).toEqual([expect.stringMatching(REJECTED)]);
	});

	test('shows the whole message on a page where it is longer than a label', async () => {
		const url = `https://a.example/3?why=${'because'.repeat(30)}`;
		const { end } = await startAgent('long', [replace(3, url)]);
		const [review, ...others] = await question(3, 1);
		expect(others).toEqual([]);
		expect(review).toMatchObject({ action_type: 'page', action_text: 'Review' });
		expect(await openPage(review.url)).toContain(url);
		await answerOnPage(review.url, 0);
		await end();
		expect(urlsOf(3)).toEqual([url]);
	});

	test('asks for two calls of one turn, each with its own buttons', async () => {
		const other = 'Set_other_button';
		const calls = [replace(4, 'https://a.example/4'), replace(5, 'https://a.example/5', other)];
		const { model, end } = await startAgent('two', [calls]);
		const first = await question(4);
		expect(questionButtons(installed.sandbox, 5)).toEqual([]);
		await press(first[0].url);
		const second = await question(5);
		expect((await press(first[0].url)).text).not.toContain('Answer received');
		await press(second[1].url);
		await end();
		await waitForNoQuestion(installed.sandbox, [4, 5]);
		expect([urlsOf(4), urlsOf(5)]).toEqual([['https://a.example/4'], []]);
		// n8n 2.41 leaves a rejection out where another call of the turn was approved.
		expect(model.toolResults).toEqual([expect.stringContaining('https://a.example/4')]);
	});

	test('doesn’t run the second of two calls of one turn with the same review, because n8n doesn’t ask for it', async () => {
		const calls = [replace(10, 'https://a.example/10'), replace(11, 'https://a.example/11')];
		const { end } = await startAgent('same', [calls]);
		await press((await question(10))[0].url);
		await end();
		expect([urlsOf(10), urlsOf(11)]).toEqual([['https://a.example/10'], []]);
	});

	test('asks again in a later turn', async () => {
		const turns = [replace(8, 'https://a.example/8'), replace(9, 'https://a.example/9')];
		const { model, end } = await startAgent('turns', turns);
		await press((await question(8))[0].url);
		await press((await question(9))[0].url);
		await end();
		expect([urlsOf(8), urlsOf(9)]).toEqual([['https://a.example/8'], ['https://a.example/9']]);
		expect(model.toolResults).toHaveLength(2);
	});

	test('rejects a call whose question can’t be asked, and no other one', async () => {
		const { model, end } = await startAgent('failing', [
			replace(999, 'https://a.example/6'),
			[replace(999, 'https://a.example/6'), replace(6, 'https://a.example/6')],
		]);
		await press((await question(6))[0].url);
		await end();
		expect(model.toolResults[0]).toMatch(REJECTED);
		expect(urlsOf(6)).toEqual(['https://a.example/6']);
	});

	test('rejects the call when the time is up, and its buttons stay', async () => {
		const { model, end } = await startAgent('late', [replace(7, 'https://a.example/7')], {
			options: { limitWaitTime: 1 },
		});
		await end();
		expect(model.toolResults).toEqual([expect.stringMatching(REJECTED)]);
		expect(questionButtons(installed.sandbox, 7)).toHaveLength(2);
	});
});

describe('A human review of a tool that writes to a case', () => {
	const call = (tool: string, toolParameters: Record<string, string>): ToolCall => ({
		tool,
		args: { toolParameters, hitlParameters: {} },
	});
	const stored = (caseId: number) => installed.sandbox.store.getCase(caseId);

	test.each<[string, number, IDataObject, Record<string, string>, (caseId: number) => unknown]>([
		[
			'Update',
			12,
			{
				...{ resource: 'case', operation: 'update', caseId: caseOfModel },
				updateFields: {
					name: fromAi('Name'),
					description: fromAi('Text'),
					assignee_emails: fromAi('People'),
				},
			},
			// What a model leaves empty stays as it is.
			{ Case_ID: '12', Name: 'Made by it', Text: '', People: '[]' },
			(caseId) => {
				const { name, description, assignees } = stored(caseId);
				return `${name}, ${description}, ${assignees.length}` === 'Made by it, Kept, 1';
			},
		],
		[
			'Close',
			13,
			{ resource: 'case', operation: 'close', caseId: caseOfModel },
			{ Case_ID: '13' },
			(caseId) => stored(caseId).status === 'CLOSED',
		],
		[
			'Comment',
			14,
			{
				...{ resource: 'comment', operation: 'create', caseId: caseOfModel },
				text: fromAi('Text'),
			},
			{ Case_ID: '14', Text: 'Written by the agent' },
			(caseId) =>
				installed.sandbox.store
					.comments(caseId)
					.some(({ value }) => value === 'Written by the agent'),
		],
	])('lets %s run after a click in that case', async (name, caseId, parameters, given, isDone) => {
		const { store } = installed.sandbox;
		const kept = { description: 'Kept', assignees: [1] };
		store.updateCase(caseId, { status: 'OPEN', closure_conditions: [], ...kept });
		const { model, end } = await startAgent(
			`write-${name}`,
			[call(name, given)],
			{},
			{
				[name]: parameters,
			},
		);
		const [approve] = await question(caseId);
		expect(isDone(caseId)).toBe(false);
		await press(approve.url);
		await end();
		expect(isDone(caseId)).toBe(true);
		expect(model.toolResults).toEqual([
			expect.stringMatching(new RegExp(`"case_id":\\s*${caseId}\\b`)),
		]);
	});

	test('asks before Create in a case that the workflow names', async () => {
		const { store } = installed.sandbox;
		const before = store.size;
		const create = {
			...{ resource: 'case', operation: 'create', name: fromAi('Name') },
			teamId: { __rl: true, mode: 'id', value: '1' },
		};
		const { end } = await startAgent(
			'write-create',
			[call('Create', { Name: 'Made by the agent' })],
			{ caseId: { __rl: true, mode: 'id', value: '15' } },
			{ Create: create },
		);
		const [approve] = await question(15);
		expect(store.size).toBe(before);
		await press(approve.url);
		await end();
		expect(store.size).toBe(before + 1);
	});
});
