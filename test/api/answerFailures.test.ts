import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { TOO_LARGE } from '../../nodes/Cases/api/failures/failureTable';
import { failureOf, failureOfAnswer } from '../../nodes/Cases/api/failures/requestFailures';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { answerOf } from '../support/answer';

const REQUEST: ApiRequest = { method: 'GET', path: '/api/v2/cases?filters%5Bsearch%5D=private' };

const asIs = (text: string) => text;
const failed = (...args: Parameters<typeof answerOf>) =>
	failureOfAnswer(REQUEST, answerOf(...args), asIs);

describe('a failed answer', () => {
	it.each<[number, RegExp, RegExp, boolean]>([
		[400, /^The service rejected the values \(400\)$/, /Check the values in this node's/, false],
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
			/^Not found, or the API key has no access to it \(404\)$/,
			/'Base URL' in the credential, and what the key can see/,
			false,
		],
		[407, /^The proxy .* wants a login \(407\)$/, /user name and password to its proxy/, false],
		[408, /^The service failed to answer \(408\)$/, /Try again later/, true],
		[409, /^The service rejected the values \(409\)$/, /Check the values/, false],
		[422, /^The service rejected the values \(422\)$/, /Check the values/, false],
		[425, /^The service failed to answer \(425\)$/, /Try again later/, true],
		[429, /^Rate limit reached \(429\)$/, /If 'Options' has 'Concurrency', lower it/, true],
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

	it.each([302, 400, 401, 403, 404, 405, 407, 408, 422, 425, 429, 500, 503])(
		'with %i would hit all requests of the run if it is 401 or 407',
		(status) => {
			const expected = status === 401 || status === 407 || undefined;
			expect(failed(status).details.isOfRun).toBe(expected);
		},
	);

	it.each<[ApiRequest, boolean]>([
		[{ method: 'GET', path: '/api/v2/cases?page=1' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/comments?page=1' }, false],
		[{ method: 'PUT', path: '/api/v2/cases/7/actions/batch' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/actions' }, true],
		[{ method: 'GET', path: '/api/v1/case_webhooks?team_id=1' }, true],
		[{ method: 'POST', path: '/api/v2/cases' }, true],
		[{ method: 'PUT', path: '/api/v2/cases/7' }, true],
	])('with 404 to %j says what may be wrong', (request, mayBeMissing) => {
		const { message, details } = failureOfAnswer(request, answerOf(404), asIs);
		expect(message).toBe('Not found, or the API key has no access to it (404)');
		expect(details.description).toMatch(/Check the ID of the case or team, 'Base URL'/);
		expect(/may not support this request/.test(details.description)).toBe(mayBeMissing);
	});

	it('with 405 says that the service does not support the request', () => {
		const { message, details } = failureOfAnswer(
			{ method: 'POST', path: '/api/v2/cases' },
			answerOf(405),
			asIs,
		);
		expect(message).toBe("The service doesn't support this request (405)");
		expect(details.description).toMatch(/Older versions/);
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
		expect(failed(422, '{"error":"1.5 is not a priority"}').details.description).toMatch(
			/^The service says: 1\.5 is not a priority\. Check/,
		);
	});

	it("begins its description with the service's own message", () => {
		expect(failed(422, '{"error":"label is too long"}').details).toMatchObject({
			description: expect.stringMatching(/^The service says: label is too long\. Check/) as string,
			body: { error: 'label is too long' },
		});
	});

	it('keeps a long body as text of a readable length, and the message in it', () => {
		const { body, description } = failed(500, JSON.stringify({ error: 'y'.repeat(9000) })).details;
		expect(body).toHaveLength(2000);
		expect(description).toMatch(/^The service says: y{297}… Try again/);
		expect(failed(500, '<html>oops</html>').details.body).toBe('<html>oops</html>');
	});

	it.each([
		['abc/def', '"abc\\/def"'],
		['abc&def', '"abc\\u0026def"'],
	])('hides the key %s even where JSON writes it with escapes', (key, written) => {
		const redact = (text: string) => text.split(key).join('***');
		const failure = failureOfAnswer(REQUEST, answerOf(401, `{"error":${written}}`), redact);
		expect(failure.details.body).toEqual({ error: '***' });
	});

	it('shows nothing that the redactor took out', () => {
		const redact = (text: string) => text.split('secret').join('***');
		const failure = failureOfAnswer(REQUEST, answerOf(401, '{"error":"bad key secret"}'), redact);
		expect(failure.details.description).toContain('bad key ***');
		expect(JSON.stringify([failure.message, failure.details])).not.toContain('secret');
		const redirect = failureOfAnswer(
			REQUEST,
			answerOf(302, '', { location: 'https://secret.example/?key=secret' }),
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

	it.each([
		['90', /^It asks to wait 90 s\. Wait, then try again\. If it happens often/],
		['0', /^Wait, then/],
	])('says with Retry-After: %s how long to wait', (header, expected) => {
		const { description } = failed(429, '', { 'retry-after': header }).details;
		expect(description).toMatch(expected);
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
			/^It points to https:\/\/other\.example\/login\. Open 'Base URL'.* Redirects are not followed/,
		);
		expect(failure.details.retryable).toBe(false);
		expect(failure.details.description).not.toContain('token');
	});

	it('may point nowhere', () => {
		expect(failed(302).details.description).toMatch(
			/^Open 'Base URL' of the credential in a browser.* Redirects/,
		);
	});

	it('shows a readable part of a long address', () => {
		const location = `https://other.example/${'x'.repeat(9000)}`;
		expect(failed(302, '', { location }).details.description.length).toBeLessThan(500);
	});
});

describe('a failed answer to a write', () => {
	const write: ApiRequest = { method: 'PUT', path: '/api/v2/cases/7/actions/batch' };

	it.each([400, 401, 404, 407, 409, 422])('with %i says that nothing was written', (status) => {
		expect(failureOfAnswer(write, answerOf(status), asIs).details.mayHaveBeenDone).toBe(undefined);
	});

	it('that puts it off says that nothing was written', () => {
		const later = { 'retry-after': '5' };
		for (const answer of [answerOf(429), answerOf(429, '', later), answerOf(503, '', later)]) {
			expect(failureOfAnswer(write, answer, asIs).details.mayHaveBeenDone).toBe(undefined);
		}
	});

	it.each([302, 303, 307, 408, 425, 500, 502, 503, 504])(
		'with %i leaves open whether it was written',
		(status) => {
			expect(failureOfAnswer(write, answerOf(status), asIs).details.mayHaveBeenDone).toBe(true);
			expect(failed(status).details.mayHaveBeenDone).toBe(undefined);
		},
	);

	it('that is too large leaves open whether it was written', () => {
		expect(failureOf(write, TOO_LARGE).details.mayHaveBeenDone).toBe(true);
	});
});

test('an answer that is too large says its limit and what to lower', () => {
	const { message, details } = failureOf(REQUEST, TOO_LARGE);
	expect(message).toBe("The service's answer has more than 64 MB");
	expect(details).toEqual({
		description: expect.stringMatching(
			/^If 'Options' has 'Page Size'.*Request: GET \/api/,
		) as string,
		retryable: false,
	});
});
