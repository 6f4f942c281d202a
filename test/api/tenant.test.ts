import fc from 'fast-check';
import { createRedactor, parseBaseUrl, parseTenant } from '../../nodes/Cases/api/http/tenant';
import { expectRefused, outcomeOf, refusalOf } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { queryAndFragment, webUrl } from '../support/webUrl';

const credential = { baseUrl: 'https://acme.example.com', apiKey: 'secret-key' };

describe('the Base URL', () => {
	it.each([
		['https://acme.example.com', 'https://acme.example.com'],
		[' https://acme.example.com/ ', 'https://acme.example.com'],
		['https://acme.example.com///', 'https://acme.example.com'],
		['HTTPS://ACME.example.com:443', 'https://acme.example.com'],
		['https://acme.example.com:8443/tenant-a/', 'https://acme.example.com:8443/tenant-a'],
		['https://acme.example.com/tenant/api/v2/cases?page=1#x', 'https://acme.example.com/tenant'],
		['https://acme.example.com/dashboard?tab=1#x', 'https://acme.example.com/dashboard'],
		['https://acme.example.com/api/v1/events?page=2', 'https://acme.example.com'],
		['https://acme.example.com/?tab=cases#/cases/42', 'https://acme.example.com'],
		['https://acme.example.com/cases/', 'https://acme.example.com'],
		['https://acme.example.com/team/1/records/7?x=1', 'https://acme.example.com'],
		['acme.example.com', 'https://acme.example.com'],
		['ACME.example.com:8443/tenant-a/', 'https://acme.example.com:8443/tenant-a'],
		['münchen.example.com', 'https://xn--mnchen-3ya.example.com'],
		['https://acme.example.com/cases/42/comments?page=2#last', 'https://acme.example.com'],
		['https://acme.example.com/teams/1/cases/42/', 'https://acme.example.com'],
		['https://acme.example.com/tenant-a/team/1/cases?x=1', 'https://acme.example.com/tenant-a'],
		// A tenant may have these as its path prefix.
		['https://acme.example.com/api/acme', 'https://acme.example.com/api/acme'],
		['https://acme.example.com/teams', 'https://acme.example.com/teams'],
	])('%s is %s', (value, expected) => {
		expect(parseBaseUrl(value, false)).toBe(expected);
	});

	it.each<[unknown]>([[''], ['  '], [undefined], [null], [5]])('%j is missing', (value) => {
		expectRefused(
			() => parseBaseUrl(value, false),
			/has no Base URL$/,
			/Enter the URL of your tenant in the credential/,
		);
	});

	it.each([
		['acme'],
		['localhost:5678'],
		['sk_live_0123456789'],
		['eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJlX29mX21pbmU'],
		['acme.example.com two'],
		['ftp://acme.example.com'],
		['javascript:alert(1)'],
		['x:https://acme.example.com'],
	])('%s is not the URL of a tenant, and is not repeated, as it may be the API key', (value) => {
		expectRefused(
			() => parseBaseUrl(value, true),
			/^The Base URL is not the URL of a tenant$/,
			/with https:\/\/ or http:\/\/ before it/,
		);
	});

	it.each(['me:pass', 'me', ':pass'])('with %s before the host is refused', (user) => {
		for (const scheme of ['https://', 'ftp://', '']) {
			const refusal = refusalOf(() => parseBaseUrl(`${scheme}${user}@acme.example.com`, true));
			expect(refusal.message).toBe('The Base URL is not the URL of a tenant');
			expect(refusal.description).toMatch(/without user name and password/);
			expect(refusal.message + refusal.description).not.toMatch(/pass@|me@/);
		}
	});
});

describe('plain http', () => {
	it.each([['http://localhost:5678'], ['http://[::1]:3000']])(
		'to this machine is right: %s',
		(value) => {
			expect(parseBaseUrl(value, false)).toBe(value);
		},
	);

	it.each([['http://acme.example.com'], ['http://192.168.0.1']])(
		'to another machine is refused unless it is allowed: %s',
		(value) => {
			expectRefused(
				() => parseBaseUrl(value, false),
				/would send the API key unencrypted to /,
				/start 'Base URL' with https:\/\/.*turn on 'Allow Unencrypted HTTP'/,
			);
			expect(parseBaseUrl(value, true)).toBe(value);
		},
	);
});

