import '../../tools/engine/environment';
import { SupplyDataContext } from 'n8n-core';
import { NodeConnectionTypes, createEmptyRunExecutionData } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { workflowOf } from './workflow';

/** Runs the Cases node as n8n runs a tool for an agent: in the context of a sub-node. */
export async function runAsTool(
	parameters: Record<string, unknown>,
	casesApi: ICredentialDataDecryptedObject,
): Promise<{ items: INodeExecutionData[]; hints: NodeExecutionHint[] }> {
	const { node, workflow, nodeType, additionalData } = await workflowOf(parameters, casesApi);
	const input = [{ json: {} }];
	const context = new SupplyDataContext(
		workflow,
		node,
		additionalData,
		'manual',
		createEmptyRunExecutionData(),
		0,
		input,
		{ [NodeConnectionTypes.AiTool]: [input] },
		NodeConnectionTypes.AiTool,
		{ node, data: {}, source: null },
		[],
	);
	const outputs = await workflow.expression.withIsolate(
		async () => await nodeType.execute?.call(context as unknown as IExecuteFunctions),
	);
	return { items: (outputs as INodeExecutionData[][])[0], hints: context.hints };
}
