/**
 * A limit of so many requests in any second.
 *
 * @param now milliseconds of a clock that never goes back
 * @returns a function that takes one request: 0 when it may pass, otherwise how many milliseconds until
 * one may
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
