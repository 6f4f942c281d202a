import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { loadTypes, requireNewBuild } from './load';
import type { LoadedTypes } from './load';
import { credentialTest, listSearch, loadOptions } from './methods';
import { runNode } from './node';
import { createPoller } from './poll';
import { runWorkflow } from './run';

let types: LoadedTypes;
let server: FastifyInstance;
let baseUrl: string;
let onHanging: (request: Hanging) => void;

/** A request that is never answered. It is returned in an object, because `await` would wait for a bare promise. */
interface Hanging {
	closed: Promise<unknown>;
}

beforeAll(async () => {
	types = await loadTypes(resolve(__dirname, 'sample-package'));

	server = Fastify({ forceCloseConnections: true });
	server.get('/headers', async ({ headers }) => ({ headers }));
	server.get('/status/:code', async ({ params }, reply) => {
		const { code } = params as { code: string };
		return await reply.code(Number(code)).send({ state: 'locked' });
	});
	server.get('/hangs', async ({ raw }) => {
		onHanging({ closed: once(raw.socket, 'close') });
		await once(raw.socket, 'close');
	});
	baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
	await server.close();
});

const sample = 'n8n-nodes-sample.sample';
const node = (name: string, type: string, version: number, parameters: INodeParameters): INode => ({
	id: name,
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion: version,
	position: [0, 0],
	parameters,
});
const chain = (...names: string[]): IConnections =>
	Object.fromEntries(
		names
			.slice(1)
			.map((next, i) => [names[i], { main: [[{ node: next, type: 'main' as const, index: 0 }]] }]),
	);
const httpWorkflow = (url: string) => ({
	nodes: [
		node('Start', 'manualTrigger', 1, {}),
		node('Edit', 'set', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ { zone: $now.zoneName, url: "' + url + '" } }}',
		}),
		{
			...node('Request', 'httpRequest', 4.2, {
				url: '={{ $json.url }}',
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
			}),
			credentials: { httpHeaderAuth: { id: null, name: 'Token' } },
		},
	],
	connections: chain('Start', 'Edit', 'Request'),
	credentials: { Token: { type: 'httpHeaderAuth', data: { name: 'X-Token', value: 's3cret' } } },
	settings: { timezone: 'Asia/Tokyo' },
});

describe('runWorkflow', () => {
	it('runs built-in nodes with expressions, a timezone and a credential', async () => {
		const { status, data, error } = await runWorkflow({
			...httpWorkflow(`${baseUrl}/headers`),
			types,
		});
		expect(error).toBeUndefined();
		expect(status).toBe('success');
		expect(data.Edit[0][0].json.zone).toBe('Asia/Tokyo');
		expect(data.Request[0][0].json.headers).toMatchObject({ 'x-token': 's3cret' });
	});

	it('reports a failed node with the error that n8n shows', async () => {
		const { status, error } = await runWorkflow({
			...httpWorkflow(`${baseUrl}/status/404`),
			types,
		});
		expect(status).toBe('error');
		expect(error).toMatchObject({ httpCode: '404', node: { name: 'Request' } });
	});

	it('reports a missing required parameter as n8n does, before any node runs', async () => {
		const { status, error, data } = await runWorkflow({
			nodes: [node('Start', 'manualTrigger', 1, {}), node('Request', 'httpRequest', 4.2, {})],
			connections: chain('Start', 'Request'),
			types,
		});
		expect(status).toBe('error');
		expect(error?.name).toBe('WorkflowHasIssuesError');
		expect(data).toEqual({});
	});

	it('starts from a schedule, and joins the items of all rounds of a loop', async () => {
		const loop = (outputs: string[][]) => ({
			main: outputs.map((names) =>
				names.map((to) => ({ node: to, type: 'main' as const, index: 0 })),
			),
		});
		const { data } = await runWorkflow({
			nodes: [
				node('Every hour', 'scheduleTrigger', 1.2, {}),
				node('Three', 'set', 3.4, { mode: 'raw', jsonOutput: '{"ids":[1,2,3]}' }),
				node('Split', 'splitOut', 1, { fieldToSplitOut: 'ids' }),
				node('Loop', 'splitInBatches', 3, {}),
				node('Each', 'noOp', 1, {}),
			],
			connections: {
				...chain('Every hour', 'Three', 'Split', 'Loop'),
				Loop: loop([[], ['Each']]),
				Each: loop([['Loop']]),
			},
			types,
		});
		expect(data['Every hour'][0][0].json).toHaveProperty('Timezone');
		expect(data.Each[0].map(({ json }) => json.ids)).toEqual([1, 2, 3]);
	});
});

