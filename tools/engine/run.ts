import './environment';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { Workflow, createRunExecutionData } from 'n8n-workflow';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IPinData,
	IRun,
	ITaskData,
	IWorkflowSettings,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import { MemoryCredentialsHelper } from './credentials';
import type { CredentialStore } from './credentials';
import { builtTypes } from './load';
import type { LoadedTypes } from './load';

export interface RunWorkflowOptions {
	/** Nodes and connections as in an exported workflow. */
	nodes: INode[];
	connections: IConnections;
	/** By the id or the name that the nodes refer to. */
	credentials?: CredentialStore;
	/** Outputs that stand in for running a node, by node name. */
	pinData?: IPinData;
	/** `executionOrder` is `v1`, as in new workflows; without `timezone` it is n8n's, New York. */
	settings?: IWorkflowSettings;
	/** `manual` (default) is "Execute workflow" in the editor, `trigger` a published workflow. */
	mode?: WorkflowExecuteMode;
	/** Name of the node to start from; the first trigger when left out. */
	startNode?: string;
	/** Saved static data, by `node:<name>` or `global`. */
	staticData?: IDataObject;
	/** Stops the execution as n8n's stop button does. */
	signal?: AbortSignal;
	/** The node types; those of the built package when left out. */
	types?: LoadedTypes;
}

export interface WorkflowRun {
	status: IRun['status'];
	/** Items by node name and output; those of all the runs of a node in a loop one after another. */
	data: Record<string, INodeExecutionData[][]>;
	/** Execution hints by node name, of the nodes that gave any. */
	hints: Record<string, NodeExecutionHint[]>;
	/** What made the execution fail. */
	error: IRun['data']['resultData']['error'];
	/** How often nodes asked n8n for a credential. */
	credentialReads: number;
	/** n8n's own record of the execution. */
	run: IRun;
}

/** Runs a workflow in n8n's engine. A failed execution is a result, not a throw, as in n8n. */
export async function runWorkflow(options: RunWorkflowOptions): Promise<WorkflowRun> {
	const { nodeTypes, credentialTypes } = options.types ?? (await builtTypes());
	const mode = options.mode ?? 'manual';
	const workflowData = {
		id: 'workflow',
		name: 'Workflow',
		active: mode !== 'manual',
		// The engine fills in defaults in place; the caller's nodes stay as they are.
		nodes: structuredClone(options.nodes),
		connections: options.connections,
		settings: { executionOrder: 'v1', ...options.settings } as const,
		staticData: options.staticData,
	};
	const workflow = new Workflow({ ...workflowData, nodeTypes });
	const credentialsHelper = new MemoryCredentialsHelper(credentialTypes, options.credentials ?? {});
	const additionalData = createAdditionalData(credentialsHelper);
	const now = new Date();
	additionalData.hooks = new ExecutionLifecycleHooks(mode, '1', {
		...workflowData,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
	});

	const run = await execute(
		new WorkflowExecute(additionalData, mode),
		{
			workflow,
			startNode: options.startNode ? (workflow.getNode(options.startNode) ?? undefined) : undefined,
			pinData: structuredClone(options.pinData),
		},
		mode,
		options.signal,
	);
	const { runData, error } = run.data.resultData;
	return {
		status: run.status,
		data: mapValues(runData, outputsOfRuns),
		hints: Object.fromEntries(
			Object.entries(mapValues(runData, hintsOfRuns)).filter(([, hints]) => hints.length > 0),
		),
		error,
		credentialReads: credentialsHelper.reads,
		run,
	};
}

type ExecuteOptions = Parameters<WorkflowExecute['run']>[0];

async function execute(
	execution: WorkflowExecute,
	options: ExecuteOptions,
	mode: WorkflowExecuteMode,
	signal?: AbortSignal,
): Promise<IRun> {
	let running: ReturnType<WorkflowExecute['run']>;
	try {
		running = execution.run(options);
	} catch (error) {
		return failedBeforeStart(error as Error, mode);
	}
	const cancel = () => running.cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) cancel();
	try {
		return await running;
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}

/** n8n checks required parameters and node types before the first node and records such a run. */
function failedBeforeStart(error: Error, mode: WorkflowExecuteMode): IRun {
	const at = new Date();
	return {
		mode,
		status: 'error',
		finished: false,
		startedAt: at,
		stoppedAt: at,
		storedAt: 'db',
		data: createRunExecutionData({
			resultData: { error: error as IRun['data']['resultData']['error'], runData: {} },
		}),
	};
}

function outputsOfRuns(runs: ITaskData[]): INodeExecutionData[][] {
	const outputs: INodeExecutionData[][] = [];
	for (const { data } of runs) {
		for (const [index, items] of (data?.main ?? []).entries()) {
			outputs[index] = (outputs[index] ?? []).concat(items ?? []);
		}
	}
	return outputs;
}

function hintsOfRuns(runs: ITaskData[]): NodeExecutionHint[] {
	return runs.flatMap(({ hints }) => hints ?? []);
}

function mapValues<T, U>(values: Record<string, T>, map: (value: T) => U): Record<string, U> {
	return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
