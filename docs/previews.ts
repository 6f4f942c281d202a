import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { replyTo } from '../nodes/Cases/resources/action/sendAndWait/reply';
import { startSandbox, type Sandbox } from '../sandbox';
import { OPERATIONS, parametersOf, prepareExamples } from '../test/support/operations';
import { INPUT_FILE } from '../test/support/service';
import { rowsOf } from '../test/support/runs';
import { runNode } from '../tools/engine/node';
import { createPoller } from '../tools/engine/poll';

// Before a node has run, n8n shows the fields of its output by these previews: one for each operation, which is that of the
// default Output. Each is made of a real output.

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The JSON schema of values that are alike; where some are null, that of the others. */
function schemaOf(values: unknown[]): Schema {
	const present = values.filter((value) => value !== null);
	const type = [...new Set(present.map(typeOf))].sort().join(' or ');
	if (type === 'array') {
		const entries = (present as unknown[][]).flat();
		return entries.length === 0 ? { type } : { type, items: schemaOf(entries) };
	}
	if (type !== 'object') return { type };
	const rows = present as Array<Record<string, unknown>>;
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const entries = names.map((name) => {
		const has = rows.filter((row) => name in row);
		const schema = schemaOf(has.map((row) => row[name]));
		// A time that no row has, as of the closing of open cases, shows no type.
		const isUnset = schema.type === '' && name.endsWith('_at');
		return [name, isUnset ? { type: 'string' } : schema] as const;
	});
	return { type, properties: Object.fromEntries(entries) };
}

/** The output of an answered question, because a question that waits has none. */
function answeredQuestion(): IDataObject[] {
	const question = {
		...{ caseId: '7', message: 'Isolate?', ids: ['1'] },
		buttons: [{ key: 'k', answers: [{ choice: 'approve', text: 'Approve', approved: true }] }],
	};
	const body = { user: {}, button: {}, case: {}, message: '' };
	const { answered } = replyTo({ isPost: true, parameters: { key: 'k' }, body }, question);
	return [(answered?.output ?? {}) as IDataObject];
}

async function outputOf(name: string, sandbox: Sandbox, item: IDataObject): Promise<IDataObject[]> {
	if (name === 'action.sendAndWait') return answeredQuestion();
	const credentials = { casesApi: credentialFor(sandbox) };
	const parameters = parametersOf(name) as INodeParameters;
	const type = 'n8n-nodes-cases.cases';
	return rowsOf(
		await runNode({ type, parameters, credentials, items: [item], binary: INPUT_FILE }),
	);
}

const credentialFor = ({ url, keys }: Sandbox) => ({ baseUrl: url, apiKey: keys.tenantOwner });

/** The examples of events that the trigger shows while a workflow is built. */
async function eventsOf(sandbox: Sandbox): Promise<IDataObject[]> {
	const poller = await createPoller({
		type: 'n8n-nodes-cases.casesTrigger',
		parameters: {},
		credentials: { casesApi: credentialFor(sandbox) },
		...{ mode: 'manual', activation: 'manual' },
	});
	return ((await poller.poll()) ?? []).map(({ json }) => json);
}

/** The previews of all operations and of the trigger, by their path below `__schema__`. */
export async function writePreviews(): Promise<Record<string, string>> {
	const previews: Record<string, string> = {};
	const add = (path: string, rows: IDataObject[]) => {
		if (rows.length === 0) throw new Error(`The example for ${path} has no output`);
		previews[path] = `${JSON.stringify({ ...schemaOf(rows), version: 1 }, null, '\t')}\n`;
	};
	for (const name of OPERATIONS) {
		const sandbox = await startSandbox({ cases: 60, grown: ['case-writes', 'newer-requests'] });
		const item = prepareExamples(sandbox.store);
		add(`v1.0.0/${name.replace('.', '/')}.json`, await outputOf(name, sandbox, item));
		await sandbox.stop();
	}
	const sandbox = await startSandbox({ cases: 60 });
	add('v1.0.0.json', await eventsOf(sandbox));
	await sandbox.stop();
	return previews;
}
