import { ApiFailure } from '../../nodes/Cases/api/failure';
import {
	errorMessageOf,
	failureOfAnswer,
	unusableAnswer,
	type Answer,
} from '../../nodes/Cases/api/answerFailures';
import type { ApiRequest } from '../../nodes/Cases/api/requests';

const REQUEST: ApiRequest = { method: 'GET', path: '/api/v2/cases?filters%5Bsearch%5D=private' };

const asIs = (text: string) => text;
const answer = (status: number, text = '', headers: Answer['headers'] = {}): Answer => ({
	status,
	headers,
	text,
	receivedAt: Date.parse('2026-01-31T12:00:00Z'),
	elapsedMs: 5,
});
const failed = (...args: Parameters<typeof answer>) =>
	failureOfAnswer(REQUEST, answer(...args), asIs);

describe('a failed answer', () => {
	it.each<[number, RegExp, RegExp, boolean]>([
		[400, /^The service rejected the request \(400\)$/, /Check the values in this node's/, false],
		[
			401,
			/^The service refused the API key \(401\)$/,
			/^Open the Cases API credential .* change 'Authentication' to the other entry\./,
			false,
		],
		[
			403,
			/^The API key is not allowed to do this \(403\)$/,
			/Use a key that has the permission/,
			false,
		],
		[
			404,
			/^List of cases not found, or the API key has no access to it \(404\)$/,
			/Check 'Base URL' in the credential, and what the key can see/,
			false,
		],
		[409, /^The service rejected the request \(409\)$/, /Check the values/, false],
		[413, /too large/, /Send fewer or shorter values/, false],
		[414, /too long/, /Shorten them/, false],
		[422, /^The service rejected the values \(422\)$/, /Check the values/, false],
		[429, /^Rate limit reached \(429\)$/, /lower 'Concurrency' under 'Options'/, true],
		[500, /^The service failed to answer \(500\)$/, /Try again later/, true],
		[503, /^The service failed to answer \(503\)$/, /contact the service's administrator/, true],
		[599, /^The service failed to answer \(599\)$/, /Try again later/, true],
	])('with %i says what is wrong and what to do', (status, message, remedy, retryable) => {
		const failure = failed(status);
		expect(failure).toBeInstanceOf(ApiFailure);
		expect(failure.message).toMatch(message);
		expect(failure.details.description).toMatch(remedy);
		expect(failure.details).toMatchObject({ httpCode: status, retryable });
	});

	it('says with 404 to check the case ID only where the request has one', () => {
		const advice = (path: string) =>
			failureOfAnswer({ method: 'GET', path }, answer(404), asIs).details.description;
		expect(advice('/api/v2/cases/7/comments?page=1')).toMatch(/Check the case ID, and what/);
		expect(advice('/api/v2/cases?page=1')).toMatch(/Check 'Base URL' in the credential, and what/);
		expect(advice('/api/v2/cases?page=1')).not.toContain('ID');
		expect(advice('/api/v2/cases?page=1&team_id=2')).toMatch(/, the filter 'Team', and what/);
	});

	it('names the request without its query', () => {
		expect(failed(500).details.description).toMatch(/Request: GET \/api\/v2\/cases\.$/);
		expect(JSON.stringify(failed(500).details)).not.toContain('private');
	});

	it('says only what to do and which request failed when the service says nothing', () => {
		expect(failed(403).details.description).toBe(
			'Use a key that has the permission, or ask a tenant owner for it. Request: GET /api/v2/cases.',
		);
	});

	it("ends the service's own message with a full stop where it has none", () => {
		expect(failed(422, '{"error":"1.5 is no priority"}').details.description).toMatch(
			/^The service says: 1\.5 is no priority\. Check/,
		);
	});

	it("begins its description with the service's own message", () => {
		expect(failed(422, '{"error":"label is too long"}').details).toMatchObject({
			description: expect.stringMatching(/^The service says: label is too long\. Check/) as string,
			body: { error: 'label is too long' },
		});
	});

	it('keeps a long body as text of a readable length', () => {
		const { body } = failed(500, JSON.stringify({ error: 'x'.repeat(9000) })).details;
		expect(body).toHaveLength(2000);
		expect(failed(500, '<html>oops</html>').details.body).toBe('<html>oops</html>');
	});

	it.each([
		['abc/def', '"abc\\/def"'],
		['abc&def', '"abc\\u0026def"'],
	])('hides the key %s even where JSON writes it with escapes', (key, written) => {
		const redact = (text: string) => text.split(key).join('***');
		const failure = failureOfAnswer(REQUEST, answer(401, `{"error":${written}}`), redact);
		expect(failure.details.body).toEqual({ error: '***' });
	});

	it('shows nothing that the redactor took out', () => {
		const redact = (text: string) => text.split('secret').join('***');
		const failure = failureOfAnswer(REQUEST, answer(401, '{"error":"bad key secret"}'), redact);
		expect(failure.details.description).toContain('bad key ***');
		expect(JSON.stringify([failure.message, failure.details])).not.toContain('secret');
		const redirect = failureOfAnswer(
			REQUEST,
			answer(302, '', { location: 'https://secret.example/?key=secret' }),
			redact,
		);
		expect(JSON.stringify([redirect.message, redirect.details])).not.toContain('secret');
	});

	it.each([
		[429, 7000],
		[503, 7000],
		[500, undefined],
		[404, undefined],
	])('with %i and Retry-After asks to wait %p ms', (status, retryAfterMs) => {
		expect(failed(status, '', { 'retry-after': '7' }).details.retryAfterMs).toBe(retryAfterMs);
	});

	it('compares a date in Retry-After with the Date header', () => {
		const headers = {
			'retry-after': 'Sat, 31 Jan 2026 13:00:09 GMT',
			date: 'Sat, 31 Jan 2026 13:00:00 GMT',
		};
		expect(failed(429, '', headers).details.retryAfterMs).toBe(9000);
	});
});

describe('a redirect', () => {
	it.each([301, 302, 307, 308])('with %i is not followed, and says where it points', (status) => {
		const failure = failed(status, '', { location: 'https://other.example/login?token=x' });
		expect(failure.message).toBe(`The service redirects to another address (${status})`);
		expect(failure.details.description).toMatch(
			/^It points to https:\/\/other\.example\/login\. .* enter this address as 'Base URL'/,
		);
		expect(failure.details.retryable).toBe(false);
		expect(failure.details.description).not.toContain('token');
	});

	it('may point nowhere', () => {
		expect(failed(304).details.description).toMatch(
			/^Check 'Base URL' in the credential\. Redirects/,
		);
	});
});

describe('the message of an error body', () => {
	it.each<[unknown, string | undefined]>([
		[{ error: 'wrong' }, 'wrong'],
		[{ message: 'wrong' }, 'wrong'],
		[{ detail: 'wrong' }, 'wrong'],
		[{ errors: ['one', { message: 'two' }, 3] }, 'one; two'],
		[{ error: { code: 5, message: 'deep' } }, 'deep'],
		[{ error: '', message: 'second' }, 'second'],
		[' plain text ', 'plain text'],
		['<html>page</html>', undefined],
		['', undefined],
		[[], undefined],
		[{}, undefined],
		[null, undefined],
		[5, undefined],
		[{ error: true }, undefined],
		['x'.repeat(500), 'x'.repeat(300)],
		[{ errors: ['x'.repeat(200), 'y'.repeat(200)] }, `${'x'.repeat(200)}; ${'y'.repeat(98)}`],
	])('of %j is %p', (body, expected) => {
		expect(errorMessageOf(body)).toBe(expected);
	});
});

describe('a usable status with unusable data', () => {
	it('says what was missing and where to look', () => {
		const failure = unusableAnswer(
			REQUEST,
			answer(200, '<html>login</html>'),
			{ message: 'No list' },
			asIs,
		);
		expect(failure.message).toBe('No list');
		expect(failure.details).toMatchObject({
			description: expect.stringMatching(
				/Check that 'Base URL' .* GET \/api\/v2\/cases, status 200\.$/,
			) as string,
			httpCode: 200,
			body: '<html>login</html>',
			retryable: false,
		});
		expect(
			unusableAnswer(REQUEST, answer(200), { message: 'Cut', retryable: true }, asIs).details
				.retryable,
		).toBe(true);
	});
});
