import type { INode } from 'n8n-workflow';
import type { Fault, Sandbox } from '../../sandbox';
import { builtTypes } from '../../tools/engine/load';
import { credentialTest } from '../../tools/engine/methods';
import { runWorkflow } from '../../tools/engine/run';
import { byUrl, failureOf, idsOf, range, rowsOf } from '../support/runs';
import { expectNoKey, useSandboxes, useService } from '../support/service';

const service = useService({ cases: 10 });
const start = useSandboxes();
let tenant: Sandbox;
beforeAll(async () => {
	tenant = await start({ cases: 10, prefix: '/tenant-a' });
});

const test_ = async (fields = {}) => await credentialTest('casesApi', service.credential(fields));
const OK = { status: 'OK', message: 'Connection successful!' };

describe('Base URL', () => {
	test.each([
		['with blanks around', (url: string) => `  ${url}\n`],
		['with a whole request', (url: string) => `${url}/api/v2/cases?per_page=20`],
		['with the page of a case', (url: string) => `${url}/cases/42?tab=comments`],
	])(
		'works %s, with and without a path prefix, in the node and in the test',
		async (_form, form) => {
			for (const { url, requests } of [service.sandbox, tenant]) {
				const fields = { baseUrl: form(url) };
				requests.length = 0;
				expect(rowsOf(await service.run({ limit: 3 }, { credential: fields }))).toHaveLength(3);
				expect(await test_(fields)).toEqual(OK);
				expect(requests.map(({ path }) => path)).toEqual(['/api/v2/cases', '/api/v2/cases']);
			}
			expect(tenant.rejected).toEqual([]);
		},
	);

	const ENTER = 'Enter the URL of your tenant in the credential';

	test.each([
		['', 'The Cases API credential has no Base URL', ENTER],
		['acme', 'The Base URL is not the URL of a tenant', ENTER],
		['ftp://acme.example.com', 'The Base URL is not the URL of a tenant', ENTER],
		['https://me:secret@acme.example.com', 'The Base URL is not the URL of a tenant', ENTER],
		[
			'http://acme.example.com',
			'The Base URL would send the API key unencrypted to acme.example.com',
			"In the credential, start 'Base URL' with https://",
		],
	])(
		'of %j is refused before any request, with what to do, in the node and in the test',
		async (baseUrl, message, remedy) => {
			const run = await service.run({}, { credential: { baseUrl } });
			const failure = failureOf(run);
			expect(failure).toMatchObject({ status: 'error', name: 'NodeOperationError', message });
			expect(failure.description?.startsWith(remedy)).toBe(true);
			expect(await test_({ baseUrl })).toEqual({
				status: 'Error',
				message: `${message}. ${failure.description}`,
			});
			expectNoKey(run.run.data.resultData, ['secret']);
		},
	);

	it('without a scheme is taken as https, in the node and in the test', async () => {
		const fields = { baseUrl: 'no-such-host.example.invalid/tenant-a' };
		const run = await service.run({ options: { maxRetries: 0 } }, { credential: fields });
		expect(failureOf(run).message).toContain('no-such-host.example.invalid');
		// n8n shows a bare network code: the request went out.
		expect((await test_(fields)).message).toMatch(/^[A-Z_]+$/);
	});

	it('with a path prefix accepts case addresses of its host', async () => {
		const caseId = byUrl(`${tenant.url}/cases/4`);
		const parameters = { resource: 'case', operation: 'get', caseId };
		const run = await service.run(parameters, { credential: { baseUrl: tenant.url } });
		expect(idsOf(run)).toEqual([4]);
	});
});

