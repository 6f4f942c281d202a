import {
	byId,
	byUrl,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 120 });
const get = { resource: 'case', operation: 'get' };

/** The case IDs of each request. */
const asked = () =>
	service.sandbox.requests.map(({ query }) =>
		(query.filters as { case_ids: string[] }).case_ids.map(Number),
	);

describe('Get', () => {
	it('reads one case from the list, filtered by its ID, because the API has no request for one', async () => {
		const run = await service.run({ ...get, caseId: byId('12') });
		expect(idsOf(run)).toEqual([12]);
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(service.sandbox.requests[0].query).toMatchObject({ filters: { case_ids: ['12'] } });
		expect(pairsOf(run)).toEqual([[0]]);
	});

	test.each([
		['a chosen entry of the list', { __rl: true, mode: 'list', value: '12' }],
		['an ID as text', byId('12')],
		['an ID as a number', byId(12)],
		['an ID with blanks and leading zeros', byId(' 0012 ')],
		['an ID with the # of the list', byId('#12')],
		['an expression that gives a number', byId('={{ 4 * 3 }}')],
	])('takes a case by %s', async (_form, caseId) => {
		expect(idsOf(await service.run({ ...get, caseId }))).toEqual([12]);
	});

	test.each([
		['/cases/12'],
		['/cases/12/'],
		['/cases/12?tab=comments#last'],
		['/teams/3/cases/12/activities'],
	])('takes a case by its address %s', async (path) => {
		for (const locator of [byUrl, byId]) {
			const run = await service.run({ ...get, caseId: locator(service.sandbox.url + path) });
			expect(idsOf(run)).toEqual([12]);
		}
	});
});

describe('Get refuses before any request', () => {
	test.each([
		[0],
		[-1],
		[1.5],
		['abc'],
		['12abc'],
		['1e3'],
		['1/../../users/9?x='],
		['12?x=1'],
		['٣'],
		[true],
		[[1]],
		[{ id: 1 }],
	])('%j', async (id) => {
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith([id]) });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(/^".*" is not a case ID$/),
			description: 'A case ID is a positive whole number such as 4711.',
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([[''], [null], [undefined]])('%j, with the advice to give an ID', async (id) => {
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith([id]) });
		expect(failureOf(run)).toMatchObject({
			message: 'No case ID was given',
			description: expect.stringContaining('Enter the case ID'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([
		['By URL', byUrl],
		['By ID', byId],
	])('the address of a case on another host, given %s', async (_mode, locator) => {
		const caseId = locator('https://other.example.com/cases/12');
		const run = await service.run({ ...get, caseId });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(
				/^The case address belongs to other\.example\.com, but the credential to 127\.0\.0\.1:\d+$/,
			),
			description: expect.stringContaining('of this tenant, enter'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([['/cases'], ['/cases/new'], ['/cases/12abc'], ['/cases/0'], ['/stories/12']])(
		'the address %s',
		async (path) => {
			const caseId = byUrl('={{ $json.id }}');
			const items = itemsWith([service.sandbox.url + path]);
			const run = await service.run({ ...get, caseId }, { items });
			expect(failureOf(run)).toMatchObject({
				message: expect.stringMatching(/is not (the address of a case|a case ID)$/),
				item: 0,
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('one invalid item among many, and names its index', async () => {
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith([1, 2, 'x']) });
		expect(failureOf(run)).toMatchObject({ message: '"x" is not a case ID', item: 2 });
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Get of many cases', () => {
	it('requests fifty at a time and returns each to its item, paired, in input order', async () => {
		const ids = range(1, 120).reverse();
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith(ids) });
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual(range(0, 119).map((item) => [item]));
		expect(
			asked()
				.map((list) => list.length)
				.sort(),
		).toEqual([20, 50, 50]);
	});

	it('requests the same case of two items once, and returns a copy to each', async () => {
		const run = await service.run(
			{ ...get, caseId: OF_ITEM, output: 'raw' },
			{ items: itemsWith([5, 6, 5]) },
		);
		expect(asked()).toEqual([[5, 6]]);
		const rows = rowsOf(run);
		expect(idsOf(run)).toEqual([5, 6, 5]);
		expect(rows[2]).toEqual(rows[0]);
		expect(rows[2]).not.toBe(rows[0]);
		expect(rows[2].tags).not.toBe(rows[0].tags);
		expect(hintsOf(run)).toEqual([]);
	});

	it('returns a copy of the same case with another Output too', async () => {
		const run = await service.run(
			{ ...get, caseId: byId('5'), output: '={{ $json.output }}', fields: ['tags'] },
			{ items: [{ output: 'raw' }, { output: 'selected' }] },
		);
		expect(asked()).toEqual([[5]]);
		const [raw, selected] = rowsOf(run);
		expect(selected.tags).toEqual(raw.tags);
		expect(selected.tags).not.toBe(raw.tags);
	});

	it('points to Execute Once when all items need the same case', async () => {
		const run = await service.run({ ...get, caseId: byId('5') }, { items: itemsWith([1, 2, 3]) });
		expect(idsOf(run)).toEqual([5, 5, 5]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect(asked()).toEqual([[5]]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('Execute Once')]);
	});

	it('ends with an unknown ID as the error of its item', async () => {
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith([1, 999, 2]) });
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			message: 'Case 999 was not found, or the API key has no access to it',
			description: expect.stringContaining("a team key sees only its team's cases"),
			item: 1,
		});
	});

	it('reports an unknown ID at its own item only under Continue On Fail', async () => {
		const run = await service.run(
			{ ...get, caseId: OF_ITEM },
			{ items: itemsWith([1, 999, 'x', 2]), onError: 'continueRegularOutput' },
		);
		const rows = rowsOf(run);
		expect(rows.map(({ case_id }) => case_id)).toEqual([1, undefined, undefined, 2]);
		expect(rows[1]).toEqual({
			error: expect.stringMatching(
				/^Case 999 was not found, or the API key has no access to it\. /,
			),
			details: { httpCode: null, body: null },
		});
		expect(rows[2]).toEqual({
			error: expect.stringContaining('"x" is not a case ID'),
			details: { httpCode: null, body: null },
		});
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(asked()).toEqual([[1, 999, 2]]);
	});

	it('ends with a failed request as the error of its first item, and sends no other', async () => {
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 403 } });
		const run = await service.run(
			{ ...get, caseId: OF_ITEM, options: { concurrency: 1 } },
			{ items: itemsWith(range(1, 200)) },
		);
		expect(failureOf(run)).toMatchObject({ httpCode: '403', item: 50 });
		// A request that is still under way would be recorded before that of this run.
		await service.run({ ...get, caseId: byId('120') });
		expect(asked().slice(0, 2)).toEqual([range(1, 50), range(51, 100)]);
		expect(asked().at(-1)).toEqual([120]);
		// Of four, of which one may be under way, and the one of the second run.
		expect(asked().length).toBeLessThanOrEqual(4);
	});

	it('reports a failed request at its own fifty items only under Continue On Fail', async () => {
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 403 } });
		const run = await service.run(
			{ ...get, caseId: OF_ITEM, options: { concurrency: 1 } },
			{ items: itemsWith(range(1, 120)), onError: 'continueErrorOutput' },
		);
		expect(idsOf(run)).toEqual([...range(1, 50), ...range(101, 120)]);
		expect(pairsOf({ items: run.errorItems })).toEqual(range(50, 99).map((item) => [item]));
	});
});

