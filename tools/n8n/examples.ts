import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import type { WorkflowDefinition } from './n8nApi';

export const CREDENTIAL_TYPE = 'casesApi';

/** The name of the credential in the examples. */
export const CREDENTIAL_NAME = 'Cases sandbox';

const FOLDER = join(__dirname, '../../examples');

/** All workflows in `examples/`, by file name. */
export const EXAMPLE_FILES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.sort();

export function readExample(file: string): WorkflowDefinition & { id: string } {
	return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowDefinition & {
		id: string;
	};
}

/** What a workflow needs besides the credential of the Case service, as its note says. */
export function needsOf({ nodes }: Pick<WorkflowDefinition, 'nodes'>): string | undefined {
	const notes = nodes.map(({ parameters }) => String(parameters.content ?? ''));
	return notes.flatMap((note) => /^\*\*Needs\*\* (.+)$/m.exec(note)?.[1] ?? [])[0];
}

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
