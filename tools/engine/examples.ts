import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { IWorkflowBase } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import type { CredentialStore } from './credentials';
import { needsOf } from '../n8n/examples';
import type { LoadedTypes } from './load';
import { runWorkflow } from './run';
import type { WorkflowRun } from './run';

const FOLDER = resolve(__dirname, '../../examples');
const LIMIT_MS = 20_000;

/** All workflows in examples/, by full path. */
export const ALL_EXAMPLE_FILES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.sort()
	.map((file) => resolve(FOLDER, file));

/** The workflows in examples/ that need nothing but a Case service. */
export const EXAMPLE_FILES = ALL_EXAMPLE_FILES.filter(
	(file) => needsOf(readWorkflow(file)) === undefined,
);

export function readWorkflow(file: string): IWorkflowBase {
	return JSON.parse(readFileSync(file, 'utf8')) as IWorkflowBase;
}

/**
 * Runs a workflow in n8n's engine as Execute Workflow does, with the sandbox's personal key.
 * @param types the node types; those of the built package when left out
 */
export async function runExample(
	workflow: IWorkflowBase,
	sandbox: Sandbox,
	types?: LoadedTypes,
): Promise<WorkflowRun> {
	return await runWorkflow({
		...workflow,
		credentials: credentialsFor(workflow, sandbox),
		signal: AbortSignal.timeout(LIMIT_MS),
		types,
	});
}

/** The sandbox's address and key for every credential that the workflow refers to. */
function credentialsFor({ nodes }: IWorkflowBase, { url, keys }: Sandbox): CredentialStore {
	const credential = {
		type: 'casesApi',
		data: { baseUrl: url, authScheme: 'header', apiKey: keys.personal },
	};
	const references = nodes.flatMap((node) => node.credentials?.casesApi ?? []);
	return Object.fromEntries(references.map(({ id, name }) => [id || name, credential]));
}