describe('runNode', () => {
	const credentials = () => ({ sampleApi: { baseUrl, scheme: 'bearer', token: 's3cret' } });

	it('returns items with pairing, hints and the number of credential reads', async () => {
		const run = await runNode({
			type: sample,
			items: [{ path: '/headers' }, { path: '/headers' }],
			credentials: credentials(),
			timezone: 'Europe/Paris',
			types,
		});
		expect(run.error).toBeUndefined();
		expect(run.items).toMatchObject([
			{ json: { timezone: 'Europe/Paris', greeting: 'hello' }, pairedItem: { item: 0 } },
			{ json: { timezone: 'Europe/Paris', greeting: 'hello' }, pairedItem: { item: 1 } },
		]);
		expect(run.hints).toEqual([{ message: 'Read 2 paths' }]);
		expect(run.credentialReads).toBe(1);
	});

	it.each([
		['header', { 'x-sample-token': 's3cret' }, 'authorization'],
		['bearer', { authorization: 'Bearer s3cret' }, 'x-sample-token'],
	])('evaluates the name and the value of the %s entry', async (scheme, sent, notSent) => {
		const { items } = await runNode({
			type: sample,
			items: [{ path: '/headers' }],
			credentials: { sampleApi: { baseUrl, scheme, token: 's3cret' } },
			types,
		});
		expect(items[0].json.headers).toMatchObject(sent);
		expect(items[0].json.headers).not.toHaveProperty(notSent);
	});

	it('sends failed items to the error output', async () => {
		const { items, errorItems } = await runNode({
			type: sample,
			items: [{ path: '/status/500' }, { path: '/headers' }],
			credentials: credentials(),
			onError: 'continueErrorOutput',
			types,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(errorItems).toMatchObject([
			{ json: { error: expect.stringContaining('500') }, pairedItem: { item: 0 } },
		]);
	});

	it('runs once for all items, or not at all without items', async () => {
		const once = await runNode({
			type: sample,
			items: [{ path: '/headers' }, { path: '/headers' }],
			credentials: credentials(),
			executeOnce: true,
			types,
		});
		expect(once.items).toHaveLength(1);
		const none = await runNode({ type: sample, items: [], credentials: credentials(), types });
		expect(none.run.data.resultData.runData).not.toHaveProperty('Node');
	});

	it('aborts the request in flight when the execution is stopped', async () => {
		const stop = new AbortController();
		const hanging = new Promise<Hanging>((resolve) => (onHanging = resolve));
		const running = runNode({
			type: sample,
			items: [{ path: '/hangs' }, { path: '/headers' }],
			credentials: credentials(),
			signal: stop.signal,
			types,
		});
		const { closed } = await hanging;
		stop.abort();
		const { status, items } = await running;
		expect(status).toBe('canceled');
		expect(items).toEqual([]);
		await closed;
	});
});

describe('createPoller', () => {
	const type = 'n8n-nodes-sample.sampleTrigger';

	it('keeps static data from poll to poll, and saves it when n8n does', async () => {
		const poller = await createPoller({ type, types });
		expect(await poller.poll()).toBeNull();
		expect(await poller.poll()).toEqual([{ json: { count: 2, activation: 'activate' } }]);
		expect(await poller.poll()).toBeNull();
		expect(poller.snapshot()).toEqual({ count: 3 });
		expect(poller.saved()).toEqual({ count: 2 });
	});

	it('continues from saved static data, alone or shared with another poller', async () => {
		const restarted = await createPoller({ type, staticData: { count: 7 }, types });
		const second = await createPoller({ type, staticData: restarted.staticData, types });
		const copy = await createPoller({ type, staticData: restarted.snapshot(), types });
		await restarted.poll();
		await second.poll();
		await copy.poll();
		expect(restarted.snapshot()).toEqual({ count: 9 });
		expect(copy.snapshot()).toEqual({ count: 8 });
		expect(restarted.staticData.__dataChanged).toBe(true);
	});

	it.each([
		[{}, 300_000],
		[{ budgetMs: 36_000 }, 36_000],
		[{ pollBudget: false }, null],
	])('returns the time a poll may take with %j', async (options, budget) => {
		const poller = await createPoller({
			type,
			parameters: { showBudget: true },
			activation: 'manual',
			mode: 'manual',
			types,
			...options,
		});
		expect(await poller.poll()).toMatchObject([{ json: { budget, activation: 'manual' } }]);
	});
});

describe('The methods of a node', () => {
	it('run as listSearch and loadOptions with parameters and a credential', async () => {
		const options = {
			type: sample,
			parameters: { greeting: 'hi' },
			credentials: { sampleApi: { baseUrl, scheme: 'header', token: 's3cret' } },
			types,
		};
		expect(await listSearch({ ...options, method: 'search', filter: 'a' })).toEqual({
			results: [{ name: 'a s3cret', value: 'hi' }],
			paginationToken: '2',
		});
		expect(await loadOptions({ ...options, method: 'options' })).toEqual([
			{ name: 'hi', value: 's3cret' },
		]);
	});

	it.each([
		['/headers', { status: 'OK', message: 'Connection successful!' }],
		['/status/200', { status: 'Error', message: 'The account is locked' }],
		['/status/401', { status: 'Error', message: 'The token is wrong' }],
		['/status/403', { status: 'Error', message: 'Forbidden' }],
	])('test a credential against %s', async (path, result) => {
		const data = { baseUrl: baseUrl + path, scheme: 'header', token: 's3cret' };
		expect(await credentialTest('sampleApi', data, types)).toEqual(result);
	});

	it('return the code of a network failure when they test a credential', async () => {
		const data = { baseUrl: 'http://127.0.0.1:1', scheme: 'header', token: 's3cret' };
		const result = await credentialTest('sampleApi', data, types);
		expect(result).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
	});
});

test('A build that is missing, or older than one of its sources, is refused with the command that builds', () => {
	const folder = mkdtempSync(join(tmpdir(), 'build-'));
	const write = (path: string, seconds: number) => {
		mkdirSync(join(folder, path, '..'), { recursive: true });
		writeFileSync(join(folder, path), '');
		utimesSync(join(folder, path), seconds, seconds);
	};
	const isBuilt = () => requireNewBuild(folder);
	try {
		write('nodes/deep/Sample.node.ts', 100);
		write('icons/sample.svg', 100);
		expect(isBuilt).toThrow('There is no dist: run "npm run build" first');
		write('dist/nodes/deep/Sample.node.js', 200);
		write('dist/icons/sample.svg', 100);
		expect(isBuilt).not.toThrow();
		write('icons/sample.svg', 300);
		expect(isBuilt).toThrow('dist is older than its sources: run "npm run build" first');
	} finally {
		rmSync(folder, { recursive: true });
	}
});
