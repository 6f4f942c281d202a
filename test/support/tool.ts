import '../../tools/engine/environment';
import { SupplyDataContext } from 'n8n-core';
import { NodeConnectionTypes, Workflow, createEmptyRunExecutionData } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	NodeExecutionHint,
} from 'n8n-workflow';
import { createAdditionalData } from '../../tools/engine/additionalData';
import { MemoryCredentialsHelper } from '../../tools/engine/credentials';
import { builtTypes } from '../../tools/engine/load';
import { buildNode } from '../../tools/engine/node';
import { CASES_NODE } from './service';

/** Runs the Cases node as n8n runs a tool for an agent: in the context of a sub-node. */
export async function runAsTool(
	parameters: Record<string, unknown>,
	casesApi: ICredentialDataDecryptedObject,
): Promise<{ items: INodeExecutionData[]; hints: NodeExecutionHint[] }> {
	const types = await builtTypes();
	const { node, credentials } = buildNode(types, {
		type: CASES_NODE,
		parameters: parameters as INodeParameters,
		credentials: { casesApi },
	});
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: types.nodeTypes,
	});
	const input = [{ json: {} }];
	const context = new SupplyDataContext(
		workflow,
		node,
		createAdditionalData(new MemoryCredentialsHelper(types.credentialTypes, credentials)),
		'manual',
		createEmptyRunExecutionData(),
		0,
		input,
		{ [NodeConnectionTypes.AiTool]: [input] },
		NodeConnectionTypes.AiTool,
		{ node, data: {}, source: null },
		[],
	);
	const { execute } = types.nodeTypes.getByNameAndVersion(CASES_NODE, 1);
	const outputs = await workflow.expression.withIsolate(
		async () => await execute?.call(context as unknown as IExecuteFunctions),
	);
	return { items: (outputs as INodeExecutionData[][])[0], hints: context.hints };
}
