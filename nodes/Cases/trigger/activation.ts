import type { IPollFunctions } from 'n8n-workflow';

/** A poll that is under way. */
export interface RunningPoll {
	/** Whether it is the one with which n8n activates the workflow. */
	isActivation: boolean;
	/** Call it once the poll is over. */
	end: () => void;
}

/** Contexts that have polled: the first poll of a context is the one of the activation. */
const activated = new WeakSet<IPollFunctions>();

/** Contexts whose poll is under way. */
const running = new WeakSet<IPollFunctions>();

/**
 * Begins a poll. n8n starts the next poll even if the last one still runs; with durable cursors each poll after the
 * activation has a new context, in the mode `update`.
 * @returns undefined while another poll of the same context runs
 */
export function beginPoll(context: IPollFunctions): RunningPoll | undefined {
	if (running.has(context)) return undefined;
	const isActivation = !activated.has(context) && context.getActivationMode() !== 'update';
	activated.add(context);
	running.add(context);
	return { isActivation, end: () => running.delete(context) };
}
