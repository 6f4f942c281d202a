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
 * Whether a failed request may be retried: the one place that decides it. What ends as it would have the first time
 * always may: a read, a PUT of one case or action, a DELETE. A POST would be done twice, so only where the first one
 * surely wasn't done. All actions of a case are set again only where no answer said that it succeeded: others may have
 * added theirs since.
 */
export function mayBeSentAgain(
	{ method, path }: ApiRequest,
	{ retryable, mayHaveBeenDone, httpCode = 0 }: FailureDetails,
): boolean {
	if (method === 'POST') return retryable && mayHaveBeenDone !== true;
	const isAnswered = httpCode >= 200 && httpCode < 300;
	return retryable && !(isAnswered && isBatchUpdate(path));
}

const UNITS = [
	['day', 86_400_000],
	['hour', 3_600_000],
	['minute', 60_000],
	['second', 1000],
] as const;

/** A wait in the largest unit of which it has at least two, rounded up: `90 seconds`, `2 hours`. */
export function describeWait(ms: number): string {
	if (ms > 365 * 86_400_000) return 'more than a year';
	const [unit, length] = UNITS.find(([, one]) => ms >= 2 * one) ?? UNITS[3];
	const count = Math.max(1, Math.ceil(ms / length));
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
