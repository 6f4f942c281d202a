import { hintsOf, idsOf, range } from '../../../support/runs';
import { sorted, useCases } from './support';

const service = useCases();

describe('Return All', () => {
	it('returns each case once', async () => {
		const run = await service.run({ returnAll: true });
		expect(idsOf(run)).toHaveLength(122);
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
	});

	it('returns only the cases of its team to a team key', async () => {
		const credential = { apiKey: service.sandbox.keys.team };
		const run = await service.run({ returnAll: true }, { credential });
		expect(sorted(idsOf(run))).toEqual(service.storedIds(({ team }) => team.id === 1));
	});

	it('costs two requests more than there are pages, which show that no case moved', async () => {
		await service.run({ returnAll: true });
		expect(service.sandbox.requests).toHaveLength(3 + 2);
	});

	it('costs one request where all fits into one page', async () => {
		await service.run({ returnAll: true, filters: { case_ids: '1,2,3' } });
		expect(service.sandbox.requests).toHaveLength(1);
	});

	test.each([
		['no meta at all', { kind: 'metaMissing' }],
		['pages clamped to 20', { kind: 'clampPageSize', to: 20 }],
		[
			'a wrong number of pages',
			{ kind: 'meta', patch: { pages: 1, next_page: 'https://example.com/' } },
		],
	] as const)('is complete with %s', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const run = await service.run({ returnAll: true });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(idsOf(run)).toHaveLength(122);
	});

	// Page 50 is that of the look at the last case of page 1.
	test.each([1, 3, 50, 2])(
		'loses no case and repeats none when another is deleted while page %i is read',
		async (page) => {
			const { store, faults } = service.sandbox;
			const victim = store.createCase({
				created_at: '2024-01-01T00:00:00Z',
				updated_at: '2024-01-01T00:00:00Z',
			});
			faults.add({
				match: { page },
				fault: { kind: 'change', run: () => store.deleteCase(victim.case_id) },
			});
			const run = await service.run({ returnAll: true });
			const ids = idsOf(run).filter((id) => id !== victim.case_id);
			expect(sorted(ids)).toEqual(range(1, 122));
			expect(store.findCase(victim.case_id)).toBeUndefined();
		},
	);

	it('leaves a hint that the list kept changing when it never holds still', async () => {
		const { store, faults } = service.sandbox;
		const before = store.getCase(60);
		let edits = 0;
		faults.add({
			match: { page: 2, everyNth: 1 },
			fault: {
				kind: 'change',
				run: () => {
					// Each time another case of page 2 moves to the front.
					const id = [60, 61, 62, 63][edits++ % 4];
					store.updateCase(id, { updated_at: new Date(Date.now() + edits * 1000) });
				},
			},
		});
		const run = await service.run({ returnAll: true, order: 'RECENTLY_EDITED' });
		for (const id of [60, 61, 62, 63]) store.updateCase(id, { updated_at: before.updated_at });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^The list of cases kept changing while it was read/),
		]);
	});
});
