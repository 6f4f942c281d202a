import { directService } from './direct';
import type { Deviations } from './deviations';
import type { CaseInput } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

type Row = Record<string, unknown>;
type Answer = Record<'cases' | 'comments' | 'activities' | 'actions', Row[]> & { meta?: Row };

/** Some cases and a service without a socket, whose clock the test moves. */
function world(cases: CaseInput[], deviations: Deviations) {
	const clock = { now: Date.parse(NOW) };
	const store = storeWith(cases, { now: () => new Date(clock.now) });
	const serve = directService(store, { deviations });
	const list = (queryString = '') => serve({ path: '/api/v2/cases', queryString }) as Answer;
	return {
		store,
		serve,
		list,
		ids: (queryString?: string) => list(queryString).cases.map(({ case_id }) => case_id),
		comments: (id = 1) => (serve({ path: `/api/v2/cases/${id}/comments` }) as Answer).comments,
		pass: (seconds: number) => {
			clock.now += seconds * 1000;
		},
	};
}

/** Cases created one after the other, so that CREATED_ASC is the order of their IDs. */
const inARow = (count: number): CaseInput[] =>
	Array.from({ length: count }, (_empty, index) => {
		const at = Date.parse('2026-01-01T00:00:00Z') + index * 60_000;
		return { created_at: at, updated_at: at };
	});

const later = (seconds: number) =>
	`${new Date(Date.parse(NOW) + seconds * 1000).toISOString().slice(0, 19)}Z`;

/** The IDs on the first pages of seven cases, three to a page, or the error, and what the first page says. */
function pagesWith(list: Deviations['list']) {
	const { serve } = world(inARow(7), { list });
	const answers = [1, 2, 3, 4].map((page) => {
		const queryString = `order=CREATED_ASC&per_page=3&page=${page}`;
		try {
			return serve({ path: '/api/v2/cases', queryString }) as Answer;
		} catch (error) {
			return (error as { status: number }).status;
		}
	});
	const ids = answers.map((answer) =>
		typeof answer === 'number' ? answer : answer.cases?.map((row) => row.case_id),
	);
	return { ids, meta: (answers[0] as Answer).meta };
}

const HONEST = [[1, 2, 3], [4, 5, 6], [7], []];

it.each<[string, Deviations['list'], unknown[], object | undefined]>([
	['no deviation', {}, HONEST, { pages: 3, per_page: 3, count: 3 }],
	['its own size', { pageSize: 4 }, [[1, 2, 3, 4], [5, 6, 7], [], []], { per_page: 4 }],
	['a limit', { largestPage: 2 }, [[1, 2], [3, 4], [5, 6], [7]], { pages: 4, per_page: 2 }],
	['an end', { notFoundBehindLast: true }, [[1, 2, 3], [4, 5, 6], [7], 404], { pages: 3 }],
	['page 1 always', { repeatedPages: 'all' }, Array(4).fill([1, 2, 3]), { pages: 3 }],
	['fewer pages', { pagesOff: -2 }, HONEST, { pages: 1 }],
	['an empty last page', { emptyLastPage: true }, HONEST, { pages: 4 }],
	['any meta', { meta: { pages: 'many' } }, HONEST, { pages: 'many' }],
	['no meta', { noMeta: true }, HONEST, undefined],
	['no rows', { noRows: true }, Array(4).fill(undefined), { pages: 3 }],
])('The pages of a deviating service: %s', (_name, list, pages, meta) => {
	const { ids, meta: said } = pagesWith(list);
	expect(ids).toEqual(pages);
	if (meta) expect(said).toMatchObject(meta);
	else expect(said).toBeUndefined();
});

describe('A deviating service sorts', () => {
	it('cases with equal times differently with each request', () => {
		const { ids } = world(Array(20).fill({}), { list: { tiesMove: true } });
		const orders = [1, 2, 3].map(() => ids('order=CREATED_ASC'));
		expect(new Set(orders.map(String)).size).toBe(3);
		for (const order of orders) expect(new Set(order).size).toBe(20);
	});

	it('by edits when it ignores the order', () => {
		const { ids } = world(inARow(3), { list: { orderIgnored: true } });
		expect(ids('order=CREATED_ASC')).toEqual([3, 2, 1]);
	});
});

it.each<[string, Deviations['filters'], string, number[]]>([
	['ignores some', { ignored: ['tags'] }, 'filters[tags][]=vip&filters[status]=OPEN', [1, 2]],
	['leaves out the start', { startExclusive: true }, `filters[updated_at_start_date]=${NOW}`, []],
	['has the start', {}, `filters[updated_at_start_date]=${NOW}`, [1, 2, 3]],
	['compares days', { byDay: true }, `filters[updated_at_start_date]=${later(3600)}`, [1, 2, 3]],
	['compares times', {}, `filters[updated_at_start_date]=${later(3600)}`, []],
])('A service with other filters %s', (_name, filters, query, expected) => {
	const { ids } = world([{ tags: ['vip'] }, {}, { status: 'CLOSED' }], { filters });
	const end = 'filters[updated_at_end_date]=2027-01-01T00:00:00Z&order=CREATED_ASC';
	expect(ids(`${query}&${end}`)).toEqual(expected);
});

