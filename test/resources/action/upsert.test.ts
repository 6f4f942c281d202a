import { useShortWaits } from '../../support/shortWaits';
import { byId, failureOf, hintsOf, OF_ITEM, pairsOf, range, rowsOf } from '../../support/runs';
import { A, B, FROM_ITEMS, give, useCases } from './support';

const { service, put, stored, writes } = useCases(20);
useShortWaits();
const upsert = { resource: 'action', operation: 'upsert' };
const id = expect.any(Number) as number;

const run = async (caseId: unknown, parameters: object, options: object = {}) =>
	await service.run({ ...upsert, caseId: byId(caseId), ...parameters, options });

describe('Create or Update', () => {
	it('creates what is not there, and touches nothing else', async () => {
		put(1, { ...A, action_text: 'Go' });
		const before = stored(1);
		const result = await run(1, give({ ...B, action_text: 'Open', query_params: { host: 'h1' } }));
		expect(rowsOf(result)).toEqual([
			{
				case_id: 1,
				actions: [expect.objectContaining({ ...B, id, action_text: 'Open', story_name: null })],
				changed: true,
			},
		]);
		expect(service.paths()).toEqual([
			'GET /api/v2/cases/1/actions',
			'POST /api/v2/cases/1/actions',
		]);
		const added = { ...B, id, action_text: 'Open', query_params: { host: 'h1' } };
		expect(stored(1)).toEqual([...before, added]);
	});

	it('updates by URL and label in place, with what is given, and keeps the rest', async () => {
		put(1, { ...A, action_text: 'Go' }, { ...A, label: 'Second' }, B);
		const [first, ...others] = stored(1);
		const result = await run(1, give({ ...A, action_type: 'page' }));
		expect(rowsOf(result)).toMatchObject([{ actions: [{ action_text: 'Go' }], changed: true }]);
		expect(stored(1)).toEqual([{ ...first, action_type: 'page' }, ...others]);
		expect(writes()).toEqual([
			['PUT', `1/actions/${String(first.id)}`, { ...A, action_type: 'page' }],
		]);
	});

	it('updates the label where the URL stands once, and adds an action where it does not', async () => {
		put(1, A);
		put(2, A, { ...A, label: 'Second' });
		const relabeled = { ...A, label: 'New' };
		for (const caseId of [1, 2]) await run(caseId, give(relabeled));
		expect(stored(1)).toEqual([{ ...relabeled, id }]);
		expect(stored(2).map(({ label }) => label)).toEqual(['A', 'Second', 'New']);
		await run(1, give({ ...A, label: 'x' }, { ...A, label: 'y' }));
		expect(stored(1).map(({ label }) => label)).toEqual(['New', 'x', 'y']);
	});

	it('updates the label of an action that several items give a case', async () => {
		put(1, { ...A, label: 'Old' });
		const items = [{ id: 1 }, { id: 1 }];
		await service.run({ ...upsert, caseId: OF_ITEM, ...give(A) }, { items });
		expect(stored(1)).toEqual([{ ...A, id }]);
	});

	it('adds an action where the only one with its URL has other query parameters', async () => {
		put(1, { ...A, query_params: { run: 'isolate' } });
		const before = stored(1);
		const added = { ...A, label: 'Release', query_params: { run: 'release' } };
		await run(1, give(added));
		const bare = { ...A, label: 'Bare' };
		await run(1, give(bare));
		expect(stored(1)).toEqual([...before, { ...added, id }, { ...bare, id }]);
	});

	it('takes its own output as JSON', async () => {
		put(1);
		const first = rowsOf(await run(1, give({ ...A, action_text: ' Go ' })))[0];
		expect(rowsOf(await run(1, { actionsFrom: 'json', actionsJson: first }))).toMatchObject([
			{ actions: first.actions as object[], changed: false },
		]);
	});

	it('changes the first of two equal actions', async () => {
		put(1, A, A);
		const [first, second] = stored(1);
		await run(1, give({ ...A, action_text: 'Go' }));
		expect(stored(1)).toEqual([{ ...first, action_text: 'Go' }, second]);
	});

	it('shows with Preview Only all actions before and after', async () => {
		put(1, A, B);
		const result = await run(1, give({ ...B, action_text: 'Go' }), { previewOnly: true });
		const [row] = rowsOf(result);
		expect(row).toMatchObject({ case_id: 1, before: [A, B], changed: true });
		expect(row.after).toMatchObject([A, { ...B, action_text: 'Go' }]);
		expect(writes()).toEqual([]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('Preview only')]);
	});

	it('gives a case one after the other what is given twice, and what several items give', async () => {
		put(1);
		const twice = { ...A, url: 'https://A.example/run', label: 'A ', action_text: 'Go' };
		expect(rowsOf(await run(1, give(A, twice)))).toMatchObject([
			{ actions: [A, { id, action_text: 'Go' }], changed: true },
		]);
		const items = [A, A, B].map((one) => ({ id: 1, ...one }));
		const one = await service.run({ ...upsert, caseId: OF_ITEM, ...FROM_ITEMS }, { items });
		expect(pairsOf(one)).toEqual([[0], [1], [2]]);
		expect(stored(1)).toMatchObject([{ label: 'A', action_text: 'Go' }, B]);
	});

	it('keeps what several items give a case with one URL and different labels', async () => {
		put(1);
		put(2, { ...A, label: 'Old' });
		const labels = ['x', 'y', 'x'];
		const items = [1, 2].flatMap((id) => labels.map((label) => ({ ...A, id, label })));
		await service.run({ ...upsert, caseId: OF_ITEM, ...FROM_ITEMS }, { items });
		expect(stored(1).map(({ label }) => label)).toEqual(['x', 'y']);
		expect(stored(2).map(({ label }) => label)).toEqual(['Old', 'x', 'y']);
	});

	it.each([404, 405] as const)(
		'points to Replace All where the requests answer %i',
		async (status) => {
			const match = { path: '/actions(/\\d+)?$' };
			service.sandbox.faults.add({ match, times: 9, fault: { kind: 'status', status } });
			const { description } = failureOf(await run(1, give(A)));
			expect(description).toMatch(
				/no (such request|single actions).*Replace All sets all actions of a case/,
			);
		},
	);
});

