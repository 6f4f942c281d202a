import {
	byId,
	byUrl,
	failureOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	rowsOf,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 30 });
const clear = { resource: 'action', operation: 'clear' };
const writes = () => service.sandbox.requests.map(({ method, path, body }) => [method, path, body]);
const actionsOf = (caseId: number) => service.sandbox.store.getCase(caseId).actions();
const withActions = () =>
	[...service.sandbox.store.cases()]
		.filter((row) => row.actions().length > 0)
		.map(({ case_id }) => case_id);

it('Clear sends an empty list and returns what n8n’s deletions return', async () => {
	const [id] = withActions();
	const run = await service.run({ ...clear, caseId: byId(id) });
	expect(rowsOf(run)).toEqual([{ case_id: id, deleted: true }]);
	expect(pairsOf(run)).toEqual([[0]]);
	expect(writes()).toEqual([['PUT', `/api/v2/cases/${id}/actions/batch`, { actions: [] }]]);
	expect(actionsOf(id)).toEqual([]);
});

it('Clear writes many cases in input order, paired, and a repeated case once', async () => {
	const [first, second] = withActions();
	const run = await service.run(
		{ ...clear, caseId: OF_ITEM },
		{ items: itemsWith([second, first, String(second)]) },
	);
	expect(idsOf(run)).toEqual([second, first]);
	expect(pairsOf(run)).toEqual([[0, 2], [1]]);
	expect(writes()).toHaveLength(2);
});

it('Clear writes nothing when one item is invalid', async () => {
	const [id] = withActions();
	const run = await service.run({ ...clear, caseId: OF_ITEM }, { items: itemsWith([id, 0]) });
	expect(failureOf(run)).toMatchObject({ message: '"0" is not a case ID', item: 1 });
	expect(service.sandbox.requests).toEqual([]);
	expect(actionsOf(id)).not.toEqual([]);
});

it('Clear refuses the URL of a case on another host', async () => {
	const caseId = byUrl('https://other.example.com/cases/3');
	expect(failureOf(await service.run({ ...clear, caseId })).message).toContain('other.example.com');
	expect(service.sandbox.requests).toEqual([]);
});

it('Clear reports a missing case at its own item under Continue On Fail', async () => {
	const [id] = withActions();
	const run = await service.run(
		{ ...clear, caseId: OF_ITEM },
		{ items: itemsWith([999, id]), onError: 'continueErrorOutput' },
	);
	expect(rowsOf(run)).toEqual([{ case_id: id, deleted: true }]);
	expect(run.errorItems.map(({ json }) => json)).toMatchObject([{ details: { httpCode: 404 } }]);
	expect(pairsOf({ items: run.errorItems })).toEqual([[0]]);
});