describe('Get with a wrong answer', () => {
	it('reports another case than the requested one', async () => {
		service.sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['case_ids'] } });
		const run = await service.run({ ...get, caseId: byId('120') });
		expect(failureOf(run)).toMatchObject({
			message: "The service ignores the filter 'Case IDs'",
			description: expect.stringMatching(
				/contradict the filter\. Try another 'List Format in Requests'/,
			),
			item: 0,
		});
	});

	it('returns every case when pages are smaller than requested', async () => {
		service.sandbox.faults.add({ fault: { kind: 'clampPageSize', to: 20 } });
		const ids = range(1, 60);
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith(ids) });
		expect(idsOf(run)).toEqual(ids);
	});
});

describe('Output of Get', () => {
	it('is simplified by default', async () => {
		const run = await service.run({ ...get, caseId: byId('7') });
		expect(Object.keys(rowsOf(run)[0])).toEqual([
			'case_id',
			'name',
			'status',
			'priority',
			'team',
			'assignees',
			'tags',
			'url',
			'created_at',
			'updated_at',
			'resolved_at',
		]);
	});

	it('is the whole case when raw and the chosen fields when selected', async () => {
		const raw = await service.run({ ...get, caseId: byId('7'), output: 'raw' });
		expect(rowsOf(raw)[0]).toMatchObject({ case_id: 7, records_meta: expect.anything() });
		const selected = { ...get, caseId: byId('7'), output: 'selected', fields: ['metadata'] };
		expect(rowsOf(await service.run(selected))).toEqual([
			{ case_id: 7, metadata: service.sandbox.store.getCase(7).metadata },
		]);
	});

	it('has all activities and records with Load in Full, and otherwise a hint that names the cases', async () => {
		const parameters = { ...get, caseId: OF_ITEM, output: 'raw' };
		const items = itemsWith([7, 11]);
		const cut = await service.run(parameters, { items });
		expect(hintsOf(cut)).toEqual([
			expect.stringMatching(/only some activities or records of these cases: 7, 11\./),
		]);
		const options = { loadInFull: ['activities', 'records'] };
		const full = await service.run({ ...parameters, options }, { items });
		expect(hintsOf(full)).toEqual([]);
		const { store } = service.sandbox;
		for (const row of rowsOf(full)) {
			const id = row.case_id as number;
			expect(row.activities).toHaveLength(store.getCase(id).activities().length);
			expect(row.records).toEqual(store.getCase(id).records());
		}
	});

	it('shares the further pages that Load in Full reads between items of one case', async () => {
		const options = { loadInFull: ['activities', 'records'] };
		const parameters = { ...get, caseId: OF_ITEM, output: 'raw', options };
		await service.run(parameters, { items: itemsWith([7, 11]) });
		const once = service.paths().sort();
		service.sandbox.clearRequests();
		const run = await service.run(parameters, { items: itemsWith([7, 11, 7, 11, 7]) });
		expect(service.paths().sort()).toEqual(once);
		const rows = rowsOf(run);
		expect(idsOf(run)).toEqual([7, 11, 7, 11, 7]);
		expect(rows[2]).toEqual(rows[0]);
		expect(rows[2].activities).not.toBe(rows[0].activities);
	});
});

it('Get reports a case of another team as missing to a team key', async () => {
	const foreign = [...service.sandbox.store.cases()].find(({ team }) => team.id === 2);
	const run = await service.run(
		{ ...get, caseId: byId(foreign?.case_id) },
		{ credential: { apiKey: service.sandbox.keys.team } },
	);
	expect(failureOf(run).message).toMatch(/was not found, or the API key has no access to it$/);
});
