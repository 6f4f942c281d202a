import type { FaultRule, Sandbox } from '../../sandbox';
import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../support/runs';
import { expectNoKey, useSandboxes, useService } from '../support/service';

const service = useService({ cases: 500 });
const comments = { resource: 'comment', operation: 'getAll', caseId: byId('7') };

const fail = (...rules: FaultRule[]) => service.sandbox.faults.add(...rules);
const requests = () => service.sandbox.requests;
const statuses = () => requests().map(({ status }) => status);
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
		await service.run(
			{
				resource: 'action',
				operation: 'replace',
				caseId: byId('9'),
				actions: { action: [action] },
			},
			{ credential },
		);
		expect(requests().length).toBeGreaterThan(10);
		for (const { headers } of requests()) {
			expect(headers[name]).toBe(prefix + service.sandbox.keys.tenantOwner);
			expect(headers).not.toHaveProperty(other);
			expect(headers['content-type']).toBe('application/json');
			expect(headers.accept).toBe('application/json');
		}
	});

	it('of a run uses the credential that was read once', async () => {
		expect((await service.run({ returnAll: true })).credentialReads).toBe(1);
		const many = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: itemsWith(range(1, 40)) },
		);
		expect(requests().length).toBeGreaterThan(40);
		expect(many.credentialReads).toBe(1);
	});

	it('has n8n read a credential that has no ID', async () => {
		const run = await service.run({ returnAll: true }, { credentialsByName: true });
		expect(run.items).toHaveLength(500);
		expect(run.credentialReads).toBe(requests().length + 1);
	});
});

describe('redirects', () => {
	test.each([300, 301, 302, 303, 307, 308] as const)(
		'%i is an error and the key reaches no other place',
		async (status) => {
			const elsewhere = await start({ cases: 1 });
			const to = `${elsewhere.url}/api/v2/cases?token=${service.sandbox.keys.tenantOwner}`;
			fail({ fault: { kind: 'redirect', status, to } });
			const run = await service.run({});
			expect(failureOf(run)).toMatchObject({
				name: 'NodeApiError',
				httpCode: String(status),
				message: `The service redirects elsewhere (${status})`,
				description: expect.stringMatching(
					/It points to http:\/\/127\.0\.0\.1:\d+\/api\/v2\/cases\. Redirects are not followed.*Base URL/,
				),
				item: 0,
			});
			expect(elsewhere.requests).toEqual([]);
			expect(requests()).toHaveLength(1);
		},
	);

	it('of a write are not followed either', async () => {
		fail({ fault: { kind: 'redirect', status: 307, to: '/api/v2/cases/2/actions/batch' } });
		const run = await service.run({ resource: 'action', operation: 'clear', caseId: byId('1') });
		expect(failureOf(run).httpCode).toBe('307');
		expect(service.paths()).toEqual(['PUT /api/v2/cases/1/actions/batch']);
	});
});

describe('Timeout', () => {
	const options = { timeout: 100, maxRetries: 0 };

	it('ends a request that isn’t answered in time, and says which option to raise', async () => {
		fail({ fault: { kind: 'latency', ms: 5000 } });
		const run = await service.run({ options });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer in time$/),
			description: expect.stringMatching(/Raise Timeout under Options.*GET \/api\/v2\/cases/),
			item: 0,
		});
		expect(requests()).toHaveLength(1);
	});

	it('is tried again', async () => {
		fail({ times: 1, fault: { kind: 'latency', ms: 5000 } });
		const run = await service.run({ limit: 1, options: { ...options, maxRetries: 1 } });
		expect(rowsOf(run)).toHaveLength(1);
		expect(requests()).toHaveLength(2);
	});
});

