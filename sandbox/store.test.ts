import { directService } from './direct';
import { listCases } from './query';
import type { CaseStore } from './store';
import { NOW, storeWith } from './testSupport';
import { ORDERS, type Access, type CaseQuery } from './types';

const ALL: Access = { user_id: 1, team_ids: 'all' };

it('The store dates an edit now or as is given, and a new comment edits nothing unless that is set', () => {
	for (const [commentsTouchCase, timestampPrecision] of [
		[false, 'seconds'],
		[true, 'milliseconds'],
	] as const) {
		const clock = { now: NOW };
		const now = () => new Date(clock.now);
		const store = storeWith([{}], { now, commentsTouchCase, timestampPrecision });
		clock.now = '2026-02-01T08:00:00Z';
		const [before, later] = [NOW, clock.now].map((at) => store.timestamp(at));
		expect(store.getCase(1)).toMatchObject({ created_at: before, updated_at: before });
		expect(store.addComment(1, 'Hello')).toMatchObject({ created_at: later });
		expect(store.getCase(1).updated_at).toBe(commentsTouchCase ? later : before);
		expect(store.updateCase(1, { name: 'Other' })).toMatchObject({ updated_at: later });
		const { updated_at } = store.updateCase(1, { updated_at: '2026-01-03T00:00:00.999Z' });
		expect(updated_at).toBe(`2026-01-03T00:00:00${commentsTouchCase ? '.999' : ''}Z`);
		store.replaceActions(1, []);
		expect(store.getCase(1).updated_at).toBe(later);
	}
});

describe('A list of cases from the store', () => {
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
		const store = storeWith(Array(20).fill({}));
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

it('The service without a socket refuses as over one', () => {
	const serve = directService(storeWith([{}]));
	const path = '/api/v2/cases';
	const refused = (status: number) => expect.objectContaining({ status }) as Error;
	expect(serve({ path: `${path}/1/comments` })).toMatchObject({ case_id: 1 });
	expect(() => serve({ path, queryString: 'foo=1' })).toThrow(refused(400));
	expect(() => serve({ path: `${path}/9/comments` })).toThrow(refused(404));
	expect(() => serve({ path: `${path}/1/actions/batch` })).toThrow(refused(404));
});
