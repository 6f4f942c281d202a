import type { IDataObject } from 'n8n-workflow';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { startN8n, type N8n } from '../tools/n8n/n8n';
import { outputOf } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { itemNode, node, webhookTrigger, workflowOf } from '../tools/n8n/workflows';
import {
	answerOnPage,
	askNode,
	askWorkflow,
	executionOf,
	openPage,
	press,
	questionButtons,
	waitForNoQuestion,
	waitForQuestion,
	waitForQuestions,
} from './buttons';
import { holdRequests } from './hold';

const CASES = 60;
const QUESTION = 'Isolate web-7?';
let installed: Installed;
let n8n: N8n;
let workflowId: string;

/** Asks one question after the other, in a loop. */
function loopWorkflow(path: string, cases: number[]) {
	const list = workflowOf(path, [
		webhookTrigger(path),
		itemNode('List', { case: cases }),
		node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'case' }),
		node('Loop', 'n8n-nodes-base.splitInBatches', 3),
	]);
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		...list,
		nodes: [
			...list.nodes,
			askNode(installed.credentialId, '={{ $json.case }}', QUESTION),
			node('After', 'n8n-nodes-base.noOp', 1),
		],
		connections: {
			...list.connections,
			Loop: { main: [to('After'), to('Ask')] },
			Ask: { main: [to('Loop')] },
		},
	};
}

async function publish(path: string, options: IDataObject): Promise<string> {
	const workflow = await n8n.api.createWorkflow(askWorkflow(installed.credentialId, path, options));
	await n8n.api.publish(workflow);
	return workflow.id;
}

beforeAll(async () => {
	installed = await startInstalled({ cases: CASES });
	({ n8n } = installed);
	for (let id = 1; id <= CASES; id++) installed.sandbox.store.replaceActions(id, []);
	workflowId = await publish('ask', { buttonType: '={{ $json.body.buttonType }}' });
});

afterAll(async () => {
	await n8n?.process.stop();
	await installed?.stop();
});

const buttonsOf = (caseId: number) => questionButtons(installed.sandbox, caseId);

/** Starts the workflow, and waits until the execution with the buttons waits. @returns its buttons */
async function ask(caseId: number, buttonType = 'webhook'): Promise<Array<{ url: string }>> {
	const besides = buttonsOf(caseId).map(({ url }) => url);
	const count = buttonType === 'page' ? 1 : 2;
	const body = { case: caseId, message: QUESTION, buttonType };
	await n8n.api.request('POST', '/webhook/ask', body);
	return await waitForQuestion(n8n.api, installed.sandbox, caseId, { count, besides });
}

async function statusOf(url: string): Promise<string> {
	const id = executionOf(url);
	return (await n8n.api.rest<{ status: string }>('GET', `/executions/${id}`)).status;
}

async function answerOf(url: string): Promise<IDataObject> {
	const run = await n8n.api.finishedExecution(executionOf(url));
	expect(run.status).toBe('success');
	const items = outputOf(run, 'After');
	expect(items).toHaveLength(1);
	return items[0].json;
}

test('n8n makes a human review for the tools of AI agents of the node', async () => {
	const types = await n8n.api.nodeTypes();
	const review = types.find(({ name }) => name === 'n8n-nodes-cases.casesHitlTool');
	const hidden = review?.properties.filter(({ type }) => type === 'hidden');
	expect(Object.fromEntries((hidden ?? []).map((one) => [one.name, one.default]))).toMatchObject({
		resource: 'action',
		operation: 'sendAndWait',
		responseType: 'approval',
	});
});

