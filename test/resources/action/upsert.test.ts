import type { GrownTrait } from '../../../sandbox/grown';
import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	listed,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
	withoutActions,
} from '../../support/runs';
import { useSandboxes, useService } from '../../support/service';

const service = useService({ cases: 30 });
const upsert = { resource: 'action', operation: 'upsert' };

const at = (name: string) => `https://example.com/${name}`;
const A = { url: at('a'), label: 'A', action_type: 'webhook' as const, action_text: 'Press A' };
const B = { url: at('b'), label: 'B', action_type: 'page' as const, action_text: 'Press B' };
const C = { url: at('c'), label: 'C', action_type: 'page' as const };
const WITHOUT_TEXT = ({ url, label, action_type }: typeof A | typeof B | typeof C) => ({
	url,
	label,
	action_type,
});

const give = (...actions: unknown[]) => ({
	actionsFrom: 'json',
	actionsJson: JSON.stringify(actions),
});
const put = (caseId: number, ...actions: Array<typeof A | typeof B | typeof C>) => {
	// In the past: an edit during a read would make the node read again.
	service.sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
};
const writes = () =>
	service.sandbox.requests
		.filter(({ method }) => method === 'PUT')
		.map(({ path, body }) => [path, (body as { actions: unknown }).actions]);
const labels = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ label }) => label);

it('Create or Update replaces existing actions by their URL, in place, and adds new ones at the end', async () => {
	put(1, A, B);
	const given = [{ ...B, label: 'B, new' }, C, { ...A, label: 'A, new' }];
	const run = await service.run({ ...upsert, caseId: byId('1'), ...give(...given) });
	expect(writes()).toEqual([
		['/api/v2/cases/1/actions/batch', [{ ...A, label: 'A, new' }, { ...B, label: 'B, new' }, C]],
	]);
	expect(rowsOf(run)).toEqual([
		{
			case_id: 1,
			actions: [{ ...A, label: 'A, new' }, { ...B, label: 'B, new' }, C].map((action) => ({
				id: expect.any(Number),
				...WITHOUT_TEXT(action),
			})),
			changed: true,
		},
	]);
	expect(pairsOf(run)).toEqual([[0]]);
	expect(hintsOf(run)).toEqual([]);
});

it('Create or Update reads the case first, and adds to a case without actions', async () => {
	put(2);
	await service.run({ ...upsert, caseId: byId('2'), ...give(A) });
	expect(service.paths()).toEqual(['GET /api/v2/cases', 'PUT /api/v2/cases/2/actions/batch']);
	expect(writes()).toEqual([['/api/v2/cases/2/actions/batch', [A]]]);
});

describe('Existing actions under Create or Update', () => {
	it('may lose their button texts, so the case stays unchanged and the error names them', async () => {
		put(3, A, B);
		const run = await service.run({ ...upsert, caseId: byId('3'), ...give(C) });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: 'Case 3 has other actions, and their button texts may get lost: "A", "B"',
			description: expect.stringContaining(
				"Turn on 'Allow Losing Button Texts' if these actions have none",
			),
			item: 0,
		});
		expect(writes()).toEqual([]);
		expect(labels(3)).toEqual(['A', 'B']);
	});

	it('keep everything but their button text with Allow Losing Button Texts, and a hint names them', async () => {
		put(4, A, B);
		const given = [{ ...B, label: 'B, new' }, C];
		const run = await service.run({
			...upsert,
			caseId: byId('4'),
			...give(...given),
			acceptTextLoss: true,
		});
		expect(writes()).toEqual([
			['/api/v2/cases/4/actions/batch', [WITHOUT_TEXT(A), { ...B, label: 'B, new' }, C]],
		]);
		expect(hintsOf(run)).toEqual([
			'Other actions are kept, but lose their button text if they had one: "A" (case 4).',
		]);
	});

	it('both stay when they share a URL that is not given', async () => {
		const other = { ...A, label: 'A, again' };
		put(11, A, other);
		await service.run({ ...upsert, caseId: byId('11'), ...give(C), acceptTextLoss: true });
		expect(writes()).toEqual([
			['/api/v2/cases/11/actions/batch', [WITHOUT_TEXT(A), WITHOUT_TEXT(other), C]],
		]);
	});

	it('are named only in part where they are many', async () => {
		const many = range(1, 30).map((n) => ({ ...C, url: at(`many/${n}`), label: `L${n}` }));
		put(24, ...many);
		const run = await service.run({ ...upsert, caseId: byId(24), ...give(C) });
		expect(failureOf(run).message).toMatch(/: "L1", "L2", "L3", "L4", "L5" and 25 more$/);
	});

	it('need no acceptance when every action of the case is given', async () => {
		put(5, A, B);
		const run = await service.run({ ...upsert, caseId: byId('5'), ...give(A, B, C) });
		expect(idsOf(run)).toEqual([5]);
	});
});

