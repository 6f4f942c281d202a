import { failureOf, hintsOf, idsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

describe('Limit', () => {
	/** Limit, Page Size, and the requested pages and page size. */
	test.each([
		[1, 50, [1], '1'],
		[7, 50, [1], '7'],
		[50, 50, [1], '50'],
		[51, 50, [1, 2], '50'],
		[100, 50, [1, 2], '50'],
		[122, 50, [1, 2, 3], '50'],
		[10, 4, [1, 2, 3], '4'],
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

	it('is 50 by default', async () => {
		expect(idsOf(await service.run({}))).toHaveLength(50);
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
	});

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

	it('may be a number as text, by expression', async () => {
		expect(idsOf(await service.run({ limit: '={{ "3" }}' }))).toHaveLength(3);
	});

	test.each([0, -1, 1.5, 'many', '', null])(
		'of %j is refused before any request',
		async (limit) => {
			const run = await service.run({ limit: '={{ $json.limit }}' }, { items: [{ limit }] });
			expect(failureOf(run)).toMatchObject({
				message: "'Limit' must be a whole number, 1 or more",
				description: expect.not.stringContaining('option'),
				item: 0,
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('is reached when the service clamps pages to 20', async () => {
		service.sandbox.faults.add({ fault: { kind: 'clampPageSize', to: 20 } });
		expect(new Set(idsOf(await service.run({ limit: 70 }))).size).toBe(70);
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
