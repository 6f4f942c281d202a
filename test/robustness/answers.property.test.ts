import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { FaultRule } from '../../sandbox';
import type { NodeRun } from '../../tools/engine/node';
import { createPoller } from '../../tools/engine/poll';
import { failureOf, OF_ITEM, range, reportOf } from '../support/runs';
import { useService, type Service } from '../support/service';
import { useShortWaits } from './support/shortWaits';

/**
 * "Words are true", "a message is short" and "every loop progresses", with real requests: any answer, once or lasting, to
 * a poll, or a read or a write of any number of items. It ends; a failure is retried where that can help; what may have been
 * written is never called failed; no text grows with the number of items.
 *
 * ANSWER_RUNS sets the number of runs, for example `ANSWER_RUNS=10000 npx jest test/robustness/answers.property`.
 */
const RUNS = Number(process.env.ANSWER_RUNS ?? 25);
const CASES = range(1, 4);
const MAX_RETRIES = 1;
/** In ms: longer than any answer takes on a busy machine. */
const TIMEOUT = 30_000;
/** In ms: how long an answer that drips is waited for. */
const DRIPPING_TIMEOUT = 1000;
/** In ms: far more than all tries of a run take. */
const HUNG = 60_000;
/** Longest text of a failure: what the service says, what to do, and which cases. */
const LONGEST = 1500;

/**
 * So many runs are made at the same time, each with a service of its own, because most of their time is waiting. Every
 * other service has grown since the API document.
 */
const LANES = 8;
const services = range(1, LANES).map((lane) =>
	useService({ cases: CASES.length, grown: lane % 2 === 0 }),
);
useShortWaits();

type Fault = FaultRule['fault'];

const body = fc.constantFrom<string | Record<string, unknown>>(
	'',
	'<html>oops</html>',
	{ error: 'label is taken' },
	{ errors: { label: ['is too long'] } },
	{ message: 'x'.repeat(5000) },
);
/** Whether the same request may succeed after this status, by RFC 9110. */
const isRetryable = (status: number) => status >= 500 || [408, 425, 429].includes(status);

const failing = fc
	.record({
		kind: fc.constant('status' as const),
		status: fc.oneof(
			fc.integer({ min: 400, max: 599 }),
			fc.constantFrom(304, 404, 407, 408, 422, 425, 429, 500),
		),
		body,
		applied: fc.boolean(),
	})
	// A service that refuses a write hasn't carried it out.
	.map((fault) => ({ ...fault, applied: fault.applied && isRetryable(fault.status) }));
/** Answers that say that the write is done, though not how. */
const succeeding = fc.constantFrom<Fault>(
	{ kind: 'status', status: 204, applied: true },
	{ kind: 'empty' },
	{ kind: 'html' },
	{ kind: 'listMissing' },
	{ kind: 'truncatedJson' },
	{ kind: 'reset' },
);
const dripping = fc
	.integer({ min: 5, max: DRIPPING_TIMEOUT / 2 })
	.map((everyMs): Fault => ({ kind: 'endless', bytes: 1, everyMs }));

const run = fc.record({
	operation: fc.constantFrom('read', 'poll', 'replace', 'replace by items'),
	/** Of some cases, or many of one and a few of others. */
	caseIds: fc.oneof(
		fc.array(fc.constantFrom(...CASES), { minLength: 1, maxLength: 6 }),
		fc
			.tuple(fc.integer({ min: 1, max: 400 }), fc.subarray([2, 3, 4]))
			.map(([count, others]) => [...Array<number>(count).fill(1), ...others]),
	),
	continues: fc.boolean(),
	fault: fc.oneof(
		{ weight: 12, arbitrary: failing },
		{ weight: 6, arbitrary: succeeding },
		{ weight: 1, arbitrary: dripping },
	),
	isLasting: fc.boolean(),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

function optionsOf({ fault }: Run) {
	const timeout = fault.kind === 'endless' ? DRIPPING_TIMEOUT : TIMEOUT;
	return { timeout, maxRetries: MAX_RETRIES, concurrency: 2 };
}

function parametersOf(given: Run) {
	const { operation } = given;
	const options = optionsOf(given);
	if (operation === 'read') return { limit: 3, options };
	const write = { resource: 'action', operation: 'replace', caseId: OF_ITEM, options };
	return operation === 'replace'
		? { ...write, actionsFrom: 'json', actionsJson: '={{ [$json.action] }}' }
		: {
				...write,
				actionsFrom: 'items',
				url: '={{ $json.action.url }}',
				label: '={{ $json.action.label }}',
				action_type: 'page',
			};
}

/** Waits until the service has seen each request, also one that was given up before it was read. */
async function arrived(): Promise<void> {
	for (let round = 0; round < 20; round++) await setImmediate();
}

/** How a run, or a poll of a trigger, ended. */
type Ending = Pick<NodeRun, 'status' | 'error' | 'items'>;

/** Prepares what is to be tried, as long as the service is well. */
async function prepare(service: Service, given: Run): Promise<() => Promise<Ending>> {
	const { operation, caseIds, continues } = given;
	if (operation === 'poll') {
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: { options: optionsOf(given) },
			credentials: { casesApi: service.credential() },
		});
		await poller.poll();
		return async () =>
			await poller.poll().then(
				(items): Ending => ({ status: 'success', error: undefined, items: items ?? [] }),
				(error: Ending['error']): Ending => ({ status: 'error', error, items: [] }),
			);
	}
	const action = { url: 'https://example.com/', label: 'New', action_type: 'page' };
	return async () =>
		await service.run(parametersOf(given), {
			items: caseIds.map((id) => ({ id, action })),
			onError: continues ? 'continueRegularOutput' : undefined,
		});
}

