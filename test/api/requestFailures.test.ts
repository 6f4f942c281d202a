import fc from 'fast-check';
import { TOO_LARGE } from '../../nodes/Cases/api/failures/failureTable';
import {
	failureOf,
	failureOfAnswer,
	failureOfNetwork,
} from '../../nodes/Cases/api/http/requestFailures';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { answerOf } from '../support/answer';

/** FAILURE_RUNS sets the number of random answers. */
const RUNS = { numRuns: Number(process.env.FAILURE_RUNS ?? 100) };

const READ: ApiRequest = { method: 'GET', path: '/api/v2/cases?filters%5Bsearch%5D=private' };
const WRITE: ApiRequest = { method: 'PUT', path: '/api/v2/cases/7/actions/batch' };

const asIs = (text: string) => text;
const failed = (...args: Parameters<typeof answerOf>) =>
	failureOfAnswer(READ, answerOf(...args), asIs);

/** What the details of a failure say besides its words. `mayHaveBeenDone` holds for writes only. */
interface Marks {
	retryable: boolean;
	isOfRun?: true;
	mayHaveBeenDone?: true;
}
const FINAL: Marks = { retryable: false };
const FINAL_OF_RUN: Marks = { retryable: false, isOfRun: true };
const PUT_OFF: Marks = { retryable: true };
const UNKNOWN: Marks = { retryable: true, mayHaveBeenDone: true };