describe('a temporary failure', () => {
	const FAULTS: Array<[string, FaultRule['fault']]> = [
		['500', { kind: 'status', status: 500 }],
		['502', { kind: 'status', status: 502 }],
		['503', { kind: 'status', status: 503 }],
		['504', { kind: 'status', status: 504 }],
		['429 without Retry-After', { kind: 'status', status: 429 }],
		['a closed connection', { kind: 'drop' }],
		['a connection that breaks in the body', { kind: 'reset' }],
		['half a JSON text', { kind: 'truncatedJson' }],
		['an empty answer', { kind: 'empty' }],
	];

	test.each(FAULTS)('is tried again: %s', async (_what, fault) => {
		fail({ fault });
		const run = await service.run({ limit: 5, options: { maxRetries: 1 } });
		expect(rowsOf(run)).toHaveLength(5);
		expect(requests()).toHaveLength(2);
		expect(requests()[1].queryString).toBe(requests()[0].queryString);
	});

	it('of one page in a long read is tried again, and the read is complete', async () => {
		fail(
			{ match: { page: 3 }, times: 2, fault: { kind: 'status', status: 500 } },
			{ match: { page: 7 }, fault: { kind: 'drop' } },
		);
		const run = await service.run({ returnAll: true, options: { maxRetries: 2 } });
		expect(idsOf(run)).toEqual(range(1, 500));
		expect(hintsOf(run)).toEqual([]);
	});

	it('is tried again after a wait, in which the other requests go on', async () => {
		fail(
			{ fault: { kind: 'latency', ms: 10 } },
			{ match: { page: 2 }, times: 4, fault: { kind: 'status', status: 500 } },
		);
		const options = { maxRetries: 4, concurrency: 2, pageSize: 10 };
		await service.run({ returnAll: true, options });
		const isRetried = ({ query }: { query: { page?: string } }) => query.page === '2';
		const tries = requests().filter(isRetried);
		expect(tries).toHaveLength(5);
		// The waits are random, up to 0.5, 1, 2 and 4 s; that none of them has room for this doesn't happen.
		const meanwhile = requests().filter(({ startedAt }) =>
			tries.some(
				({ endedAt = NaN }, index) =>
					startedAt > endedAt + 20 && startedAt < (tries[index + 1]?.startedAt ?? 0) - 20,
			),
		);
		expect(meanwhile.length).toBeGreaterThan(0);
	});

	it('in the middle of the body is an error without a code: the status of the answer is none', async () => {
		fail({ fault: { kind: 'reset' } });
		const run = await service.run({ options: { maxRetries: 0 } });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/^The connection to 127\.0\.0\.1:\d+ broke$/),
			description: expect.stringMatching(/Request: GET \/api\/v2\/cases\.$/),
		});
	});

	test.each([
		[0, 1],
		[1, 2],
		[2, 3],
	])('that goes on is an error after %i retries', async (maxRetries, tries) => {
		fail({ times: 9, fault: { kind: 'status', status: 500, body: { error: 'Database is down' } } });
		const run = await service.run({ options: { maxRetries } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '500',
			message: 'The service failed to answer (500)',
			description: expect.stringMatching(/The service says: Database is down\. Try again later/),
			item: 0,
		});
		expect(requests()).toHaveLength(tries);
		const tried = `Tried ${tries} times.`;
		expect(failureOf(run).description?.includes(tried)).toBe(tries > 1);
	});
});

test.each([400, 401, 403, 404, 405, 409, 410, 413, 414, 415, 422])(
	'%i is never tried again',
	async (status) => {
		fail({ times: 9, fault: { kind: 'status', status } });
		const run = await service.run({});
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: String(status),
			message: expect.stringContaining(`(${status})`),
			description: expect.stringMatching(/Request: GET \/api\/v2\/cases\.$/),
			item: 0,
		});
		expect(statuses()).toEqual([status]);
	},
);

