/**
 * Limits the requests in any second.
 *
 * @param now milliseconds of a clock that never goes back
 * @returns a function that counts one request and returns 0 if it may pass, otherwise the
 * milliseconds until one may
 */
export function rateLimiter(perSecond: number, now: () => number): () => number {
	const passed: number[] = [];
	return () => {
		const at = now();
		while (passed.length > 0 && passed[0] <= at - 1000) passed.shift();
		if (passed.length >= perSecond) return passed[0] + 1000 - at;
		passed.push(at);
		return 0;
	};
}
