/** How often and how long a request is tried: calculations only, the transport waits. */

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** How long a request may be tried. */
export interface RetryLimits {
	/** Failures without a time named by the service. */
	maxRetries: number;
	/** Total of the waits that the service asked for, in ms. */
	maxPutOffMs: number;
}

/** A failed try of a request that may be repeated. */
export interface FailedTry {
	/** Tries so far, this one included, that failed without the service naming a time. */
	failures: number;
	/** What the service asked to wait before the next try. */
	retryAfterMs?: number;
	/** What earlier tries of this request have waited because the service asked to. */
	putOffMs: number;
}

/**
 * Time to wait before the next try, or undefined when there is to be none.
 * Waits that the service asked for are as long as it asked, and no failures. Others grow exponentially, with full
 * jitter. `maxRetries: 0` turns both off.
 * @param random from 0 (inclusive) to 1
 */
export function waitBeforeRetry(
	{ failures, retryAfterMs, putOffMs }: FailedTry,
	{ maxRetries, maxPutOffMs }: RetryLimits,
	random: number,
): number | undefined {
	if (maxRetries === 0) return undefined;
	if (retryAfterMs !== undefined) {
		return putOffMs + retryAfterMs <= maxPutOffMs ? retryAfterMs : undefined;
	}
	if (failures > maxRetries) return undefined;
	return random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date, which is compared with the service's own Date.
 * @returns ms from now, or undefined when the header is missing or makes no sense
 */
export function parseRetryAfter(
	retryAfter: unknown,
	date: unknown,
	now: number,
): number | undefined {
	if (typeof retryAfter !== 'string') return undefined;
	const text = retryAfter.trim();
	if (/^\d+$/.test(text)) return positive(Number(text) * 1000);
	if (!/[a-z]/i.test(text)) return undefined;
	const until = Date.parse(text);
	const from = typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? Date.parse(date) : now;
	return positive(until - from);
}

/** A time that is over names no wait: without a limit of its own, the request would be sent again and again. */
function positive(wait: number): number | undefined {
	return wait > 0 ? Math.max(1000, wait) : undefined;
}

/** Whether a request that ended with this status may succeed when it is sent again. */
export function isRetryableStatus(status: number): boolean {
	return status === 429 || status >= 500;
}