describe('Retry-After', () => {
	const second = { maxRetries: 1, concurrency: 8 };
	const FORMS: Array<[string, Extract<FaultRule['fault'], { kind: 'status' }>]> = [
		['429 in seconds', { kind: 'status', status: 429, retryAfter: 1 }],
		['429 as a date', { kind: 'status', status: 429, retryAfter: { inSeconds: 1 } }],
		['503 in seconds', { kind: 'status', status: 503, retryAfter: 1 }],
		['503 as a date', { kind: 'status', status: 503, retryAfter: { inSeconds: 1 } }],
	];

	/** Milliseconds from the answer that asked for a pause to the first request that started after it. */
	const pauseAfter = (status: number) => {
		const { endedAt = NaN } = requests().find((request) => request.status === status) ?? {};
		const later = requests().filter(({ startedAt }) => startedAt > endedAt);
		expect(later.length).toBeGreaterThan(0);
		return Math.min(...later.map(({ startedAt }) => startedAt)) - endedAt;
	};

	// Timers may be early by some ms; an own back-off would be half a second at most.
	test.each(FORMS)('%s holds back all requests of the run for as long', async (_form, fault) => {
		fail({ fault: { kind: 'latency', ms: 5 } });
		fail({ match: { page: 2, nth: 1 }, fault });
		const run = await service.run({ returnAll: true, options: { ...second, concurrency: 1 } });
		expect(idsOf(run)).toEqual(range(1, 500));
		expect(pauseAfter(fault.status)).toBeGreaterThan(950);
		expect(requests().filter(({ status }) => status === fault.status)).toHaveLength(1);
	});

	it('holds back requests that run at the same time too', async () => {
		fail({ fault: { kind: 'latency', ms: 30 } });
		fail({
			match: { path: '/cases$', nth: 5 },
			fault: { kind: 'status', status: 429, retryAfter: 1 },
		});
		const run = await service.run({ returnAll: true, options: second });
		expect(idsOf(run)).toEqual(range(1, 500));
		// What was under way when the answer came may have let one more through; none starts in the pause.
		const { endedAt = NaN } = requests().find(({ status }) => status === 429) ?? {};
		const inPause = requests().filter(
			({ startedAt }) => startedAt > endedAt + 100 && startedAt < endedAt + 950,
		);
		expect(inPause).toEqual([]);
	});

	it('is not a failed try: the service may ask more often than Max Retries', async () => {
		fail({ times: 2, fault: { kind: 'status', status: 429, retryAfter: 1 } });
		expect(rowsOf(await service.run({ limit: 1, options: { maxRetries: 1 } }))).toHaveLength(1);
		expect(requests()).toHaveLength(3);
	});

	it('takes no retry away from the failures after it', async () => {
		fail(
			{ match: { nth: 1 }, fault: { kind: 'status', status: 429, retryAfter: 1 } },
			{ match: { nth: 2 }, fault: { kind: 'status', status: 500 } },
		);
		expect(rowsOf(await service.run({ limit: 1, options: { maxRetries: 1 } }))).toHaveLength(1);
		expect(statuses()).toEqual([429, 500, 200]);
	});

	it('of 0 names no wait, so it is a failed try, and the request isn’t sent for ever', async () => {
		fail({ times: 9, fault: { kind: 'status', status: 429, retryAfter: 0 } });
		const run = await service.run({ options: { maxRetries: 2 } });
		expect(failureOf(run)).toMatchObject({ httpCode: '429', item: 0 });
		expect(requests()).toHaveLength(3);
	});

	it('of longer than two minutes is an error at once, with what the service asked', async () => {
		fail({ fault: { kind: 'status', status: 429, retryAfter: 3600 } });
		const run = await service.run({});
		expect(failureOf(run)).toMatchObject({
			httpCode: '429',
			message: 'The service asks to slow down (429)',
			description: expect.stringMatching(/lower Concurrency/),
			item: 0,
		});
		expect(run.error).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 3_600_000 },
		});
		expect(requests()).toHaveLength(1);
	});

	it('is not obeyed with Max Retries 0', async () => {
		fail({ fault: { kind: 'status', status: 429, retryAfter: 1 } });
		const run = await service.run({ options: { maxRetries: 0 } });
		expect(failureOf(run).httpCode).toBe('429');
		expect(requests()).toHaveLength(1);
	});

	test.each(['soon', '-1', '', 'Wed, 01 Jan 2020 00:00:00 GMT'])(
		'that makes no sense, %j, is as if it weren’t there',
		async (retryAfter) => {
			fail({ fault: { kind: 'status', status: 429, retryAfter } });
			expect(rowsOf(await service.run({ limit: 1, options: { maxRetries: 1 } }))).toHaveLength(1);
			expect(requests()).toHaveLength(2);
		},
	);

	it('of a real limit of requests slows the run down, and loses nothing', async () => {
		const limited = await start({ cases: 300, rateLimit: { perSecond: 6 } });
		const run = await service.run({ returnAll: true }, { credential: { baseUrl: limited.url } });
		expect(idsOf(run)).toEqual(range(1, 300));
		expect(limited.requests.some(({ status }) => status === 429)).toBe(true);
		expect(limited.rejected).toEqual([]);
	});
});

