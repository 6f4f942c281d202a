// What is retried, how often and how long. This file only calculates: the sender does the waiting.

import type { FailureDetails } from '../failures/failure';
import { isBatchUpdate, isRepeatable, type ApiRequest } from './requests';

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** How often and how long one request may be retried. */
export interface RetryLimits {
	/** The largest number of retries after failures other than {@link isPutOff}. 0 turns all retries off. */
	maxRetries: number;
	/** The longest total of all waits after {@link isPutOff}, in ms. */
	maxWaitMs: number;
}

/** Whether the service put a request off: by 429, or by another answer with a Retry-After. Then the whole run waits. */
export const isPutOff = ({ httpCode, retryAfterMs }: FailureDetails): boolean =>
	httpCode === 429 || retryAfterMs !== undefined;

/**
 * Calculates the wait before a retry. Where the service put the request off, it is Retry-After or, without one, 1 s, 2 s,
 * 4 s and so on: together they outlast a limit of requests a minute. Other waits grow from half a second, with full jitter.
 * @param failed the failures of the request so far
 * @param random from 0 (inclusive) to 1
 * @returns ms, or undefined when there is to be no retry
 */
export function waitBeforeRetry(
	request: ApiRequest,
	failed: FailureDetails[],
	{ maxRetries, maxWaitMs }: RetryLimits,
	random: number,
): number | undefined {
	const last = failed[failed.length - 1];
	if (maxRetries === 0 || !mayBeRetried(request, last)) return undefined;
	const waits = failed
		.filter(isPutOff)
		.map(({ retryAfterMs }, index) => retryAfterMs ?? 1000 * 2 ** index);
	if (isPutOff(last)) {
		const totalMs = waits.reduce((sum, wait) => sum + wait, 0);
		return totalMs <= maxWaitMs ? waits[waits.length - 1] : undefined;
	}
	const failures = failed.length - waits.length;
	if (failures > maxRetries) return undefined;
	return random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
}

/**
 * Whether a failed request may be retried. After a retryable failure, a GET, a DELETE and a PUT of one case or action may,
 * because the second time changes nothing more. A POST creates something, so it may only if the first try surely wasn't
 * carried out, or if it {@link isRepeatable}. The batch update of a case's actions may not after an answer with a status of
 * success: somebody may have added an action since, which a retry would remove.
 */
function mayBeRetried(
	{ method, path }: ApiRequest,
	{ retryable, mayHaveBeenDone, httpCode = 0 }: FailureDetails,
): boolean {
	if (method === 'POST' && !isRepeatable(path)) return retryable && mayHaveBeenDone !== true;
	const isAnswered = httpCode >= 200 && httpCode < 300;
	return retryable && !(isAnswered && isBatchUpdate(path));
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date, which is compared with the service's own Date header.
 * @returns ms from now, at least 1000, because waits of 0 ms would never add up to `maxWaitMs`; undefined when the header
 * is missing, unreadable or names a time that has passed
 */
export function parseRetryAfter(retryAfter: unknown, date: unknown): number | undefined {
	const text = String(retryAfter).trim();
	const isSeconds = /^\d+$/.test(text);
	const wait = isSeconds ? Number(text) * 1000 : Date.parse(text) - Date.parse(String(date));
	return wait > 0 ? Math.max(1000, wait) : undefined;
}
