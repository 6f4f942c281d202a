import type { IPollFunctions } from 'n8n-workflow';

import { isState, type TriggerState } from './changes/state';

type PollContext = Pick<IPollFunctions, 'getActivationMode' | 'getNode' | 'getWorkflowStaticData'>;

/** `known`: n8n's contexts that have polled before. `running`: contexts whose last poll has not ended yet. */
const known = new WeakSet<PollContext>();
const running = new WeakSet<PollContext>();

/**
 * Begins a poll.
 *
 * n8n has two ways to poll. With timers in memory, all polls have one context, and the first of them activates the
 * workflow. With durable cursors, each poll has a new context, and is an activation unless the mode is `update`.
 *
 * With timers, the state is stored in the data of the workflow, by the ID of the node: n8n files the data of a node under
 * the node's name, which may change. With durable cursors, the state is stored in the data of the node, because n8n would
 * store the data of the workflow over what other nodes have written there meanwhile. n8n drops what an activation without
 * items stores for the node, so an activation stores the state in both places; the state with the higher counter is newer.
 * @returns undefined while the last poll of the same context still runs, because n8n doesn't wait for its end
 */
export function openPoll(context: PollContext) {
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
		/** Whether n8n makes this poll to activate the workflow. */
		isActivation,
		/** What the poll before has saved. */
		state,
		/** Whether a state is stored that this version of the trigger can't read. */
		isUnreadable: stored.length > 0 && state === undefined,
		save: (next: TriggerState) => {
			const counted = { ...next, counter: (state?.counter ?? 0) + 1 };
			if (isActivation || !isFirst) ofWorkflow[key] = counted;
			if (isFirst) ofNode.state = counted;
			else delete ofNode.state;
		},
		end: () => void running.delete(context),
	};
}