describe('API Key', () => {
	it('is trimmed', async () => {
		const apiKey = `\t${service.sandbox.keys.service} \r\n`;
		expect(rowsOf(await service.run({ limit: 1 }, { credential: { apiKey } }))).toHaveLength(1);
		expect(await test_({ apiKey })).toEqual(OK);
		expect(service.sandbox.requests.map(({ key }) => key)).toEqual(['service', 'service']);
	});

	const MISSING = 'The Cases API credential has no API key';
	const BEARER = "begins with 'Bearer'";
	const INVALID = 'contains a space, a line break or another invalid character';

	test.each([
		['blanks alone', '  ', MISSING],
		['the word Bearer before it', 'Bearer secret-one', BEARER],
		['a line break within', 'secret-one\r\nX-Evil: 1', INVALID],
		['a typographic dash', 'secret-one\u2013two', INVALID],
	])('with %s is refused before any request', async (_what, apiKey, message) => {
		const run = await service.run({}, { credential: { apiKey } });
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			message: expect.stringContaining(message),
			description: expect.stringContaining('into the credential'),
		});
		const { message: shown } = await test_({ apiKey });
		expect(shown).toContain(message);
		expect(shown).toMatch(/Paste the .*key into the credential/);
		expectNoKey(run.run.data.resultData, ['secret-one']);
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('The test of the credential', () => {
	test.each(['header', 'bearer'])(
		'sends one request for one case in %s mode',
		async (authScheme) => {
			expect(await test_({ authScheme })).toEqual(OK);
			expect(service.sandbox.requests.map(({ query }) => query)).toEqual([{ per_page: '1' }]);
			expect('authorization' in service.sandbox.requests[0].headers).toBe(authScheme === 'bearer');
		},
	);

	it('accepts a key that sees no case', async () => {
		const empty = await start({ cases: 0 });
		expect(await test_({ baseUrl: empty.url })).toEqual(OK);
	});

	it('says what to do about a refused key (401)', async () => {
		expect(await test_({ apiKey: 'wrong' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(
				/^The service refused the API key\. .* change 'Authentication' to the other entry\.$/,
			),
		});
	});

	const NO_LIST = /^The service answered without a list of cases\. Check that 'Base URL'/;
	const FAILED = /^The service had an error\. Try again later/;

	test.each<[string, Fault, RegExp]>([
		[
			'403',
			{ kind: 'status', status: 403 },
			/^The API key is not allowed to do this\. Use a key that/,
		],
		[
			'404',
			{ kind: 'status', status: 404 },
			/^Not found, or the API key has no access to cases\. In 'Base URL', remove what follows the host/,
		],
		['429', { kind: 'status', status: 429 }, /^Rate limit reached\. Wait, then try again/],
		['500', { kind: 'status', status: 500 }, FAILED],
		['504', { kind: 'status', status: 504 }, FAILED],
		['200 with a login page', { kind: 'html' }, NO_LIST],
		['200 with other JSON', { kind: 'raw', status: 200, body: '{"ok":true}' }, NO_LIST],
		['200 with nothing', { kind: 'empty' }, NO_LIST],
	])('says what to do about %s', async (_what, fault, message) => {
		service.sandbox.faults.add({ fault });
		expect(await test_()).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it('does not follow a redirect with the key, and says what to do', async () => {
		tenant.requests.length = 0;
		const to = `${tenant.url}/api/v2/cases`;
		service.sandbox.faults.add({ fault: { kind: 'redirect', status: 307, to } });
		expect(await test_()).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^The service redirects to another address\. Open 'Base URL'/),
		});
		expect(tenant.requests).toEqual([]);
	});

	it('accepts an invalid certificate only with Ignore SSL Issues', async () => {
		const secure = await start({ cases: 1, https: true });
		const refused = await test_({ baseUrl: secure.url });
		const taken = await test_({ baseUrl: secure.url, ignoreSslIssues: true });
		expect(refused.status).toBe('Error');
		expect(taken).toEqual(OK);
	});
});

describe('The credential in the HTTP Request node', () => {
	const nodeOf = (name: string, type: string, typeVersion: number, parameters: object = {}) =>
		({ id: name, name, type, typeVersion, position: [0, 0], parameters }) as INode;

	const run = async (fields: object, parameters: object = {}, typeVersion = 4.4) => {
		const request = nodeOf('Request', 'n8n-nodes-base.httpRequest', typeVersion, {
			url: `${service.sandbox.url}/api/v2/cases?per_page=2`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'casesApi',
			...parameters,
		});
		request.credentials = { casesApi: { id: 'c', name: 'Cases' } };
		return await runWorkflow({
			nodes: [nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1), request],
			connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
			credentials: { c: { type: 'casesApi', data: { ...service.credential(), ...fields } } },
		});
	};

	it('says what is wrong with a field, and what to do', async () => {
		const { status, error } = await run({ apiKey: 'secret one' });
		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: expect.stringMatching(/^The API key contains a space, .*\. Paste the key into/),
		});
		expectNoKey(error, ['secret one']);
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each(['header', 'bearer'])(
		'authenticates in %s mode, and sends the content type that the service wants',
		async (authScheme) => {
			const { status, data } = await run({ authScheme });
			expect(status).toBe('success');
			expect(data.Request[0][0].json.cases).toHaveLength(2);
			expect(service.sandbox.requests.map(({ key }) => key)).toEqual(['tenantOwner']);
		},
	);

	it('leaves the content type to a body', async () => {
		const pairs = { bodyParameters: { parameters: [{ name: 'name', value: 'A case' }] } };
		for (const contentType of ['multipart-form-data', 'form-urlencoded', 'json']) {
			await run({}, { method: 'POST', sendBody: true, contentType, ...pairs });
		}
		const { requests } = service.sandbox;
		expect(requests.map(({ headers }) => headers['content-type'])).toEqual([
			expect.stringMatching(/^multipart\/form-data; *boundary=/),
			expect.stringMatching(/^application\/x-www-form-urlencoded/),
			'application/json',
		]);
		// The service rejects them all: it takes only JSON, and before it has grown it creates no cases.
		requests.length = 0;
	});

	it('gives the key to no other origin', async () => {
		tenant.requests.length = 0;
		const { status, error } = await run({}, { url: `${tenant.url}/api/v2/cases` });
		const { origin } = new URL(service.sandbox.url);
		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: `This credential sends its API key only to ${origin}. Enter a URL that begins with ${origin}/, or use another credential.`,
		});
		expect(tenant.requests).toEqual([]);
	});

	test.each([4.4, 3])('follows no redirect with the key, in version %s', async (version) => {
		tenant.requests.length = 0;
		const to = `${tenant.url}/api/v2/cases`;
		service.sandbox.faults.add({ fault: { kind: 'redirect', status: 307, to } });
		const options = { redirect: { redirect: { followRedirects: true } } };
		expect((await run({}, { options }, version)).status).toBe('error');
		expect(tenant.requests).toEqual([]);
	});
});

