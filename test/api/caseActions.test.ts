import {
	actionsOfCase,
	knownActionsOfCase,
	withButtonTexts,
} from '../../nodes/Cases/api/caseActions';
import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import { createVersionCheck } from '../../nodes/Cases/api/twoVersions';

describe('the actions of a case', () => {
	it('are those that it carries', () => {
		expect(actionsOfCase({ actions: [{ label: 'a' }] })).toEqual([{ label: 'a' }]);
		expect(actionsOfCase({ actions: [] })).toEqual([]);
	});

	it.each([
		[{}],
		[{ actions: null }],
		[{ actions: {} }],
		[{ actions: ['x'] }],
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
function clientOf(pages: object[][] | number, case_id = 7): Client {
	return {
		tenant: { arrayFormat: 'brackets' } as Client['tenant'],
		...createPool(2),
		nameFilter: String,
		now: () => 0,
		send: async ({ path }) => {
			expect(path).toContain('/api/v2/cases/7/actions?');
			if (typeof pages === 'number') {
				throw new ApiFailure('No', { description: '', httpCode: pages, retryable: false });
			}
			const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
			return {
				body: {
					case_id,
					actions: [...(pages[page - 1] ?? [])],
					meta: { pages: pages.length, per_page: 50 },
				},
				unusable: ({ message }) => new ApiFailure(message, { description: '', retryable: false }),
			};
		},
	};
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
	])('are refused where the case’s own list %s', async (_what, own) => {
		const read = withButtonTexts(clientOf([own]), '7', actions);
		await expect(read).rejects.toThrow('have different actions of case 7: "A"');
	});

	it('stay unknown where the service has no such list', async () => {
		expect(await withButtonTexts(clientOf(404), '7', actions)).toEqual(actions);
	});

	it('are refused where the service answers with the list of another case', async () => {
		const read = withButtonTexts(clientOf([actions], 8), '7', undefined);
		await expect(read).rejects.toThrow('The service answered with the actions of another case');
	});

	it.each<[string, object[][]]>([
		['has an entry that is not an action', [[...actions, ['x']]]],
		['has two actions with one ID', [[...actions, { ...actions[0], label: 'Other' }]]],
	])(
		'are refused where the case’s own list %s, because the others would be removed',
		async (_what, own) => {
			const read = withButtonTexts(clientOf(own), '7', undefined);
			await expect(read).rejects.toThrow('case 7 may not have all of its actions');
		},
	);

	it('cannot be read where the list fails in another way', async () => {
		await expect(withButtonTexts(clientOf(400), '7', actions)).rejects.toThrow('No');
	});
});
