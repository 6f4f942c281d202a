import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
	withoutActions,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 120 });
const getAll = { resource: 'action', operation: 'getAll' };

const stored = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ id, url, label, action_type }) => ({ case_id: caseId, id, url, label, action_type }));
const firstWith = (count: number) =>
	[...service.sandbox.store.cases()].find((row) => row.actions().length === count)?.case_id ?? 0;

it('Get Many of actions returns each action with its case ID, in the order of the case', async () => {
	const id = firstWith(2);
	const run = await service.run({ ...getAll, caseId: byId(id) });
	expect(rowsOf(run)).toEqual(stored(id));
	expect(run.items).toHaveLength(2);
	expect(service.paths()).toEqual(['GET /api/v2/cases']);
	expect(service.sandbox.requests[0].query.filters).toEqual({ case_ids: [String(id)] });
});

it('Get Many of actions reads fifty cases to a request and pairs each action with its item', async () => {
	const ids = range(1, 120);
	const run = await service.run({ ...getAll, caseId: OF_ITEM }, { items: itemsWith(ids) });
	expect(rowsOf(run)).toEqual(ids.flatMap(stored));
	expect(pairsOf(run)).toEqual(ids.flatMap((id, item) => stored(id).map(() => [item])));
	expect(service.sandbox.requests).toHaveLength(3);
});

it('Get Many of actions returns no item for a case without actions, and leaves a hint', async () => {
	const run = await service.run({ ...getAll, caseId: byId(firstWith(0)) });
	expect(rowsOf(run)).toEqual([]);
	expect(hintsOf(run)).toEqual([expect.stringMatching(/^Case \d+ has no actions\.$/)]);
});

it('Get Many of actions reports a case that the service returns without its actions', async () => {
	service.sandbox.faults.add(withoutActions(5));
	const run = await service.run({ ...getAll, caseId: byId(5) });
	expect(failureOf(run).message).toBe('The service returned case 5 without its actions');
});

it('Get Many of actions reports an unknown case, at its own item under Continue On Fail', async () => {
	const known = firstWith(1);
	const items = itemsWith([known, 999]);
	const failed = await service.run({ ...getAll, caseId: OF_ITEM }, { items });
	expect(failureOf(failed)).toMatchObject({
		message: 'Case 999 was not found, or the API key has no access to it',
		item: 1,
	});
	const run = await service.run(
		{ ...getAll, caseId: OF_ITEM },
		{ items, onError: 'continueRegularOutput' },
	);
	expect(rowsOf(run)).toEqual([
		...stored(known),
		{
			error: expect.stringContaining('Case 999 was not found'),
			details: { httpCode: null, body: null },
		},
	]);
	expect(pairsOf(run)).toEqual([[0], [1]]);
});

it('Get Many of actions returns separate copies to two items of one case', async () => {
	const id = firstWith(1);
	const run = await service.run({ ...getAll, caseId: OF_ITEM }, { items: itemsWith([id, id]) });
	const rows = rowsOf(run);
	expect(rows[0]).toEqual(rows[1]);
	expect(rows[0]).not.toBe(rows[1]);
	expect(service.sandbox.requests).toHaveLength(1);
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(/^All \d+ input items got the same data.*Execute Once/),
	]);
});
