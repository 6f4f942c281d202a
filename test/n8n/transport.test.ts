import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule, Sandbox } from '../../sandbox';
import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	range,
	rowsOf,
} from '../support/runs';
import { expectNoKey, useSandboxes, useService, type RunOptions } from '../support/service';

// How often, when and in which order requests are sent is tested without the engine, with `api/sender.ts`.
const service = useService({ cases: 500 });
const comments = { resource: 'comment', operation: 'getAll', caseId: byId('7') };

const fail = (...rules: FaultRule[]) => service.sandbox.faults.add(...rules);
const requests = () => service.sandbox.requests;
const start = useSandboxes();

describe('every request', () => {
	test.each([
		['header', 'x-user-token', '', 'authorization'],
		['bearer', 'authorization', 'Bearer ', 'x-user-token'],
	])('carries the key once, in %s mode', async (authScheme, name, prefix, other) => {
		const credential = { authScheme };
		await service.run({ returnAll: true }, { credential });
		await service.run({ ...comments }, { credential });
		const action = { url: 'https://example.com/', label: 'A', action_type: 'page' };
		const actions = { action: [action] };
		const replace = { resource: 'action', operation: 'replace', caseId: byId('9'), actions };
		await service.run(replace, { credential });
		expect(requests().length).toBeGreaterThan(10);
		for (const { headers } of requests()) {
			expect(headers[name]).toBe(prefix + service.sandbox.keys.tenantOwner);
			expect(headers).not.toHaveProperty(other);
			expect(headers['content-type']).toBe('application/json');
			expect(headers.accept).toBe('application/json');
		}
	});

	it('of one run uses the credential that was read once', async () => {
		expect((await service.run({ returnAll: true })).credentialReads).toBe(1);
		const many = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: itemsWith(range(1, 40)) },
		);
		expect(requests().length).toBeGreaterThan(40);
		// The second read shows that the credential is the same for all items.
		expect(many.credentialReads).toBe(2);
	});

	it('goes to the one tenant that an expression in the credential names', async () => {
		const [url, other] = [service.sandbox.url, (await start()).url];
		const items = itemsWith([1, 2]).map((item) => ({
			...item,
			tenant: item.id === 1 ? url : other,
		}));
		const runWith = async (baseUrl: string, given = items) =>
			await service.run(
				{ operation: 'get', caseId: OF_ITEM },
				{ credential: { baseUrl }, items: given },
			);
		for (const baseUrl of [
			'={{ $json.tenant }}',
			'={{ $input.item.json.tenant }}',
			`={{ $itemIndex === 0 ? '${url}' : '${other}' }}`,
		]) {
			const { error } = await runWith(baseUrl);
			expect(error).toMatchObject({
				message: expect.stringMatching(/may give another tenant or key for each item$/) as string,
				description: expect.stringMatching(/^All items of a run use one credential\./) as string,
			});
		}
		expect(requests()).toEqual([]);
		expect((await runWith('={{ $json.tenant }}', items.slice(0, 1))).error).toBeUndefined();
		expect((await runWith('={{ $input.first().json.tenant }}')).error).toBeUndefined();
		expect((await runWith('={{ $json.tenant. }}')).error?.message).not.toMatch(/another tenant/);
	});

	it('lets n8n read a credential that has no ID', async () => {
		const run = await service.run({ returnAll: true }, { credentialsByName: true });
		expect(run.items).toHaveLength(500);
		expect(run.credentialReads).toBe(requests().length + 1);
	});
});

