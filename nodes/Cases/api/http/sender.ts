import type { RawAnswer } from './requestFailures';
import { ApiFailure, Canceled, type FailureDetails } from '../failures/failure';
import type { Log } from './client';
import { createGate, type Gate } from '../pool';
import type { ApiAnswer } from './readAnswer';
import { describeRequest, type ApiRequest } from './requests';
import { isPutOff, waitBeforeRetry, type RetryLimits } from './retry';

/** Time, chance and the user's cancel. Tests replace them. */
export interface Clock {
	/** In ms since the epoch. */
	now: () => number;
	/** Resolves after this many ms, or as soon as the user cancels. */
	sleep: (ms: number) => Promise<void>;
	/** From 0 (inclusive) to 1. */
	random: () => number;
	isCanceled: () => boolean;
}

export interface SenderParts {
	/** Sends a request once. A failure is returned, not thrown. */
	attempt: (request: ApiRequest) => Promise<RawAnswer | ApiFailure>;
	/** Reads the JSON of an answer, or returns a failure where the answer is unusable. */
	readAnswer: (request: ApiRequest, answer: RawAnswer) => ApiAnswer | ApiFailure;
	/** Resolves in a later turn of the event loop. Requests that are ready to leave have left by then. */
	turn: () => Promise<void>;
	clock: Clock;
	/** `concurrency`: how many requests may be in flight at a time. */
	limits: RetryLimits & { concurrency: number };
	/** Lets a request into a slot, where several runs share the slots. By default a run has `concurrency` slots of its own. */
	enterSlot?: Gate;
	/** Called when the service puts requests off, with the time that this adds to the pause, in ms. */
	onPause?: (ms: number) => void;
	log?: Log;
}

type Send = (request: ApiRequest) => Promise<ApiAnswer | ApiFailure>;

/** What all requests of a run share. */
interface Shared {
	/** In ms since the epoch. */
	pausedUntil: number;
	/** A failure that every further request would meet, such as a refused key, so none is sent. */
	failure?: ApiFailure;
}

/**
 * Creates the function that sends all requests of one run: send = retrying(limited(attempt)). When the service puts one
 * request off, all requests of the run pause.
 */
export function createSender(parts: SenderParts): (request: ApiRequest) => Promise<ApiAnswer> {
	const shared: Shared = { pausedUntil: 0 };
	const send = retrying(limited(parts, shared), parts, shared);
	return async (request) => {
		/** Logs a failed write that may have been carried out. */
		const noted = (failure: ApiFailure): ApiFailure => {
			const line = `${failure.message}. ${describeRequest(request)} may have been carried out.`;
			if (failure.details.mayHaveBeenDone) parts.log?.warn(line);
			return failure;
		};
		const answer = await send(request);
		if (answer instanceof ApiFailure) throw noted(answer);
		return { ...answer, unusable: (reason) => noted(answer.unusable(reason)) };
	};
}

/**
 * Sends a request once, in one of the slots. A pause is waited for outside the slot. So is an answer read, each in a turn of
 * its own, so that the next request leaves first and n8n can do other work between two answers.
 */
function limited(parts: SenderParts, shared: Shared): Send {
	const { attempt, readAnswer, turn, clock, limits } = parts;
	const { enterSlot = createGate(limits.concurrency) } = parts;
	const enterTurn = createGate(1);
	const isPaused = () => shared.pausedUntil > clock.now() && !clock.isCanceled();
	return async (request) => {
		let leaveSlot = await enterSlot();
		// A loop, because another request may extend the pause while this one sleeps or waits for a slot.
		while (isPaused()) {
			leaveSlot();
			await clock.sleep(shared.pausedUntil - clock.now());
			leaveSlot = await enterSlot();
		}
		let outcome: RawAnswer | ApiFailure;
		try {
			if (clock.isCanceled()) throw new Canceled();
			if (shared.failure !== undefined) return shared.failure;
			outcome = await attempt(request);
		} finally {
			leaveSlot();
		}
		if (outcome instanceof ApiFailure) {
			// A cancel aborts the requests in flight, which then look like failed ones.
			if (clock.isCanceled()) throw new Canceled();
			return outcome;
		}
		// Without a turn, because this answer may put off the request that is about to leave.
		if (outcome.status >= 300) return readAnswer(request, outcome);
		const leaveTurn = await enterTurn();
		try {
			await turn();
			if (clock.isCanceled()) throw new Canceled();
			return readAnswer(request, outcome);
		} finally {
			leaveTurn();
		}
	};
}

/** Sends a request until it has a usable answer or may not be retried. */
function retrying(send: Send, { clock, limits, onPause, log }: SenderParts, shared: Shared): Send {
	return async (request) => {
		const failed: FailureDetails[] = [];
		for (;;) {
			const answer = await send(request);
			if (!(answer instanceof ApiFailure)) return answer;
			if (answer === shared.failure) return ended(answer, failed);
			failed.push(answer.details);
			const wait = waitBeforeRetry(request, failed, limits, clock.random());
			if (wait === undefined) {
				if (answer.details.isOfRun || isPutOff(answer.details)) shared.failure = answer;
				return ended(answer, failed);
			}
			const seconds = (wait / 1000).toFixed(1);
			log?.debug(`${answer.message}. ${describeRequest(request)} is retried in ${seconds} s.`);
			if (!isPutOff(answer.details)) {
				await clock.sleep(wait);
				continue;
			}
			const now = clock.now();
			const before = Math.max(shared.pausedUntil, now);
			shared.pausedUntil = Math.max(before, now + wait);
			onPause?.(shared.pausedUntil - before);
		}
	};
}

/** The failure to report for a request. @param failed the tries of the request; none if it was not sent */
function ended(failure: ApiFailure, failed: FailureDetails[]): ApiFailure {
	// Any of the tries may have been carried out, not only the last one, from which `failure` comes.
	const mayHaveBeenDone = failed.some((details) => details.mayHaveBeenDone) || undefined;
	const notes = [
		failed.length === 0 ? ['An earlier request failed so, and this one was not sent.'] : [],
		failed.length > 1 ? [`Tried ${failed.length} times.`] : [],
		mayHaveBeenDone ? ['The service may have carried out the write.'] : [],
	];
	return failure.adding(notes.flat().join(' '), { mayHaveBeenDone });
}
