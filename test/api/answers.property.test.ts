import { constants } from 'node:os';
import fc from 'fast-check';
import {
	failureOfAnswer,
	failureOfNetwork,
	type RawAnswer,
} from '../../nodes/Cases/api/failures/requestFailures';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { answerOf } from '../support/answer';

/**
 * "Words are true" and "a message is short", whatever comes back for a request: any status, headers, body or network
 * error.
 *
 * FAILURE_RUNS sets the number of answers, for example `FAILURE_RUNS=10000 npx jest test/api/answers.property`.
 */
const RUNS = { numRuns: Number(process.env.FAILURE_RUNS ?? 100) };

const READ: ApiRequest = { method: 'GET', path: '/api/v2/cases?filters%5Bsearch%5D=private' };
const WRITE: ApiRequest = { method: 'PUT', path: '/api/v2/cases/7/actions/batch' };
const KEY = 'secret/key&1';
const redact = (text: string) => text.split(KEY).join('***');

const failed = (request: ApiRequest, status: number, text: string, headers: RawAnswer['headers']) =>
	failureOfAnswer(request, answerOf(status, text, headers), redact);

const status = fc.oneof(
	fc.integer({ min: 300, max: 599 }),
	fc.constantFrom(302, 304, 404, 407, 408, 422, 425, 429, 500, 503),
);
const request = fc.constantFrom(READ, WRITE);

/** What a service says, and a body that says it in one of the shapes that services have. */
const said = fc
	.record({
		texts: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,9}( [a-z]{1,9}){0,3}$/), {
			minLength: 1,
			maxLength: 2,
		}),
		field: fc.constantFrom('label', 'url', 'priority'),
	})
	.chain(({ texts, field }) => {
		const [message, ...details] = texts;
		const entry = { message, details };
		const bodies = [
			...(details.length === 0 ? [{ error: message }, message] : []),
			entry,
			{ errors: [entry] },
			{ error: entry },
			[entry],
			texts,
			{ errors: texts },
			{ errors: { [field]: texts } },
		];
		return fc.constantFrom(...bodies).map((body) => ({ texts, body: JSON.stringify(body) }));
	});

const word = fc.oneof(
	fc.constantFrom(KEY, 'error', 'message', 'errors', 'details', 'x'.repeat(5000), '\n', '<p>'),
	fc.string(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		word,
		fc.constantFrom(null, true, 7),
		fc.array(tie('value'), { maxLength: 5 }),
		fc.dictionary(word, tie('value'), { maxKeys: 5 }),
	),
}));
const anyBody = fc.oneof(
	value.map((one) => JSON.stringify(one)),
	word,
);
const header = fc.option(fc.oneof(word, fc.nat().map(String)), { nil: undefined });

it('a failed answer with any body and headers is one readable line without the key', () => {
	fc.assert(
		fc.property(request, status, anyBody, header, header, (sent, code, body, location, wait) => {
			const headers = { location, 'retry-after': wait };
			const { message, details } = failed(sent, code, body, headers);
			expect(message.length).toBeLessThan(100);
			expect(message).toContain(`(${code})`);
			expect(details.description.length).toBeLessThan(900);
			expect(details.description).toMatch(/^[^\n]+Request: (GET|PUT) \/api\/v2\/cases[^?]*\.$/);
			expect(JSON.stringify([message, details])).not.toContain(KEY);
			expect(JSON.stringify(details.body ?? null).length).toBeLessThan(9000);
		}),
		RUNS,
	);
});

it('a failed answer is called what it is, retried where that can help, and says what the service says', () => {
	fc.assert(
		fc.property(request, status, said, (sent, code, { texts, body }) => {
			const { message, details } = failed(sent, code, body, {});
			// By RFC 9110: only these ask for the same request again, as any failure of the server may.
			const mayHelp = [408, 425, 429].includes(code) || code >= 500;
			expect(details.retryable).toBe(mayHelp);
			const isRedirect = code < 400;
			expect(/redirect/.test(message)).toBe(isRedirect);
			expect(/proxy/i.test(message)).toBe(code === 407);
			if (code >= 400) for (const text of texts) expect(details.description).toContain(text);
			const isOpen = code < 400 || (mayHelp && code !== 429);
			expect(details.mayHaveBeenDone ?? false).toBe(sent === WRITE && isOpen);
		}),
		RUNS,
	);
});

it('a wait that a service asks for is said as long as it is', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(429, 503),
			fc.integer({ min: 1, max: 30_000_000 }),
			(code, seconds) => {
				const { details } = failed(READ, code, '', { 'retry-after': String(seconds) });
				expect(details.retryAfterMs).toBe(seconds * 1000);
				expect(details.description).toContain(`It asks to wait ${seconds} s.`);
			},
		),
		RUNS,
	);
});

/** The errors with which OpenSSL refuses a certificate, those of its rarer checks aside. 'Ignore SSL Issues' turns them off. */
const UNVERIFIED = [
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
	'CERT_SIGNATURE_FAILURE',
	'CERT_NOT_YET_VALID',
	'CERT_HAS_EXPIRED',
	'ERROR_IN_CERT_NOT_BEFORE_FIELD',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'CERT_CHAIN_TOO_LONG',
	'CERT_REVOKED',
	'CERT_UNTRUSTED',
	'CERT_REJECTED',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];
/** Errors from before anything is sent. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ERR_TLS_CERT_.*)$/;

const code = fc.oneof(
	fc.constantFrom(...UNVERIFIED),
	fc.constantFrom(...Object.keys(constants.errno)),
	fc.constantFrom('', 'EPROTO', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_TLS_HANDSHAKE_TIMEOUT'),
	fc
		.constantFrom(
			'WRONG_VERSION_NUMBER',
			'UNSUPPORTED_PROTOCOL',
			'NO_PROTOCOLS_AVAILABLE',
			'TLSV1_ALERT_PROTOCOL_VERSION',
			'SSLV3_ALERT_HANDSHAKE_FAILURE',
		)
		.map((reason) => `ERR_SSL_${reason}`),
);

it('a network error advises to ignore a certificate only where one was refused, and is one short line', () => {
	fc.assert(
		fc.property(request, code, (sent, name) => {
			const { message, details } = failureOfNetwork(sent, name, 'cases.example.com:8443');
			expect(message.length).toBeLessThan(100);
			expect(details.description).toMatch(/^[^\n]{20,500}$/);
			if (name !== '') expect(details.description).toContain(`(${name})`);
			const isRefused = UNVERIFIED.includes(name);
			if (/Ignore SSL/.test(details.description)) expect(isRefused).toBe(true);
			const isOpen = !isRefused && !UNSENT.test(name);
			expect(details.mayHaveBeenDone ?? false).toBe(sent === WRITE && isOpen);
		}),
		RUNS,
	);
});
