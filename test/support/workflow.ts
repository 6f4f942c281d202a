import '../../tools/engine/environment';
import { Workflow } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { createAdditionalData } from '../../tools/engine/additionalData';
import { MemoryCredentialsHelper } from '../../tools/engine/credentials';
import { builtTypes } from '../../tools/engine/load';
import { buildNode } from '../../tools/engine/node';
import { CASES_NODE } from './service';

/** The Cases node alone in a workflow, and what n8n's contexts need to run it. */
export async function workflowOf(
	parameters: object,
	casesApi: ICredentialDataDecryptedObject,
	name?: string,
) {
	const types = await builtTypes();
	const { node, credentials } = buildNode(types, {
		type: CASES_NODE,
		name,
		parameters: parameters as INodeParameters,
		credentials: { casesApi },
	});
	const { nodeTypes } = types;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const helper = new MemoryCredentialsHelper(types.credentialTypes, credentials);
	const nodeType = nodeTypes.getByNameAndVersion(CASES_NODE, 1);
	return { node, workflow, nodeType, additionalData: createAdditionalData(helper) };
}
