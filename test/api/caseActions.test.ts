import {
	actionsOfCase,
	knownActionsOfCase,
	withButtonTexts,
} from '../../nodes/Cases/api/caseActions';
import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import { createPool } from '../../nodes/Cases/api/pool';

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

/** A client for a service whose list of actions has these pages, or that answers with this status. */
function clientOf(pages: object[][] | number): Client {
	return {
		tenant: { arrayFormat: 'brackets' } as Client['tenant'],
		...createPool(2),
		send: async ({ path }) => {
			expect(path).toContain('/api/v2/cases/7/actions?');
			if (typeof pages === 'number') {
				throw new ApiFailure('No', { description: '', httpCode: pages, retryable: false });
			}
			const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
			return {
				body: {
					case_id: 7,
					actions: pages[page - 1] ?? [],
					meta: { pages: pages.length, per_page: 50 },
				},
				unusable: () => new Error() as never,
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

	it('come from the own list of the case, in any order, with the query parameters', async () => {
		const own = [
			{ id: '1', action_text: 'Go', query_params: { a: 'b' } },
			{ url: 'https://b.example/', label: 'B', action_text: null, page_emoji: ':x:' },
		];
		expect(await withButtonTexts(clientOf([own.reverse()]), '7', actions)).toEqual([
			{ ...actions[0], action_text: 'Go', query_params: { a: 'b' } },
			{ ...actions[1], action_text: null },
			actions[2],
		]);
	});

	it('stay unknown where the service has no such list', async () => {
		expect(await withButtonTexts(clientOf(404), '7', actions)).toEqual(actions);
	});

	it('can not be had where the list fails in another way', async () => {
		await expect(withButtonTexts(clientOf(400), '7', actions)).rejects.toThrow('No');
	});
});
