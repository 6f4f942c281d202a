import './environment';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { Workflow, createRunExecutionData } from 'n8n-workflow';
import type {
	ExecuteWorkflowData,
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

const SUB_WORKFLOW_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

export interface RunWorkflowOptions {
	/** Nodes and connections as in an exported workflow. */
	nodes: INode[];
	connections: IConnections;
	/** The credentials, by the id or the name that the nodes refer to. */
	credentials?: CredentialStore;
	/** Outputs that replace running a node, by node name. */
	pinData?: IPinData;
	/** Default: the `executionOrder` of new workflows, `v1`, and n8n's `timezone`, New York. */
	settings?: IWorkflowSettings;
	/** `manual` (default) is "Execute workflow" in the editor, `trigger` a published workflow. */
	mode?: WorkflowExecuteMode;
	/** The name of the node to start from. Default: the first trigger. */
	startNode?: string;
	/** Saved static data, by `node:<name>` or `global`. */
	staticData?: IDataObject;
	/** Stops the execution as n8n's stop button does. */
	signal?: AbortSignal;
	/** The node types. Default: those of the built package. */
	types?: LoadedTypes;
}

export interface WorkflowRun {
	status: IRun['status'];
	/** Items by node name and output; a node in a loop has the items of all its runs. */
	data: Record<string, INodeExecutionData[][]>;
	/** Execution hints by node name, for nodes with hints. */
	hints: Record<string, NodeExecutionHint[]>;
	/** The error that ended the execution. */
	error: IRun['data']['resultData']['error'];
	/** How many times nodes requested a credential from n8n. */
	credentialReads: number;
	/** n8n's own record of the execution. */
	run: IRun;
}

/** Runs a workflow in n8n's engine. A failed execution doesn't throw: it is a result with `error`. */
export async function runWorkflow(options: RunWorkflowOptions): Promise<WorkflowRun> {
	const { nodeTypes, credentialTypes } = options.types ?? (await builtTypes());
	const mode = options.mode ?? 'manual';
	const workflowData = {
		id: 'workflow',
		name: 'Workflow',
		active: mode !== 'manual',
		// A copy, because the engine writes defaults into the nodes.
		nodes: structuredClone(options.nodes),
		connections: options.connections,
		settings: { executionOrder: 'v1', ...options.settings } as const,
		staticData: options.staticData,
	};
	const workflow = new Workflow({ ...workflowData, nodeTypes });
	const credentialsHelper = new MemoryCredentialsHelper(credentialTypes, options.credentials ?? {});
	const additionalData = createAdditionalData(credentialsHelper);
	additionalData.executeWorkflow = async (_called, _data, { inputData }) =>
		await runItself(options, inputData);
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

/** Runs the workflow again from its Execute Workflow Trigger, as a workflow does that calls itself. It always waits for the end. */
async function runItself(
	options: RunWorkflowOptions,
	items: INodeExecutionData[] = [],
): Promise<ExecuteWorkflowData> {
	const trigger = options.nodes.find(({ type }) => type === SUB_WORKFLOW_TRIGGER);
	if (!trigger) throw new Error('This engine calls no workflow but the one that it runs');
	const { run, error } = await runWorkflow({
		...options,
		startNode: trigger.name,
		pinData: { ...options.pinData, [trigger.name]: items },
	});
	if (error) throw error;
	const { lastNodeExecuted = '', runData } = run.data.resultData;
	return { executionId: '2', data: runData[lastNodeExecuted].at(-1)?.data?.main ?? [] };
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

/** The record of an execution whose parameters or node types n8n refused before its first node. */
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
