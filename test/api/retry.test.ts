import fc from 'fast-check';
import { mayBeRetried, parseRetryAfter, waitBeforeRetry } from '../../nodes/Cases/api/http/retry';

const limits = { maxRetries: 4, maxWaitMs: 60_000 };

describe('what is retried', () => {
	const lost = { description: '', retryable: true, mayHaveBeenDone: true };
	const putOff = { description: '', retryable: true };
	const answered = { ...lost, httpCode: 200 };

	it.each([
		['GET', '/api/v2/cases', true, true, true],
		['PUT', '/api/v2/cases/1', true, true, true],
		['PUT', '/api/v2/cases/1/actions/2', true, true, true],
		['PUT', '/api/v2/cases/1/actions/batch', true, true, false],
		['DELETE', '/api/v2/cases/1/comments/2', true, true, true],
		['POST', '/api/v2/cases', true, false, false],
	] as const)(
		'%s %s: put off %s, lost %s, answered with success and half a body %s',
		(method, path, whenPutOff, whenLost, whenAnswered) => {
			const isAgain = mayBeRetried.bind(undefined, { method, path });
			expect(isAgain(putOff)).toBe(whenPutOff);
			expect(isAgain(lost)).toBe(whenLost);
			expect(isAgain(answered)).toBe(whenAnswered);
			expect(isAgain({ ...putOff, retryable: false })).toBe(false);
		},
	);
});

describe('the wait before a retry', () => {
	it('doubles with each failure, up to half a minute', () => {
		const longest = (failures: number) =>
			waitBeforeRetry({ failures, waitedMs: 0 }, { ...limits, maxRetries: 100 }, 1);
		expect([1, 2, 3, 4].map(longest)).toEqual([500, 1000, 2000, 4000]);
		expect([7, 8, 50].map(longest)).toEqual([30_000, 30_000, 30_000]);
	});

	it('is anywhere between nothing and the longest wait', () => {
		const failed = { failures: 2, waitedMs: 0 };
		expect(waitBeforeRetry(failed, limits, 0)).toBe(0);
		expect(waitBeforeRetry(failed, limits, 0.25)).toBe(250);
	});

	it('comes as many times as Max Retries says', () => {
		expect(waitBeforeRetry({ failures: 4, waitedMs: 0 }, limits, 0.5)).toBe(2000);
		expect(waitBeforeRetry({ failures: 5, waitedMs: 0 }, limits, 0.5)).toBeUndefined();
	});

	it('is as long as the service wants, however many failures there were', () => {
		const wanted = { failures: 0, retryAfterMs: 20_000, waitedMs: 0 };
		expect(waitBeforeRetry(wanted, limits, 0.5)).toBe(20_000);
		expect(waitBeforeRetry({ ...wanted, failures: 99 }, limits, 0.5)).toBe(20_000);
		expect(waitBeforeRetry({ ...wanted, retryAfterMs: 0 }, limits, 0.5)).toBe(0);
	});

	it('does not exist, nor the retry, where the service wants a longer total than allowed', () => {
		const wanted = { failures: 0, retryAfterMs: 20_000 };
		expect(waitBeforeRetry({ ...wanted, waitedMs: 40_000 }, limits, 0.5)).toBe(20_000);
		expect(waitBeforeRetry({ ...wanted, waitedMs: 40_001 }, limits, 0.5)).toBeUndefined();
	});

	it('does not exist, nor the retry, where Max Retries is 0', () => {
		const none = { ...limits, maxRetries: 0 };
		expect(waitBeforeRetry({ failures: 1, waitedMs: 0 }, none, 0.5)).toBeUndefined();
		expect(
			waitBeforeRetry({ failures: 0, retryAfterMs: 1, waitedMs: 0 }, none, 0.5),
		).toBeUndefined();
	});

	it('is never negative and never endless', () => {
		const failed = fc.record({
			failures: fc.integer({ min: 1, max: 2000 }),
			waitedMs: fc.nat(200_000),
			retryAfterMs: fc.option(fc.nat(200_000), { nil: undefined }),
		});
		const random = fc.double({ min: 0, max: 1, noNaN: true });
		fc.assert(
			fc.property(failed, fc.nat(3000), random, (tried, maxRetries, chance) => {
				const wait = waitBeforeRetry(tried, { ...limits, maxRetries }, chance);
				if (wait === undefined) return;
				expect(wait).toBeGreaterThanOrEqual(0);
				expect(wait).toBeLessThanOrEqual(60_000);
			}),
		);
	});
});

describe('Retry-After', () => {
	const DATE = 'Sat, 31 Jan 2026 12:00:00 GMT';

	it.each<[unknown, number | undefined]>([
		['0', undefined],
		['7', 7000],
		[' 7 ', 7000],
		['1.5', undefined],
		['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
		[DATE, undefined],
		['Sat, 31 Jan 2026 11:59:59 GMT', undefined],
		['-5', undefined],
		['', undefined],
		['soon', undefined],
		['2026', 2026_000],
		['1e3', undefined],
		['2026-01-31', undefined],
		[undefined, undefined],
	])('%j asks for %p ms', (value, expected) => {
		expect(parseRetryAfter(value, DATE)).toBe(expected);
	});

	it.each([[undefined], ['nonsense']])(
		'with a date is ignored if the Date header is %j',
		(date) => {
			expect(parseRetryAfter('Sat, 31 Jan 2026 12:05:10 GMT', date)).toBeUndefined();
		},
	);
});
