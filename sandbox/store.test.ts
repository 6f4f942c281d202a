import { directService } from './direct';
import { listCases } from './query';
import { CaseStore } from './store';
import { NOW, storeWith } from './testSupport';
import { ORDERS, type Access, type CaseQuery } from './types';

const ALL: Access = { user_id: 1, team_ids: 'all' };
const LATER = '2026-02-01T08:00:00Z';

/** A store whose clock the test moves. */
function storeAt(options: ConstructorParameters<typeof CaseStore>[0] = {}) {
	const clock = { now: NOW };
	return { clock, store: new CaseStore({ now: () => new Date(clock.now), ...options }) };
}

describe('The store of the sandbox', () => {
	it('sets updated_at to the current time when a case is edited', () => {
		const { clock, store } = storeAt();
		store.createCase();
		expect(store.getCase(1)).toMatchObject({ created_at: NOW, updated_at: NOW, opened_at: NOW });
		clock.now = LATER;
		expect(store.updateCase(1, { name: 'Other' })).toMatchObject({
			name: 'Other',
			created_at: NOW,
			updated_at: LATER,
		});
	});

	it('sets updated_at to the time that is given with an edit', () => {
		const { store } = storeAt();
		store.createCase({ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' });
		expect(store.updateCase(1, { updated_at: '2026-01-03T00:00:00.999Z' }).updated_at).toBe(
			'2026-01-03T00:00:00Z',
		);
	});

	it('writes timestamps with milliseconds if that option is set', () => {
		const { store } = storeAt({ timestampPrecision: 'milliseconds' });
		expect(store.createCase().created_at).toBe('2026-01-31T12:00:00.000Z');
	});

	it('closes and reopens a case', () => {
		const { clock, store } = storeAt();
		store.createCase();
		clock.now = LATER;
		expect(store.closeCase(1, { user_id: 2 })).toMatchObject({
			status: 'CLOSED',
			resolved_at: LATER,
			updated_at: LATER,
			resolved_by: { user_id: 2 },
		});
		expect(store.reopenCase(1)).toMatchObject({ status: 'OPEN', resolved_at: null });
	});

	it('sets updated_at for a new comment only if that option is set', () => {
		for (const commentsTouchCase of [false, true]) {
			const { clock, store } = storeAt({ commentsTouchCase });
			store.createCase();
			clock.now = LATER;
			store.addComment(1, 'Hello');
			expect(store.comments(1)).toMatchObject([{ value: 'Hello', created_at: LATER }]);
			expect(store.getCase(1).updated_at).toBe(commentsTouchCase ? LATER : NOW);
		}
	});

	it('sets updated_at for replaced actions unless that option is off', () => {
		for (const actionsTouchCase of [false, true]) {
			const { clock, store } = storeAt({ actionsTouchCase });
			store.createCase();
			clock.now = LATER;
			store.replaceActions(1, []);
			expect(store.getCase(1).updated_at).toBe(actionsTouchCase ? LATER : NOW);
		}
	});

	it('refuses to edit or delete a missing case, and to use a missing team or user', () => {
		const { store } = storeAt();
		expect(() => store.updateCase(1, {})).toThrow('no case 1');
		expect(() => store.deleteCase(1)).toThrow('no case 1');
		expect(() => store.createCase({ team_id: 99 })).toThrow('no team 99');
		expect(() => store.createCase({ author: 99 })).toThrow('no user 99');
		store.createCase({ case_id: 7 });
		expect(() => store.createCase({ case_id: 7 })).toThrow('already has case 7');
		expect(store.createCase().case_id).toBe(8);
	});

	it('finds a change with the next query', () => {
		const store = storeWith([{}, {}]);
		const open = () => listCases(store, { filters: { status: 'OPEN' } }, ALL).total;
		expect(open()).toBe(2);
		store.closeCase(1);
		expect(open()).toBe(1);
		store.reopenCase(1);
		expect(open()).toBe(2);
		store.deleteCase(2);
		expect(open()).toBe(1);
		store.createCase();
		expect(open()).toBe(2);
	});
});

describe('A list of cases from the store', () => {
	const twenty = () => storeWith(Array.from({ length: 20 }, () => ({})));
	const ids = (store: CaseStore, query: CaseQuery) =>
		listCases(store, { per_page: 50, ...query }, ALL).rows.map(({ case_id }) => case_id);

	it('keeps cases with equal times in one order, but only if an order is requested', () => {
		const store = twenty();
		const inOrder = ids(store, { order: 'RECENTLY_EDITED' });
		const without = ids(store, {});
		expect(inOrder).toEqual(Array.from({ length: 20 }, (_empty, index) => index + 1));
		expect(ids(store, {})).toEqual(without);
		store.addComment(1, 'which edits nothing');
		expect(ids(store, { order: 'RECENTLY_EDITED' })).toEqual(inOrder);
		expect(ids(store, {})).not.toEqual(without);
		expect(ids(store, {}).sort((a, b) => a - b)).toEqual(inOrder);
	});

	it.each(ORDERS)('sorts cases that are equal under %s by ID', (order) => {
		expect(ids(storeWith([{ case_id: 9 }, { case_id: 3 }, { case_id: 5 }]), { order })).toEqual([
			3, 5, 9,
		]);
	});

	it('has each case on exactly one page', () => {
		const store = twenty();
		const pages = [1, 2, 3].map((page) =>
			listCases(store, { order: 'CREATED_ASC', per_page: 7, page }, ALL),
		);
		expect(pages.map(({ rows }) => rows.length)).toEqual([7, 7, 6]);
		expect(pages[0]).toMatchObject({ total: 20, pages: 3 });
		expect(new Set(pages.flatMap(({ rows }) => rows)).size).toBe(20);
	});

	it('compares a filter with milliseconds and a case without them as times', () => {
		const store = storeWith([{ updated_at: '2026-01-10T00:00:05Z' }]);
		const found = (updated_at_start_date: string) =>
			ids(store, {
				filters: { updated_at_start_date, updated_at_end_date: '2026-02-01T00:00:00Z' },
			}).length;
		expect(found('2026-01-10T00:00:05.000Z')).toBe(1);
		expect(found('2026-01-10T00:00:05.001Z')).toBe(0);
	});
});

describe('The service without a socket', () => {
	const store = storeWith([{ name: 'One' }, { name: 'Two' }]);
	const serve = directService(store);

	it('returns the same answers as over a socket', () => {
		expect(
			serve({ path: '/api/v2/cases', queryString: 'filters[search]=two&per_page=1' }),
		).toMatchObject({ cases: [{ case_id: 2, name: 'Two' }], meta: { pages: 1, count: 1 } });
		store.addComment(1, 'Hello');
		expect(serve({ path: '/api/v2/cases/1/comments' })).toMatchObject({
			case_id: 1,
			comments: [{ value: 'Hello' }],
		});
		const actions = [{ url: 'https://a.example/', label: 'a', action_type: 'page' }];
		expect(
			serve({ method: 'PUT', path: '/api/v2/cases/2/actions/batch', body: { actions } }),
		).toMatchObject({ case_id: 2, actions });
		expect(store.getCase(2).actions()).toHaveLength(1);
	});

	it('refuses the same requests as over a socket', () => {
		const refusal = (request: Parameters<typeof serve>[0]) => {
			try {
				return serve(request);
			} catch (error) {
				return (error as { status: number }).status;
			}
		};
		expect(refusal({ path: '/api/v2/cases', queryString: 'foo=1' })).toBe(400);
		expect(refusal({ path: '/api/v2/cases/9/comments' })).toBe(404);
		expect(refusal({ path: '/api/v2/cases/1/actions/batch' })).toBe(404);
		const access: Access = { user_id: 1, team_ids: [3] };
		expect(refusal({ path: '/api/v2/cases/1/comments', access })).toBe(404);
	});
});
