import { failureOfNetwork } from '../../nodes/Cases/api/failures/requestFailures';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';

const REQUEST: ApiRequest = { method: 'GET', path: '/api/v2/cases?page=1' };

describe('a request without an answer', () => {
	it.each<[string, RegExp, RegExp, boolean]>([
		['ECONNREFUSED', /^Could not connect to a\.example$/, /Check 'Base URL' and its port/, true],
		['EHOSTUNREACH', /^Could not connect to a\.example$/, /Check 'Base URL' and its port/, true],
		['ENETUNREACH', /^Could not connect to a\.example$/, /Check 'Base URL' and its port/, true],
		['ENOTFOUND', /^Host a\.example not found$/, /Check 'Base URL' .* for typos/, true],
		['EAI_AGAIN', /^Host a\.example not found$/, /n8n's machine is online/, true],
		[
			'ECONNABORTED',
			/^a\.example did not answer in time$/,
			/If 'Options' has 'Timeout \(Ms\)', raise it/,
			true,
		],
		['ETIMEDOUT', /^a\.example did not answer in time$/, /if it has 'Page Size', lower that/, true],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			/certificate .* can't be verified$/,
			/'Ignore SSL Issues'/,
			false,
		],
		['CERT_HAS_EXPIRED', /^The certificate of a\.example can't/, /to renew it/, false],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			/^The certificate of a\.example can't/,
			/correct 'Base URL'/,
			false,
		],
		['EPROTO', /^No secure connection to a\.example$/, /http and https may be mixed up/, true],
		[
			'ERR_SSL_WRONG_VERSION_NUMBER',
			/^No secure connection to a\.example$/,
			/http and https may be mixed up/,
			true,
		],
		['HPE_INVALID_CONSTANT', /^No secure connection to a/, /http and https/, true],
		['ERR_TLS_HANDSHAKE_TIMEOUT', /did not answer in time$/, /has 'Timeout \(Ms\)'/, true],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate/, /'Ignore SSL Issues'/, false],
		['ECONNRESET', /^Connection to a\.example lost$/, /check the network and any proxy/, true],
		['ERR_HTTP2_ERROR', /^Connection to a\.example lost$/, /Try again/, true],
		['', /^Connection to a\.example lost$/, /Try again/, true],
	])('with the code %j says what is wrong and what to do', (code, message, remedy, retryable) => {
		const failure = failureOfNetwork(REQUEST, code, 'a.example');
		expect(failure.message).toMatch(message);
		expect(failure.details.description).toMatch(remedy);
		expect(failure.details.description).toContain('GET /api/v2/cases');
		if (code !== '') expect(failure.details.description).toContain(`(${code})`);
		expect(failure.details.retryable).toBe(retryable);
	});

	it.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'])(
		'with the code %j does not advise to ignore the certificate',
		(code) => {
			const { description } = failureOfNetwork(REQUEST, code, 'a.example').details;
			expect(description).not.toContain('Ignore SSL');
		},
	);

	it.each([
		['ECONNREFUSED', undefined, true],
		['ENOTFOUND', undefined, true],
		['EAI_AGAIN', undefined, true],
		['EPROTO', true, true],
		['CERT_HAS_EXPIRED', undefined, true],
		['EHOSTUNREACH', true, true],
		['ENETUNREACH', true, true],
		['ECONNRESET', true, undefined],
		['EPIPE', true, undefined],
		['ETIMEDOUT', true, undefined],
		['', true, undefined],
	])(
		'with the code %j leaves open whether a write was carried out: %p, and would fail all requests of the run: %p',
		(code, mayHaveBeenDone, isOfRun) => {
			const write: ApiRequest = { method: 'PUT', path: '/api/v2/cases/7/actions/batch' };
			const { details } = failureOfNetwork(write, code, 'a.example');
			expect(details).toMatchObject({ mayHaveBeenDone, isOfRun });
			expect(failureOfNetwork(REQUEST, code, 'a.example').details).toMatchObject({
				mayHaveBeenDone: undefined,
				isOfRun,
			});
		},
	);

	it('without a code names none', () => {
		expect(failureOfNetwork(REQUEST, '', 'a.example').details.description).toMatch(
			/Request: GET \/api\/v2\/cases\.$/,
		);
	});

	it('after the answer began leaves open whether a write was carried out', () => {
		const write: ApiRequest = { method: 'POST', path: '/api/v2/cases' };
		const { details } = failureOfNetwork(write, 'HPE_INVALID_CONSTANT', 'a.example', 201);
		expect(details).toMatchObject({ httpCode: 201, mayHaveBeenDone: true });
	});
});
