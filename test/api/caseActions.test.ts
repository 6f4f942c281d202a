import {
	actionsOfCase,
	knownActionsOfCase,
	withButtonTexts,
} from '../../nodes/Cases/api/caseActions';
import type { Client } from '../../nodes/Cases/api/client';
import type { Row } from '../../nodes/Cases/api/types';
import { createVersionCheck } from '../../nodes/Cases/api/twoVersions';
import { answering, failedWith } from './answering';

function errorOf(call: () => unknown): unknown {
	try {
		call();
	} catch (error) {
		return error;
	}
	return undefined;
}

describe('the actions of a case', () => {
	it.each([
		[{ actions: [{ label: 'a' }] }],
		[{ actions: [] }],
		[{ actions: [{ label: 'a' }], actions_meta: { pages: 1, count: 1, next_page: null } }],
		[{ actions: [{ label: 'a' }], actions_meta: { pages: '1', count: '1', next_page: '' } }],
		[{ actions: [{ label: 'a' }], actions_meta: {} }],
		[{ actions: [{ label: 'a' }], actions_meta: null }],
	])('are those that it carries in %j', (row) => {
		expect(actionsOfCase(row)).toBe(row.actions);
		expect(knownActionsOfCase(row, 'Look.')).toBe(row.actions);
	});

	it('are missing with the remedy that fits', () => {
		expect(errorOf(() => knownActionsOfCase({ case_id: 7 }, 'Look.'))).toMatchObject({
			details: { description: 'Look.', retryable: false },
		});
	});

	it.each([
		[{}],
		[{ actions: null }],
		[{ actions: {} }],
		[{ actions: ['x'] }],
		[{ actions: [{ label: 'a' }, 'x'] }],
		[{ actions: [null] }],
		[{ actions: [[]] }],
	])('are unknown, and not none, in %j', (row) => {
		expect(actionsOfCase(row as never)).toBeUndefined();
		expect(() => knownActionsOfCase({ ...row, case_id: 7 } as never, 'Look.')).toThrow(
			'The service returned case 7 without its actions',
		);
	});
});

it.each([
	[{ pages: 3 }],
	[{ pages: 1, count: 2 }],
	[{ next_page: 'https://a.example/api/v2/cases/7/actions?page=2' }],
])('the actions of a case are unknown where their meta is %j', (actions_meta) => {
	const row = { case_id: 7, actions: [{ label: 'a' }], actions_meta } as never;
	expect(actionsOfCase(row)).toBeUndefined();
	expect(() => knownActionsOfCase(row, 'Look.')).toThrow('case 7 with only some of its actions');
});

it('the actions of a case are unknown where it comes twice with different ones, also with an equal third one', () => {
	const rows = [['a'], [], ['a'], ['b'], ['b']].map((labels, index) => ({
		case_id: index < 3 ? 7 : 8,
		actions: labels.map((label) => ({ label })),
	}));
	rows.forEach(createVersionCheck());
	expect(rows.map(actionsOfCase)).toEqual([
		...[undefined, undefined, undefined],
		...[rows[3].actions, rows[4].actions],
	]);
	expect(() => knownActionsOfCase(rows[0], '')).toThrow('case 7 twice, with different actions');
});

/** A client for a service whose list of actions has these pages, or that answers with this status. */
function clientOf(pages: object[][] | number, { case_id = 7, count }: Row = {}): Client {
	return answering(({ path }) => {
		expect(path).toContain('/api/v2/cases/7/actions?');
		if (typeof pages === 'number') throw failedWith(pages);
		const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
		const actions = [...(pages[page - 1] ?? [])];
		return { case_id, actions, meta: { pages: pages.length, per_page: 50, count } };
	}).client;
}