describe('A lost answer to a new action', () => {
	it('counts as done where the list has the action, which is never created twice', async () => {
		put(1);
		const fault = { kind: 'drop', applied: true } as const;
		service.sandbox.faults.add({ match: { method: 'POST' }, fault });
		const [row] = rowsOf(await run(1, give(A)));
		expect(row).toMatchObject({ actions: [{ ...A, id }], changed: true });
		expect(service.paths().map((path) => path.split(' ')[0])).toEqual(['GET', 'POST', 'GET']);
		expect(stored(1)).toHaveLength(1);
	});

	it.each([
		['lost', { kind: 'drop' }],
		['a gateway’s 502', { kind: 'status', status: 502 }],
		['a 503 without Retry-After', { kind: 'status', status: 503 }],
	] as const)(
		'is an error that it may still arrive where the list lacks it: %s',
		async (_what, fault) => {
			put(1);
			service.sandbox.faults.add({ match: { method: 'POST' }, fault });
			const { description } = failureOf(await run(1, give(A)));
			expect(description).toContain(
				'check whether case 1 has the action "A". If not, it may still arrive.',
			);
			expect(writes()).toHaveLength(1);
		},
	);

	it('is retried after 429, and after 503 with Retry-After', async () => {
		put(1);
		service.sandbox.faults.add(
			{ match: { method: 'POST' }, fault: { kind: 'status', status: 429 } },
			{ match: { method: 'POST' }, fault: { kind: 'status', status: 503, retryAfter: 1 } },
		);
		expect(rowsOf(await run(1, give(A)))).toMatchObject([{ changed: true }]);
		expect(stored(1)).toHaveLength(1);
	});
});

it('An answer to an update with another action is an error that says so', async () => {
	put(1, A);
	const text = JSON.stringify({ ...A, label: 'Other' });
	const fault = { kind: 'raw', status: 200, body: text, applied: true } as const;
	service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
	const { message, description } = failureOf(await run(1, give({ ...A, action_text: 'Go' })));
	expect(message).toBe('The service confirmed the write, but did not answer with the action');
	expect(description).toContain('The action may have been written.');
	expect(writes()).toHaveLength(1);
});

describe('Create or Update of several items for one case', () => {
	const labeled = (n: number) => ({ ...A, id: 1, url: `https://a.example/${n}`, label: `L${n}` });
	const runItems = async (items: Array<ReturnType<typeof labeled>>, options: object = {}) =>
		await service.run({ ...upsert, caseId: OF_ITEM, ...FROM_ITEMS, options }, { items });
	const methods = () => service.sandbox.requests.map(({ method }) => method);
	const labels = () => stored(1).map(({ label }) => label);

	it.each([1, 5])('reads its actions once, with %i requests at a time', async (concurrency) => {
		put(1);
		const result = await runItems([...range(1, 50), 7].map(labeled), { concurrency });
		expect(methods()).toEqual(['GET', ...Array<string>(50).fill('POST')]);
		expect(labels()).toEqual(range(1, 50).map((n) => `L${n}`));
		expect(rowsOf(result)[50]).toMatchObject({ actions: [{ id, label: 'L7' }], changed: false });
	});

	it('reads them again where another run took a turn, and adds nothing twice', async () => {
		put(1);
		const [some, others] = [range(1, 4), range(1, 4).reverse()];
		await Promise.all([some, others].map((ns) => runItems(ns.map(labeled), { concurrency: 1 })));
		expect(labels().sort()).toEqual(some.map((n) => `L${n}`));
	});

	it('reads them again after a write that failed', async () => {
		put(1);
		const fault = { kind: 'drop', applied: true } as const;
		service.sandbox.faults.add(
			{ match: { method: 'POST' }, fault },
			{ match: { method: 'GET', nth: 2 }, fault: { kind: 'status', status: 400 } },
		);
		const parameters = { ...upsert, caseId: OF_ITEM, ...FROM_ITEMS };
		const items = [1, 1].map(labeled);
		const result = await service.run(parameters, { items, onError: 'continueRegularOutput' });
		expect(rowsOf(result)).toMatchObject([
			{ error: expect.any(String) as string },
			{ changed: false },
		]);
		expect(methods()).toEqual(['GET', 'POST', 'GET', 'GET']);
		expect(labels()).toEqual(['L1']);
	});

	it('shows with Preview Only what each would do alone', async () => {
		put(1);
		const result = await runItems([1, 2].map(labeled), { previewOnly: true });
		const after = [1, 2].map((n) => [expect.objectContaining({ label: `L${n}` })]);
		expect(rowsOf(result)).toMatchObject(after.map((one) => ({ before: [], after: one })));
		expect(methods()).toEqual(['GET']);
	});
});

it('Several runs at once on one case all take effect', async () => {
	put(1);
	const given = range(1, 8).map((n) => ({ ...A, url: `https://a.example/${n}`, label: `L${n}` }));
	const results = await Promise.all(given.map(async (one) => await run(1, give(one))));
	expect(results.map((one) => rowsOf(one)[0].changed)).toEqual(given.map(() => true));
	expect(new Set(stored(1).map(({ label }) => label)).size).toBe(8);
});
