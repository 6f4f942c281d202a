import './environment';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeCredentials,
	INodeExecutionData,
	INodeParameters,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { CredentialStore } from './credentials';
import { builtTypes, newestVersion } from './load';
import type { LoadedTypes } from './load';
import { runWorkflow } from './run';
import type { WorkflowRun } from './run';

/** A node and its surroundings, as far as a test cares about them. */
export interface NodeOptions {
	/** Full name, such as `n8n-nodes-cases.cases`. */
	type: string;
	/** The newest when left out. */
	version?: number;
	/** Those left out get their defaults. */
	parameters?: INodeParameters;
	/** Fields of the node's credentials, by credential type. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
	/** Whether the node refers to them by name alone, as in workflows that are written by hand. */
	credentialsByName?: boolean;
	/** The workflow's; n8n's, New York, when left out. */
	timezone?: string;
	/** The node types; those of the built package when left out. */
	types?: LoadedTypes;
}

type NodeSettings = Pick<
	INode,
	'alwaysOutputData' | 'executeOnce' | 'maxTries' | 'onError' | 'retryOnFail' | 'waitBetweenTries'
>;

export interface RunNodeOptions extends NodeOptions, NodeSettings {
	/** The json of each input item; one empty item when left out, none for `[]`. */
	items?: IDataObject[];
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal;
}

export interface NodeRun extends Pick<WorkflowRun, 'credentialReads' | 'error' | 'run' | 'status'> {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, which is there with `onError: 'continueErrorOutput'`. */
	errorItems: INodeExecutionData[];
	hints: NodeExecutionHint[];
}

/** The node as it stands in a workflow, and the credentials it refers to. */
export function buildNode(
	{ nodeTypes }: LoadedTypes,
	{ type, version, parameters = {}, credentials = {}, credentialsByName = false }: NodeOptions,
): { node: INode; credentials: CredentialStore } {
	const references: INodeCredentials = {};
	const store: CredentialStore = {};
	for (const [credentialType, data] of Object.entries(credentials)) {
		const id = credentialsByName ? null : `id-${credentialType}`;
		references[credentialType] = { id, name: credentialType };
		store[id ?? credentialType] = { type: credentialType, data };
	}
	const node = {
		id: 'node-under-test',
		name: 'Node',
		type,
		typeVersion: version ?? newestVersion(nodeTypes, type),
		position: [200, 0] as [number, number],
		parameters: structuredClone(parameters),
		credentials: references,
	};
	return { node, credentials: store };
}

/** Runs one node behind a Manual Trigger that gives it the items. */
export async function runNode(options: RunNodeOptions): Promise<NodeRun> {
	const types = options.types ?? (await builtTypes());
	const { node, credentials } = buildNode(types, options);
	const { alwaysOutputData, executeOnce, maxTries, onError, retryOnFail, waitBetweenTries } =
		options;
	const settings = {
		alwaysOutputData,
		executeOnce,
		maxTries,
		onError,
		retryOnFail,
		waitBetweenTries,
	};
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const { data, hints, status, error, credentialReads, run } = await runWorkflow({
		nodes: [start, { ...node, ...settings }],
		connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		pinData: { Start: (options.items ?? [{}]).map((json) => ({ json })) },
		settings: options.timezone ? { timezone: options.timezone } : {},
		credentials,
		mode: options.mode,
		signal: options.signal,
		types,
	});
	const outputs = data.Node ?? [];
	const hasErrorOutput = onError === 'continueErrorOutput';
	return {
		items: outputs[0] ?? [],
		errorItems: (hasErrorOutput ? outputs.slice(1).at(-1) : undefined) ?? [],
		hints: hints.Node ?? [],
		status,
		error,
		credentialReads,
		run,
	};
}
