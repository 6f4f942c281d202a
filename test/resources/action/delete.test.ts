import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	listed,
	OF_ITEM,
	pairsOf,
	rowsOf,
	withoutActions,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 30 });
const remove = { resource: 'action', operation: 'delete' };

const action = (name: string, label = name) => ({
	url: `https://example.com/${name}`,
	label,
	action_type: 'page' as const,
});
const [A, B, C] = ['a', 'b', 'c'].map((name) => action(name));
const put = (caseId: number, ...actions: Array<typeof A>) => {
	// In the past: an edit during a read would make the node read again.
	service.sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
};
const labels = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ label }) => label);
const written = () => service.paths().filter((path) => path.startsWith('PUT'));
/** Whatever the API document says, rows then carry button texts. */
const returnTexts = () => service.sandbox.deviate({ actions: { inRows: 'full' } });

afterEach(() => service.sandbox.deviate());

describe('Delete of actions', () => {
	it.each([
		['by label', { matchLabel: 'b' }, ['a', 'c', 'b2']],
		['by URL', { matchUrl: B.url }, ['a', 'c']],
		[
			'by both, which must both be those of the action',
			{ matchUrl: B.url, matchLabel: 'b2' },
			['a', 'b', 'c'],
		],
	])('%s keeps the others in their order', async (_how, match, left) => {
		put(1, A, B, C, action('b', 'b2'));
		const run = await service.run({ ...remove, caseId: byId(1), acceptTextLoss: true, ...match });
		expect(rowsOf(run)).toEqual([
			{
				case_id: 1,
				actions: left.map((label) => expect.objectContaining({ label }) as object),
				changed: true,
				removed: 4 - left.length,
			},
		]);
		expect(labels(1)).toEqual(left);
		expect(hintsOf(run)).toEqual([expect.stringContaining('lose their button text')]);
	});

	it('is refused where others may lose their button texts, and names them', async () => {
		put(2, A, B);
		const run = await service.run({ ...remove, caseId: byId(2), matchLabel: 'a' });
		expect(failureOf(run)).toMatchObject({
			message: 'Case 2 has other actions, and their button texts may get lost: "b"',
			item: 0,
		});
		expect(written()).toEqual([]);
	});

	it('keeps the button texts that the service returns', async () => {
		put(3, { ...A, action_text: 'Press A' } as typeof A, B);
		returnTexts();
		await service.run({ ...remove, caseId: byId(3), matchLabel: 'b' });
		expect(service.sandbox.requests.at(-1)?.body).toEqual({
			actions: [{ ...A, action_text: 'Press A' }],
		});
	});

	it('needs no acceptance when no action is left', async () => {
		put(4, A, action('a2', 'a'));
		const run = await service.run({ ...remove, caseId: byId(4), matchLabel: 'a' });
		expect(rowsOf(run)).toMatchObject([{ actions: [], changed: true, removed: 2 }]);
	});

	it('writes nothing where no action is found, and leaves a hint', async () => {
		for (const id of [5, 6]) put(id, A);
		const run = await service.run(
			{ ...remove, caseId: OF_ITEM, matchLabel: 'A' },
			{ items: itemsWith([5, 6]) },
		);
		expect(rowsOf(run)).toMatchObject([
			{ case_id: 5, actions: [{ label: 'a' }], changed: false, removed: 0 },
			{ case_id: 6, changed: false, removed: 0 },
		]);
		expect(hintsOf(run)).toEqual([
			'No action to delete was found in cases 5, 6. The label and the URL must be exactly those of the action.',
		]);
		expect(written()).toEqual([]);
	});

	it('finds a long label as Ask and Wait shortens it', async () => {
		const question = `Isolate host?\n${'Because. '.repeat(20)}`;
		put(7, action('a', `Isolate host? ${'Because. '.repeat(9)}Beca…`));
		const run = await service.run({ ...remove, caseId: byId(7), matchLabel: question });
		expect(rowsOf(run)).toMatchObject([{ removed: 1 }]);
	});

	it('shows with Preview Only what would be left', async () => {
		put(8, A, B);
		const run = await service.run({
			...remove,
			caseId: byId(8),
			matchLabel: 'a',
			acceptTextLoss: true,
			options: { previewOnly: true },
		});
		expect(rowsOf(run)).toMatchObject([{ case_id: 8, before: [A, B], after: [B], changed: true }]);
		expect(written()).toEqual([]);
	});

	it('takes all that several items of a case name, in one write', async () => {
		put(9, A, B, C);
		const run = await service.run(
			{ ...remove, caseId: OF_ITEM, matchLabel: '={{ $json.label }}', acceptTextLoss: true },
			{
				items: [
					{ id: 9, label: 'a' },
					{ id: 9, label: 'c' },
				],
			},
		);
		expect(rowsOf(run)).toMatchObject([{ removed: 2 }]);
		expect(pairsOf(run)).toEqual([[0, 1]]);
		expect(labels(9)).toEqual(['b']);
		expect(written()).toHaveLength(1);
	});

	it.each([
		['neither a label nor a URL', { matchLabel: ' ' }, "Neither 'Label' nor 'URL' was given"],
		[
			'an expression without a value, beside a URL',
			{ matchLabel: '={{ $json.missing }}', matchUrl: A.url },
			"The expression in 'Label' returned nothing",
		],
		['an object', { matchUrl: '={{ {} }}' }, '\'URL\': "{}" is not text'],
	])('is refused before any request with %s', async (_what, match, message) => {
		const run = await service.run({ ...remove, caseId: byId(1), ...match });
		expect(failureOf(run)).toMatchObject({ message, item: 0 });
		expect(service.sandbox.requests).toEqual([]);
	});

	it('writes nothing to a case that the service returns without its actions', async () => {
		service.sandbox.faults.add(withoutActions(10));
		const run = await service.run({ ...remove, caseId: byId(10), matchLabel: 'a' });
		expect(failureOf(run).message).toBe('The service returned case 10 without its actions');
		expect(written()).toEqual([]);
	});

	it('reports a case that is refused at each of its items under Continue On Fail', async () => {
		put(11, A, B);
		put(12, A);
		const run = await service.run(
			{ ...remove, caseId: OF_ITEM, matchLabel: 'a' },
			{ items: itemsWith([11, 12, 11]), onError: 'continueErrorOutput' },
		);
		expect(idsOf(run)).toEqual([12]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[0], [2]]);
	});
});

it('Delete cannot keep button texts that a list of actions lacks', async () => {
	service.sandbox.faults.add(
		listed({ case_id: 13, actions: [{ ...A, id: 1, action_text: 7 }, B] }),
	);
	const run = await service.run({ ...remove, caseId: byId(13), matchLabel: 'b' });
	expect(failureOf(run).message).toContain('may get lost: "a"');
});
