import type { IPollFunctions } from 'n8n-workflow';

import { ApiFailure } from '../api/failure';

/** A poll that has begun and not ended yet. */
export interface RunningPoll {
	/** Whether n8n makes this poll to activate the workflow. */
	isActivation: boolean;
	/** Whether it is the first poll of its context. */
	isFirst: boolean;
	/** Whether a later poll has given it up, because it took too long. */
	isGivenUp: () => boolean;
	/** Call it once the poll is over. */
	end: () => void;
}

/** Contexts that have polled before. n8n makes the first poll of a context to activate the workflow. */
const activated = new WeakSet<IPollFunctions>();

/** The poll of a context that has not ended yet, and when it began. */
const running = new WeakMap<IPollFunctions, { since: number }>();

/**
 * Begins a poll, unless the last poll of the same context still runs: n8n doesn't wait for it. With durable cursors,
 * each poll after the activation has a new context, whose mode is `update`.
 * @param now in ms
 * @param limitMs how long a poll may run
 * @returns undefined while another poll of the same context runs
 * @throws ApiFailure where that one runs longer than it may: it is given up, and the next poll can begin
 */
export function beginPoll(
	context: IPollFunctions,
	now: number,
	limitMs: number,
): RunningPoll | undefined {
	const other = running.get(context);
	if (other !== undefined) {
		if (now - other.since <= limitMs) return undefined;
		running.delete(context);
		throw notEnded(limitMs);
	}
	const isFirst = !activated.has(context);
	const isActivation = isFirst && context.getActivationMode() !== 'update';
	const poll = { since: now };
	activated.add(context);
	running.set(context, poll);
	const isCurrent = () => running.get(context) === poll;
	return {
		isActivation,
		isFirst,
		isGivenUp: () => !isCurrent(),
		end: () => {
			if (isCurrent()) running.delete(context);
		},
	};
}

function notEnded(limitMs: number): ApiFailure {
	const seconds = Math.round(limitMs / 1000);
	return new ApiFailure(`The last poll did not end within ${seconds} seconds`, {
		description:
			"That poll no longer counts. The next poll starts from the same place. If it keeps happening, lower 'Timeout (Ms)' under 'Options', or check the network between n8n and the service.",
		retryable: true,
	});
}