describe('Create or Update writes nothing', () => {
	it('when an action is given twice for a case', async () => {
		put(6);
		const run = await service.run({
			...upsert,
			caseId: byId('6'),
			...give(A, { ...A, action_text: 'Press again' }),
		});
		expect(failureOf(run)).toMatchObject({
			message: 'Two actions have the URL "https://example.com/a" and the label "A"',
			description: expect.stringContaining('Enter each action once'),
			item: 0,
		});
		expect(writes()).toEqual([]);
	});

	it('when a given URL belongs to two actions of the case, and names both', async () => {
		const other = { ...A, label: 'A, again', action_text: 'Press again' };
		put(11, A, B, other);
		put(8);
		const run = await service.run(
			{ ...upsert, caseId: OF_ITEM, ...give({ ...A, label: 'A, new' }), acceptTextLoss: true },
			{ items: itemsWith([8, 11]) },
		);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: 'Case 11 has 2 actions with the URL "https://example.com/a": "A", "A, again"',
			description: expect.stringContaining('use the operation Replace All'),
			item: 1,
		});
		expect(writes()).toEqual([]);
		expect(labels(11)).toEqual(['A', 'B', 'A, again']);
	});

	it('when no action is given', async () => {
		const run = await service.run({ ...upsert, caseId: byId('6'), ...give() });
		expect(failureOf(run)).toMatchObject({
			message: 'No action was given',
			description: 'Add an action to create or update.',
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('when an action is invalid', async () => {
		const run = await service.run({ ...upsert, caseId: byId('6'), ...give({ ...A, label: '' }) });
		expect(failureOf(run)).toMatchObject({ message: 'Action 1 has no label', item: 0 });
		expect(service.sandbox.requests).toEqual([]);
	});

	it('when one case is refused or missing', async () => {
		put(7, A);
		put(8);
		for (const ids of [
			[8, 7],
			[8, 999],
		]) {
			const run = await service.run(
				{ ...upsert, caseId: OF_ITEM, ...give(C) },
				{ items: itemsWith(ids) },
			);
			expect(failureOf(run)).toMatchObject({ status: 'error', item: 1 });
		}
		expect(writes()).toEqual([]);
	});

	it('when the read of a case fails', async () => {
		put(9);
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 400 } });
		const run = await service.run(
			{ ...upsert, caseId: OF_ITEM, ...give(C), options: { pageSize: 1, concurrency: 1 } },
			{ items: itemsWith([9, 10]) },
		);
		expect(failureOf(run)).toMatchObject({ httpCode: '400', item: 1 });
		expect(writes()).toEqual([]);
	});

	it('when an action that stays has no label, and names the case and the action', async () => {
		put(12, A);
		const nameless = { id: 1, url: A.url, action_type: A.action_type };
		service.sandbox.faults.add(listed({ case_id: 12, actions: [nameless] }));
		const run = await service.run({
			...upsert,
			caseId: byId('12'),
			...give(C),
			acceptTextLoss: true,
		});
		expect(failureOf(run)).toMatchObject({
			message: 'Case 12 has an action without label, which can\'t be kept: "https://example.com/a"',
			description: expect.stringContaining('the case was not written'),
			item: 0,
		});
		expect(writes()).toEqual([]);
	});
});

