import type { FaultRule } from '../../sandbox';
import { failureOf, itemsWith, OF_ITEM, range, reportOf } from '../support/runs';
import { useService } from '../support/service';
import { useShortWaits } from './support/shortWaits';

const service = useService({ cases: 100 });
useShortWaits();

const replaceAll = {
	resource: 'action',
	operation: 'replace',
	caseId: OF_ITEM,
	actionsFrom: 'json',
	actionsJson: '={{ [$json.action] }}',
};

/** Each run has its own labels, so that the store shows which run wrote a case. */
let round = 0;
beforeEach(() => round++);
const label = (id: number) => `Round ${round}, case ${id}`;
const inputOf = (ids: number[]) =>
	itemsWith(ids).map((item) => ({
		...item,
		action: {
			url: `https://example.com/${String(item.id)}`,
			label: label(Number(item.id)),
			action_type: 'page',
		},
	}));

const isWritten = (id: number) =>
	service.sandbox.store
		.findCase(id)
		?.actions()
		.some((action) => action.label === label(id)) ?? false;
const fail = (id: number, fault: FaultRule['fault']) =>
	service.sandbox.faults.add({ match: { path: `/cases/${id}/` }, times: 9, fault });

/** Failures of a write, and whether the service carried it out all the same. */
const FAILURES: Array<[string, boolean, FaultRule['fault']]> = [
	['500', false, { kind: 'status', status: 500 }],
	['500 after the write', true, { kind: 'status', status: 500, applied: true }],
	['422', false, { kind: 'status', status: 422, body: { error: 'label is taken' } }],
	['a closed connection', false, { kind: 'drop' }],
	['a closed connection after the write', true, { kind: 'drop', applied: true }],
	['a redirect', false, { kind: 'redirect', status: 307, to: 'https://example.com/' }],
];

/** Each failure is tried with one of these. */
const CONCURRENCIES = [1, 4, 16];
const CASES = FAILURES.map(
	([name, isApplied, fault], index) =>
		[name, CONCURRENCIES[index % CONCURRENCIES.length], isApplied, fault] as const,
);

describe.each(CASES)(
	'Replace All, when a write ends with %s, with concurrency %i,',
	(_name, concurrency, isApplied, fault) => {
		const options = { maxRetries: 1, concurrency };

		it('says which cases were written', async () => {
			const ids = range(1, 20);
			fail(9, fault);
			const run = await service.run({ ...replaceAll, options }, { items: inputOf(ids) });
			const { description, item } = failureOf(run);
			const { failed, perhaps, written, left } = reportOf(description);
			expect(item).toBe(8);
			expect([...failed, ...perhaps]).toEqual([9]);
			expect(failed.filter(isWritten)).toEqual([]);
			expect(written).toEqual(ids.filter((id) => id !== 9 && isWritten(id)));
			expect(left).toEqual(ids.filter((id) => id !== 9 && !isWritten(id)));
			expect(isWritten(9)).toBe(isApplied);
		});

		it('reports each of three failures at its own item under Continue On Fail', async () => {
			const ids = range(1, 24);
			const bad = [2, 13, 24];
			for (const id of bad) fail(id, fault);
			const run = await service.run(
				{ ...replaceAll, options },
				{ items: inputOf(ids), onError: 'continueRegularOutput' },
			);
			expect(run.items).toHaveLength(ids.length);
			run.items.forEach(({ json, pairedItem }, index) => {
				const id = ids[index];
				expect(pairedItem).toEqual([{ item: index }]);
				if (!bad.includes(id)) {
					expect(json).toMatchObject({ case_id: id, actions: [{ label: label(id) }] });
					expect(isWritten(id)).toBe(true);
					return;
				}
				expect(Object.keys(json)).toEqual(['error', 'details']);
				expect(json.error).toContain(`Request: PUT /api/v2/cases/${id}/actions/batch`);
				expect(isWritten(id)).toBe(isApplied);
			});
		});
	},
);

it('Replace All sends failed and written cases to their own outputs', async () => {
	fail(3, { kind: 'status', status: 500 });
	fail(5, { kind: 'drop' });
	const run = await service.run(
		{ ...replaceAll, options: { maxRetries: 0 } },
		{ items: inputOf(range(1, 6)), onError: 'continueErrorOutput' },
	);
	expect(run.items.map(({ json }) => json.case_id)).toEqual([1, 2, 4, 6]);
	expect(run.errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('/cases/3/'),
		expect.stringContaining('/cases/5/'),
	]);
	expect(range(1, 6).filter(isWritten)).toEqual([1, 2, 4, 6]);
});

it('Replace All reports only the missing case under Continue On Fail', async () => {
	const run = await service.run(replaceAll, {
		items: inputOf([1, 4711, 2]),
		onError: 'continueRegularOutput',
	});
	expect(run.items.map(({ json }) => json.case_id ?? 'failed')).toEqual([1, 'failed', 2]);
	expect(run.items[1].json.error).toMatch(/^Not found, or the API key has no access to it \(404\)/);
	expect([1, 2].every(isWritten)).toBe(true);
});

it('Replace All names two cases as perhaps written when the answers to both are lost', async () => {
	const pause = { match: { path: '/cases/(3|4)/' }, fault: { kind: 'latency', ms: 150 } } as const;
	service.sandbox.faults.add(pause);
	for (const id of [3, 4]) fail(id, { kind: 'status', status: 500, applied: true });
	const run = await service.run(
		{ ...replaceAll, options: { maxRetries: 0, concurrency: 4 } },
		{ items: inputOf(range(1, 10)) },
	);
	const { perhaps, written, left } = reportOf(failureOf(run).description);
	expect([3, 4].every(isWritten)).toBe(true);
	expect(perhaps).toEqual([3, 4]);
	expect(written).toEqual(range(1, 10).filter((id) => !perhaps.includes(id) && isWritten(id)));
	expect(left.filter(isWritten)).toEqual([]);
});

it('Replace All names each of many cases as written or not, in their order', async () => {
	const ids = range(1, 60);
	service.sandbox.faults.add({ match: { path: '/cases/2/' }, fault: { kind: 'latency', ms: 100 } });
	fail(45, { kind: 'status', status: 500 });
	const run = await service.run(
		{ ...replaceAll, options: { maxRetries: 0, concurrency: 4 } },
		{ items: inputOf(ids) },
	);
	const { written, left } = reportOf(failureOf(run).description);
	expect(written).toEqual(ids.filter(isWritten));
	expect(left).toEqual(ids.filter((id) => id !== 45 && !isWritten(id)));
});

// A write that is carried out late does no harm, because every attempt sends the same.
it('Replace All retries a write that times out with the same body', async () => {
	service.sandbox.faults.add({ times: 2, fault: { kind: 'latency', ms: 750 } });
	await service.run(
		{ ...replaceAll, options: { timeout: 500, maxRetries: 2, concurrency: 1 } },
		{ items: inputOf([8]) },
	);
	const bodies = service.sandbox.requests.map(({ body }) => body);
	expect(bodies.length).toBeGreaterThan(1);
	for (const body of bodies) expect(body).toEqual(bodies[0]);
	expect(isWritten(8)).toBe(true);
});