describe('The button texts of actions', () => {
	const actions = [
		{ id: 1, url: 'https://a.example/', label: 'A' },
		{ url: 'https://b.example/', label: 'B' },
		{ id: 3, url: 'https://c.example/', label: 'C' },
	];

	it('come from the case’s own list, in any order, with all that it knows', async () => {
		const own = [
			{ ...actions[0], id: '1', action_text: 'Go', query_params: { a: 'b' } },
			{ url: 'https://b.example/', label: 'B', action_text: null },
			actions[2],
		];
		expect(await withButtonTexts(clientOf([[...own].reverse()]), '7', actions)).toEqual(own);
	});

	it('stay as the case carries them where the case’s own list leaves them out', async () => {
		const carried = [{ ...actions[0], action_text: 'Go', query_params: { a: 'b' } }];
		const own = [{ ...actions[0], action_text: null, query_params: null, page_emoji: null }];
		expect(await withButtonTexts(clientOf([own]), '7', carried)).toEqual([
			{ ...carried[0], page_emoji: null },
		]);
	});

	it('come with an action that only the case’s own list has', async () => {
		const further = { id: 4, url: 'https://d.example/', label: 'D' };
		const own = [further, ...actions];
		expect(await withButtonTexts(clientOf([own]), '7', actions)).toEqual([...actions, further]);
		expect(await withButtonTexts(clientOf([own]), '7', undefined)).toEqual(own);
	});

	it.each([
		['lacks an action', actions.slice(1)],
		[
			'has another URL under an ID',
			[{ ...actions[0], url: 'https://x.example/' }, ...actions.slice(1)],
		],
		['has another label under an ID', [{ ...actions[0], label: 'X' }, ...actions.slice(1)]],
		['has an action under another ID', [{ ...actions[0], id: 2 }, ...actions.slice(1)]],
	])('are refused where the case’s own list %s', async (_what, own) => {
		const read = withButtonTexts(clientOf([own]), '7', actions);
		await expect(read).rejects.toMatchObject({
			message: expect.stringMatching(/have different actions of case 7: "A"$/),
			description: expect.stringContaining('the case was not written'),
		});
	});

	it.each([
		['by its URL where it has no label', { url: 'https://x.example/' }, '"https://x.example/"'],
		['by nothing where it has neither', {}, '""'],
	])('are refused with the action named %s', async (_how, action, name) => {
		const read = withButtonTexts(clientOf([actions]), '7', [action]);
		await expect(read).rejects.toThrow(`have different actions of case 7: ${name}`);
	});

	it.each([
		['the case’s own list has no IDs', [undefined, null], [1, 2]],
		['the case carries no IDs', [1, 2], [null, undefined]],
		['neither has IDs', [null, undefined], [undefined, null]],
		['all IDs are null', [null, null], [null, null]],
		['one has them as text', [1, 2], ['1', '2']],
	])('come by URL and label where %s', async (_where, ownIds, carriedIds) => {
		const named = (ids: unknown[]) =>
			ids.map((id, index) => ({ id, url: 'https://a.example/', label: 'AB'[index] }));
		const own = named(ownIds).map((action) => ({ ...action, action_text: action.label }));
		const texts = await withButtonTexts(clientOf([own]), '7', named(carriedIds));
		expect(texts?.map(({ label, action_text }) => [label, action_text])).toEqual([
			['A', 'A'],
			['B', 'B'],
		]);
	});

	it('stay unknown where the service has no such list', async () => {
		expect(await withButtonTexts(clientOf(404), '7', actions)).toEqual(actions);
	});

	it('are refused where the service answers with the list of another case', async () => {
		const read = withButtonTexts(clientOf([actions], { case_id: 8 }), '7', undefined);
		await expect(read).rejects.toThrow('The service answered with the actions of another case');
	});

	it.each<[string, object[][], Row]>([
		['has fewer actions than it says', [actions, []], { count: 52 }],
		['has an entry that is not an action', [[...actions, ['x']]], {}],
		['has two actions with one ID', [[...actions, { ...actions[0], label: 'Other' }]], {}],
	])(
		'are refused where the case’s own list %s, because the others would be removed',
		async (_what, own, given) => {
			const read = withButtonTexts(clientOf(own, given), '7', undefined);
			await expect(read).rejects.toMatchObject({
				message: "The case's own list may not have all actions of case 7",
				details: {
					description: expect.stringContaining('so the case was not written'),
					retryable: false,
				},
			});
		},
	);

	it('cannot be read where the list fails in another way', async () => {
		await expect(withButtonTexts(clientOf(400), '7', actions)).rejects.toThrow('Failed with 400');
	});
});
