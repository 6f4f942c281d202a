import './environment';
import { PollContext, TriggersAndPollers } from 'n8n-core';
import { ObservableObject, Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INodeExecutionData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import { MemoryCredentialsHelper } from './credentials';
import { builtTypes } from './load';
import { buildNode } from './node';
import type { NodeOptions } from './node';

export interface PollerOptions extends NodeOptions {
	/**
	 * The node's static data: JSON as n8n saves it, or the `staticData` of another poller to share it.
	 * Default: empty.
	 */
	staticData?: IDataObject;
	/** The workflow's own (`global`) static data, as n8n saves it. Default: empty. */
	workflowStaticData?: IDataObject;
	/** `trigger` (default) is a published workflow, `manual` "Fetch test event" in the editor. */
	mode?: WorkflowExecuteMode;
	/** `activate` (default): just published; `init`: n8n started; `update`; `manual`. */
	activation?: WorkflowActivateMode;
	/** What `getPollBudgetMs()` returns, in ms. Default: n8n's 300 s. */
	budgetMs?: number;
	/** `false` removes `getPollBudgetMs`, as in older n8n versions. */
	pollBudget?: boolean;
}

export interface Poller {
	/**
	 * Polls once.
	 * @returns the items n8n would start a workflow with, or null
	 * @throws what the node throws
	 */
	poll(): Promise<INodeExecutionData[] | null>;
	/** The node's static data in memory; n8n observes this object for changes. */
	staticData: IDataObject;
	/** A copy of the static data in memory. */
	snapshot(): IDataObject;
	/**
	 * A copy of the static data as n8n last saved it, and as a restart would find it. n8n saves it after
	 * the first poll, which activates the workflow, and after each poll that returned items.
	 */
	saved(): IDataObject;
	/** A copy of the workflow's own (`global`) static data in memory. */
	workflowSnapshot(): IDataObject;
	/** What a restart would find, as options of the next poller: the node's static data and the workflow's. */
	savedData(): Pick<PollerOptions, 'staticData' | 'workflowStaticData'>;
	/** How many times polls requested the credential from n8n. */
	credentialReads(): number;
}

/** Creates a polling trigger in an active workflow. It has no schedule: the caller calls `poll()`. */
export async function createPoller(options: PollerOptions): Promise<Poller> {
	const types = options.types ?? (await builtTypes());
	const { node, credentials } = buildNode(types, options);
	const mode = options.mode ?? 'trigger';
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Workflow',
		nodes: [node],
		connections: {},
		active: mode !== 'manual',
		nodeTypes: types.nodeTypes,
		staticData: { global: structuredClone(options.workflowStaticData ?? {}) },
		settings: options.timezone ? { timezone: options.timezone } : {},
	});
	const staticData = observable(options.staticData ?? {});
	const credentialsHelper = new MemoryCredentialsHelper(types.credentialTypes, credentials);
	const { budgetMs } = options;
	const context = new PollContext(
		workflow,
		node,
		createAdditionalData(credentialsHelper),
		mode,
		options.activation ?? 'activate',
		undefined,
		undefined,
		undefined,
		undefined,
		() => staticData,
		budgetMs === undefined ? undefined : () => budgetMs,
	);
	if (options.pollBudget === false) Reflect.deleteProperty(context, 'getPollBudgetMs');

	const pollers = new TriggersAndPollers();
	const copyOf = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;
	const snapshot = () => copyOf(staticData);
	const workflowSnapshot = () => copyOf(workflow.getStaticData('global'));
	let saved = snapshot();
	let savedWorkflow = workflowSnapshot();
	let activated = false;
	return {
		staticData,
		snapshot,
		saved: () => structuredClone(saved),
		workflowSnapshot,
		savedData: () => structuredClone({ staticData: saved, workflowStaticData: savedWorkflow }),
		credentialReads: () => credentialsHelper.reads,
		async poll() {
			const response = await workflow.expression.withIsolate(
				async () => await pollers.runPollFunction(workflow, node, context),
			);
			if (response !== null || !activated) {
				saved = snapshot();
				savedWorkflow = workflowSnapshot();
			}
			activated = true;
			return response && (response[0] ?? []);
		},
	};
}

function observable(data: IDataObject): IDataObject {
	return '__dataChanged' in data ? data : ObservableObject.create(structuredClone(data));
}
