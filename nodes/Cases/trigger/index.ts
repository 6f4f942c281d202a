import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';
import { poll, startNow } from './changes/poll';
import { startingState, type TriggerState } from './changes/state';
import { readExamples, toItem } from './items';
import { readSettings, type Settings } from './settings';

/** Contexts whose poll is under way: n8n starts the next poll even if the one before still runs. */
const running = new WeakSet<IPollFunctions>();

/** Contexts that have polled: the first poll of a context is the one of the activation. */
const activated = new WeakSet<IPollFunctions>();

/**
 * Where the state is kept between polls: for the node, and a copy for the workflow, by the ID of the node. n8n loses
 * the first when the node is renamed, and, with durable cursors, when an activation emits nothing.
 * An activation that finds none for the node is a new start, so it leaves the copy alone.
 */
function openStore(context: IPollFunctions, isActivating: boolean) {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `casesTrigger:${context.getNode().id}`;
	return {
		load: () =>
			(ofNode.state ?? (isActivating ? undefined : ofWorkflow[key])) as TriggerState | undefined,
		save: (state: TriggerState) => {
			ofNode.state = state;
			ofWorkflow[key] = state;
		},
	};
}

/** Whether this poll is the one with which n8n activates the workflow. Durable polls have new contexts, as updates. */
function isActivation(context: IPollFunctions): boolean {
	const isFirst = !activated.has(context);
	activated.add(context);
	return isFirst && context.getActivationMode() !== 'update';
}

async function pollFromStore(
	context: IPollFunctions,
	{ query, events, output, startFrom }: Settings,
): Promise<INodeExecutionData[]> {
	const isActivating = isActivation(context);
	const store = openStore(context, isActivating);
	let state = store.load();
	if (state === undefined) {
		state = startFrom === undefined ? await startNow(query) : startingState(startFrom);
		store.save(state);
		if (startFrom === undefined) return [];
	}
	const result = await poll(query, state).catch((error: unknown) => {
		const isOutage = error instanceof ApiFailure && error.details.retryable;
		// The place to go on from is known, so a service that is down must not keep the workflow from being published.
		if (isActivating && isOutage) return undefined;
		throw error;
	});
	if (result === undefined) return [];
	// Last of all: after any failure above the next poll starts from the same place.
	store.save(result.state);
	return result.events
		.filter(({ event }) => events.includes(event))
		.map((event) => toItem(event, output));
}

/**
 * One poll of the trigger: items of what happened since the last one, oldest first.
 * @throws InvalidInput or ApiFailure; the next poll then starts from the same place
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const settings = await readSettings(context);
	if (context.getMode() === 'manual') {
		const examples = await readExamples(settings);
		if (examples.length > 0) return examples;
		throw new NodeOperationError(context.getNode(), 'No case matches right now', {
			description:
				'A test shows the newest matching cases. Loosen the filters to see an example; once the workflow is published, new events start it.',
		});
	}
	if (running.has(context)) return [];
	running.add(context);
	return await pollFromStore(context, settings).finally(() => running.delete(context));
}