it('Create or Update keeps the blanks of labels, and the button texts that the service returns', async () => {
	put(12, A);
	const kept = {
		url: A.url,
		label: '  Old \t',
		action_type: 'webhook',
		action_text: ' Press ',
	};
	service.sandbox.faults.add(listed({ case_id: 12, actions: [{ id: 1, ...kept }] }));
	await service.run({ ...upsert, caseId: byId('12'), ...give(C) });
	expect(writes()).toEqual([['/api/v2/cases/12/actions/batch', [kept, C]]]);
});

it('Create or Update reports a refused case at its own item under Continue On Fail, and writes the others', async () => {
	put(13, A);
	put(14);
	const run = await service.run(
		{ ...upsert, caseId: OF_ITEM, ...give(C) },
		{ items: itemsWith([13, 14, 999]), onError: 'continueErrorOutput' },
	);
	expect(idsOf(run)).toEqual([14]);
	expect(pairsOf(run)).toEqual([[1]]);
	expect(run.errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('Case 13 has other actions, and their button texts may get lost: "A"'),
		expect.stringContaining('Case 999 was not found'),
	]);
	expect(pairsOf({ items: run.errorItems })).toEqual([[0], [2]]);
	expect(labels(13)).toEqual(['A']);
	expect(labels(14)).toEqual(['C']);
});

it('Create or Update joins the items of one case into one write, from Input Items and from lists', async () => {
	put(15, A);
	const perItem = {
		actionsFrom: 'items',
		url: '={{ $json.url }}',
		label: '={{ $json.label }}',
		action_type: '={{ $json.action_type }}',
		action_text: '={{ $json.action_text }}',
	};
	const items = [
		{ id: 15, ...C },
		{ id: 15, ...A, label: 'A, new' },
	];
	const run = await service.run({ ...upsert, caseId: OF_ITEM, ...perItem }, { items });
	expect(writes()).toEqual([['/api/v2/cases/15/actions/batch', [{ ...A, label: 'A, new' }, C]]]);
	expect(pairsOf(run)).toEqual([[0, 1]]);
});

it('Create or Update refuses one action on two items of one case, because the second would overwrite the first', async () => {
	put(20, A);
	const run = await service.run(
		{ ...upsert, caseId: OF_ITEM, ...give({ ...A, label: '={{ $json.label }}' }) },
		{ items: itemsWith([20, 20]) },
	);
	expect(failureOf(run)).toMatchObject({
		message: expect.stringMatching(
			/^All 2 input items give case 20 an action with the URL "https:\/\/example\.com\/a" and the label /,
		),
		description: expect.stringContaining(
			"If each item has its own case, drag case_id into 'Case'. If one item is enough, turn on Execute Once",
		),
		item: 0,
	});
	expect(service.sandbox.requests).toEqual([]);
	expect(labels(20)).toEqual(['A']);
});

it('Create or Update names five of the many items that give a case the same action', async () => {
	const run = await service.run(
		{ ...upsert, caseId: OF_ITEM, ...give(A) },
		{ items: itemsWith([21, ...range(1, 300).map(() => 20)]) },
	);
	expect(failureOf(run)).toMatchObject({
		message:
			'300 input items (1, 2, 3, 4, 5 and 295 more) give case 20 an action with the URL "https://example.com/a" and the label "A"',
		description: expect.stringContaining('Remove Duplicates'),
		item: 1,
	});
});

it('Create or Update reports an action that items repeat at these items only, under Continue On Fail', async () => {
	put(22);
	const run = await service.run(
		{ ...upsert, caseId: OF_ITEM, ...give(A) },
		{ items: itemsWith([20, 22, 20]), onError: 'continueErrorOutput' },
	);
	expect(idsOf(run)).toEqual([22]);
	expect(pairsOf({ items: run.errorItems })).toEqual([[0], [2]]);
});

