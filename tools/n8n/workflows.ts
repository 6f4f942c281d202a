import { randomUUID } from 'node:crypto';
import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE } from './examples';
import type { WorkflowDefinition } from './n8nApi';

export const CASES_NODE = 'n8n-nodes-cases.cases';
export const CASES_TRIGGER = 'n8n-nodes-cases.casesTrigger';
export const CASES_WEBHOOK_TRIGGER = 'n8n-nodes-cases.casesWebhookTrigger';

/** The name of the trigger that {@link manualWorkflow} starts with. */
export const START = 'Start';

type NodeSettings = Pick<INode, 'onError' | 'executeOnce' | 'retryOnFail' | 'webhookId'>;

/** A node of any type; `more` are the values of its Settings tab. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: IDataObject = {},
	more: NodeSettings = {},
): INode {
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		...more,
	};
}

/** A Cases node that uses the credential with this id. */
export function casesNode(
	name: string,
	credentialId: string,
	parameters: IDataObject,
	more: NodeSettings = {},
): INode {
	return { ...node(name, CASES_NODE, 1, parameters, more), credentials: casesApi(credentialId) };
}

/** A Cases Trigger that uses the credential with this id. */
export function casesTrigger(name: string, credentialId: string, parameters: IDataObject): INode {
	return { ...node(name, CASES_TRIGGER, 1, parameters), credentials: casesApi(credentialId) };
}

/** A Cases Webhook Trigger for a team, with a secret path of its own. */
export function casesWebhookTrigger(
	name: string,
	credentialId: string,
	parameters: IDataObject,
): INode {
	const teamId = { __rl: true, mode: 'id', value: '1' };
	const all = { teamId, ...parameters };
	return {
		...node(name, CASES_WEBHOOK_TRIGGER, 1, all, { webhookId: randomUUID() }),
		credentials: casesApi(credentialId),
	};
}

function casesApi(id: string): INode['credentials'] {
	return { [CREDENTIAL_TYPE]: { id, name: CREDENTIAL_NAME } };
}

/** A Code node that outputs these objects as items. */
export function itemsNode(name: string, objects: IDataObject[]): INode {
	const jsCode = `return ${JSON.stringify(objects)}.map((json) => ({ json }));`;
	return node(name, 'n8n-nodes-base.code', 2, { jsCode });
}

/** A workflow with the nodes in a row, each connected to the next. */
export function workflowOf(name: string, nodes: INode[]): WorkflowDefinition {
	const connections: IConnections = {};
	nodes.slice(1).forEach((next, index) => {
		connections[nodes[index].name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return {
		name,
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		connections,
		settings: { executionOrder: 'v1' }, // as for every workflow made in the editor
	};
}

/** As {@link workflowOf}, after a Manual Trigger named {@link START}. */
export function manualWorkflow(name: string, nodes: INode[]): WorkflowDefinition {
	return workflowOf(name, [manualTrigger(), ...nodes]);
}

/** A node that outputs this object as its only item, for any input. */
export function itemNode(name: string, object: IDataObject): INode {
	const parameters = { mode: 'raw', jsonOutput: JSON.stringify(object), options: {} };
	return node(name, 'n8n-nodes-base.set', 3.4, parameters);
}

/** The trigger of a workflow that has one. */
export function triggerOf({ nodes }: WorkflowDefinition): INode {
	return nodes.find(({ type }) => /trigger$/i.test(type))!;
}

/** A copy that another trigger starts; the nodes after the original trigger get this item. */
export function startedBy(
	workflow: WorkflowDefinition,
	trigger: INode,
	item: IDataObject = {},
): WorkflowDefinition {
	const replaced = triggerOf(workflow);
	const nodes = workflow.nodes.map((each) =>
		each === replaced ? { ...itemNode(each.name, item), position: each.position } : each,
	);
	const connections: IConnections = {
		...workflow.connections,
		[trigger.name]: { main: [[{ node: replaced.name, type: 'main', index: 0 }]] },
	};
	return { ...workflow, nodes: [trigger, ...nodes], connections };
}

/** A trigger for a POST to `/webhook/<path>`. */
export function webhookTrigger(path: string): INode {
	const parameters = { httpMethod: 'POST', path };
	return node('Webhook', 'n8n-nodes-base.webhook', 2, parameters, { webhookId: randomUUID() });
}

/** A Manual Trigger named {@link START}. */
export function manualTrigger(): INode {
	return node(START, 'n8n-nodes-base.manualTrigger', 1);
}

/** A workflow with several rows of nodes after one Manual Trigger. */
export function branchingWorkflow(name: string, branches: INode[][]): WorkflowDefinition {
	const rows = branches.map((branch) => manualWorkflow(name, branch));
	const below = rows.flatMap(({ nodes }, row) =>
		nodes.slice(1).map((each) => ({
			...each,
			position: [each.position[0], row * 160] satisfies INode['position'],
		})),
	);
	const connections: IConnections = Object.assign(
		{},
		...rows.map((row) => row.connections),
	) as IConnections;
	const starts = rows.flatMap((row) => row.connections[START].main[0] ?? []);
	return {
		...rows[0],
		nodes: [rows[0].nodes[0], ...below],
		connections: { ...connections, [START]: { main: [starts] } },
	};
}