describe('an attempt', () => {
	/** Waits until the node has closed all its connections. */
	const closed = async () => {
		while (service.sandbox.stats.openSockets > 0) await sleep(5);
	};
	it.each(['the node', 'a poll of the trigger'])(
		'of %s ends after Timeout while its answer drips, and closes the connection',
		async (what) => {
			fail({ fault: { kind: 'endless', bytes: 1, everyMs: 10 } });
			const options = { timeout: 300, maxRetries: 0 };
			const failure =
				what === 'the node'
					? failureOf(await service.run({ options }))
					: await (await service.poller({ options })).poll().catch((error: unknown) => error);
			expect(failure).toMatchObject({
				name: 'NodeApiError',
				message: expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer in time$/),
				description: expect.stringMatching(/If 'Options' has 'Timeout \(Ms\)', raise it/),
			});
			await closed();
			expect(requests()).toHaveLength(1);
		},
	);

	it('ends once its answer is larger than 64 MB, and closes the connection', async () => {
		fail({ fault: { kind: 'endless', bytes: 1_000_000, everyMs: 0 } });
		const run = await service.run({});
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: "The service's answer has more than 64 MB",
			description: expect.stringMatching(/^If 'Options' has 'Page Size', lower it/),
			item: 0,
		});
		await closed();
		expect(requests()).toHaveLength(1);
	});

	it('is repeated with the same request up to Max Retries', async () => {
		fail({ fault: { kind: 'drop' } }, { times: 9, fault: { kind: 'status', status: 500 } });
		const run = await service.run({ options: { maxRetries: 1 } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '500',
			message: 'The service had an error (500)',
			description: expect.stringMatching(/Tried 2 times\.$/),
			item: 0,
		});
		expect(requests()).toHaveLength(2);
		expect(requests()[1].queryString).toBe(requests()[0].queryString);
	});
});

it('Retry-After of an answer over a real socket pauses the run on the real clock', async () => {
	fail({ match: { page: 2, nth: 1 }, fault: { kind: 'status', status: 429, retryAfter: 1 } });
	const run = await service.run({ returnAll: true, options: { concurrency: 1 } });
	expect(new Set(idsOf(run))).toEqual(new Set(range(1, 500)));
	expect(hintsOf(run)).toEqual(["Waited 1 s for the service's rate limit."]);
	const { endedAt = NaN } = requests().find(({ status }) => status === 429) ?? {};
	const later = requests().filter(({ startedAt }) => startedAt > endedAt);
	// Timers may be early by some ms; a wait that the service didn't ask for is half a second at most.
	expect(Math.min(...later.map(({ startedAt }) => startedAt)) - endedAt).toBeGreaterThan(950);
});

describe('cancel', () => {
	/** Cancels a run whose request is in flight. */
	const cancelInFlight = async (options: RunOptions = {}) => {
		fail({ fault: { kind: 'latency', ms: 60_000 } });
		const stop = new AbortController();
		const running = service.run({ returnAll: true }, { ...options, signal: stop.signal });
		while (requests().length === 0) await sleep(5);
		stop.abort();
		return await running;
	};

	it('closes the request in flight and sends no other one', async () => {
		const run = await cancelInFlight();
		expect(run.status).toBe('canceled');
		expect(run.items).toEqual([]);
		await sleep(100);
		expect(requests().map(({ status }) => status)).toEqual([0]);
	});

	it('under Continue On Fail makes no error items', async () => {
		const { items } = await cancelInFlight({ onError: 'continueRegularOutput' });
		expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
	});
});

describe('the allowed domains of the credential', () => {
	const limitedTo = (allowedDomains: string) => ({
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	});

	test.each([
		['with its host alone', limitedTo('127.0.0.1')],
		['with its host among others', limitedTo('example.com, 127.0.0.1')],
		// This keeps the credential out of the HTTP Request node alone.
		['set to None', { allowedHttpRequestDomains: 'none' }],
	])('let requests to the Base URL through: %s', async (_what, credential) => {
		expect(rowsOf(await service.run({ limit: 1 }, { credential }))).toHaveLength(1);
	});

	it('are an error where the list is empty', async () => {
		const run = await service.run({ limit: 1 }, { credential: limitedTo('') });
		expect(failureOf(run).message).toContain('No allowed domains specified');
		expect(requests()).toEqual([]);
	});
});

