import { byId, hintsOf, itemsWith, OF_ITEM } from '../support/runs';
import { useService } from '../support/service';
import { runAsTool } from '../support/tool';

// Each hint is tested with the operation that shows it; these tests hold for all hints.
const service = useService({ cases: 120 });
/** A case without actions and records. */
const EMPTY = 121;
beforeAll(() => {
	service.sandbox.store.createCase({ case_id: EMPTY, created_at: '2026-01-15T10:00:00Z' });
});

/** Gives four hints at once: truncated by Limit, truncated activities, an unknown field, a shared read. */
const NOISY = {
	output: 'selected',
	fields: '={{ ["activities", "severity"] }}',
	filters: { case_ids: '7, 9, 57' },
	limit: 2,
};

it('shows hints over the output of the node', async () => {
	const run = await service.run(NOISY, { items: itemsWith([1, 2]) });
	expect(run.hints).toHaveLength(3);
	expect(new Set(run.hints.map(({ location }) => location))).toEqual(new Set(['outputPane']));
});

it('returns the hints as last items in a tool run of an agent, which shows none', async () => {
	const { items, hints } = await runAsTool(NOISY, service.credential());
	expect(items.slice(0, 2).map(({ json }) => json)).toEqual([
		expect.objectContaining({ severity: null }),
		expect.objectContaining({ severity: null }),
	]);
	expect(items.slice(2).map(({ json }) => json)).toEqual([
		{ note: "'Limit' kept the first 2; there are about 4 cases." },
		{ note: expect.stringMatching(/only some activities or records/) as string },
		{ note: expect.stringMatching(/fields are null.*: "severity"/) as string },
	]);
	expect(hints).toEqual([]);
});

it('returns a text to the model when a tool finds nothing, not an empty one', async () => {
	const { items } = await runAsTool(
		{ filters: { search: 'nothing is called so' } },
		service.credential(),
	);
	expect(items.map(({ json }) => json)).toEqual([{ result: 'No case found' }]);
});

test.each([
	['case', { resource: 'case', operation: 'getAll', filters: { search: 'nothing is called so' } }],
	['action', { resource: 'action', operation: 'getAll', caseId: byId(EMPTY) }],
	['record', { resource: 'record', operation: 'getAll', caseId: byId(EMPTY) }],
])('shows a hint when no %s matches', async (noun, parameters) => {
	expect(hintsOf(await service.run(parameters))).toEqual([`No ${noun} found.`]);
});

it('has one hint for several items of a run', async () => {
	const run = await service.run(
		{ resource: 'comment', operation: 'getAll', caseId: OF_ITEM, limit: 1 },
		{ items: itemsWith([7, 9, 57]) },
	);
	expect(hintsOf(run)).toEqual(["'Limit' left out rows for several input items."]);
});
