import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { listSearch } from '../../tools/engine/methods';
import { OPERATIONS, parametersOf, prepareExamples } from '../support/operations';
import { failureOf, rowsOf } from '../support/runs';
import { CASES_NODE, expectNoKey, useSandboxes, useService } from '../support/service';
import { watchConnections, type Connections } from './support/connections';

const service = useService({ cases: 60, grown: ['case-writes'] });
const start = useSandboxes();
const KEY = () => service.sandbox.keys.tenantOwner;
const once = { options: { maxRetries: 0 } };

let elsewhere: Sandbox;
let connections: Connections;
let items: IDataObject[];
beforeAll(async () => {
	elsewhere = await start({ cases: 3 });
	items = [prepareExamples(service.sandbox.store)];
});
beforeEach(() => {
	elsewhere.clearRequests();
	connections = watchConnections();
});
afterEach(() => {
	connections.restore();
	expect(elsewhere.requests).toEqual([]);
});

describe('A redirect', () => {
	// That of operations is among the faults of test/robustness/faults.test.ts.
	it('takes no key of a poll or of a list in the editor to another origin', async () => {
		const fault = { kind: 'redirect', status: 301, to: elsewhere.url } as const;
		service.sandbox.faults.add({ fault, times: 9 });
		const search = async () =>
			await listSearch({
				type: CASES_NODE,
				method: 'searchCases',
				path: 'parameters.caseId',
				credentials: { casesApi: service.credential() },
			});
		for (const ask of [(await service.poller(once)).poll, search]) {
			const error: unknown = await ask().catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({
				message: expect.stringMatching(/redirects to another address/),
			});
			expectNoKey(error, [KEY()]);
		}
	});
});

it('The addresses of further pages are not followed to another host', async () => {
	const patch = {
		current_page: `${elsewhere.url}/api/v2/cases?page=1`,
		next_page: `${elsewhere.url}/api/v2/cases?page=2`,
	};
	service.sandbox.deviate({ list: { meta: patch } });
	const list = await service.run({ returnAll: true, options: { pageSize: 10 } });
	expect(rowsOf(list)).toHaveLength(62);
	rowsOf(await service.run(parametersOf('comment.getAll'), { items }));
});

describe('Plain http', () => {
	const port = () => new URL(service.sandbox.url).port;
	// These reach the sandbox, but their names don't say so.
	const REMOTE = ['[::ffff:127.0.0.1]', '0.0.0.0'];
	it.each([...REMOTE, 'localhost.example.com'])('opens no connection to %s', async (host) => {
		for (const name of host === REMOTE[0] ? OPERATIONS : OPERATIONS.slice(0, 1)) {
			const run = await service.run(parametersOf(name), {
				items,
				credential: { baseUrl: `http://${host}:${port()}` },
			});
			expect(failureOf(run).message).toMatch(/would send the API key unencrypted/);
			expect(failureOf(run).description).toMatch(/https:\/\/.*Allow Unencrypted HTTP/);
		}
		expect(connections.opened).toEqual([]);
	});

	it.each(REMOTE)('is used for %s when the credential allows it', async (host) => {
		const credential = { baseUrl: `http://${host}:${port()}`, allowHttp: true };
		expect(rowsOf(await service.run({ limit: 2 }, { credential }))).toHaveLength(2);
		expect(connections.opened).toHaveLength(1);
	});
});

describe('The allowed domains of the credential', () => {
	const limited = {
		allowedHttpRequestDomains: 'domains',
		allowedDomains: '*.example.com, a.example',
	};

	it.each(OPERATIONS)('keep the key from any other host: %s', async (name) => {
		const run = await service.run(parametersOf(name), { items, credential: limited });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(
				/restricted from accessing 127\.0\.0\.1:\d+\. Only .* allowed: \*\.example\.com, a\.example$/,
			),
		});
		expect(connections.opened).toEqual([]);
	});

	it('keep the key from any other host: poll of the trigger', async () => {
		const poller = await service.poller(once, {
			credentials: { casesApi: service.credential(limited) },
		});
		const error: unknown = await poller.poll().catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ message: expect.stringMatching(/restricted from accessing/) });
		expectNoKey(error, [KEY()]);
		expect(connections.opened).toEqual([]);
	});
});

