import { byId, idsOf, itemsWith, OF_ITEM, pairsOf, range, rowsOf } from '../../support/runs';
import { A, B, useCases } from './support';

const { service, put, stored, writes } = useCases(120);
const clear = { resource: 'action', operation: 'clear' };

describe('Clear', () => {
	it('sends an empty list, and returns how many actions it removed', async () => {
		put(1, A, B, A);
		const run = await service.run({ ...clear, caseId: byId(1) });
		expect(rowsOf(run)).toEqual([{ case_id: 1, actions: [], changed: true, removed: 3 }]);
		expect(pairsOf(run)).toEqual([[0]]);
		expect(writes()).toEqual([['PUT', '1/actions/batch', { actions: [] }]]);
		expect(stored(1)).toEqual([]);
	});

	it('writes nothing to a case without actions, and says so', async () => {
		put(2);
		const run = await service.run({ ...clear, caseId: byId(2) });
		expect(rowsOf(run)).toEqual([{ case_id: 2, actions: [], changed: false, removed: 0 }]);
		expect(writes()).toEqual([]);
	});

	it('reads fifty cases to a request', async () => {
		const ids = range(1, 120);
		for (const id of ids) put(id, A);
		const run = await service.run({ ...clear, caseId: OF_ITEM }, { items: itemsWith(ids) });
		expect(idsOf(run)).toEqual(ids);
		expect(writes()).toHaveLength(120);
		expect(service.sandbox.requests).toHaveLength(123);
	});

	it('writes many cases in input order, paired, and a repeated case once', async () => {
		for (const id of [5, 6]) put(id, A);
		const items = itemsWith([6, 5, '6']);
		const run = await service.run({ ...clear, caseId: OF_ITEM }, { items });
		expect(rowsOf(run)).toMatchObject([
			{ case_id: 6, removed: 1 },
			{ case_id: 5, removed: 1 },
			{ case_id: 6, removed: 0 },
		]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect(writes()).toHaveLength(2);
	});
});
