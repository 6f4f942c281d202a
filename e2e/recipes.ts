import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { INode } from 'n8n-workflow';
import { CREDENTIAL_TYPE, readExample } from '../tools/n8n/examples';
import type { Execution, N8nApi, WorkflowDefinition } from '../tools/n8n/n8nApi';
import { triggerOf } from '../tools/n8n/workflows';

/** The type of the credential that a user chooses in a node, by the node's type. */
const CREDENTIAL_TYPES: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.httpRequest': 'httpHeaderAuth',
	'n8n-nodes-base.jira': 'jiraSoftwareCloudApi',
	'n8n-nodes-base.slack': 'slackApi',
};

/** The ids of stored credentials, by their types. */
export type StoredCredentials = Record<string, string>;

/** A recipe from its file, in which nothing but the credentials is edited. */
export function readRecipe(file: string, stored: StoredCredentials): WorkflowDefinition {
	const recipe = readExample(file);
	const nodes = recipe.nodes.map((node): INode => {
		const type = node.credentials ? CREDENTIAL_TYPE : CREDENTIAL_TYPES[node.type];
		if (type === undefined) return node;
		return { ...node, credentials: { [type]: { id: stored[type], name: type } } };
	});
	return { ...recipe, nodes };
}

/** Creates a recipe in n8n, starts it as the editor's button does, and waits for the end. */
export async function runRecipe(api: N8nApi, file: string, stored: StoredCredentials) {
	const recipe = readRecipe(file, stored);
	const { id } = await api.createWorkflow(recipe);
	const run = async () => {
		const ended = await api.runManually(id, triggerOf(recipe).name);
		expectSuccess(ended);
		return ended;
	};
	return { id, run, first: await run() };
}

/**
 * Creates a recipe in n8n and sends this in its chat, as the editor does.
 * @returns its workflow, and what the chat shows until its end
 */
export async function chatWithRecipe(
	api: N8nApi,
	file: string,
	stored: StoredCredentials,
	chatInput: string,
) {
	const recipe = readRecipe(file, stored);
	const { id } = await api.createWorkflow(recipe);
	const sessionId = randomUUID();
	await api.rest('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: triggerOf(recipe).name },
		chatSessionId: sessionId,
	});
	const message = { action: 'sendMessage', sessionId, chatInput };
	const { executionId, resumeToken: token } = await api.request<{
		executionId: string;
		resumeToken: string;
	}>('POST', `/webhook-test/${id}/${sessionId}`, message);
	const query = new URLSearchParams({ sessionId, executionId, isPublic: 'false', token });
	return { id, shown: readChat(`${api.url}/chat?${query}`) };
}

/** How a frame of a WebSocket begins that is a text. */
const TEXT = 0x81;

/** The messages of a chat until n8n closes it. Node 20 has no WebSocket; n8n's messages here are short and unmasked. */
async function readChat(url: string): Promise<string[]> {
	const headers = {
		connection: 'Upgrade',
		upgrade: 'websocket',
		'sec-websocket-version': '13',
		'sec-websocket-key': randomBytes(16).toString('base64'),
	};
	return await new Promise((resolve, reject) => {
		const sent = request(url, { headers });
		sent.on('error', reject);
		sent.on('response', ({ statusCode }) => reject(new Error(`${url}: ${statusCode}`)));
		sent.on('upgrade', (_response, socket, head) => {
			const received: Buffer[] = [head];
			socket.on('data', (data: Buffer) => {
				received.push(data);
				// Without it, n8n takes the chat for closed after a minute.
				if (data.includes('n8n|heartbeat')) socket.write(frameOf('n8n|heartbeat-ack'));
			});
			socket.on('error', reject);
			socket.on('close', () => resolve(textsOf(Buffer.concat(received))));
			socket.on('end', () => socket.end());
		});
		sent.end();
	});
}

/** A short text as a client sends it, masked with zeros. */
function frameOf(text: string): Buffer {
	const MASKED = 0x80;
	return Buffer.from([TEXT, MASKED | text.length, 0, 0, 0, 0, ...Buffer.from(text)]);
}

/** The texts in the frames of a WebSocket, without n8n's own signs (`n8n|heartbeat`). */
function textsOf(bytes: Buffer): string[] {
	const LONG = 126;
	const texts: string[] = [];
	for (let at = 0; at + 1 < bytes.length; ) {
		const isText = bytes[at] === TEXT;
		const isLong = bytes[at + 1] === LONG;
		const length = isLong ? bytes.readUInt16BE(at + 2) : bytes[at + 1];
		const start = at + (isLong ? 4 : 2);
		at = start + length;
		if (isText) texts.push(bytes.toString('utf8', start, at));
	}
	return texts.filter((text) => !text.startsWith('n8n|'));
}

export function expectSuccess({ status, data }: Execution) {
	expect([status, data.resultData.error]).toEqual(['success', undefined]);
}

/** Waits for the end of all executions of a workflow, the sub-workflow's among them. */
export async function endsOf(api: N8nApi, workflowId: string): Promise<Execution[]> {
	const { results } = await api.executions(workflowId);
	const ends = await Promise.all(results.map(async ({ id }) => await api.finishedExecution(id)));
	for (const end of ends) expectSuccess(end);
	return ends;
}

/** The rows of the Data Table with this name. */
export async function rowsOf(api: N8nApi, table: string) {
	const { data } = await api.rest<{ data: Array<{ id: string; name: string; projectId: string }> }>(
		'GET',
		'/data-tables-global',
	);
	const found = data.find(({ name }) => name === table);
	if (found === undefined) throw new Error(`There is no Data Table ${table}`);
	const path = `/projects/${found.projectId}/data-tables/${found.id}/rows`;
	return (await api.rest<{ data: Array<Record<string, unknown>> }>('GET', path)).data;
}
