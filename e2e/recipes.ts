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

export function expectSuccess({ status, data }: Execution) {
	expect([status, data.resultData.error]).toEqual(['success', undefined]);
}

/** Waits for the end of all executions of a workflow, the sub-workflow's among them. */
export async function endsOf(api: N8nApi, workflowId: string): Promise<Execution[]> {
	const { results } = await api.executions(workflowId);
	const ends = await Promise.all(
		results.map(async ({ id }) => await api.finishedExecution(id, 150_000)),
	);
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