describe('cancel', () => {
	const cancelAfter = async (parameters: Record<string, unknown>, isUnderWay: () => boolean) => {
		const stop = new AbortController();
		const running = service.run(parameters, { signal: stop.signal });
		while (!isUnderWay()) await new Promise((resolve) => setTimeout(resolve, 5));
		stop.abort();
		const run = await running;
		const sent = requests().length;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(requests()).toHaveLength(sent);
		return run;
	};

	it('ends the requests under way, and no further one is sent', async () => {
		fail({ fault: { kind: 'latency', ms: 60_000 } });
		const run = await cancelAfter({ returnAll: true }, () => requests().length > 0);
		expect(run.items).toEqual([]);
		expect(statuses()).toEqual([0]);
	});

	it('ends a long read between its pages', async () => {
		fail({ fault: { kind: 'latency', ms: 20 } });
		const parameters = { returnAll: true, options: { concurrency: 1 } };
		const run = await cancelAfter(parameters, () => requests().length > 3);
		expect(run.items).toEqual([]);
		expect(requests().length).toBeLessThan(10);
	});

	it('ends a pause that the service asked for', async () => {
		fail({ times: 9, fault: { kind: 'status', status: 429, retryAfter: 60 } });
		// Some time after the answer, or the request itself would be what is aborted.
		const isPausing = () =>
			requests().some(
				({ status, endedAt = NaN }) => status === 429 && performance.now() - endedAt > 200,
			);
		const run = await cancelAfter({}, isPausing);
		expect(run.items).toEqual([]);
		expect(requests()).toHaveLength(1);
	});

	it('is a canceled execution, not a failed one', async () => {
		fail({ fault: { kind: 'latency', ms: 60_000 } });
		const run = await cancelAfter({}, () => requests().length > 0);
		expect(run.status).toBe('canceled');
	});

	it('under Continue On Fail gives no error items', async () => {
		fail({ fault: { kind: 'latency', ms: 60_000 } });
		const stop = new AbortController();
		const running = service.run({}, { signal: stop.signal, onError: 'continueRegularOutput' });
		while (requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		stop.abort();
		const { items } = await running;
		expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
	});
});

describe('the domains that the credential is limited to', () => {
	const limitedTo = (allowedDomains: string) => ({
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	});

	test.each([['127.0.0.1'], ['example.com, 127.0.0.1']])(
		'let the service’s own through: %s',
		async (list) => {
			const run = await service.run({ limit: 1 }, { credential: limitedTo(list) });
			expect(rowsOf(run)).toHaveLength(1);
		},
	);

	test.each([['example.com'], ['*.example.com, other.example']])(
		'refuse any other: %s',
		async (list) => {
			const run = await service.run({ limit: 1 }, { credential: limitedTo(list) });
			expect(failureOf(run)).toMatchObject({
				status: 'error',
				message: expect.stringContaining(`The credential may only be used with ${list}`),
				description: expect.stringContaining('allowed domains of the credential'),
			});
			expect(requests()).toEqual([]);
		},
	);

	it('are an error where none is named', async () => {
		const run = await service.run({ limit: 1 }, { credential: limitedTo('') });
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			message: expect.stringContaining('No allowed domains specified'),
		});
		expect(requests()).toEqual([]);
	});

	it('as "None" keep it out of the HTTP Request node, not out of this one', async () => {
		const run = await service.run(
			{ limit: 1 },
			{ credential: { allowedHttpRequestDomains: 'none' } },
		);
		expect(rowsOf(run)).toHaveLength(1);
	});
});

