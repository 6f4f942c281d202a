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

/** The state as it is kept with the workflow. */
interface Copy {
	state: unknown;
	/** Whether the node keeps none: n8n polls with timers in memory, and would lose it once the node is renamed. */
	isOnly: boolean;
}

/**
 * The state is kept once: with the workflow, by the ID of the node, where n8n polls with timers in memory, because it
 * files what a node stores under the node's name. With durable cursors it is kept for the node: n8n would store the
 * workflow's data as a whole, over what other nodes have written there meanwhile. But n8n then throws away what an
 * activation stores that starts nothing; so a first state is also kept with the workflow. Which of the two it is shows
 * with the second poll: durable polls have a context each.
 * @param isFirst whether this is the first poll of its context
 */
export function openStore(context: IPollFunctions, isActivation: boolean, isFirst: boolean): Store {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	const copy = ofWorkflow[key] as Copy | undefined;
	const isInMemory =
		!isFirst || (isActivation && ofNode.state === undefined && copy?.isOnly === true);
	const stored = ofNode.state ?? (isActivation && !isInMemory ? undefined : copy?.state);
	const state = readState(stored);
	return {
		isUnreadable: stored !== undefined && state === undefined,
		load: () => state,
		save: (next) => {
			if (isInMemory) {
				ofWorkflow[key] = { state: next, isOnly: true };
				delete ofNode.state;
				return;
			}
			ofNode.state = next;
			if (isActivation && state === undefined) ofWorkflow[key] = { state: next, isOnly: false };
		},
	};
}
