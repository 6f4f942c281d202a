import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import type { WorkflowDefinition } from './n8nApi';

export const CREDENTIAL_TYPE = 'casesApi';

/** The name and the id by which the examples ask for their credential. */
export const CREDENTIAL_NAME = 'Cases sandbox';
export const CREDENTIAL_ID = 'casesSandbox0001';

const FOLDER = join(__dirname, '../../examples');

/** The importable workflows of `examples/`, by file name. */
export const EXAMPLE_FILES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.sort();

/** The example with an AI agent; it needs a model besides, so that nothing runs it by itself. */
export const AGENT_EXAMPLE = 'with-a-model/ask-about-cases.json';

export function readExample(file: string): WorkflowDefinition & { id: string } {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowDefinition & {
		id: string;
	};
}

/** A copy of the workflow whose nodes use this credential wherever they ask for one of the Cases API. */
export function withCredential(
	workflow: WorkflowDefinition,
	credential: INodeCredentialsDetails,
): WorkflowDefinition {
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.[CREDENTIAL_TYPE] === undefined
			? node
			: { ...node, credentials: { ...node.credentials, [CREDENTIAL_TYPE]: credential } },
	);
	return { ...workflow, nodes };
}

/** The data of a credential for a service at this base URL; `more` overrides. */
export function credentialData(
	baseUrl: string,
	apiKey: string,
	more: IDataObject = {},
): IDataObject {
	return {
		baseUrl,
		authScheme: 'header',
		apiKey,
		allowHttp: false,
		ignoreSslIssues: false,
		arrayFormat: 'brackets',
		...more,
	};
}
