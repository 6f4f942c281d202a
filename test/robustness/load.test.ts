import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule, Sandbox } from '../../sandbox';
import { runNode, type NodeRun } from '../../tools/engine/node';
import { rowsOf } from '../support/runs';
import { engineRealm } from '../support/engineRealm';
import { CASES_NODE, useService } from '../support/service';
import { useShortWaits } from '../support/shortWaits';

/** The process as the engine sees it: jest gives each test file a copy. */
const { process } = engineRealm;

const POLLS = 24;
const BAD_RUNS = 24;
const RUNS = 8;
const CASES = 100;
/** What the heap may grow by, in bytes: more than its noise. */
const NOISE = 3_000_000;

const service = useService({ cases: CASES });
useShortWaits();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What a process holds on to, by kind. */
interface Held {
	resources: Record<string, number>;
	listeners: number;
	heap: number;
}

const warnings: string[] = [];
const onWarning = ({ message }: Error) => warnings.push(message);
beforeAll(() => process.on('warning', onWarning));
afterAll(() => {
	process.off('warning', onWarning);
	expect(warnings).toEqual([]);
});

async function settled(sandbox: Sandbox): Promise<Held> {
	// Closing a socket ends some turns of the event loop after the answer.
	for (let tries = 0; sandbox.stats.openSockets > 0 && tries < 100; tries++) await pause(20);
	await pause(50);
	collectGarbage();
	await pause(0);
	collectGarbage();
	const resources: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
	const events = process.eventNames();
	return {
		resources,
		listeners: events.reduce((sum, event) => sum + process.listenerCount(event), 0),
		heap: process.memoryUsage().heapUsed,
	};
}

/** Does the work some times, and compares what is held after a first part with what is held after the whole. */
async function expectNothingLeft(what: string, times: number, work: () => Promise<void>) {
	const { sandbox } = service;
	let requests = 0;
	const doSome = async (count: number) => {
		for (let done = 0; done < count; done++) {
			await work();
			requests += sandbox.requests.length;
			// The sandbox keeps them, in the same process.
			sandbox.clearRequests();
		}
	};
	await doSome(Math.ceil(times / 3));
	const before = await settled(sandbox);
	await doSome(times - Math.ceil(times / 3));
	const after = await settled(sandbox);
	const growth = after.heap - before.heap;
	console.log(
		`Load: ${times} ${what}, ${requests} requests, heap ${(growth / 1e6).toFixed(2)} MB more after the last two thirds`,
	);
	expect(sandbox.stats).toMatchObject({ openSockets: 0, inFlight: 0 });
	// Jest and the sandbox have some of their own, which come and go; a leak would be one for each time.
	for (const kind of ['Timeout', 'Immediate', 'TCPSocketWrap', 'TCPConnectWrap', 'TLSWrap']) {
		const more = (after.resources[kind] ?? 0) - (before.resources[kind] ?? 0);
		expect({ kind, isMore: more > 3 }).toEqual({ kind, isMore: false });
	}
	expect(after.listeners).toBe(before.listeners);
	expect(growth).toBeLessThan(NOISE);
}

/** Without the helper that keeps what it ran until the end of the test. */
const run = async (parameters: INodeParameters, signal?: AbortSignal): Promise<NodeRun> =>
	await runNode({
		type: CASES_NODE,
		parameters,
		credentials: { casesApi: service.credential() },
		signal,
	});

jest.setTimeout(600_000);

it('Runs of many requests leave no sockets, timers, listeners or memory behind', async () => {
	const options = { pageSize: 5, concurrency: 8, maxRetries: 2 };
	await expectNothingLeft('runs', RUNS, async () => {
		const rows = rowsOf(await run({ returnAll: true, options }));
		expect(rows).toHaveLength(CASES);
	});
});

it('Runs that fail, time out or are cancelled leave nothing behind', async () => {
	const endBadly = async (rule: FaultRule, options = {}, signal?: AbortSignal) => {
		service.sandbox.faults.add({ times: 9, ...rule });
		await run({ returnAll: true, options: { pageSize: 20, maxRetries: 0, ...options } }, signal);
		service.sandbox.faults.clear();
	};
	const slow: FaultRule = { fault: { kind: 'latency', ms: 100 } };
	const endings = [
		async () => await endBadly({ fault: { kind: 'status', status: 500 } }, { maxRetries: 1 }),
		async () => await endBadly({ match: { page: 3 }, fault: { kind: 'reset' } }),
		async () => await endBadly(slow, { timeout: 20 }),
		async () => await endBadly(slow, { maxRetries: 3 }, AbortSignal.timeout(20)),
	];
	let turn = 0;
	await expectNothingLeft('runs that end badly', BAD_RUNS, async () => {
		await endings[turn++ % endings.length]();
	});
});

it('Polls leave nothing behind', async () => {
	const { store } = service.sandbox;
	const events = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];
	const poller = await service.poller({ events });
	await poller.poll();
	let turn = 0;
	const sizes: number[] = [];
	await expectNothingLeft('polls', POLLS, async () => {
		const id = 1 + (turn++ % CASES);
		store.updateCase(id, { name: `Turn ${turn}` });
		if (turn % 10 === 0) store.addComment(1 + (turn % 5), `Turn ${turn}`);
		await poller.poll();
		sizes.push(JSON.stringify(poller.snapshot()).length);
	});
	// The state holds what happened within some seconds, however long the trigger runs.
	expect(Math.max(...sizes)).toBeLessThan(100_000);
});
