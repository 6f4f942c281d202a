import { request } from 'node:http';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import type { N8nApi, WorkflowDefinition } from '../tools/n8n/n8nApi';
import { waitFor } from '../tools/n8n/processes';
import { casesNode, node, webhookTrigger, workflowOf } from '../tools/n8n/workflows';

/** A node that asks for an approval or a refusal. @param caseId and `message` may be expressions */
export function askNode(
	credentialId: string,
	caseId: string,
	message: string,
	options: IDataObject = {},
): INode {
	return casesNode('Ask', credentialId, {
		resource: 'action',
		operation: 'sendAndWait',
		caseId: { __rl: true, mode: 'id', value: caseId },
		message,
		approvalOptions: { values: { approvalType: 'double' } },
		options: { ...options, maxRetries: 1 },
	});
}

/** Asks the `message` in the `case` that a POST to `/webhook/<path>` names; After has the answer. */
export function askWorkflow(
	credentialId: string,
	path: string,
	options: IDataObject = {},
): WorkflowDefinition {
	const ask = askNode(credentialId, '={{ $json.body.case }}', '={{ $json.body.message }}', options);
	return workflowOf(path, [webhookTrigger(path), ask, node('After', 'n8n-nodes-base.noOp', 1)]);
}

/** What the service posts to the URL of a button. */
export const PRESS = JSON.stringify({
	user: { email: 'ada@cases.example' },
	button: {},
	message: '',
});

/** The buttons of questions that are on a case now. */
export function questionButtons({ store }: Sandbox, caseId: number) {
	return store
		.getCase(caseId)
		.actions()
		.filter(({ url }) => url.includes('key='));
}

/** Waits until no button of a question is left: they are taken off after the answer. */
export async function waitForNoQuestion(sandbox: Sandbox, cases: number[]): Promise<void> {
	await waitFor('the buttons to be taken off', () =>
		cases.flatMap((id) => questionButtons(sandbox, id)).length === 0 ? true : undefined,
	);
}

/** The execution that a button resumes. */
export const executionOf = (url: string) => /webhook-waiting\/(\d+)\//.exec(url)?.[1] ?? '';

/** Waits until a case has this many buttons of one question, and the execution behind them waits. */
export async function waitForQuestion(
	api: N8nApi,
	sandbox: Sandbox,
	caseId: number,
	{ count = 1, besides = [] }: { count?: number; besides?: string[] } = {},
) {
	return await waitFor(`a question in case ${caseId}`, async () => {
		const own = questionButtons(sandbox, caseId).filter(({ url }) => !besides.includes(url));
		if (own.length < count) return undefined;
		const { status } = await api.rest<{ status: string }>(
			'GET',
			`/executions/${executionOf(own[0].url)}`,
		);
		return status === 'waiting' ? own : undefined;
	});
}

/** Waits until questions are asked in all these cases, and their executions wait. @returns the URLs that approve */
export async function waitForQuestions(
	api: N8nApi,
	sandbox: Sandbox,
	workflowId: string,
	cases: number[],
): Promise<string[]> {
	const urls = await waitFor('all buttons', () => {
		const buttons = [...new Set(cases)].flatMap((id) => questionButtons(sandbox, id));
		const approving = buttons.filter(({ action_text }) => action_text === 'Approve');
		return buttons.length === 2 * cases.length ? approving.map(({ url }) => url) : undefined;
	});
	await waitFor('all executions to wait', async () => {
		const { results } = await api.executions(workflowId, ['waiting']);
		const waiting = new Set(results.map(({ id }) => id));
		return urls.every((url) => waiting.has(executionOf(url))) ? true : undefined;
	});
	return urls;
}

/** A request to the URL of a button, as the service or a browser sends it. */
export async function press(
	url: string,
	body = PRESS,
	type = 'application/json',
	method = 'POST',
): Promise<{ status: number; text: string }> {
	return await new Promise((resolve, reject) => {
		const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
		const sent = request(url, { method, headers }, (response) => {
			let text = '';
			response.on('data', (chunk) => (text += chunk));
			response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

/** Opens the page of a button, as a browser does. @returns its HTML */
export async function openPage(url: string): Promise<string> {
	return (await press(url, '', 'text/plain', 'GET')).text;
}

/** Presses a button of the page that a button opens. @param answer its place, from 0 */
export async function answerOnPage(url: string, answer: number) {
	return await press(url, `answer=${answer}`, 'application/x-www-form-urlencoded');
}
