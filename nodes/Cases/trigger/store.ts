import type { IPollFunctions } from 'n8n-workflow';

import { readState, type TriggerState } from './changes/state';

/** Where the state is kept between polls. */
export interface Store {
	/** The stored state; undefined where there is none. */
	load: () => TriggerState | undefined;
	save: (state: TriggerState) => void;
	/** Whether something is stored that this version of the trigger can't read. */
	isUnreadable: boolean;
}

/**
 * The state is kept for the node, once. With durable cursors n8n throws away what an activation stores that starts
 * nothing; so a first state is also kept with the workflow, by the ID of the node, until a later poll of the same context
 * shows that n8n keeps what the node stores. Durable polls have a context each, so they never write to the workflow's
 * data, which n8n would store as a whole, over what other nodes have written there meanwhile.
 * @param isFirst whether this is the first poll of its context
 */
export function openStore(context: IPollFunctions, isActivation: boolean, isFirst: boolean): Store {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	const stored = ofNode.state ?? (isActivation ? undefined : ofWorkflow[key]);
	const state = readState(stored);
	return {
		isUnreadable: stored !== undefined && state === undefined,
		load: () => state,
		save: (next) => {
			ofNode.state = next;
			if (isActivation && state === undefined) ofWorkflow[key] = next;
			else if (!isFirst && key in ofWorkflow) delete ofWorkflow[key];
		},
	};
}
