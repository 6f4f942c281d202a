import { hintsOf, idsOf, pairsOf, range, rowsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

describe('Get Many over several input items', () => {
	it('requests a list once that all items need, returns a paired copy to each, and points to Execute Once', async () => {
		const run = await service.run({ limit: 3 }, { items: range(1, 100).map((n) => ({ n })) });
		expect(service.sandbox.requests).toHaveLength(1);
		expect(run.items).toHaveLength(300);
		expect(pairsOf(run)).toEqual(range(0, 99).flatMap((item) => [[item], [item], [item]]));
		const rows = rowsOf(run);
		expect(rows[0]).toEqual(rows[3]);
		expect(rows[0]).not.toBe(rows[3]);
		expect(rows[0].tags).not.toBe(rows[3].tags);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^All input items requested the same.*Execute Once/),
		);
	});

	it('requests a list once that some items share, without pointing to Execute Once', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 30 }, { id: 30 }, { id: 20 }, { id: 30 }] },
		);
		expect(service.sandbox.requests).toHaveLength(2);
		expect(idsOf(run)).toEqual([30, 30, 20, 30]);
		expect(hintsOf(run)).toEqual([]);
	});

	it('returns different lists in the order of the items, paired', async () => {
		const ids = [30, 20, 10, 40];
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: ids.map((id) => ({ id })) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(hintsOf(run)).toEqual([]);
	});

	it('returns no item for an input item that finds no case, and leaves a hint', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 10 }, { id: 999 }, { id: 30 }] },
		);
		expect(idsOf(run)).toEqual([10, 30]);
		expect(pairsOf(run)).toEqual([[0], [2]]);
		expect(hintsOf(run)).toEqual(['No case found for these input items: 1.']);
	});
});
