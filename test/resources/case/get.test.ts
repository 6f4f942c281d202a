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
		['an ID as a number', byId(12)],
		['an address', byUrl('={{ $json.url }}')],
		['an address in place of an ID', byId('={{ $json.url }}')],
	])('takes a case by %s', async (_form, caseId) => {
		const items = [{ url: `${service.sandbox.url}/teams/3/cases/12/activities` }];
		expect(idsOf(await service.run({ ...get, caseId }, { items }))).toEqual([12]);
	});

	test.each([
		['x', '"x" is not a case ID', 'A case ID is a positive whole number such as 4711.'],
		[undefined, 'No case ID was given', 'Enter the case ID'],
	])('refuses %j as one of many IDs before any request', async (id, message, remedy) => {
		const run = await service.run({ ...get, caseId: OF_ITEM }, { items: itemsWith([1, 2, id]) });
		expect(failureOf(run)).toMatchObject({
			...{ name: 'NodeOperationError', message, item: 2 },
			description: expect.stringContaining(remedy),
		});
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

	it('points to Execute Once when all items need the same case', async () => {
		const run = await service.run({ ...get, caseId: byId('5') }, { items: itemsWith([1, 2, 3]) });
		expect(idsOf(run)).toEqual([5, 5, 5]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect(asked()).toEqual([[5]]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('Execute Once')]);
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

	it('returns only the chosen fields when Output is selected', async () => {
		const selected = { ...get, caseId: byId('7'), output: 'selected', fields: ['metadata'] };
		expect(rowsOf(await service.run(selected))).toEqual([
			{ case_id: 7, metadata: service.sandbox.store.getCase(7).metadata },
		]);
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