describe('https with a certificate that nobody vouches for', () => {
	let secure: Sandbox;
	beforeAll(async () => {
		secure = await start({ cases: 60, https: true });
	});

	it('is an error that says how to solve it, and is not tried again', async () => {
		const run = await service.run({}, { credential: { baseUrl: secure.url } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^The certificate of 127\.0\.0\.1:\d+ can't be verified$/),
			description: expect.stringMatching(/NODE_EXTRA_CA_CERTS.*"Ignore SSL Issues"/),
			item: 0,
		});
		expect(failureOf(run).description).not.toContain('Tried');
		expect(secure.requests).toEqual([]);
	});

	it('works with Ignore SSL Issues', async () => {
		const credential = { baseUrl: secure.url, ignoreSslIssues: true };
		expect(idsOf(await service.run({ returnAll: true }, { credential }))).toEqual(range(1, 60));
		expect(secure.rejected).toEqual([]);
	});
});

describe('Concurrency', () => {
	test.each([1, 2, 3, 8, 16])('%i: never more requests in flight', async (concurrency) => {
		fail({ fault: { kind: 'latency', ms: 25 } });
		const run = await service.run({ returnAll: true, options: { concurrency, pageSize: 20 } });
		expect(idsOf(run)).toEqual(range(1, 500));
		expect(service.sandbox.stats.maxInFlight).toBeLessThanOrEqual(concurrency);
		if (concurrency > 1) expect(service.sandbox.stats.maxInFlight).toBeGreaterThan(1);
	});

	it('is for all items and their pages together', async () => {
		fail({ fault: { kind: 'latency', ms: 25 } });
		const run = await service.run(
			{
				returnAll: true,
				filters: { team_id: '={{ $json.id }}' },
				options: { concurrency: 2, pageSize: 25 },
			},
			{ items: itemsWith([1, 2, 3, 4, 5]) },
		);
		expect(run.items).toHaveLength(500);
		expect(service.sandbox.stats.maxInFlight).toBe(2);
	});

	it('is 8 where nothing is chosen', async () => {
		// Ten pages: eight between the first and the last. Long enough for a busy machine to send them all.
		fail({ fault: { kind: 'latency', ms: 500 } });
		await service.run({ returnAll: true });
		expect(service.sandbox.stats.maxInFlight).toBe(8);
	});

	it('does not change the order of items and cases', async () => {
		fail({ match: { everyNth: 2 }, fault: { kind: 'latency', ms: 40 } });
		const ids = range(1, 30).reverse();
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: itemsWith(ids) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual(range(0, 29).map((item) => [item]));
	});
});

describe('an option outside its range is refused before any request', () => {
	test.each([
		['concurrency', 0, 'Concurrency: "0" is not a whole number from 1 to 16'],
		['concurrency', 17, 'Concurrency: "17" is not a whole number from 1 to 16'],
		['concurrency', '={{ "many" }}', 'Concurrency: "many" is not a whole number'],
		['maxRetries', -1, 'Max Retries: "-1" is not a whole number from 0'],
		['maxRetries', 1.5, 'Max Retries: "1.5" is not a whole number'],
		['timeout', 0, 'Timeout: "0" is not a whole number from 1'],
		['pageSize', 0, 'Page Size: "0" is not a whole number from 1 to 50'],
		['pageSize', 51, 'Page Size: "51" is not a whole number from 1 to 50'],
	])('%s = %j', async (name, value, message) => {
		for (const parameters of [{}, { resource: 'case', operation: 'get', caseId: OF_ITEM }]) {
			const run = await service.run(
				{ ...parameters, options: { [name]: value } },
				{ items: itemsWith([1]) },
			);
			expect(failureOf(run)).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(message),
				description: expect.stringContaining('or remove the option to use its default'),
			});
		}
		expect(requests()).toEqual([]);
	});
});

