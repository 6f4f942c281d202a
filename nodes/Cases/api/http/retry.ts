/** What is retried, how often and how long: calculations only, the sender waits. */

import type { FailureDetails } from '../failures/failure';
import { isBatchUpdate, type ApiRequest } from './requests';

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** How long one request may be tried. */
export interface RetryLimits {
	/** Most retries after failures for which the service named no wait; 0 turns all retries off. */
	maxRetries: number;
	/** Longest total wait that the service asked for, in ms. */
	maxWaitMs: number;
}

/** A failed try of a request that may be retried. */
export interface FailedTry {
	/** Tries so far, this one included, that failed without the service naming a wait. */
	failures: number;
	/** The wait that the service asked for after this try, in ms. */
	retryAfterMs?: number;
	/** How long this request has already waited because the service asked for it, in ms. */
	waitedMs: number;
}

/**
 * Calculates the wait before the next try. A wait that the service asked for lasts exactly that long, and its try is
 * not a failure. Other waits grow exponentially, with full jitter. `maxRetries: 0` turns both off.
 * @param random from 0 (inclusive) to 1
 * @returns ms, or undefined when there is no next try
 */
export function waitBeforeRetry(
	{ failures, retryAfterMs, waitedMs }: FailedTry,
	{ maxRetries, maxWaitMs }: RetryLimits,
	random: number,
): number | undefined {
	if (maxRetries === 0) return undefined;
	if (retryAfterMs !== undefined) {
		return waitedMs + retryAfterMs <= maxWaitMs ? retryAfterMs : undefined;
	}
	if (failures > maxRetries) return undefined;
	return random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date, which is compared with the service's own Date.
 * @returns ms from now, at least 1000; undefined when the header is missing, unreadable or names a time that has passed:
 * otherwise the request would be retried without end
 */
export function parseRetryAfter(retryAfter: unknown, date: unknown): number | undefined {
	const text = String(retryAfter).trim();
	const isSeconds = /^\d+$/.test(text);
	const wait = isSeconds ? Number(text) * 1000 : Date.parse(text) - Date.parse(String(date));
	return wait > 0 ? Math.max(1000, wait) : undefined;
}

/**
 * Whether a failed request may be retried: the one place that decides it. A read, a PUT of one case or action and a
 * DELETE always may, because doing them twice changes nothing more. A POST creates something, so it may only if the first
 * one surely wasn't done. The batch update may not once an answer said that it succeeded: somebody may have added an
 * action since, which a retry would remove.
 */
export function mayBeRetried(
	{ method, path }: ApiRequest,
	{ retryable, mayHaveBeenDone, httpCode = 0 }: FailureDetails,
): boolean {
	if (method === 'POST') return retryable && mayHaveBeenDone !== true;
	const isAnswered = httpCode >= 200 && httpCode < 300;
	return retryable && !(isAnswered && isBatchUpdate(path));
}
