import { hintsOf, idsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

describe('Limit', () => {
	/** Limit, Page Size, and the requested pages and page size. */
	test.each([
		[7, 50, [1], '7'],
		[50, 50, [1], '50'],
		[51, 50, [1, 2], '50'],
		[8, 4, [1, 2], '4'],
		[5000, 50, [1, 2, 3], '50'],
	])(
		'%i with Page Size %i requests only the pages it needs',
		async (limit, pageSize, pages, perPage) => {
			const options = pageSize === 50 ? {} : { pageSize };
			const run = await service.run({ limit, options });
			const { requests } = service.sandbox;
			expect(requests.map(({ query }) => Number(query.page)).sort()).toEqual(pages);
			expect(requests.every(({ query }) => query.per_page === perPage)).toBe(true);
			expect(new Set(idsOf(run)).size).toBe(Math.min(limit, service.stored().length));
			expect(idsOf(run)).toHaveLength(Math.min(limit, service.stored().length));
		},
	);

	it('leaves a hint when it truncates the output, and none when it doesn’t', async () => {
		expect(hintsOf(await service.run({ limit: 5 }))).toEqual([
			"'Limit' kept the first 5; there are about 125 cases.",
		]);
		service.sandbox.faults.add({ fault: { kind: 'meta', patch: { pages: null } } });
		expect(hintsOf(await service.run({ limit: 1 }))).toEqual([
			"'Limit' kept the first 1; there are more cases.",
		]);
		service.sandbox.faults.clear();
		expect(hintsOf(await service.run({ limit: 122 }))).toEqual([]);
		expect(hintsOf(await service.run({ limit: 50, filters: { case_ids: '1,2' } }))).toEqual([]);
	});

	it('returns a case that came on two pages once, and as many as it allows', async () => {
		const { store, faults } = service.sandbox;
		let extra = 0;
		faults.add({
			match: { page: 2 },
			fault: {
				kind: 'change',
				run: () => {
					extra = store.createCase({ created_at: '2030-01-01T00:00:00Z' }).case_id;
				},
			},
		});
		const run = await service.run({ limit: 100, options: { concurrency: 1 } });
		store.deleteCase(extra);
		expect(new Set(idsOf(run)).size).toBe(100);
		expect(idsOf(run)).toHaveLength(100);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 100; there are about 150 cases."]);
	});
});
