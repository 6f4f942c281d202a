import { byId, hintsOf, itemsWith, OF_ITEM } from '../support/runs';
import { useService } from '../support/service';
import { runAsTool } from '../support/tool';

// What gives each hint is tested with its operation; here is what holds for all of them.
const service = useService({ cases: 120 });
/** Has neither comments nor actions. */
const EMPTY = 121;
beforeAll(() => {
	service.sandbox.store.createCase({ case_id: EMPTY, created_at: '2026-01-15T10:00:00Z' });
});

/** Gives four kinds of hints at once: cut by Limit, activities cut, an unknown field, shared reads. */
const NOISY = {
	output: 'selected',
	fields: '={{ ["activities", "severity"] }}',
	filters: { case_ids: '7, 9, 57' },
	limit: 2,
};

it('hints stand over the output of the node', async () => {
	const run = await service.run(NOISY, { items: itemsWith([1, 2]) });
	expect(run.hints).toHaveLength(4);
	expect(new Set(run.hints.map(({ location }) => location))).toEqual(new Set(['outputPane']));
});

it('a run that has nothing to say gives none', async () => {
	expect(hintsOf(await service.run({ returnAll: true }))).toEqual([]);
});

it('an agent’s tool run gives none, only the items', async () => {
	const { items, hints } = await runAsTool(NOISY, service.credential());
	expect(items).toHaveLength(2);
	expect(hints).toEqual([]);
});

it('an empty result of a tool says so to the model, which would else get an empty text', async () => {
	const { items } = await runAsTool(
		{ filters: { search: 'nothing is called so' } },
		service.credential(),
	);
	expect(items.map(({ json }) => json)).toEqual([{ result: 'No case found' }]);
});

test.each([
	['case', { resource: 'case', operation: 'getAll', filters: { search: 'nothing is called so' } }],
	['comment', { resource: 'comment', operation: 'getAll', caseId: byId(EMPTY) }],
	['action', { resource: 'action', operation: 'getAll', caseId: byId(EMPTY) }],
])('an empty list of %ss is a hint with its name', async (noun, parameters) => {
	expect(hintsOf(await service.run(parameters))).toEqual([`No ${noun} matched.`]);
});

it('hints count over all items of a run', async () => {
	const run = await service.run(
		{ resource: 'comment', operation: 'getAll', caseId: OF_ITEM, limit: 1 },
		{ items: itemsWith([7, 9, 57]) },
	);
	expect(hintsOf(run)).toEqual([
		'Limit cut the output for 3 items: at least 60 comments match. Turn on Return All to get them all.',
	]);
});