describe('The clock of a deviating service', () => {
	it.each<[string, Deviations['clock'], string | undefined]>([
		['is right without a deviation', {}, later(60)],
		['is silent', { noDate: true }, undefined],
		['is behind', { dateOffset: -30 }, later(30)],
		['stands still', { dateFrozenAt: NOW }, NOW],
	])('%s', (_name, clock, expected) => {
		const { serve, pass } = world([], { clock });
		pass(60);
		expect(serve.date()).toBe(expected && new Date(expected).toUTCString());
	});

	it.each([
		['offset', '2026-01-31T12:00:00+00:00'],
		['milliseconds', '2026-01-31T12:00:00.000Z'],
	] as const)('writes times in rows with %s', (format, created_at) => {
		const { store, list, comments } = world([{}], { clock: { format } });
		store.addComment(1, 'Hello');
		const activities = [{}, { created_at }];
		expect(list().cases[0]).toMatchObject({ created_at, activities, resolved_at: null });
		expect(comments()[0]).toMatchObject({ created_at });
	});

	it('dates some cases in the future, and sorts by that', () => {
		const { list, serve } = world([{}, {}], { clock: { future: { seconds: 3600, cases: [2] } } });
		const times = () => list('order=RECENTLY_EDITED').cases.map((row) => row.updated_at);
		expect(times()).toEqual([later(3600), NOW]);
		serve.deviate({ clock: { future: { at: '2031-01-01T00:00:00Z', cases: [1] } } });
		expect(times()).toEqual(['2031-01-01T00:00:00Z', NOW]);
	});
});

describe('The rows of a deviating service', () => {
	it('lack fields, or have other values in them, in some cases', () => {
		const { store, list, comments } = world([{ tags: ['a', 'b'] }, {}], {
			rows: {
				fields: [
					{ path: 'actions', cases: [1] },
					{ path: 'tags.*.name', value: null },
					{ list: 'comments', path: 'created_at' },
				],
			},
		});
		store.addComment(1, 'Hello');
		const [first, second] = list('order=CREATED_ASC').cases;
		expect([first, second].map((row) => 'actions' in row)).toEqual([false, true]);
		expect(first).toMatchObject({ tags: [{ name: null }, { name: null }] });
		expect(comments()[0]).not.toHaveProperty('created_at');
		expect(store.getCase(1).tags[0].name).toBe('a');
	});

	it('hit the same share of the cases with each request', () => {
		const fields = [{ path: 'tags', share: 0.5 }];
		const { list } = world(Array(50).fill({}), { rows: { fields } });
		const hits = () => list('per_page=50&order=CREATED_ASC').cases.map((row) => 'tags' in row);
		expect(hits().filter(Boolean).length).toBeGreaterThan(10);
		expect(hits().filter(Boolean).length).toBeLessThan(40);
		expect(hits()).toEqual(hits());
	});

	it('show edits and comments late', () => {
		const { store, list, ids, comments, pass } = world([{ name: 'Old', updated_at: later(-60) }], {
			rows: { lateEdits: { seconds: 30 }, lateComments: { seconds: 2 } },
		});
		store.updateCase(1, { name: 'New' });
		store.createCase();
		store.addComment(1, 'Hello');
		pass(29);
		expect(list().cases).toMatchObject([{ name: 'Old', updated_at: later(-60) }]);
		pass(1);
		expect(ids('order=CREATED_ASC')).toEqual([1, 2]);
		expect(list('filters[search]=new').cases).toMatchObject([{ name: 'New', updated_at: NOW }]);
		const { id } = store.addComment(1, 'Later');
		const shown = () => comments().some((comment) => comment.id === id);
		pass(1);
		expect(shown()).toBe(false);
		pass(31);
		expect(shown()).toBe(true);
	});

	it('of one case cannot be read', () => {
		const { comments } = world([{}, {}], {
			rows: { failing: [{ list: 'comments', status: 500, cases: [1] }] },
		});
		expect(() => comments(1)).toThrow(expect.objectContaining({ status: 500 }));
		expect(comments(2)).toEqual([]);
	});

	it('have the texts of actions, or all of their fields', () => {
		const action = { url: 'https://a.example/', label: 'a', action_type: 'page' as const };
		const { serve, list } = world([{ actions: [action] }], { actions: { inRows: 'texts' } });
		const texts = { ...action, action_text: null };
		expect(list().cases[0].actions).toEqual([{ ...texts, id: expect.any(Number) as number }]);
		serve.deviate({ actions: { inRows: 'full' } });
		expect(list().cases[0].actions).toMatchObject([{ ...texts, query_params: {}, case_id: 1 }]);
	});
});

it('Deviations are set and ended while the sandbox runs', async () => {
	const { sandbox, send } = await clientOf({ store: storeWith([{}]) });
	sandbox.deviate({ list: { noMeta: true } });
	sandbox.deviate({ clock: { noDate: true } });
	const deviating = await send('/api/v2/cases');
	expect([deviating.json.meta, deviating.headers.get('date')]).toEqual([undefined, null]);
	sandbox.deviate();
	const honest = await send('/api/v2/cases');
	expect(honest.json.meta).toBeDefined();
	expect(honest.headers.get('date')).toBe(new Date(NOW).toUTCString());
});
