import type { IPollFunctions } from 'n8n-workflow';

import type { TriggerState } from './changes/state';

/** Where the state is kept between polls. */
export interface Store {
	load: () => TriggerState | undefined;
	save: (state: TriggerState) => void;
}

/**
 * The state is kept for the node, and a copy of it for the workflow, by the ID of the node: n8n loses the first when
 * the node is renamed, and, with durable cursors, when an activation emits nothing.
 * @param isActivation an activation that finds no state of the node is a new start, so it ignores the copy
 */
export function openStore(context: IPollFunctions, isActivation: boolean): Store {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	return {
		load: () =>
			(ofNode.state ?? (isActivation ? undefined : ofWorkflow[key])) as TriggerState | undefined,
		save: (state) => {
			ofNode.state = state;
			ofWorkflow[key] = state;
		},
	};
}
