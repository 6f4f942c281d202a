import type { IPollFunctions } from 'n8n-workflow';

import type { RunningPoll } from './activation';
import { readState, type TriggerState } from './changes/state';

/** Where the state is kept between polls. */
export interface Store {
	/** The stored state; undefined where there is none. */
	state?: TriggerState;
	/** Whether something is stored that this version of the trigger can't read. */
	isUnreadable: boolean;
	save: (state: TriggerState) => void;
}

/**
 * The state is kept with the workflow, by the ID of the node, where n8n polls with timers in memory, because it files what
 * a node stores under the node's name, which may change. With durable cursors it is kept for the node: n8n would store the
 * workflow's data as a whole, over what other nodes have written there meanwhile. But n8n throws away what an activation
 * stores for the node if it starts nothing, so an activation writes both places. The state with the higher counter is the
 * newer one. Durable polls show by being the first of their context, and not an activation.
 */
export function openStore(
	context: IPollFunctions,
	{ isActivation, isFirst }: Pick<RunningPoll, 'isActivation' | 'isFirst'>,
): Store {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	const stored = [ofNode.state, ofWorkflow[key]].filter((state) => state !== undefined);
	const states = stored.map(readState).filter((state) => state !== undefined);
	const [state] = states.sort((a, b) => b.counter - a.counter);
	return {
		state,
		isUnreadable: stored.length > 0 && state === undefined,
		save: (next) => {
			const counted = { ...next, counter: (state?.counter ?? 0) + 1 };
			if (isActivation || !isFirst) ofWorkflow[key] = counted;
			if (isFirst) ofNode.state = counted;
			else delete ofNode.state;
		},
	};
}