it('Create or Update writes nothing to a case that the service returns without its actions', async () => {
	service.sandbox.faults.add(withoutActions(23));
	const run = await service.run({
		...upsert,
		caseId: byId(23),
		...give(A),
		acceptTextLoss: true,
	});
	expect(failureOf(run)).toMatchObject({
		message: 'The service returned case 23 without its actions',
		description: expect.stringContaining('so the case was not written'),
		item: 0,
	});
	expect(writes()).toEqual([]);
});

it('Create or Update reads fifty cases to a request', async () => {
	const ids = [16, 17, 18, 19];
	for (const id of ids) put(id);
	await service.run({ ...upsert, caseId: OF_ITEM, ...give(C) }, { items: itemsWith(ids) });
	expect(service.paths().filter((path) => path.startsWith('GET'))).toHaveLength(1);
	expect(writes()).toHaveLength(4);
});

describe('Read Button Texts of Create or Update', () => {
	const useSandbox = useSandboxes();

	it.each<[string, GrownTrait[], unknown[], string[]]>([
		[
			'keeps the texts that the case’s own list has, and requests it where something could get lost',
			['actions-list', 'action-fields'],
			[1, 2],
			['A, new', 'B'],
		],
		['changes nothing where the service has no such list', [], ['refused', 2], ['A', 'B']],
	])('%s', async (_what, grown, outcomes, labelsAfter) => {
		const sandbox = await useSandbox({ cases: 3, grown });
		sandbox.store.replaceActions(1, [A, B], { updated_at: '2026-01-20T00:00:00Z' });
		sandbox.store.replaceActions(2, [A], { updated_at: '2026-01-20T00:00:00Z' });
		const run = await service.run(
			{
				...upsert,
				caseId: OF_ITEM,
				...give({ ...A, label: 'A, new' }),
				options: { readButtonTexts: true },
			},
			{
				items: itemsWith([1, 2]),
				onError: 'continueRegularOutput',
				credential: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner },
			},
		);
		expect(rowsOf(run).map(({ case_id }) => case_id ?? 'refused')).toEqual(outcomes);
		expect(hintsOf(run)).toEqual([]);
		const paths = sandbox.requests.map(({ path }) => path);
		expect(paths.filter((path) => path.endsWith('/actions'))).toEqual([
			'/api/v2/cases/1/actions',
			'/api/v2/cases/2/actions',
		]);
		const after = sandbox.store.getCase(1).actions();
		expect(after.map(({ label }) => label)).toEqual(labelsAfter);
		expect(after).toMatchObject([{ action_text: A.action_text }, { action_text: B.action_text }]);
	});
});

it('Create or Update writes nothing where the service says that nothing would change', async () => {
	put(26, A, C);
	service.sandbox.deviate({ actions: { inRows: 'texts' } });
	const run = await service.run({ ...upsert, caseId: byId(26), ...give(A) });
	service.sandbox.deviate();
	expect(rowsOf(run)).toMatchObject([{ case_id: 26, changed: false }]);
	expect(writes()).toEqual([]);
});

it('Allow Losing Button Texts counts only where all items of a case turn it on', async () => {
	for (const id of [27, 28]) put(id, A);
	const run = await service.run(
		{
			...upsert,
			caseId: OF_ITEM,
			actionsFrom: 'items',
			...WITHOUT_TEXT(C),
			label: '={{ $json.label }}',
			acceptTextLoss: '={{ $json.accept }}',
		},
		{
			items: [
				{ id: 27, accept: true, label: 'C' },
				{ id: 28, accept: true, label: 'C' },
				{ id: 28, accept: false, label: 'C2' },
			],
			onError: 'continueErrorOutput',
		},
	);
	expect(idsOf(run)).toEqual([27]);
	expect(run.errorItems.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('Case 28 has other actions'),
		expect.stringContaining('Case 28 has other actions'),
	]);
	expect(pairsOf({ items: run.errorItems })).toEqual([[1], [2]]);
	expect(labels(28)).toEqual(['A']);
});
