import { directService } from './direct';
import type { Deviations } from './deviations';
import type { CaseInput } from './store';
import { NOW, storeWith } from './testSupport';

type Row = Record<string, unknown>;
type Answer = Record<'cases' | 'comments', Row[]> & { meta: Row };

/** Some cases and a service without a socket, whose clock the test moves. */
function world(cases: CaseInput[], deviations: Deviations) {
	const clock = { now: Date.parse(NOW) };
	const store = storeWith(cases, { now: () => new Date(clock.now) });
	const serve = directService(store, { deviations });
	const list = (queryString = 'order=CREATED_ASC') =>
		serve({ path: '/api/v2/cases', queryString }) as Answer;
	return {
		store,
		serve,
		list,
		ids: (queryString?: string) => list(queryString).cases.map(({ case_id }) => case_id),
		comments: () => (serve({ path: '/api/v2/cases/1/comments' }) as Answer).comments,
		pass: (seconds: number) => {
			clock.now += seconds * 1000;
		},
	};
}

const later = (seconds: number) =>
	`${new Date(Date.parse(NOW) + seconds * 1000).toISOString().slice(0, 19)}Z`;

it.each<[Deviations['list'], unknown[], number]>([
	[{}, [[1, 2], [3], []], 2],
	[{ pageSize: 3 }, [[1, 2, 3], [], []], 1],
	[{ largestPage: 1 }, [[1], [2], [3]], 3],
])('A service whose lists deviate by %j has the pages %j and states %i', (list, pages, stated) => {
	const service = world([{}, {}, {}], { list });
	const queries = [1, 2, 3].map((page) => `order=CREATED_ASC&per_page=2&page=${page}`);
	expect(queries.map((query) => service.ids(query))).toEqual(pages);
	expect(service.list(queries[0]).meta).toMatchObject({ pages: stated });
});

it.each<[Deviations['clock'], string | undefined]>([
	[{}, later(60)],
	[{ noDate: true }, undefined],
	[{ dateOffset: -30 }, later(30)],
	[{ dateFrozenAt: NOW }, NOW],
])('A service whose clock deviates by %j says %s after a minute', (clock, expected) => {
	const { serve, pass } = world([], { clock });
	pass(60);
	expect(serve.date()).toBe(expected && new Date(expected).toUTCString());
});

it('Rows lack fields or have other values, in all cases, in some, or in a share that stays', () => {
	const cases = Array(50).fill({ tags: ['a', 'b'] }) as CaseInput[];
	const { store, list, comments } = world(cases, {
		clock: { format: 'milliseconds' },
		rows: {
			fields: [
				{ path: 'actions', cases: [1] },
				{ path: 'tags', value: null },
				{ path: 'metadata', share: 0.5 },
				{ list: 'comments', path: 'user' },
			],
		},
	});
	store.addComment(1, 'Hello');
	const rows = () => list('per_page=50&order=CREATED_ASC').cases;
	const having = (name: string) => rows().filter((row) => name in row);
	expect([having('actions').length, having('created_at').length]).toEqual([49, 50]);
	expect(rows()[0].tags).toBeNull();
	expect(store.getCase(1).tags[0].name).toBe('a');
	expect(having('metadata').length).toBeGreaterThan(10);
	expect(having('metadata').length).toBeLessThan(40);
	expect(having('metadata')).toEqual(having('metadata'));
	expect(comments()[0]).toMatchObject({ created_at: '2026-01-31T12:00:00.000Z' });
	expect(comments()[0]).not.toHaveProperty('user');
});

it('A service shows edits and comments late, if that is set', () => {
	const { store, list, ids, comments, pass } = world([{ name: 'Old', updated_at: later(-60) }], {
		rows: { lateEdits: { seconds: 30 }, lateComments: { seconds: 2 } },
	});
	store.updateCase(1, { name: 'New' });
	store.createCase();
	pass(29);
	expect(list().cases).toMatchObject([{ name: 'Old', updated_at: later(-60) }]);
	pass(1);
	expect(ids()).toEqual([1, 2]);
	expect(list('filters[search]=new').cases).toMatchObject([{ name: 'New', updated_at: NOW }]);
	store.addComment(1, 'Hello');
	pass(1);
	expect(comments()).toEqual([]);
	pass(31);
	expect(comments()).toHaveLength(1);
});