describe('the API key', () => {
	it.each<[unknown, Record<string, string>]>([
		['header', { 'X-User-Token': 'secret-key' }],
		['bearer', { Authorization: 'Bearer secret-key' }],
		[undefined, { 'X-User-Token': 'secret-key' }],
	])('goes out in one header: %s', (authScheme, authHeader) => {
		expect(parseTenant({ ...credential, apiKey: ' secret-key\n', authScheme })).toMatchObject({
			authHeader,
		});
	});

	it.each<[unknown]>([[''], [' '], [undefined], [7]])('%j is missing', (apiKey) => {
		expectRefused(
			() => parseTenant({ ...credential, apiKey }),
			/has no API key$/,
			/Paste the API key/,
		);
	});

	it('is refused, and shown nowhere, with what no header can carry', () => {
		for (const apiKey of ['se cret', 'se\r\ncret', 'sécret', 'se\0cret', 'se🔑cret']) {
			const refusal = refusalOf(() => parseTenant({ ...credential, apiKey }));
			expect(refusal.message).toMatch(
				/contains a space, a line break or another invalid character/,
			);
			expect(refusal.description).toMatch(/Paste the key .* again/);
			expect(refusal.message + refusal.description).not.toMatch(/cret/);
		}
	});
});

describe('the other fields of the credential', () => {
	it('have safe defaults', () => {
		expect(parseTenant(credential)).toEqual({
			baseUrl: 'https://acme.example.com',
			authHeader: { 'X-User-Token': 'secret-key' },
			ignoreSslIssues: false,
			arrayFormat: 'brackets',
		});
	});

	it('are on only when they are true', () => {
		expect(parseTenant({ ...credential, ignoreSslIssues: true }).ignoreSslIssues).toBe(true);
		const plain = { ...credential, baseUrl: 'http://acme.example.com', allowHttp: true };
		expect(parseTenant(plain).baseUrl).toBe('http://acme.example.com');
		for (const value of ['true', 1, 'false', {}]) {
			expect(parseTenant({ ...credential, ignoreSslIssues: value }).ignoreSslIssues).toBe(false);
			expect(() =>
				parseTenant({ ...credential, baseUrl: 'http://acme.example.com', allowHttp: value }),
			).toThrow('unencrypted');
		}
	});

	it('know four list formats, and take brackets for another one', () => {
		const known = ['brackets', 'indices', 'repeat', 'comma'];
		const formatOf = (arrayFormat: string) =>
			parseTenant({ ...credential, arrayFormat }).arrayFormat;
		expect([...known, 'xml'].map(formatOf)).toEqual([...known, 'brackets']);
	});
});

describe('the redactor', () => {
	const redactorOf = (apiKey: string, authScheme: string) =>
		createRedactor(parseTenant({ ...credential, apiKey, authScheme }));

	it.each(['header', 'bearer'])('finds the key as JSON and URLs write it, in %s mode', (mode) => {
		const redact = redactorOf('a"b/c', mode);
		expect(redact('a"b/c, (a"b/c) a\\"b/c a%22b%2Fc')).toBe('***, (***) *** ***');
	});

	it('finds any key in any of its spellings', () => {
		const key = fc.string({
			minLength: 8,
			unit: fc.constantFrom(...'aZ09/\\"&+%<=._-~$^[]()|?*{}'),
		});
		const spellings: Array<(text: string) => string> = [
			(text) => text,
			(text) => JSON.stringify(text).slice(1, -1),
			encodeURIComponent,
		];
		fc.assert(
			fc.property(key, fc.constantFrom(...spellings), (text, spell) => {
				expect(redactorOf(text, 'header')(spell(text))).toBe('***');
			}),
			{ numRuns: 50 * PROPERTY_TIMES },
		);
	});

	it('leaves other text and the word Bearer alone', () => {
		expect(redactorOf('secret-key', 'bearer')('Bearer of secrets')).toBe('Bearer of secrets');
	});
});

/** Any character, as those of `unit: 'binary'`, for which fast-check first lists all of Unicode. */
const anyCharacter = fc
	.nat(0x10ffff - 0x800)
	.map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

describe('any credential', () => {
	it('becomes an address of http(s) without a query, or is refused without showing the key', () => {
		const value = fc.oneof(webUrl(queryAndFragment), fc.string(), fc.anything());
		const apiKey = fc.oneof(
			fc.string({ minLength: 12, unit: anyCharacter }),
			fc.constant('secret-key-of-mine'),
		);
		fc.assert(
			fc.property(value, apiKey, fc.boolean(), (baseUrl, key, allowHttp) => {
				const outcome = outcomeOf(() => parseTenant({ baseUrl, apiKey: key, allowHttp }));
				if ('refusal' in outcome) {
					expect(outcome.refusal.description).not.toBe('');
					expect(outcome.refusal.message + outcome.refusal.description).not.toContain(key);
					return;
				}
				expect(outcome.value.baseUrl).toMatch(/^https?:\/\/[^?#]+[^/]$/);
				expect(new URL(outcome.value.baseUrl).username).toBe('');
				expect(Object.values(outcome.value.authHeader)).toEqual([key.trim()]);
			}),
			{ numRuns: 100 * PROPERTY_TIMES },
		);
	});
});