const SAYS_PERHAPS = /may have carried out|may be written or not|Perhaps written|[Cc]heck the case/;

async function check(service: Service, given: Run): Promise<void> {
	const { operation, caseIds, continues, fault, isLasting } = given;
	const isRead = operation === 'read' || operation === 'poll';
	const { sandbox } = service;
	const isWritten = (id: number) =>
		sandbox.store
			.getCase(id)
			.actions()
			.some(({ label }) => label === 'New');
	sandbox.faults.clear();
	for (const id of CASES) {
		sandbox.store.replaceActions(id, [], { updated_at: '2026-01-20T00:00:00Z' });
	}
	const act = await prepare(service, given);
	await arrived();
	sandbox.clearRequests();
	sandbox.faults.add({
		match: { method: isRead ? 'GET' : 'PUT' },
		times: isLasting ? 9999 : 1,
		fault,
	});
	const hung = new Promise<never>((_resolve, reject) => {
		setTimeout(() => reject(new Error('The run does not end')), HUNG).unref();
	});
	const result = await Promise.race([act(), hung]);

	expect(sandbox.rejected).toEqual([]);
	const { message, description } = failureOf(result);
	const errors = result.items.filter(({ json }) => 'error' in json).map(({ json }) => json);
	for (const text of [message, description, ...errors.map(({ error }) => error)]) {
		expect(String(text ?? '').length).toBeLessThan(LONGEST);
	}
	if (continues && operation !== 'poll') expect(result.status).toBe('success');
	const requests = sandbox.requests.filter(({ method }) => (isRead ? true : method === 'PUT'));

	if (fault.kind === 'status' && fault.status >= 300) {
		const tries = new Map<string, number>();
		for (const { path } of requests) tries.set(path, (tries.get(path) ?? 0) + 1);
		// A write that may be done is perhaps not needed again.
		if (!isRetryable(fault.status)) expect(Math.max(0, ...tries.values())).toBeLessThanOrEqual(1);
		else if (isLasting && tries.size > 0 && isRead) {
			expect(Math.max(...tries.values())).toBe(1 + MAX_RETRIES);
		}
		const isOver = !isLasting && isRetryable(fault.status) && tries.size > 0;
		// Items that would overwrite each other are refused before any request.
		const ofRequests = errors.filter(({ error }) => /Request: /.test(String(error)));
		if (isOver) expect([result.status, ofRequests]).toEqual(['success', []]);
	}
	if (isRead || requests.length === 0) return;

	if (result.status !== 'success') {
		const { failed, written, left } = reportOf(description);
		expect([...failed, ...left].filter(isWritten)).toEqual([]);
		expect(written.every(isWritten)).toBe(true);
		return;
	}
	for (const { json, pairedItem } of result.items) {
		const ids = [pairedItem ?? []].flat().map((pair) => {
			return caseIds[typeof pair === 'number' ? pair : pair.item];
		});
		if (!('error' in json)) expect(ids.every(isWritten)).toBe(true);
		else if (ids.some(isWritten)) expect(json.error).toMatch(SAYS_PERHAPS);
	}
}

it(
	`any answer ends a run with right data or a short and true error (${RUNS} runs)`,
	async () => {
		const { seed } = fc.readConfigureGlobal();
		const endings = services.map(async (service, lane) => {
			const property = fc.asyncProperty(run, async (given) => await check(service, given));
			await fc.assert(property, {
				numRuns: Math.ceil(RUNS / LANES),
				// A lane that fails prints its seed, with which the first lane does the same.
				seed: seed === undefined ? undefined : seed + lane * 1_000_003,
			});
		});
		// All are waited for: the services stop with the test.
		for (const ending of await Promise.allSettled(endings)) {
			if (ending.status === 'rejected') throw ending.reason;
		}
	},
	60_000 + RUNS * 2000,
);
