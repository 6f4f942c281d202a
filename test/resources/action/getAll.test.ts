import { byId, failureOf, itemsWith, OF_ITEM, pairsOf, range, rowsOf } from '../../support/runs';
import { A, B, useCases } from './support';

const { service, put } = useCases(12);
const getAll = { resource: 'action', operation: 'getAll' };

it('Get Many of actions returns each action with its case ID and its text, in the order of the case', async () => {
	put(1, { ...A, action_text: 'Go' }, B);
	const run = await service.run({ ...getAll, caseId: byId(1) });
	expect(rowsOf(run)).toMatchObject([
		{ case_id: 1, ...A, action_text: 'Go', query_params: {}, story_name: null },
		{ case_id: 1, ...B, action_text: null },
	]);
	const first = ['case_id', 'label', 'action_type', 'url', 'action_text', 'id'];
	expect(Object.keys(rowsOf(run)[0]).slice(0, 6)).toEqual(first);
	expect(service.paths()).toEqual(['GET /api/v2/cases/1/actions']);
});

it('Get Many of actions reads all pages, and pairs each action with its item', async () => {
	const many = range(1, 120).map((n) => ({ ...A, url: `https://a.example/${n}` }));
	put(1, ...many);
	put(2, B);
	const run = await service.run({ ...getAll, caseId: OF_ITEM }, { items: itemsWith([1, 2, 1]) });
	const rows = rowsOf(run);
	expect(rows.map(({ url }) => url)).toEqual([...many, B, ...many].map(({ url }) => url));
	expect(pairsOf(run).map(([item]) => item)).toEqual([
		...many.map(() => 0),
		1,
		...many.map(() => 2),
	]);
});

it('Get Many of actions fails where the list may not have all of them', async () => {
	const body = JSON.stringify({ actions: [A], meta: { pages: 3, per_page: 1, count: 1 } });
	service.sandbox.faults.add({
		times: 99,
		match: { path: 'cases/1/actions' },
		fault: { kind: 'raw', status: 200, body },
	});
	const run = await service.run({ ...getAll, caseId: byId(1) });
	expect(failureOf(run).message).toBe(
		'The service says that there are 3 actions, but it returned 1',
	);
});
