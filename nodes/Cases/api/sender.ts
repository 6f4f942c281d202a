import type { Answer } from './answerFailures';
import { ApiFailure, Canceled, InvalidInput } from './failure';
import type { Log } from './log';
import { createGate } from './pool';
import type { ApiAnswer } from './readAnswer';
import { describeRequest, type ApiRequest } from './requests';
import { mayBeSentAgain, waitBeforeRetry, type RetryLimits } from './retry';

/** How much a sender may do. */
export interface SenderLimits extends RetryLimits {
	/** Most requests in flight at the same time. */
	concurrency: number;
}

/** Time, chance and the user's cancel, as the sender sees them. */
export interface Clock {
	/** In ms since the epoch. */
	now: () => number;
	/** Resolves in a later round of the event loop, even after 0 ms. */
	sleep: (ms: number) => Promise<void>;
	/** From 0 (inclusive) to 1. */
	random: () => number;
	isCanceled: () => boolean;
}

/** How to make a request again that waited for so long that it may do harm. */
export interface Renewal {
	/** Whether the request is too old. It is watched right before each try. */
	isDue: () => boolean;
	/**
	 * @returns the request as it is right now; undefined where there is nothing to do any more
	 * @throws why it must not be sent any more
	 */
	renew: () => Promise<ApiRequest | undefined>;
}

/** A request was made again before a try, and there is nothing to do any more. */
export class NotNeeded extends Error {
	/** @param mayHaveBeenDone whether that may be so because an earlier try was carried out */
	constructor(readonly mayHaveBeenDone: boolean) {
		super('The request is not needed any more');
	}
}

/** What a sender works with. */
export interface SenderParts {
	/** Sends a request once. A failure is returned, not thrown. */
	attempt: (request: ApiRequest) => Promise<Answer | ApiFailure>;
	/** Reads an answer, or returns the failure that it means. */
	readAnswer: (request: ApiRequest, answer: Answer) => ApiAnswer | ApiFailure;
	clock: Clock;
	limits: SenderLimits;
	log?: Log;
}

/** Length of an answer, in bytes, from which reading it takes some ms; a full page of cases has 150,000. */
const LONG_ANSWER = 50_000;

/** Longest sleep between two checks of whether the user has canceled, in ms. */
const NAP_MS = 500;

/**
 * Creates the function that sends all requests of one run. They share the slots, the turns and the pauses that the
 * service asks for; each request is retried on its own.
 */
