import type { IPollFunctions } from 'n8n-workflow';

/** A poll that has begun and not ended yet. */
export interface RunningPoll {
	/** Whether n8n makes this poll to activate the workflow. */
	isActivation: boolean;
	/** Call it once the poll is over. */
	end: () => void;
}

/** Contexts that have polled before. n8n makes the first poll of a context to activate the workflow. */
const activated = new WeakSet<IPollFunctions>();

/** Contexts with a poll that has not ended yet. */
const running = new WeakSet<IPollFunctions>();

/**
 * Begins a poll, unless the last poll of the same context still runs: n8n doesn't wait for it. With durable cursors,
 * each poll after the activation has a new context, whose mode is `update`.
 * @returns undefined while another poll of the same context runs
 */
export function beginPoll(context: IPollFunctions): RunningPoll | undefined {
	if (running.has(context)) return undefined;
	const isActivation = !activated.has(context) && context.getActivationMode() !== 'update';
	activated.add(context);
	running.add(context);
	return { isActivation, end: () => running.delete(context) };
}
