import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Fault, Sandbox } from '../../sandbox';
import { runNode } from '../../tools/engine/node';
import { byId, failureOf } from '../support/runs';
import { CASES_NODE, useSandboxes } from '../support/service';
import { useShortWaits } from '../support/shortWaits';

// A service that drops, delays and refuses answers can't get two cases, or two comments, out of one item, and nothing is
// called done that isn't. More of them: `CREATIONS_RUNS=5000 npx jest test/robustness/creations.property`.

const RUNS = Number(process.env.CREATIONS_RUNS ?? 60);
const TIMEOUT = 60;

jest.setTimeout(30_000 + RUNS * 500);
useShortWaits();
const start = useSandboxes();
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await start({ cases: 1, grown: ['case-writes'] });
});

const applied = fc.boolean();
const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({ kind: fc.constant('drop' as const), applied }),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(408, 425, 500, 502, 503, 504),
		applied,
	}),
	// Who refuses a request or puts it off hasn't carried it out.
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(400, 401, 403, 404, 405, 409, 422, 429),
	}),
	fc.constantFrom<Fault>(
		{ kind: 'reset' },
		{ kind: 'truncatedJson' },
		{ kind: 'html' },
		{ kind: 'empty' },
		{ kind: 'raw', status: 200, body: '{}', applied: true },
		{ kind: 'raw', status: 201, body: '{"case_id":1,"id":1}', applied: false },
		{ kind: 'raw', status: 204, body: '', applied: true },
		{ kind: 'redirect', status: 307, to: 'https://elsewhere.example/' },
		{ kind: 'latency', ms: 3 * TIMEOUT },
	),
);

const run = fc.record({
	/** What happens to the requests, in their order; undefined answers. */
	faults: fc.array(fc.option(fault, { nil: undefined, freq: 4 }), { minLength: 1, maxLength: 6 }),
	items: fc.integer({ min: 1, max: 4 }),
	concurrency: fc.constantFrom<number>(1, 8),
	goesOn: fc.boolean(),
	maxRetries: fc.constantFrom<number>(0, 3),
});

type Drawn = typeof run extends fc.Arbitrary<infer T> ? T : never;

let names = 0;

/** Runs an operation over items with these names under the faults. @returns what each item was told */
async function tryIt(drawn: Drawn, parameters: object) {
	const { faults, items, concurrency, goesOn, maxRetries } = drawn;
	sandbox.clearRequests();
	sandbox.faults.clear();
	faults.forEach((one, index) => {
		if (one) sandbox.faults.add({ match: { nth: index + 1 }, times: 1, fault: one });
	});
	const given = Array.from({ length: items }, () => `New ${names++}`);
	const ended = await runNode({
		type: CASES_NODE,
		parameters: { ...parameters, options: { concurrency, maxRetries, timeout: TIMEOUT } },
		credentials: { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } },
		items: given.map((name) => ({ name })),
		...(goesOn ? { onError: 'continueRegularOutput' as const } : {}),
	});
	sandbox.faults.clear();
	// What was given up on is carried out later.
	while (sandbox.stats.inFlight > 0) await sleep(5);
	return { given, ended };
}

/** How many of the texts are this one, which must be at most one. */
function countOnce(texts: string[], text: string): number {
	const count = texts.filter((one) => one === text).length;
	expect(count).toBeLessThanOrEqual(1);
	return count;
}

const tryAll = async (check: (drawn: Drawn) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(run, check), { numRuns: RUNS });

it('A service can’t get two cases out of one item', async () => {
	await tryAll(async (drawn) => {
		const parameters = { resource: 'case', operation: 'create', teamId: byId(1) };
		const { given, ended } = await tryIt(drawn, { ...parameters, name: '={{ $json.name }}' });
		const made = [...sandbox.store.cases()].map(({ name }) => name);
		const counts = given.map((name) => countOnce(made, name));
		if (ended.status === 'error') {
			const told = String(failureOf(ended).description);
			const done = /Written: items? ([^.]*)\./.exec(told)?.[1].match(/\(case \d+\)/g) ?? [];
			const all = counts.reduce((sum, count) => sum + count, 0);
			if (all > done.length) expect(told).toMatch(/may still arrive|Perhaps written/);
			return;
		}
		ended.items.forEach(({ json }, item) => {
			// An invented answer can name any case.
			if (json.error === undefined && json.name !== null) expect(counts[item]).toBe(1);
		});
	});
});

it('A service can’t get two comments out of one item', async () => {
	await tryAll(async (drawn) => {
		const { case_id } = sandbox.store.createCase();
		const parameters = { resource: 'comment', operation: 'create', caseId: byId(case_id) };
		const { given, ended } = await tryIt(drawn, { ...parameters, text: '={{ $json.name }}' });
		const texts = sandbox.store.comments(case_id).map(({ value }) => value);
		const counts = given.map((text) => countOnce(texts, text));
		if (ended.status === 'error') return;
		ended.items.forEach(({ json }, item) => {
			if (json.text === given[item]) expect(counts[item]).toBe(1);
		});
	});
});
