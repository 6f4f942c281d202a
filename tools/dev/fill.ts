import type { Sandbox } from '../../sandbox';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	needsOf,
	readExample,
	withCredential,
} from '../n8n/examples';
import type { N8nApi, WorkflowDefinition } from '../n8n/n8nApi';

/** For the examples that ask for the cases of "me": other keys belong to no person. */
const PERSONAL_CREDENTIAL_NAME = `${CREDENTIAL_NAME} (personal key)`;

/** The credentials that n8n gets. */
export const CREDENTIAL_NAMES = [CREDENTIAL_NAME, PERSONAL_CREDENTIAL_NAME];

/** What an example needs that isn't there yet: this n8n has Data Tables. */
export const openNeedsOf = (workflow: WorkflowDefinition): string | undefined =>
	needsOf(workflow)?.replace(/(, and )?n8n 2, which can create a Data Table$/, '') || undefined;

const needsPersonalKey = (workflow: WorkflowDefinition) =>
	JSON.stringify(workflow.nodes).includes('assigned_to_me');

/**
 * Creates what an n8n lacks, by name: the credentials, and each example.
 * @returns the examples, each named with what else it needs
 */
export async function fill(
	api: N8nApi,
	{ url, keys }: Pick<Sandbox, 'url' | 'keys'>,
): Promise<Array<{ id: string; name: string }>> {
	const existing = await api.rest<Array<{ id: string; name: string }>>('GET', '/credentials');
	const credential = async (name: string, key: string) => {
		const found = existing.find((one) => one.name === name);
		const data = credentialData(url, key);
		return { id: (found ?? (await api.createCredential(name, CREDENTIAL_TYPE, data))).id, name };
	};
	const personal = await credential(PERSONAL_CREDENTIAL_NAME, keys.personal);
	// As the last one, because n8n selects the newest for a new node.
	const usual = await credential(CREDENTIAL_NAME, keys.tenantOwner);

	const workflows = await api.rest<Array<{ id: string; name: string }>>('GET', '/workflows');
	const examples: Array<{ id: string; name: string }> = [];
	for (const file of EXAMPLE_FILES) {
		const read = readExample(file);
		const example = withCredential(read, needsPersonalKey(read) ? personal : usual);
		const { id } =
			workflows.find(({ name }) => name === example.name) ?? (await api.createWorkflow(example));
		const needs = openNeedsOf(example);
		examples.push({ id, name: `${example.name}${needs ? ` (needs ${needs})` : ''}` });
	}
	const imported = examples.filter((example) => workflows.every(({ id }) => id !== example.id));
	if (imported.length > 0) console.log(`Imported ${imported.length} recipes`);
	return examples;
}