describe('an error of the service', () => {
	test.each([
		['error', { error: 'The filter is too wide' }],
		['message', { message: 'The filter is too wide' }],
		['errors, texts', { errors: ['The filter is too wide'] }],
		['errors, objects', { errors: [{ message: 'The filter is too wide' }] }],
		['error, an object', { error: { code: 7, message: 'The filter is too wide' } }],
		['plain text', 'The filter is too wide'],
	])(
		'shows its own message, with status and request, from a body with %s',
		async (_shape, body) => {
			fail({ fault: { kind: 'status', status: 422, body } });
			const run = await service.run({ filters: { search: 'x' } });
			expect(failureOf(run)).toMatchObject({
				httpCode: '422',
				message: 'The service rejected the values (422)',
				description:
					'The service says: The filter is too wide. Check the values of the fields against what the service says. Request: GET /api/v2/cases.',
				item: 0,
			});
		},
	);

	it('without a body still says what to do', async () => {
		fail({ fault: { kind: 'status', status: 403 } });
		expect(failureOf(await service.run({}))).toMatchObject({
			message: 'The API key is not allowed to do this (403)',
			description: expect.stringContaining('ask a tenant owner for the permission'),
		});
	});

	it('carries its body, cut to a readable length, in the details of an error item', async () => {
		const body = { error: 'x'.repeat(5000) };
		fail({ fault: { kind: 'status', status: 400, body } });
		const run = await service.run({}, { onError: 'continueRegularOutput' });
		const [{ error, details }] = rowsOf(run) as Array<{
			error: string;
			details: { httpCode: number; body: string };
		}>;
		expect(details.httpCode).toBe(400);
		expect(JSON.stringify(details.body).length).toBeLessThan(2500);
		expect(error.length).toBeLessThan(3000);
	});

	it('401 says to check the credential, and is not sent a second time', async () => {
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

	test.each([
		['a web page', { kind: 'html' }, /web page instead of data/],
		[
			'a web page after an empty line',
			{ kind: 'raw', status: 200, body: '\n<html>Log in</html>' },
			/web page instead of data/,
		],
		['another JSON', { kind: 'raw', status: 200, body: '{"ok":true}' }, /has no list "cases"/],
		[
			'a list of texts',
			{ kind: 'raw', status: 200, body: '{"cases":["a"]}' },
			/has no list "cases"/,
		],
		['JSON null', { kind: 'raw', status: 200, body: 'null' }, /has no list "cases"/],
		['plain text', { kind: 'raw', status: 200, body: 'OK' }, /empty or cut off/],
	] as const)(
		'200 with %s is an error that points to the Base URL',
		async (_what, fault, message) => {
			fail({ times: 9, fault });
			const run = await service.run({ options: { maxRetries: 0 } });
			expect(failureOf(run)).toMatchObject({
				name: 'NodeApiError',
				message: expect.stringMatching(message),
				description: expect.stringContaining('Check that the Base URL of the credential'),
				item: 0,
			});
		},
	);

	test.each(['header', 'bearer'])(
		'that repeats the API key shows stars instead, in %s mode',
		async (authScheme) => {
			const key = service.sandbox.keys.tenantOwner;
			const body = { error: `Key ${key} is locked`, key };
			fail({ times: 2, fault: { kind: 'status', status: 403, body } });
			const credential = { authScheme };
			expect(failureOf(await service.run({}, { credential })).description).toContain(
				'Key *** is locked',
			);
			const run = await service.run({}, { credential, onError: 'continueRegularOutput' });
			expect(rowsOf(run)[0].details).toEqual({
				httpCode: 403,
				body: { error: 'Key *** is locked', key: '***' },
			});
		},
	);
});

describe('a service that can’t be reached', () => {
	const options = { maxRetries: 0 };

	it('is an error that names the host and what to check', async () => {
		const gone = await start({ cases: 1 });
		await gone.stop();
		const run = await service.run({ options }, { credential: { baseUrl: gone.url } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: `Nothing answers at ${new URL(gone.url).host}`,
			description: expect.stringMatching(/Check the Base URL and its port.*\(ECONNREFUSED\)/),
			item: 0,
		});
	});

	it('a host that there isn’t is an error at once', async () => {
		const baseUrl = 'https://no-such-host.invalid';
		const run = await service.run({}, { credential: { baseUrl } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('no-such-host.invalid'),
			item: 0,
		});
	});

	it('is one error item for each input item under Continue On Fail', async () => {
		fail({ times: 9, fault: { kind: 'drop' } });
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' }, options },
			{ items: itemsWith([1, 2]), onError: 'continueRegularOutput' },
		);
		expect(rowsOf(run)).toEqual(
			[1, 2].map(() => ({
				error: expect.stringMatching(/^The connection to 127\.0\.0\.1:\d+ broke\. Try again/),
				details: { httpCode: null, body: null },
			})),
		);
		expect(pairsOf(run)).toEqual([[0], [1]]);
	});
});
