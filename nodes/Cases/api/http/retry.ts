/** What is retried, how often and how long: calculations only, the sender waits. */

import type { FailureDetails } from '../failures/failure';
import { isBatchUpdate, type ApiRequest } from './requests';

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** How long one request may be tried. */
export interface RetryLimits {
	/** How often to retry, at most, where the service named no wait. 0 turns all retries off. */
	maxRetries: number;
	/** How long to wait, at most and in total, because the service asks for it, in ms. */
	maxWaitMs: number;
}

/**
 * Calculates the wait before the next try. A wait that the service asked for lasts exactly that long, and its try is
 * not a failure. Other waits grow exponentially, with full jitter. `maxRetries: 0` turns both off.
 * @param failed the tries of the request so far
 * @param random from 0 (inclusive) to 1
 * @returns ms, or undefined when there is no next try
 */
export function waitBeforeRetry(
	request: ApiRequest,
	failed: FailureDetails[],
	{ maxRetries, maxWaitMs }: RetryLimits,
	random: number,
): number | undefined {
	const last = failed[failed.length - 1];
	if (maxRetries === 0 || !mayBeRetried(request, last)) return undefined;
	const waits = failed.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
	if (last.retryAfterMs !== undefined) {
		const totalMs = waits.reduce((sum, wait) => sum + wait, 0);
		return totalMs <= maxWaitMs ? last.retryAfterMs : undefined;
	}
	const failures = failed.length - waits.length;
	if (failures > maxRetries) return undefined;
	return random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
}

/**
 * Whether a failed request may be retried: the one place that decides it. A read, a PUT of one case or action and a
 * DELETE always may, because doing them twice changes nothing more. A POST creates something, so it may only if the first
 * one surely wasn't done. The batch update may not once an answer said that it succeeded: somebody may have added an
 * action since, which a retry would remove.
 */
function mayBeRetried(
	{ method, path }: ApiRequest,
	{ retryable, mayHaveBeenDone, httpCode = 0 }: FailureDetails,
): boolean {
	if (method === 'POST') return retryable && mayHaveBeenDone !== true;
	const isAnswered = httpCode >= 200 && httpCode < 300;
	return retryable && !(isAnswered && isBatchUpdate(path));
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
