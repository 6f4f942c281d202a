import type { RawAnswer } from '../failures/requestFailures';
import { ApiFailure, Canceled } from '../failures/failure';
import type { Log } from './client';
import { createGate } from '../pool';
import type { ApiAnswer } from './readAnswer';
import { describeRequest, type ApiRequest } from './requests';
import { mayBeRetried, waitBeforeRetry, type RetryLimits } from './retry';

/** How much a sender may do. */
export interface SenderLimits extends RetryLimits {
	/** Most requests in flight at the same time. */
	concurrency: number;
}

/** Time, chance and the user's cancel, as the sender sees them. */
export interface Clock {
	/** In ms since the epoch. */
	now: () => number;
	/** Resolves after this many ms, or as soon as the user cancels. */
	sleep: (ms: number) => Promise<void>;
	/** From 0 (inclusive) to 1. */
	random: () => number;
	isCanceled: () => boolean;
}

/** What a sender works with. */
export interface SenderParts {
	/** Sends a request once. A failure is returned, not thrown. */
	attempt: (request: ApiRequest) => Promise<RawAnswer | ApiFailure>;
	/** Reads an answer, or returns the failure that it means. */
	readAnswer: (request: ApiRequest, answer: RawAnswer) => ApiAnswer | ApiFailure;
	clock: Clock;
	limits: SenderLimits;
	log?: Log;
}

/**
 * Creates the function that sends all requests of one run: send = retrying(limited(attempt)). They share the slots and
 * the pauses that the service asks for; each request is retried on its own. A failure that the other requests would meet
 * too, such as a refused key, is theirs as well, without another request.
 */
export function createSender(parts: SenderParts): (request: ApiRequest) => Promise<ApiAnswer> {
	/** In ms since the epoch. */
	const pause = { until: 0 };
	return retrying(limited(parts, pause), parts, pause);
}

const NOT_SENT = 'An earlier request failed so, and this one was not sent.';
const MAY_BE_DONE = 'The service may have carried out the write.';

function throwIfCanceled({ isCanceled }: Clock): void {
	if (isCanceled()) throw new Canceled();
}

/** Sends a request once, in one of the slots and outside pauses, and reads its answer when the slot is free again. */
function limited({ attempt, readAnswer, clock, limits }: SenderParts, pause: { until: number }) {
	const enterSlot = createGate(limits.concurrency);
	return async (request: ApiRequest): Promise<ApiAnswer | ApiFailure> => {
		const leaveSlot = await enterSlot();
		let outcome: RawAnswer | ApiFailure;
		try {
			// Another request may make the pause longer meanwhile.
			while (pause.until > clock.now() && !clock.isCanceled()) {
				await clock.sleep(pause.until - clock.now());
			}
			throwIfCanceled(clock);
			outcome = await attempt(request);
		} finally {
			leaveSlot();
		}
		if (!(outcome instanceof ApiFailure)) return readAnswer(request, outcome);
		// A cancel makes the requests in flight fail too.
		throwIfCanceled(clock);
		return outcome;
	};
}

/** Logs a failed write of which nobody knows whether it was carried out. @returns the failure */
function noted(log: Log | undefined, request: ApiRequest, failure: ApiFailure): ApiFailure {
	if (failure.details.mayHaveBeenDone) {
		log?.warn(`${failure.message}. ${describeRequest(request)} may have been carried out.`);
	}
	return failure;
}

/** Sends a request until it has a usable answer or may not be retried. @throws ApiFailure of the last try, or Canceled */
function retrying(
	send: (request: ApiRequest) => Promise<ApiAnswer | ApiFailure>,
	{ clock, limits, log }: SenderParts,
	pause: { until: number },
): (request: ApiRequest) => Promise<ApiAnswer> {
	let ofRun: ApiFailure | undefined;
	return async (request) => {
		let [failures, waitedMs, mayHaveBeenDone] = [0, 0, false];
		// Its own tries decide: a later one that fails doesn't undo an earlier one, and what was not sent was not done.
		const ended = (failure: ApiFailure, note: string): ApiFailure =>
			noted(
				log,
				request,
				failure.adding(mayHaveBeenDone ? `${note}${MAY_BE_DONE}` : note, {
					mayHaveBeenDone: mayHaveBeenDone || undefined,
				}),
			);
		for (let tries = 1; ; tries++) {
			if (ofRun !== undefined) throw ended(ofRun, mayHaveBeenDone ? '' : NOT_SENT);
			const answer = await send(request);
			if (!(answer instanceof ApiFailure)) {
				return { ...answer, unusable: (reason) => noted(log, request, answer.unusable(reason)) };
			}
			const { retryAfterMs } = answer.details;
			if (answer.details.mayHaveBeenDone) mayHaveBeenDone = true;
			if (retryAfterMs === undefined) failures++;
			const wait = mayBeRetried(request, answer.details)
				? waitBeforeRetry({ failures, retryAfterMs, waitedMs }, limits, clock.random())
				: undefined;
			if (wait === undefined) {
				const isTooLong = retryAfterMs !== undefined && retryAfterMs > limits.maxWaitMs;
				if (answer.details.isOfRun || isTooLong) ofRun = answer;
				throw ended(answer, tries === 1 ? '' : `Tried ${tries} times. `);
			}
			const seconds = (wait / 1000).toFixed(1);
			log?.debug(`${answer.message}. ${describeRequest(request)} is retried in ${seconds} s.`);
			if (retryAfterMs === undefined) {
				await clock.sleep(wait);
				throwIfCanceled(clock);
			} else {
				waitedMs += wait;
				pause.until = Math.max(pause.until, clock.now() + wait);
			}
		}
	};
}
