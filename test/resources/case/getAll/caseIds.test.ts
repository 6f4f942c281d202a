import { failureOf, hintsOf, idsOf, range, rowsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

describe('A long list of Case IDs', () => {
	it('is split into batches of fifty and merged in the given order, each case once', async () => {
		const given = range(1, 120).reverse();
		const case_ids = [...given, 5, 999_999].join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids } });
		expect(idsOf(run)).toEqual(given);
		const sent = service.sandbox.requests.map(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids.length,
		);
		expect(sent.sort()).toEqual([21, 50, 50]);
	});

	it('is sorted by the chosen Sort over all batches', async () => {
		const case_ids = range(1, 120).reverse().join(',');
		const run = await service.run({
			returnAll: true,
			filters: { case_ids },
			sort: { order: 'PRIORITY_DESC' },
		});
		const ranks = idsOf(run).map((id) =>
			['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'].indexOf(
				service.sandbox.store.getCase(id as number).priority,
			),
		);
		expect(ranks).toHaveLength(120);
		expect(ranks).toEqual([...ranks].sort());
	});

	it('never makes an address of more than 6,000 characters', async () => {
		const records = range(1, 100).map((n) => `record-${n}-${'x'.repeat(15)}`);
		const case_ids = range(1_000_000_000_000, 1_000_000_000_099).join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids, records } });
		expect(rowsOf(run)).toEqual([]);
		const { requests } = service.sandbox;
		expect(requests.length).toBeGreaterThan(2);
		for (const { path, queryString } of requests) {
			expect(`${path}?${queryString}`.length).toBeLessThanOrEqual(6000);
		}
		const sent = requests.flatMap(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids,
		);
		expect(new Set(sent).size).toBe(100);
	});

	/** IDs, Limit, and how many requests they cost. IDs from 900 on aren't there. */
	test.each([
		[range(1, 120), 10, 1],
		[range(1, 120), 50, 1],
		[range(1, 120), 51, 2],
		[range(1, 120), 120, 3],
		[[...range(900, 909), ...range(1, 110)], 40, 1],
		[[...range(900, 909), ...range(1, 110)], 50, 2],
		[[...range(900, 1000), 7], 1, 3],
	])('of %j with Limit %i costs %i requests', async (ids, limit, count) => {
		const run = await service.run({ limit, filters: { case_ids: ids.join(',') } });
		expect(idsOf(run)).toEqual(ids.filter((id) => id < 900).slice(0, limit));
		expect(service.sandbox.requests).toHaveLength(count);
	});

	it('with Limit and Sort is read whole, because only then the first cases are known', async () => {
		const case_ids = range(1, 120).join(',');
		const sort = { order: 'CREATED_DESC' };
		const all = idsOf(await service.run({ returnAll: true, filters: { case_ids }, sort }));
		service.sandbox.clearRequests();
		const run = await service.run({ limit: 7, filters: { case_ids }, sort });
		expect(idsOf(run)).toEqual(all.slice(0, 7));
		expect(service.sandbox.requests).toHaveLength(3);
		expect(hintsOf(run)).toEqual([
			'Limit cut the output: at least 120 cases match. Turn on Return All to get them all.',
		]);
	});

	it('leaves a hint that more may match when Limit ends the read early', async () => {
		const run = await service.run({ limit: 50, filters: { case_ids: range(1, 51).join(',') } });
		expect(idsOf(run)).toHaveLength(50);
		expect(hintsOf(run)).toEqual([
			'Limit cut the output: more cases may match. Turn on Return All to get them all.',
		]);
	});

	it('is sent with the other filters in every batch', async () => {
		const case_ids = range(1, 120).join(',');
		const run = await service.run({ limit: 10, filters: { case_ids, status: 'OPEN' } });
		const open = service.storedIds(({ status, case_id }) => status === 'OPEN' && case_id <= 120);
		expect(idsOf(run)).toEqual(open.slice(0, 10));
		for (const { query } of service.sandbox.requests) {
			expect(query.filters).toMatchObject({ status: 'OPEN' });
		}
		expect(hintsOf(run)).toHaveLength(1);
	});

	it('is a clear error when the service ignores the filter, not a list of other cases', async () => {
		service.sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['case_ids'] } });
		const run = await service.run({ filters: { case_ids: '1, 2' } });
		expect(failureOf(run)).toMatchObject({
			message: 'The service ignored the filter for case IDs',
			description: expect.stringContaining('List Format in Requests'),
			item: 0,
		});
	});
});
