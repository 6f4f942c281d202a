import type { IPollFunctions } from 'n8n-workflow';

/** A poll that has begun. Each of its requests has a deadline, so it ends. */
export interface RunningPoll {
	/** Whether n8n makes this poll to activate the workflow. */
	isActivation: boolean;
	/** Whether it is the first poll of its context. */
	isFirst: boolean;
	/** Call it once the poll is over. */
	end: () => void;
}

/** Contexts that have polled before. n8n makes the first poll of a context to activate the workflow. */
const activated = new WeakSet<IPollFunctions>();

/** Contexts of polls that have not ended yet. */
const running = new WeakSet<IPollFunctions>();

/**
 * Begins a poll. With durable cursors, each poll after the activation has a new context, whose mode is `update`.
 * @returns undefined while the last poll of the same context still runs: n8n doesn't wait for it
 */
export function beginPoll(context: IPollFunctions): RunningPoll | undefined {
	if (running.has(context)) return undefined;
	const isFirst = !activated.has(context);
	activated.add(context);
	running.add(context);
	return {
		isActivation: isFirst && context.getActivationMode() !== 'update',
		isFirst,
		end: () => void running.delete(context),
	};
}
