import { hintsOf, idsOf, range } from '../../../support/runs';
import { at, useCases } from './support';

const service = useCases();

describe('A long list of Case IDs', () => {
	/** Newest first, ties by ID. */
	const byCreation = (ids: number[]) =>
		service
			.stored()
			.filter(({ case_id }) => ids.includes(case_id))
			.sort((a, b) => at(b.created_at) - at(a.created_at) || a.case_id - b.case_id)
			.map(({ case_id }) => case_id);

	it('is split into batches of fifty and merged by creation, each case once', async () => {
		const given = range(1, 119);
		const case_ids = [...given, 5, 999_999].join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids } });
		expect(idsOf(run)).toEqual(byCreation(given));
		const sent = service.sandbox.requests.map(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids.length,
		);
		expect(sent.sort()).toEqual([20, 50, 50]);
	});

	test.each([
		[range(1, 120), 10, 3],
		[[...range(900, 1000), 7], 1, 3],
	])(
		'is read whole, because only then the first cases are known (%j, limit %i)',
		async (ids, limit, count) => {
			const run = await service.run({ limit, filters: { case_ids: ids.join(',') } });
			expect(idsOf(run)).toEqual(byCreation(ids).slice(0, limit));
			expect(service.sandbox.requests).toHaveLength(count);
		},
	);

	it('leaves a hint when Limit truncates it', async () => {
		const run = await service.run({ limit: 50, filters: { case_ids: range(1, 51).join(',') } });
		expect(idsOf(run)).toHaveLength(50);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 50; there are more cases."]);
	});

	it('is sent with the other filters in every batch', async () => {
		const case_ids = range(1, 120).join(',');
		const run = await service.run({ limit: 10, filters: { case_ids, status: 'OPEN' } });
		const open = service.storedIds(({ status, case_id }) => status === 'OPEN' && case_id <= 120);
		expect(idsOf(run)).toEqual(byCreation(open).slice(0, 10));
		for (const { query } of service.sandbox.requests) {
			expect(query.filters).toMatchObject({ status: 'OPEN' });
		}
		expect(hintsOf(run)).toHaveLength(1);
	});
});