export function createSender({
	attempt,
	readAnswer,
	clock,
	limits,
	log,
}: SenderParts): (request: ApiRequest, renewal?: Renewal) => Promise<ApiAnswer> {
	const enterSlot = createGate(limits.concurrency);
	const takeTurn = createGate(1);
	let pausedUntil = 0;

	/**
	 * Sends a request until it has a usable answer or may not be retried. Before each try it is made again if it is too old.
	 * @throws ApiFailure of the last try, Canceled, or what making it again throws
	 */
	async function sendWithRetries(first: ApiRequest, renewal?: Renewal): Promise<ApiAnswer> {
		let request = first;
		let failures = 0;
		let waitedMs = 0;
		/** The last try that failed and may have been carried out. */
		let unsure: ApiFailure | undefined;
		for (let tries = 1; ; tries++) {
			let answer = await sendOnce(request, renewal);
			while (answer instanceof TooOld) {
				const renewed = await answer.renewal.renew().catch((reason: unknown) => {
					throw unsure === undefined ? reason : noted(request, notRetried(reason, unsure));
				});
				if (renewed === undefined) throw new NotNeeded(unsure !== undefined);
				request = renewed;
				answer = await sendOnce(request, renewal);
			}
			if (!(answer instanceof ApiFailure)) {
				const unusable: ApiAnswer['unusable'] = (reason) => noted(request, answer.unusable(reason));
				return { ...answer, unusable };
			}

			const { retryAfterMs } = answer.details;
			if (answer.details.mayHaveBeenDone) unsure = answer;
			if (retryAfterMs === undefined) failures++;
			const wait = mayBeSentAgain(request, answer.details)
				? waitBeforeRetry({ failures, retryAfterMs, waitedMs }, limits, clock.random())
				: undefined;
			if (wait === undefined) {
				// A later try that fails, as because nothing answers, doesn't undo what an earlier one did.
				throw noted(request, finalFailure(answer, tries, unsure !== undefined));
			}
			const seconds = (wait / 1000).toFixed(1);
			log?.debug(`${answer.message}. ${describeRequest(request)} is retried in ${seconds} s.`);
			const until = clock.now() + wait;
			if (retryAfterMs === undefined) {
				await waitUntil(() => until);
			} else {
				waitedMs += wait;
				pausedUntil = Math.max(pausedUntil, until);
			}
		}
	}

	/** Logs a failed write of which nobody knows whether it was carried out. @returns the failure */
	function noted(request: ApiRequest, failure: ApiFailure): ApiFailure {
		if (failure.details.mayHaveBeenDone) {
			log?.warn(`${failure.message}. ${describeRequest(request)} may have been carried out.`);
		}
		return failure;
	}

	/**
	 * Sends a request once, in one of the slots, unless it is too old by then, and reads its answer outside the slot. A long
	 * answer is read in a turn, in a round of the event loop of its own. n8n serves its editor and webhooks from that loop,
	 * and several answers read in one round would send their next requests together, so that the next answers come together
	 * too.
	 */
	async function sendOnce(
		request: ApiRequest,
		renewal?: Renewal,
	): Promise<ApiAnswer | ApiFailure | TooOld> {
		const leaveSlot = await enterSlot();
		let outcome: Answer | ApiFailure;
		let endTurn: (() => void) | undefined;
		try {
			await waitUntil(() => pausedUntil);
			if (renewal?.isDue()) return new TooOld(renewal);
			outcome = await attempt(request);
			if (outcome instanceof ApiFailure) {
				// Canceling breaks off the requests in flight.
				throwIfCanceled();
			} else if (outcome.bytes >= LONG_ANSWER) {
				endTurn = await takeTurn();
			}
		} finally {
			leaveSlot();
		}
		if (outcome instanceof ApiFailure) return outcome;
		if (endTurn === undefined) return readAnswer(request, outcome);
		await nextRound();
		try {
			return readAnswer(request, outcome);
		} finally {
			endTurn();
		}
	}

	/**
	 * Waits for a later round of the event loop. A timer that is due once the work at hand is done ends in the same round,
	 * so the second one starts after that work: the end of the turn before, and the request that has just entered the slot.
	 */
	async function nextRound(): Promise<void> {
		await clock.sleep(0);
		await clock.sleep(0);
	}

	/**
	 * @param time may move to a later time during the wait
	 * @throws Canceled at most one nap after the user has canceled
	 */
	async function waitUntil(time: () => number): Promise<void> {
		for (let left = time() - clock.now(); left > 0; left = time() - clock.now()) {
			throwIfCanceled();
			await clock.sleep(Math.min(left, NAP_MS));
		}
		throwIfCanceled();
	}

	function throwIfCanceled(): void {
		if (clock.isCanceled()) throw new Canceled();
	}

	return sendWithRetries;
}

/** A request that wasn't sent because it is too old. */
class TooOld {
	constructor(readonly renewal: Renewal) {}
}

/**
 * The failure of a write that may have been carried out, and that there is a reason not to retry.
 * @throws a reason that isn't about the write, such as Canceled
 */
function notRetried(reason: unknown, { message, details }: ApiFailure): ApiFailure {
	if (!(reason instanceof ApiFailure || reason instanceof InvalidInput)) throw reason;
	return new ApiFailure(message, {
		...details,
		description: `${details.description} The service may have carried out the write. It was not retried: ${reason.message}.`,
	});
}

/** The failure of the last try; its description says how many tries there were, and whether a write may be done. */
function finalFailure(failure: ApiFailure, tries: number, mayHaveBeenDone: boolean): ApiFailure {
	const { message, details } = failure;
	const description = [
		details.description,
		...(tries === 1 ? [] : [`Tried ${tries} times.`]),
		...(mayHaveBeenDone ? ['The service may have carried out the write.'] : []),
	].join(' ');
	return new ApiFailure(message, {
		...details,
		description,
		...(mayHaveBeenDone ? { mayHaveBeenDone } : {}),
	});
}
