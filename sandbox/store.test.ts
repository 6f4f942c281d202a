import { directService } from './direct';
import { listCases } from './query';
import { CaseStore } from './store';
import { NOW, storeWith } from './testSupport';
import { ORDERS, type Access, type CaseQuery } from './types';

const ALL: Access = { user_id: 1, team_ids: 'all' };
const LATER = '2026-02-01T08:00:00Z';

/** A store with one case, some hours after it was made. */
function storeAt(options: ConstructorParameters<typeof CaseStore>[0] = {}) {
	const clock = { now: NOW };
	const store = new CaseStore({ now: () => new Date(clock.now), ...options });
	store.createCase();
	clock.now = LATER;
	return store;
}

describe('The store of the sandbox', () => {
	it('sets updated_at of an edit to the current time, or to what is given', () => {
		const store = storeAt();
		expect(store.getCase(1)).toMatchObject({ created_at: NOW, updated_at: NOW, opened_at: NOW });
		expect(store.updateCase(1, { name: 'Other' })).toMatchObject({
			name: 'Other',
			created_at: NOW,
			updated_at: LATER,
		});
		const updated_at = '2026-01-03T00:00:00.999Z';
		expect(store.updateCase(1, { updated_at }).updated_at).toBe('2026-01-03T00:00:00Z');
		const precise = storeAt({ timestampPrecision: 'milliseconds' });
		expect(precise.updateCase(1, { updated_at }).updated_at).toBe(updated_at);
	});

	it('closes and reopens a case', () => {
		const store = storeAt();
		expect(store.closeCase(1, { user_id: 2 })).toMatchObject({
			status: 'CLOSED',
			resolved_at: LATER,
			updated_at: LATER,
			resolved_by: { user_id: 2 },
		});
		expect(store.reopenCase(1)).toMatchObject({ status: 'OPEN', resolved_at: null });
	});

	it('sets updated_at for replaced actions, and for a new comment only if that option is set', () => {
		for (const commentsTouchCase of [false, true]) {
			const store = storeAt({ commentsTouchCase });
			store.addComment(1, 'Hello');
			expect(store.comments(1)).toMatchObject([{ value: 'Hello', created_at: LATER }]);
			expect(store.getCase(1).updated_at).toBe(commentsTouchCase ? LATER : NOW);
			store.replaceActions(1, []);
			expect(store.getCase(1).updated_at).toBe(LATER);
		}
	});

	it('refuses missing cases, teams and users, and numbers that are taken', () => {
		const store = storeAt();
		expect(() => store.updateCase(2, {})).toThrow('no case 2');
		expect(() => store.deleteCase(2)).toThrow('no case 2');
		expect(() => store.createCase({ team_id: 99 })).toThrow('no team 99');
		expect(() => store.createCase({ author: 99 })).toThrow('no user 99');
		expect(() => store.createCase({ case_id: 1 })).toThrow('already has case 1');
		store.createCase({ case_id: 7 });
		expect(store.createCase().case_id).toBe(8);
	});
});

describe('A list of cases from the store', () => {
	const twenty = () => storeWith(Array.from({ length: 20 }, () => ({})));
	const ids = (store: CaseStore, query: CaseQuery) =>
		listCases(store, { per_page: 50, ...query }, ALL).rows.map(({ case_id }) => case_id);

	it('shows each change', () => {
		const store = storeWith([{}, {}]);
		const open = () => ids(store, { filters: { status: 'OPEN' }, order: 'CREATED_ASC' });
		expect(open()).toEqual([1, 2]);
		store.closeCase(1);
		expect(open()).toEqual([2]);
		store.createCase();
		store.deleteCase(2);
		expect(open()).toEqual([3]);
	});

	it('keeps cases with equal times in one order, but only if an order is requested', () => {
		const store = twenty();
		const inOrder = ids(store, { order: 'RECENTLY_EDITED' });
		const without = ids(store, {});
		expect(ids(store, {})).toEqual(without);
		store.addComment(1, 'which edits nothing');
		expect(ids(store, { order: 'RECENTLY_EDITED' })).toEqual(inOrder);
		expect(ids(store, {})).not.toEqual(without);
		expect(ids(store, {}).sort((a, b) => a - b)).toEqual(inOrder);
	});

	it.each(ORDERS)('sorts cases that are equal under %s by ID, each on one page', (order) => {
		const store = storeWith([9, 3, 5].map((case_id) => ({ case_id })));
		const pages = [1, 2].map((page) => ids(store, { order, per_page: 2, page }));
		expect(pages).toEqual([[3, 5], [9]]);
	});
});

it('The service without a socket answers and refuses as over one', () => {
	const store = storeWith([{ name: 'One' }, { name: 'Two' }]);
	const serve = directService(store);
	const queryString = 'filters[search]=two&per_page=1';
	const cases = [{ case_id: 2, name: 'Two' }];
	const answer = serve({ path: '/api/v2/cases', queryString });
	expect(answer).toMatchObject({ cases, meta: { pages: 1, count: 1 } });
	const actions = [{ url: 'https://a.example/', label: 'a', action_type: 'page' }];
	const batch = {
		method: 'PUT',
		path: '/api/v2/cases/2/actions/batch',
		body: { actions },
	} as const;
	expect(serve(batch)).toMatchObject({ case_id: 2, actions });
	expect(store.getCase(2).actions()).toHaveLength(1);
	const refused = (status: number) => expect.objectContaining({ status }) as Error;
	expect(() => serve({ path: '/api/v2/cases', queryString: 'foo=1' })).toThrow(refused(400));
	expect(() => serve({ path: '/api/v2/cases/9/comments' })).toThrow(refused(404));
	expect(() => serve({ path: '/api/v2/cases/1/actions/batch' })).toThrow(refused(404));
	const access: Access = { user_id: 1, team_ids: [3] };
	expect(() => serve({ path: '/api/v2/cases/1/comments', access })).toThrow(refused(404));
});
