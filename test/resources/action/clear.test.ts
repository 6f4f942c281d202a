import {
	byId,
	failureOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
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
		const [first, second] = [5, 6];
		for (const id of [first, second]) put(id, A);
		const run = await service.run(
			{ ...clear, caseId: OF_ITEM },
			{ items: itemsWith([second, first, String(second)]) },
		);
		expect(idsOf(run)).toEqual([second, first, second]);
		expect(rowsOf(run).map(({ removed }) => removed)).toEqual([1, 1, 0]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect(writes()).toHaveLength(2);
	});

	it('writes nothing when one item is invalid', async () => {
		put(7, A);
		const run = await service.run({ ...clear, caseId: OF_ITEM }, { items: itemsWith([7, 0]) });
		expect(failureOf(run)).toMatchObject({ message: '"0" is not a case ID', item: 1 });
		expect(service.sandbox.requests).toEqual([]);
		expect(stored(7)).not.toEqual([]);
	});
});
