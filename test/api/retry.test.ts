import type { FailureDetails } from '../../nodes/Cases/api/failures/failure';
import { parseRetryAfter, waitBeforeRetry } from '../../nodes/Cases/api/http/retry';

const limits = { maxRetries: 4, maxWaitMs: 60_000 };

const READ = { method: 'GET', path: '/api/v2/cases' } as const;
const putOff = { description: '', retryable: true };
const failures = (count: number) => Array.from({ length: count }, () => putOff);
const wanting = (retryAfterMs: number) => ({ ...putOff, retryAfterMs });

describe('what is retried', () => {
	const lost = { ...putOff, mayHaveBeenDone: true };
	const answered = { ...lost, httpCode: 200 };

	it.each([
		['GET', '/api/v2/cases', true, true, true],
		['PUT', '/api/v2/cases/1', true, true, true],
		['PUT', '/api/v2/cases/1/actions/2', true, true, true],
		['PUT', '/api/v2/cases/1/actions/batch', true, true, false],
		['DELETE', '/api/v2/cases/1/comments/2', true, true, true],
		['POST', '/api/v2/cases', true, false, false],
		['POST', '/api/v2/cases/1/tasks/batch', true, false, false],
		['POST', '/api/v1/records', true, false, false],
		['POST', '/api/v2/records/1/cases', true, true, true],
	] as const)(
		'%s %s: put off %s, lost %s, answered with success and half a body %s',
		(method, path, whenPutOff, whenLost, whenAnswered) => {
			const isAgain = (failure: FailureDetails) =>
				waitBeforeRetry({ method, path }, [failure], limits, 0.5) !== undefined;
			expect(isAgain(putOff)).toBe(whenPutOff);
			expect(isAgain(lost)).toBe(whenLost);
			expect(isAgain(answered)).toBe(whenAnswered);
			expect(isAgain({ ...putOff, retryable: false })).toBe(false);
		},
	);
});

describe('the wait before a retry', () => {
	const waitAfter = (failed: FailureDetails[], random = 0.5, maxRetries = 4) =>
		waitBeforeRetry(READ, failed, { ...limits, maxRetries }, random);

	it('doubles with each failure, up to half a minute', () => {
		const longest = (count: number) => waitAfter(failures(count), 1, 100);
		expect([1, 2, 3, 4].map(longest)).toEqual([500, 1000, 2000, 4000]);
		expect([7, 8, 50].map(longest)).toEqual([30_000, 30_000, 30_000]);
	});

	it('is anywhere between nothing and the longest wait', () => {
		expect(waitAfter(failures(2), 0)).toBe(0);
		expect(waitAfter(failures(2), 0.25)).toBe(250);
	});

	it('comes as many times as Max Retries says', () => {
		expect(waitAfter(failures(4))).toBe(2000);
		expect(waitAfter(failures(5))).toBeUndefined();
	});

	it('doubles from a second on after each 429 without Retry-After, for a minute', () => {
		const limited = { ...putOff, httpCode: 429 };
		const inAll = { maxRetries: 1, maxWaitMs: 120_000 };
		const waits = [1, 2, 3, 4, 5, 6, 7].map((count) =>
			waitBeforeRetry(READ, Array<FailureDetails>(count).fill(limited), inAll, 0.5),
		);
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, undefined]);
		expect(waitAfter([{ ...limited, retryAfterMs: 9000 }, limited])).toBe(2000);
		expect(waitAfter([limited, putOff])).toBe(250);
		expect(waitAfter([limited], 0.5, 0)).toBeUndefined();
	});

	it('is as long as the service wants, however many failures there were', () => {
		expect(waitAfter([wanting(20_000)])).toBe(20_000);
		expect(waitAfter([...failures(99), wanting(20_000)])).toBe(20_000);
	});

	it('does not count tries after which the service wanted a wait', () => {
		expect(waitAfter([wanting(1000), wanting(1000), putOff], 0.5, 1)).toBe(250);
	});

	it('does not exist, nor the retry, where the service wants a longer total than allowed', () => {
		expect(waitAfter([wanting(40_000), wanting(20_000)])).toBe(20_000);
		expect(waitAfter([wanting(40_001), wanting(20_000)])).toBeUndefined();
	});

	it('does not exist, nor the retry, where Max Retries is 0', () => {
		expect(waitAfter(failures(1), 0.5, 0)).toBeUndefined();
		expect(waitAfter([wanting(1)], 0.5, 0)).toBeUndefined();
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