describe('A key that the service repeats is hidden', () => {
	const PLAIN = 'echo-key-0123456789';
	let echo: Server;
	let answer: RequestListener;
	let url: string;
	beforeAll(async () => {
		echo = createServer((request, response) => answer(request, response));
		await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
	});
	afterAll(async () => await new Promise((resolve) => echo.close(resolve)));

	// One place reads what fails of every operation: a read, a write and a poll stand for all.
	const READ_AND_WRITE = ['case.getAll', 'action.replace'];

	/** Runs operations, ended and continued, and looks for the key in all that n8n keeps of them. */
	async function expectRedacted(listener: RequestListener, names: string[]): Promise<void> {
		answer = listener;
		const credential = { baseUrl: url, apiKey: PLAIN };
		for (const name of names) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const run = await service.run(
					{ ...parametersOf(name), ...once },
					{ items, credential, onError },
				);
				if (onError === 'stopWorkflow') expect(failureOf(run).status).toBe('error');
				expectNoKey([run.run.data.resultData, run.items, run.hints], [PLAIN]);
			}
		}
		const poller = await service.poller(once, { credentials: { casesApi: credential } });
		const error: unknown = await poller.poll().catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ name: expect.stringMatching(/^Node(Api|Operation)Error$/) });
		expectNoKey([error, poller.snapshot()], [PLAIN]);
	}

	const reply =
		(status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
		(_request, response) =>
			response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

	const badKey = JSON.stringify({ error: `Bad key ${PLAIN}` });

	const BODIES: Array<[string, string]> = [
		['errors', JSON.stringify({ errors: [{ message: `Bad ${PLAIN}` }, PLAIN] })],
		['the name of a field', JSON.stringify({ [PLAIN]: PLAIN, error: 'No' })],
		['plain text', `X-User-Token: ${PLAIN}`],
		['a web page', `<html><body>${PLAIN}</body></html>`],
		['broken JSON', `{"error": "${PLAIN}`],
	];
	const location = `https://example.com/${PLAIN}/login?key=${PLAIN}#${PLAIN}`;

	// How it is found in bodies of any kind is tested in test/api/requestFailures.test.ts.
	it.each<[string, RequestListener, string[]?]>([
		['by every operation', reply(422, badKey), OPERATIONS],
		['in the address of a redirect', reply(302, '', { location })],
		[
			'in the status line and in headers',
			(_request, response) =>
				response
					.writeHead(401, `Bad ${PLAIN}`, { 'www-authenticate': PLAIN, 'x-key': PLAIN })
					.end(),
		],
	])('%s', async (_where, listener, names = READ_AND_WRITE) => {
		await expectRedacted(listener, names);
	});

	it.each(BODIES)('in a body with 200: %s', async (_form, body) => {
		await expectRedacted(reply(200, body), ['case.getAll']);
		// With success a write is carried out, whatever else the body says.
		const credential = { baseUrl: url, apiKey: PLAIN };
		const run = await service.run(
			{ ...parametersOf('action.replace'), ...once },
			{ items, credential },
		);
		expectNoKey([run.run.data.resultData, run.items, run.hints], [PLAIN]);
	});

	it('in a body with 200, where the body is truncated within the key', async () => {
		answer = reply(200, `<html>${'x'.repeat(1984)}${PLAIN}</html>`);
		const credential = { baseUrl: url, apiKey: PLAIN };
		const run = await service.run({ ...once }, { credential, onError: 'continueRegularOutput' });
		expectNoKey(run.items, [PLAIN.slice(0, 8)]);
	});
});