describe.each(['brackets', 'indices', 'repeat', 'comma'] as const)(
	'List Format %s, of a service that refuses every other one',
	(arrayFormat) => {
		const strict = useService({ cases: 120, arrayFormat });

		it('finds the right cases by lists of texts, users and IDs, and by metadata', async () => {
			const filters = {
				or_tags: ['malware', 'phishing'],
				assignees: ['1', '2', '3'],
				case_ids: range(1, 100),
				metadata: { pair: [{ key: 'region', value: 'emea' }] },
			};
			const parameters = { filters, returnAll: true, order: 'CREATED_ASC' };
			const run = await strict.run(parameters, { credential: { arrayFormat } });
			const expected = [...strict.sandbox.store.cases()]
				.filter(({ tags }) => tags.some(({ name }) => filters.or_tags.includes(name)))
				.filter(({ assignees }) => assignees.some(({ user_id }) => user_id <= 3))
				.filter(({ case_id, metadata }) => case_id <= 100 && metadata.region === 'emea')
				.map(({ case_id }) => case_id);
			expect(expected.length).toBeGreaterThan(0);
			expect(new Set(idsOf(run))).toEqual(new Set(expected));
		});
	},
);

describe('The form of the credential', () => {
	const type = async () => (await builtTypes()).credentialTypes.getByName('casesApi');

	it('stores its fields under these names and defaults', async () => {
		const { name, displayName, properties } = await type();
		expect([name, displayName]).toEqual(['casesApi', 'Cases API']);
		const fields = properties
			.filter(({ type: kind, name: field }) => kind !== 'notice' && !field.startsWith('allowed'))
			.map(({ name: field, default: value }) => [field, value]);
		expect(fields).toEqual([
			['baseUrl', ''],
			['authScheme', 'header'],
			['apiKey', ''],
			['allowHttp', false],
			['ignoreSslIssues', false],
			['arrayFormat', 'brackets'],
		]);
	});

	// n8n takes all other fields from the shared credential, so every key goes to its Base URL alone.
	it('lets each user of an n8n with end-user credentials give an API key of their own, and nothing else', async () => {
		const { properties } = await type();
		const ofEachUser = properties.filter(({ resolvableField }) => resolvableField === true);
		expect(ofEachUser.map(({ name }) => name)).toEqual(['apiKey']);
	});

	it('says what each of the four kinds of keys sees', async () => {
		const { properties } = await type();
		const notice = properties.find((property) => property.type === 'notice')?.displayName;
		for (const kind of ['personal', 'service', 'tenant owner', 'team']) {
			expect(notice?.toLowerCase()).toContain(`${kind} key sees`);
		}
	});
});