describe('https', () => {
	let secure: Sandbox;
	beforeAll(async () => {
		secure = await start({ cases: 60, https: true });
	});

	it('with a certificate that no authority signed is an error at once that says how to solve it', async () => {
		const run = await service.run({}, { credential: { baseUrl: secure.url } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^The certificate of 127\.0\.0\.1:\d+ can't be verified$/),
			description: expect.stringMatching(/NODE_EXTRA_CA_CERTS.*'Ignore SSL Issues'/),
			item: 0,
		});
		expect(failureOf(run).description).not.toContain('Tried');
		expect(secure.requests).toEqual([]);
	});

	it('on a port without https is an error that does not advise to ignore the certificate', async () => {
		const baseUrl = service.sandbox.url.replace('http:', 'https:');
		const once = { options: { maxRetries: 0 } };
		const run = await service.run(once, { credential: { baseUrl } });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/^No secure connection to 127\.0\.0\.1:\d+$/),
			description: expect.stringMatching(/http and https may be mixed up/),
		});
		expect(failureOf(run).description).not.toMatch(/Ignore SSL/);
	});

	it('with such a certificate works with Ignore SSL Issues', async () => {
		const credential = { baseUrl: secure.url, ignoreSslIssues: true };
		const run = await service.run({ returnAll: true }, { credential });
		expect(new Set(idsOf(run))).toEqual(new Set(range(1, 60)));
		expect(secure.rejected).toEqual([]);
	});
});

describe('Concurrency', () => {
	it('limits the requests of all items and their pages together', async () => {
		fail({ fault: { kind: 'latency', ms: 10 } });
		const options = { concurrency: 2, pageSize: 25 };
		const ofTeam = { returnAll: true, filters: { team_id: '={{ $json.id }}' }, options };
		const run = await service.run(ofTeam, { items: itemsWith([1, 2, 3, 4, 5]) });
		expect(run.items).toHaveLength(500);
		expect(service.sandbox.stats.maxInFlight).toBe(2);
	});

	it('is 8 by default', async () => {
		const { stats } = service.sandbox;
		// Eight pages are read side by side. Their answers wait for each other, and a little for a ninth request.
		const untilEight = async () => {
			for (let tries = 0; stats.maxInFlight < 8 && tries < 300; tries++) await sleep(5);
			await sleep(50);
		};
		const fault = { kind: 'change', run: untilEight } as const;
		fail(...range(2, 12).map((page) => ({ match: { page }, fault })));
		await service.run({ returnAll: true, options: { pageSize: 25 } });
		expect(stats.maxInFlight).toBe(8);
	});
});

describe('an option outside its range is refused, and nothing is requested', () => {
	test.each([
		['concurrency', 17, "'Concurrency' must be a whole number from 1 to 16"],
		['maxRetries', -1, "'Max Retries' must be a whole number from 0"],
		['timeout', 0, "'Timeout (Ms)' must be a whole number from 1"],
		['pageSize', 501, "'Page Size' must be a whole number from 1 to 500"],
	])('%s = %j', async (name, value, message) => {
		const get = { resource: 'case', operation: 'get', caseId: OF_ITEM };
		for (const parameters of name === 'pageSize' ? [{}] : [{}, get]) {
			const run = await service.run(
				{ ...parameters, options: { [name]: value } },
				{ items: itemsWith([1]) },
			);
			expect(failureOf(run)).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(message),
				description: expect.stringMatching(/^It is ".+"\. Enter such a number/),
			});
		}
		expect(requests()).toEqual([]);
	});
});

it('an error of the service with 401 says to check the credential, and n8n does not retry it', async () => {
	const run = await service.run({}, { credential: { apiKey: 'wrong-key-of-this-test' } });
	expect(failureOf(run)).toMatchObject({
		name: 'NodeApiError',
		httpCode: '401',
		message: 'The service refused the API key (401)',
		description: expect.stringMatching(/The API key is not valid.*Open the Cases API credential/),
		item: 0,
	});
	expect(requests()).toHaveLength(1);
	expectNoKey(run.run.data.resultData, ['wrong-key-of-this-test']);
});
