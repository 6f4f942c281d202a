import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INodeCredentialsDetails } from 'n8n-workflow';
import type { WorkflowDefinition } from './n8n-api';

export const CREDENTIAL_TYPE = 'casesApi';

/** The name by which the examples ask for their credential. */
export const CREDENTIAL_NAME = 'Cases sandbox';

const FOLDER = join(__dirname, '../examples');

/** The importable workflows of `examples/`, in the order of their file names. */
export async function readExamples(): Promise<
	Array<{ file: string; workflow: WorkflowDefinition }>
> {
	const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			file,
			workflow: JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as WorkflowDefinition,
		})),
	);
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
