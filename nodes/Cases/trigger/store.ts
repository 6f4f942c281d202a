import type { IPollFunctions } from 'n8n-workflow';

import { isState, type TriggerState } from './changes/state';

type PollContext = Pick<IPollFunctions, 'getActivationMode' | 'getNode' | 'getWorkflowStaticData'>;

/** A poll that has begun, and the state that is kept between polls. */
export interface RunningPoll {
	/** Whether n8n makes this poll to activate the workflow. */
	isActivation: boolean;
	state?: TriggerState;
	/** Whether something is stored that this version of the trigger can't read. */
	isUnreadable: boolean;
	save: (state: TriggerState) => void;
	end: () => void;
}

/** Contexts that have polled before, and those whose last poll has not ended yet. */
const known = new WeakSet<PollContext>();
const running = new WeakSet<PollContext>();

/**
 * Begins a poll. The first one of a context activates the workflow, except with durable cursors: there each later poll has
 * a new context, whose mode is `update`.
 *
 * The state is kept with the workflow, by the ID of the node, where n8n polls with timers in memory, because it files what
 * a node stores under the node's name, which may change. With durable cursors it is kept for the node: n8n would store the
 * workflow's data as a whole, over what other nodes have written there meanwhile. But n8n throws away what an activation
 * stores for the node if it starts nothing, so an activation writes both places. The state with the higher counter is the
 * newer one.
 * @returns undefined while the last poll of the same context still runs: n8n doesn't wait for it
 */
export function openPoll(context: PollContext): RunningPoll | undefined {
	if (running.has(context)) return undefined;
	const isFirst = !known.has(context);
	const isActivation = isFirst && context.getActivationMode() !== 'update';
	known.add(context);
	running.add(context);
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	const stored = [ofNode.state, ofWorkflow[key]].filter((state) => state !== undefined);
	const [state] = stored.filter(isState).sort((a, b) => b.counter - a.counter);
	return {
		isActivation,
		state,
		isUnreadable: stored.length > 0 && state === undefined,
		save: (next) => {
			const counted = { ...next, counter: (state?.counter ?? 0) + 1 };
			if (isActivation || !isFirst) ofWorkflow[key] = counted;
			if (isFirst) ofNode.state = counted;
			else delete ofNode.state;
		},
		end: () => void running.delete(context),
	};
}