describe('A question in real n8n', () => {
	test('is asked, waits, is answered by a button, resumes, and its buttons are taken off', async () => {
		const [approve] = await ask(1);
		expect((await press(approve.url)).text).toContain('Answer received');
		expect(await answerOf(approve.url)).toMatchObject({
			case_id: 1,
			data: { approved: true, choice: 'approve', responder: { email: 'ada@cases.example' } },
		});
		await waitForNoQuestion(installed.sandbox, [1]);
	});

	test('is answered on the page that its button opens', async () => {
		const [review] = await ask(2, 'page');
		expect(await openPage(review.url)).toContain('<form method="post">');
		expect(await statusOf(review.url)).toBe('waiting');
		await answerOnPage(review.url, 1);
		expect(await answerOf(review.url)).toMatchObject({ data: { approved: false } });
	});

	test('is not answered by a changed URL, nor by a button of another question', async () => {
		const [[one], [other]] = [await ask(3), await ask(4)];
		const changed = one.url.replace(/key=[^&]*/, 'key=other');
		expect((await press(changed)).status).toBe(401);
		const path = (url: string) => `/webhook-waiting/${executionOf(url)}/`;
		const swapped = other.url.replace(path(other.url), path(one.url));
		expect(new URL(swapped).origin).toBe(new URL(one.url).origin);
		expect((await press(swapped)).status).toBe(401);
		expect(await statusOf(one.url)).toBe('waiting');
		await press(one.url);
		const again = await press(one.url);
		expect(again.text).not.toContain('Answer received');
		expect(await answerOf(one.url)).toMatchObject({ case_id: 3 });
		expect(await statusOf(other.url)).toBe('waiting');
	});

	test('counts two clicks at once as one', async () => {
		const [approve, decline] = await ask(5);
		const replies = await Promise.all([press(approve.url), press(decline.url)]);
		expect(replies.filter(({ text }) => text.includes('Answer received'))).toHaveLength(1);
		const { data } = await answerOf(approve.url);
		const isApproved = replies[0].text.includes('Answer received');
		expect(data).toMatchObject({ approved: isApproved });
	});

	test('is asked in a loop one after the other, and a button of the one before changes nothing', async () => {
		const workflow = await n8n.api.createWorkflow(loopWorkflow('loop', [51, 52, 53]));
		await n8n.api.publish(workflow);
		await n8n.api.request('POST', '/webhook/loop', {});
		const question = async (caseId: number) =>
			await waitForQuestion(n8n.api, installed.sandbox, caseId, { count: 2 });
		const [stale] = await question(51);
		expect(buttonsOf(52)).toEqual([]);
		await press(stale.url);
		const [, decline] = await question(52);
		expect(executionOf(decline.url)).toBe(executionOf(stale.url));
		expect((await press(stale.url)).text).toContain('Nothing was changed');
		expect(await statusOf(decline.url)).toBe('waiting');
		await press(decline.url);
		const [approve] = await question(53);
		await press(approve.url);
		const run = await n8n.api.finishedExecution(executionOf(approve.url));
		const answers = outputOf(run, 'After').map(({ json }) => [
			json.case_id,
			(json.data as IDataObject).approved,
		]);
		expect(answers).toEqual([
			[51, true],
			[52, false],
			[53, true],
		]);
		await waitForNoQuestion(installed.sandbox, [51, 52, 53]);
	});

	test('is answered before its buttons are taken off, and later clicks change nothing', async () => {
		const [approve, decline] = await ask(55);
		const letGo = holdRequests(installed.sandbox);
		expect((await press(approve.url)).text).toContain('Answer received');
		expect((await press(decline.url)).text).not.toContain('Answer received');
		expect(await answerOf(approve.url)).toMatchObject({ data: { approved: true } });
		expect(buttonsOf(55)).toHaveLength(2);
		expect((await press(decline.url)).text).not.toContain('Answer received');
		letGo();
		await waitForNoQuestion(installed.sandbox, [55]);
	});

	test('is answered once where ten people press at the same moment', async () => {
		const [approve, decline] = await ask(57);
		const urls = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? approve.url : decline.url));
		const replies = await Promise.all(urls.map(async (url) => await press(url)));
		const taken = replies.flatMap(({ text }, n) => (text.includes('Answer received') ? [n] : []));
		expect(taken).toHaveLength(1);
		expect(await answerOf(approve.url)).toMatchObject({ data: { approved: taken[0] % 2 === 0 } });
		await waitForNoQuestion(installed.sandbox, [57]);
	});

	test('continues with its input when the time is up, and its buttons stay', async () => {
		const id = await publish('limited', { limitWaitTime: 1 });
		await n8n.api.request('POST', '/webhook/limited', { case: 9, message: QUESTION });
		const { results } = await waitFor('the end of the wait', async () => {
			const found = await n8n.api.executions(id, ['success']);
			return found.count > 0 ? found : undefined;
		});
		const run = await n8n.api.finishedExecution(results[0].id);
		expect(outputOf(run, 'After')).toMatchObject([{ json: { body: { case: 9 } } }]);
		expect(buttonsOf(9)).toHaveLength(2);
		expect((await press(buttonsOf(9)[0].url)).text).not.toContain('Answer received');
	});

	test('is answered once each, with fifty waiting at once, ten of them in one case', async () => {
		const cases = [...Array(40).keys()].map((n) => n + 10).concat(Array(10).fill(50) as number[]);
		await Promise.all(
			cases.map(async (id) =>
				n8n.api.request('POST', '/webhook/ask', {
					case: id,
					message: QUESTION,
					buttonType: 'webhook',
				}),
			),
		);
		const urls = await waitForQuestions(n8n.api, installed.sandbox, workflowId, cases);
		await Promise.all(urls.map(async (url) => await press(url)));
		for (const url of urls) expect(await answerOf(url)).toMatchObject({ data: { approved: true } });
		await waitForNoQuestion(installed.sandbox, [...new Set(cases)]);
	});

	test('is answered after n8n was killed while it waited', async () => {
		const [approve] = await ask(7);
		await n8n.process.kill();
		const { runtime, userFolder } = installed;
		const port = Number(new URL(n8n.url).port);
		const env = { N8N_WEBHOOK_URL: `http://127.0.0.1:${port}` };
		n8n = await startN8n({ runtime, userFolder, port, env });
		await n8n.api.logIn();
		expect((await press(approve.url)).text).toContain('Answer received');
		expect(await answerOf(approve.url)).toMatchObject({ case_id: 7 });
		await waitForNoQuestion(installed.sandbox, [7]);
	});

	test('has buttons that call the address in N8N_WEBHOOK_URL', async () => {
		const [approve] = await ask(56);
		expect(new URL(approve.url).hostname).toBe('127.0.0.1');
		expect((await press(approve.url)).text).toContain('Answer received');
	});

	test('is answered, and its buttons stay, where the credential was deleted meanwhile', async () => {
		const [approve] = await ask(8);
		await n8n.api.rest('DELETE', `/credentials/${installed.credentialId}`);
		expect((await press(approve.url)).text).toContain('Answer received');
		expect(await answerOf(approve.url)).toMatchObject({ data: { approved: true } });
		expect(buttonsOf(8)).toHaveLength(2);
	});
});
