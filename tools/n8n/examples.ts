import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import type { WorkflowDefinition } from './n8nApi';

export const CREDENTIAL_TYPE = 'casesApi';

/** The name and the id of the credential in the examples. */
export const CREDENTIAL_NAME = 'Cases sandbox';
export const CREDENTIAL_ID = 'casesSandbox0001';

const FOLDER = join(__dirname, '../../examples');

const workflowsIn = (folder: string) =>
	readdirSync(join(FOLDER, folder))
		.filter((file) => file.endsWith('.json'))
		.map((file) => join(folder, file))
		.sort();

/** The workflows in `examples/` that run without anything else, by file name. */
export const EXAMPLE_FILES = workflowsIn('.');

/** The workflows in `examples/with-a-model/`: each needs the credential of a model. */
export const MODEL_EXAMPLE_FILES = workflowsIn('with-a-model');

/** All workflows in `examples/` and its folders, also those that need more than a Case service. */
export const ALL_EXAMPLE_FILES = [
	...EXAMPLE_FILES,
	...MODEL_EXAMPLE_FILES,
	...workflowsIn('with-clicks'),
];

/** The example with an AI agent, one of {@link MODEL_EXAMPLE_FILES}. */
export const AGENT_EXAMPLE = 'with-a-model/ask-about-cases.json';

export function readExample(file: string): WorkflowDefinition & { id: string } {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowDefinition & {
		id: string;
	};
}

/** Whether a workflow starts further executions, of itself or of another one. */
export const callsWorkflow = ({ nodes }: WorkflowDefinition): boolean =>
	nodes.some(({ type }) => type === 'n8n-nodes-base.executeWorkflow');

/** A copy of the workflow with this credential in every node that has a Cases API credential. */
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

/** The fields of a credential for the service at this base URL; `more` overrides them. */
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
