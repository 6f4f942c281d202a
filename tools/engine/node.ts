import './environment';
import type {
	IBinaryKeyData,
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

/** A node and the settings around it. */
export interface NodeOptions {
	/** Full name, such as `n8n-nodes-cases.cases`. */
	type: string;
	/** Default: Node. */
	name?: string;
	/** Default: the newest. */
	version?: number;
	/** Missing ones get their defaults. */
	parameters?: INodeParameters;
	/** The fields of the node's credentials, by credential type. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
	/** Whether the node refers to its credentials by name only, as in workflows written by hand. */
	credentialsByName?: boolean;
	/** The time zone of the workflow. Default: n8n's, New York. */
	timezone?: string;
	/** The node types. Default: those of the built package. */
	types?: LoadedTypes;
}

type NodeSettings = Pick<
	INode,
	'alwaysOutputData' | 'executeOnce' | 'maxTries' | 'onError' | 'retryOnFail' | 'waitBetweenTries'
>;

export interface RunNodeOptions extends NodeOptions, NodeSettings {
	/** The json of each input item. Default: one empty item. */
	items?: IDataObject[];
	/** The files of each input item. */
	binary?: IBinaryKeyData;
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal;
}

export interface NodeRun extends Pick<WorkflowRun, 'credentialReads' | 'error' | 'run' | 'status'> {
	/** The items of the first output. */
	items: INodeExecutionData[];
	/** The items of the error output, which exists with `onError: 'continueErrorOutput'`. */
	errorItems: INodeExecutionData[];
	hints: NodeExecutionHint[];
}

/** Builds the node as a workflow holds it, and the credentials it refers to. */
export function buildNode(
	{ nodeTypes }: LoadedTypes,
	{
		type,
		name = 'Node',
		version,
		parameters = {},
		credentials = {},
		credentialsByName = false,
	}: NodeOptions,
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
		name,
		type,
		typeVersion: version ?? newestVersion(nodeTypes, type),
		position: [200, 0] as [number, number],
		parameters: structuredClone(parameters),
		credentials: references,
	};
	return { node, credentials: store };
}

/** Runs one node after a Manual Trigger that outputs the items. */
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
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		pinData: { Start: (options.items ?? [{}]).map((json) => ({ json, binary: options.binary })) },
		settings: options.timezone ? { timezone: options.timezone } : {},
		credentials,
		mode: options.mode,
		signal: options.signal,
		types,
	});
	const outputs = data[node.name] ?? [];
	const hasErrorOutput = onError === 'continueErrorOutput';
	return {
		items: outputs[0] ?? [],
		errorItems: (hasErrorOutput ? outputs.slice(1).at(-1) : undefined) ?? [],
		hints: hints[node.name] ?? [],
		status,
		error,
		credentialReads,
		run,
	};
}