describe('a failed answer', () => {
	it.each<[number, string, RegExp, Marks]>([
		[
			302,
			'The service redirects to another address',
			/^Open 'Base URL' of the credential in a browser.* Redirects are not followed/,
			{ retryable: false, mayHaveBeenDone: true },
		],
		[400, 'The service rejected the values', /^Check the values in this node's fields/, FINAL],
		[
			401,
			'The service refused the API key',
			/^Open the Cases API credential .* change 'Authentication' to the other entry\./,
			FINAL_OF_RUN,
		],
		[403, 'The API key is not allowed to do this', /^Use a key that has the permission/, FINAL],
		[
			404,
			'Not found, or the API key has no access to it',
			/Check the ID of the case or team, 'Base URL' in the credential, and what the key can see/,
			FINAL,
		],
		[405, "The service doesn't support this request", /^Check 'Base URL'/, FINAL],
		[
			407,
			'The proxy between n8n and the service wants a login',
			/user name and password to its proxy/,
			FINAL_OF_RUN,
		],
		[408, 'The service had an error', /^Try again later/, UNKNOWN],
		[409, 'The service rejected the values', /^Check the values/, FINAL],
		[413, 'The service, or a proxy before it, does not take so much at once', /^Send less/, FINAL],
		[422, 'The service rejected the values', /^Check the values/, FINAL],
		[425, 'The service had an error', /^Try again later/, UNKNOWN],
		[429, 'Rate limit reached', /If 'Options' has 'Concurrency', lower it/, PUT_OFF],
		[500, 'The service had an error', /^Try again later/, UNKNOWN],
		[503, 'The service had an error', /contact the service's administrator/, UNKNOWN],
		[599, 'The service had an error', /^Try again later/, UNKNOWN],
	])('with %i says what is wrong and what to do', (status, message, remedy, marks) => {
		for (const request of [READ, WRITE]) {
			const failure = failureOfAnswer(request, answerOf(status), asIs);
			const named = request === WRITE ? message.replace('Not found', 'Case 7 not found') : message;
			expect(failure.message).toBe(`${named} (${status})`);
			expect(failure.details).toEqual({
				description: expect.stringMatching(remedy) as string,
				httpCode: status,
				body: '',
				...marks,
				mayHaveBeenDone: request === WRITE ? marks.mayHaveBeenDone : undefined,
			});
		}
	});

	it('says only what to do and which request failed, without its query, when the service says nothing', () => {
		expect(failed(403).details.description).toBe(
			'Use a key that has the permission, or ask a tenant owner for it. Request: GET /api/v2/cases.',
		);
	});

	it.each<[ApiRequest, boolean]>([
		[{ method: 'GET', path: '/api/v2/cases?page=1' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/comments?page=1' }, false],
		[{ method: 'PUT', path: '/api/v2/cases/7/actions/batch' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/activities' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/records?page=2' }, false],
		[{ method: 'GET', path: '/api/v2/cases/7/actions' }, true],
		[{ method: 'GET', path: '/api/v2/cases/7/tasks?page=1' }, true],
		[{ method: 'GET', path: '/api/v2/cases/7/files' }, true],
		[{ method: 'GET', path: '/api/v2/cases/7/linked_cases' }, true],
		[{ method: 'GET', path: '/api/v2/cases/7' }, true],
		[{ method: 'GET', path: '/api/v1/case_webhooks?team_id=1' }, true],
		[{ method: 'POST', path: '/api/v2/cases' }, true],
		[{ method: 'PUT', path: '/api/v2/cases/7' }, true],
	])('with 404 or 405 to %j says that older services may lack it: %s', (request, mayBeMissing) => {
		for (const status of [404, 405]) {
			const { description } = failureOfAnswer(request, answerOf(status), asIs);
			expect(
				/may not support this request: older|may have no single actions/.test(description),
			).toBe(mayBeMissing);
		}
	});

	it.each([
		['1.5 is not a priority', '1.5 is not a priority. Check'],
		['Is it an ID?', 'Is it an ID? Check'],
	])('begins with what the service says, and a full stop: %s', (error, start) => {
		const { description, body } = failed(422, JSON.stringify({ error })).details;
		expect(description).toMatch(new RegExp(`^The service says: ${start.replace('?', '\\?')}`));
		expect(body).toEqual({ error });
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
		const failure = failureOfAnswer(READ, answerOf(401, `{"error":${written}}`), redact);
		expect(failure.details.body).toEqual({ error: '***' });
	});

	it.each<[number, number | undefined, true | undefined]>([
		[429, 7000, undefined],
		[503, 7000, undefined],
		[500, undefined, true],
		[404, undefined, undefined],
	])(
		'with %i and Retry-After asks to wait %p ms; a write may have been carried out: %p',
		(status, retryAfterMs, mayHaveBeenDone) => {
			const answer = answerOf(status, '', { 'retry-after': '7' });
			const { details } = failureOfAnswer(WRITE, answer, asIs);
			expect([details.retryAfterMs, details.mayHaveBeenDone]).toEqual([
				retryAfterMs,
				mayHaveBeenDone,
			]);
		},
	);

	it.each([
		['90', /^The service asks for a wait of 90 s\. Wait, then try again\. If it happens often/],
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

	it('that redirects says where it points, without query and key, and at a readable length', () => {
		const redact = (text: string) => text.split('secret').join('***');
		const pointingTo = (location: string) =>
			failureOfAnswer(READ, answerOf(302, '', { location }), redact).description;
		expect(pointingTo('https://secret.example/login?token=x')).toMatch(
			/^It points to https:\/\/\*\*\*\.example\/login\. Open 'Base URL'/,
		);
		expect(pointingTo(`https://other.example/${'x'.repeat(9000)}`).length).toBeLessThan(500);
	});

	it('with any body and headers is one readable line without the key', () => {
		const KEY = 'secret/key&1';
		const redact = (text: string) => text.split(KEY).join('***');
		const word = fc.oneof(
			fc.constantFrom(KEY, 'error', 'message', 'errors', 'details', 'x'.repeat(5000), '\n', '<p>'),
			fc.string(),
		);
		const values = [word, fc.constantFrom(null, true, 7)];
		const json = fc.anything({ key: word, values, maxDepth: 5 });
		const body = fc.oneof(
			json.map((one) => JSON.stringify(one)),
			word,
		);
		const header = fc.option(fc.oneof(word, fc.nat().map(String)), { nil: undefined });
		const status = fc.oneof(fc.integer({ min: 300, max: 599 }), fc.constantFrom(302, 429, 503));
		fc.assert(
			fc.property(status, body, header, header, (code, text, location, wait) => {
				const answer = answerOf(code, text, { location, 'retry-after': wait });
				const { message, details } = failureOfAnswer(READ, answer, redact);
				expect(message.length).toBeLessThan(100);
				expect(details.description.length).toBeLessThan(900);
				expect(details.description).toMatch(/^[^\n]+Request: GET \/api\/v2\/cases\.$/);
				expect(JSON.stringify([message, details])).not.toContain(KEY);
				expect(JSON.stringify(details.body ?? null).length).toBeLessThan(9000);
			}),
			RUNS,
		);
	});
});

test('an answer that is too large says its limit and what to lower', () => {
	const { message, details } = failureOf(WRITE, TOO_LARGE);
	expect(message).toBe("The service's answer has more than 64 MB");
	expect(details).toEqual({
		description: expect.stringMatching(
			/^If 'Options' has 'Page Size'.*Request: PUT \/api/,
		) as string,
		retryable: false,
		mayHaveBeenDone: true,
	});
});

describe('a request without an answer', () => {
	const UNREACHABLE = 'Could not connect to a.example';
	const INSECURE = 'No secure connection to a.example';
	const UNVERIFIED = "The certificate of a.example can't be verified";
	const LATE = 'a.example did not answer in time';
	const UNSENT: Marks = { retryable: true, isOfRun: true };
	const UNKNOWN_OF_RUN: Marks = { ...UNSENT, mayHaveBeenDone: true };

	it.each<[string, string, RegExp, Marks]>([
		['ECONNREFUSED', UNREACHABLE, /^Check 'Base URL' and its port/, UNSENT],
		['EHOSTUNREACH', UNREACHABLE, /^Check 'Base URL' and its port/, UNKNOWN_OF_RUN],
		['ENETUNREACH', UNREACHABLE, /^Check 'Base URL' and its port/, UNKNOWN_OF_RUN],
		['ENOTFOUND', 'Host a.example not found', /^Check 'Base URL' .* for typos/, UNSENT],
		['EAI_AGAIN', 'Host a.example not found', /n8n's machine is online/, UNSENT],
		['ECONNABORTED', LATE, /If 'Options' has 'Timeout \(Ms\)', raise it/, UNKNOWN],
		['ETIMEDOUT', LATE, /if it has 'Page Size', lower that/, UNKNOWN],
		['ERR_TLS_HANDSHAKE_TIMEOUT', LATE, /has 'Timeout \(Ms\)'/, UNKNOWN],
		['DEPTH_ZERO_SELF_SIGNED_CERT', UNVERIFIED, /turn on 'Ignore SSL Issues'/, FINAL_OF_RUN],
		['SELF_SIGNED_CERT_IN_CHAIN', UNVERIFIED, /turn on 'Ignore SSL Issues'/, FINAL_OF_RUN],
		['CERT_HAS_EXPIRED', UNVERIFIED, /to renew it.*'Ignore SSL Issues'/, FINAL_OF_RUN],
		['ERR_TLS_CERT_ALTNAME_INVALID', UNVERIFIED, /correct 'Base URL'/, FINAL_OF_RUN],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNVERIFIED, /NODE_EXTRA_CA_CERTS/, FINAL_OF_RUN],
		['EPROTO', INSECURE, /http and https may be mixed up/, UNKNOWN_OF_RUN],
		['ERR_SSL_WRONG_VERSION_NUMBER', INSECURE, /may be mixed up/, UNKNOWN_OF_RUN],
		['HPE_INVALID_CONSTANT', INSECURE, /may be mixed up/, UNKNOWN_OF_RUN],
		['ECONNRESET', 'Connection to a.example lost', /check the network and any proxy/, UNKNOWN],
		['EPIPE', 'Connection to a.example lost', /^Try again/, UNKNOWN],
		['', 'Connection to a.example lost', /^Try again/, UNKNOWN],
	])('with the code %j says what is wrong and what to do', (code, message, remedy, marks) => {
		for (const request of [READ, WRITE]) {
			const failure = failureOfNetwork(request, code, 'a.example');
			expect(failure.message).toBe(message);
			expect(failure.details).toEqual({
				description: expect.stringMatching(remedy) as string,
				...marks,
				mayHaveBeenDone: request === WRITE ? marks.mayHaveBeenDone : undefined,
			});
		}
		const { description } = failureOfNetwork(READ, code, 'a.example');
		const named = code === '' ? '' : ` (${code})`;
		expect(description.endsWith(`Request: GET /api/v2/cases${named}.`)).toBe(true);
		// To ignore a certificate is advised only where one was refused.
		expect(/Ignore SSL/.test(description)).toBe(message === UNVERIFIED);
	});

	it('after the answer began leaves open whether a write was carried out', () => {
		const write: ApiRequest = { method: 'POST', path: '/api/v2/cases' };
		const { details } = failureOfNetwork(write, 'CERT_HAS_EXPIRED', 'a.example', 201);
		expect(details).toMatchObject({ httpCode: 201, mayHaveBeenDone: true });
		expect(failureOfNetwork(READ, '', 'a.example', 200).details.httpCode).toBeUndefined();
	});
});
