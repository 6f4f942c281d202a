import { byId, failureOf, hintsOf, itemsWith, OF_ITEM, pairsOf, rowsOf } from '../../support/runs';
import { A, B, give, useCases } from './support';

const { service, put } = useCases(30);

const WITH_TEXT = { ...A, action_text: 'Press A' };
const LISTED_A = { id: expect.any(Number) as number, ...A };
const options = { previewOnly: true };
const replace = { resource: 'action', operation: 'replace', options };
const clear = { resource: 'action', operation: 'clear', options };

const writtenPaths = () => service.paths().filter((path) => path.startsWith('PUT'));

describe('Preview Only', () => {
	test.each([
		['Replace All', { ...replace, ...give(B) }, [B], 'Removes A. Adds B.'],
		['Clear', clear, [], 'Removes A.'],
		[
			'Replace All with a button text',
			{ ...replace, ...give(WITH_TEXT) },
			[WITH_TEXT],
			'Changes fields of actions.',
		],
		['Replace All with the same actions', { ...replace, ...give(A) }, [A], 'Changes nothing.'],
	])(
		'of %s shows the actions before and after, and writes nothing',
		async (_operation, parameters, after, effect) => {
			put(1, A);
			const run = await service.run({ ...parameters, caseId: byId(1) });
			const changed = effect !== 'Changes nothing.';
			expect(rowsOf(run)).toEqual([{ case_id: 1, changed, effect, before: [LISTED_A], after }]);
			expect(pairsOf(run)).toEqual([[0]]);
			expect(service.paths()).toEqual(['GET /api/v2/cases']);
			expect(hintsOf(run)[0]).toBe(
				"Preview only: items with 'before' and 'after' were not written. To write, turn off 'Preview Only' under 'Options'.",
			);
		},
	);

	it('by an expression shows only the items that it is on for, and writes the others', async () => {
		for (const id of [5, 6]) put(id, A);
		const items = [
			{ id: 5, dry: false },
			{ id: 6, dry: true },
		];
		const run = await service.run(
			{ ...clear, caseId: OF_ITEM, options: { previewOnly: '={{ $json.dry }}' } },
			{ items },
		);
		expect(rowsOf(run)).toEqual([
			{ case_id: 5, actions: [], changed: true, removed: 1 },
			{ case_id: 6, changed: true, effect: 'Removes A.', before: [LISTED_A], after: [] },
		]);
		expect(writtenPaths()).toEqual(['PUT /api/v2/cases/5/actions/batch']);
	});

	test.each([
		['={{ "yes" }}', '\'Preview Only\': "yes" is neither true nor false'],
		['={{ $json.missing }}', "'Preview Only' has an expression that returns no value"],
	])(
		'writes nothing where its expression is %s, which is refused',
		async (previewOnly, message) => {
			const parameters = { ...clear, caseId: OF_ITEM, options: { previewOnly } };
			expect(failureOf(await service.run(parameters, { items: itemsWith([8]) }))).toMatchObject({
				message,
				item: 0,
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);
});
