import { connectControl } from './control';
import { directService } from './direct';
import type { Deviations } from './deviations';
import type { CaseInput, StoreOptions } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

type Row = Record<string, unknown>;
interface Answer {
	cases: Row[];
	comments: Row[];
	activities: Row[];
	actions: Row[];
	meta?: Row;
}

/** Some cases and a service without a socket, whose clock the test moves. */
function world(cases: CaseInput[], deviations: Deviations, options: StoreOptions = {}) {
	const clock = { now: Date.parse(NOW) };
	const store = storeWith(cases, { now: () => new Date(clock.now), ...options });
	const serve = directService(store, { deviations });
	const list = (queryString = '') => serve({ path: '/api/v2/cases', queryString }) as Answer;
	return {
		clock,
		store,
		serve,
		list,
		ids: (queryString?: string) => list(queryString).cases.map(({ case_id }) => case_id),
		comments: (id = 1) => serve({ path: `/api/v2/cases/${id}/comments` }) as Answer,
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

const later = (after: number) =>
	`${new Date(Date.parse(NOW) + after * 1000).toISOString().slice(0, 19)}Z`;

/** The IDs on the first pages of seven cases, three to a page. */
function pagesWith(list: Deviations['list'], pages = 4): unknown[] {
	const { serve } = world(inARow(7), { list });
	return Array.from({ length: pages }, (_empty, index) => {
		try {
			const answer = serve({
				path: '/api/v2/cases',
				queryString: `order=CREATED_ASC&per_page=3&page=${index + 1}`,
			}) as Answer;
			return answer.cases.map((row) => row?.case_id);
		} catch (error) {
			return (error as { status: number }).status;
		}
	});
}

describe('A deviating service puts on its pages', () => {
	it.each<[string, Deviations['list'], unknown[]]>([
		['what is due, without a deviation', {}, [[1, 2, 3], [4, 5, 6], [7], []]],
		['more than requested', { pageSize: 4 }, [[1, 2, 3, 4], [5, 6, 7], [], []]],
		['at most its own limit', { largestPage: 2 }, [[1, 2], [3, 4], [5, 6], [7]]],
		['nothing on a page between', { emptyPages: [2] }, [[1, 2, 3], [], [4, 5, 6], [7]]],
		['an error behind the last', { notFoundBehindLast: true }, [[1, 2, 3], [4, 5, 6], [7], 404]],
		['page 1 once more', { repeatedPages: [2] }, [[1, 2, 3], [1, 2, 3], [7], []]],
		['page 1 always', { repeatedPages: 'all' }, Array(4).fill([1, 2, 3])],
		['rows of the page before', { overlap: 1 }, [[1, 2, 3], [3, 4, 5], [5, 6, 7], []]],
	])('%s', (_name, list, expected) => {
		expect(pagesWith(list)).toEqual(expected);
	});
});

describe('The meta of a deviating service', () => {
	const metaWith = (list: Deviations['list'], queryString = 'per_page=3') =>
		world(inARow(7), { list }).list(queryString).meta;

	it.each<[string, Deviations['list'], Row]>([
		['counts fewer pages', { pagesOff: -2 }, { pages: 1 }],
		['counts more pages', { pagesOff: 50 }, { pages: 53 }],
		['counts all rows', { count: 'total' }, { count: 7 }],
		['counts wrongly', { count: 1 }, { count: 1 }],
		['is honest about its page size', { largestPage: 2 }, { per_page: 2, pages: 4, count: 2 }],
		['counts an empty last page', { emptyLastPage: true }, { pages: 4 }],
		['has any value', { meta: { pages: 'many' } }, { pages: 'many' }],
		['never has a next page', { nextPage: 'never' }, { next_page: null }],
	])('%s', (_name, list, expected) => {
		expect(metaWith(list)).toMatchObject(expected);
	});

	it('has a next page behind the last', () => {
		expect(metaWith({ nextPage: 'always' }, 'per_page=3&page=3')).toMatchObject({
			next_page: 'http://sandbox.invalid/api/v2/cases?per_page=3&page=4',
		});
	});

	it('is missing, or lacks members', () => {
		expect(metaWith({ noMeta: true })).toBeUndefined();
		expect(metaWith({ metaWithout: ['pages'] })).not.toHaveProperty('pages');
	});
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

describe('A deviating service filters', () => {
	const range = (from: string) =>
		`filters[updated_at_start_date]=${from}&filters[updated_at_end_date]=2027-01-01T00:00:00Z`;

	it('by none of the filters that it ignores', () => {
		const cases: CaseInput[] = [{ tags: ['vip'] }, { status: 'CLOSED' }];
		const { ids } = world(cases, { filters: { ignored: ['excluded_tags'] } });
		expect(ids('filters[excluded_tags][]=vip&filters[status]=OPEN')).toEqual([1]);
	});

	it('without what happened at the start of a range', () => {
		const { ids, serve } = world([{}], {});
		expect(ids(range(NOW))).toEqual([1]);
		serve.deviate({ filters: { startExclusive: true } });
		expect(ids(range(NOW))).toEqual([]);
	});

	it('by day', () => {
		const { ids } = world([{}], { filters: { byDay: true } });
		expect(ids(range('2026-01-31T23:00:00Z'))).toEqual([1]);
		expect(ids(range('2026-02-01T00:00:00Z'))).toEqual([]);
	});

	it('without filters that it does not know, if it ignores them', () => {
		const { ids, serve } = world([{ tags: ['vip'] }], {});
		const query = 'filters[exclude_tags][]=vip&unknown=1';
		expect(() => ids(query)).toThrow('exclude_tags');
		serve.deviate({ filters: { unknownIgnored: true } });
		expect(ids(query)).toEqual([1]);
		expect(() => ids(`${query}&page=0`)).toThrow('page');
	});
});

describe('The clock of a deviating service', () => {
	const dateWith = (clock: Deviations['clock'], after = 0) => {
		const { serve, pass } = world([], { clock });
		pass(after);
		return serve.date();
	};

	it.each<[string, Deviations['clock'], string | undefined]>([
		['is right without a deviation', {}, later(60)],
		['is silent', { noDate: true }, undefined],
		['is ahead', { dateOffset: 30 }, later(90)],
		['is behind', { dateOffset: -30 }, later(30)],
		['stands still', { dateFrozenAt: NOW }, NOW],
	])('%s', (_name, clock, expected) => {
		expect(dateWith(clock, 60)).toBe(expected && new Date(expected).toUTCString());
	});

	it('dates rows apart from the Date header, and filters by these dates', () => {
		const { serve, list, ids } = world([{}], { clock: { dataOffset: -90 } });
		expect(serve.date()).toBe(new Date(NOW).toUTCString());
		expect(list().cases[0]).toMatchObject({ created_at: later(-90), updated_at: later(-90) });
		const until = (at: string) => `filters[updated_at_end_date]=${at}`;
		expect(ids(until(later(-91)))).toEqual([]);
		expect(ids(until(later(-90)))).toEqual([1]);
	});

	it.each([
		['noZone', '2026-01-31T12:00:00'],
		['offset', '2026-01-31T12:00:00+00:00'],
		['milliseconds', '2026-01-31T12:00:00.000Z'],
		['date', '2026-01-31'],
	] as const)('writes times in rows as %s', (format, expected) => {
		const { store, list, comments } = world([{}], { clock: { format } });
		store.addComment(1, 'Hello');
		expect(list().cases[0]).toMatchObject({ updated_at: expected, resolved_at: null });
		expect(list().cases[0].activities).toMatchObject([{}, { created_at: expected }]);
		expect(comments().comments[0]).toMatchObject({ created_at: expected });
	});

	it('dates some cases in the future, and sorts by that', () => {
		const { list } = world([{}, {}, {}], { clock: { future: { seconds: 3600, cases: [2] } } });
		expect(list('order=RECENTLY_EDITED').cases.map((row) => row.updated_at)).toEqual([
			later(3600),
			NOW,
			NOW,
		]);
		const { list: fixed } = world([{}], { clock: { future: { at: '2031-01-01T00:00:00Z' } } });
		expect(fixed().cases[0].updated_at).toBe('2031-01-01T00:00:00Z');
	});
});

describe('The rows of a deviating service', () => {
	it('lack fields, or have other values in them, in some cases', () => {
		const { store, list, comments } = world([{ tags: ['a', 'b'] }, {}], {
			rows: {
				fields: [
					{ path: 'actions', cases: [1] },
					{ path: 'resolved_at', value: '' },
					{ path: 'tags.*.name', value: null },
					{ list: 'comments', path: 'created_at' },
				],
			},
		});
		store.addComment(1, 'Hello');
		const [first, second] = list('order=CREATED_ASC').cases;
		expect(first).not.toHaveProperty('actions');
		expect(second).toHaveProperty('actions');
		expect(first).toMatchObject({ resolved_at: '', tags: [{ name: null }, { name: null }] });
		expect(comments().comments[0]).not.toHaveProperty('created_at');
		expect(store.getCase(1).tags[0].name).toBe('a');
	});

	it('hit the same share of the cases with each request', () => {
		const { list } = world(Array(50).fill({}), {
			rows: { fields: [{ path: 'tags', share: 0.5 }] },
		});
		const hits = () =>
			list('per_page=50&order=CREATED_ASC').cases.flatMap((row) =>
				'tags' in row ? [] : [row.case_id],
			);
		expect(hits().length).toBeGreaterThan(10);
		expect(hits().length).toBeLessThan(40);
		expect(hits()).toEqual(hits());
	});

	it.each(['urls', 'sla', 'tagOrder', 'keyOrder'] as const)(
		'differ with each answer, without an edit, in %s',
		(what) => {
			const tags = Array.from({ length: 9 }, (_empty, index) => `tag-${index}`);
			const { list } = world([{ tags }], { rows: { volatile: [what] } });
			const texts = [1, 2, 3].map(() => JSON.stringify(list().cases[0]));
			expect(new Set(texts).size).toBe(3);
		},
	);

	it('show an edit late', () => {
		const { store, list, ids, pass } = world([{ name: 'Old', updated_at: later(-60) }], {
			rows: { lateEdits: { seconds: 30 } },
		});
		store.updateCase(1, { name: 'New' });
		store.createCase();
		pass(29);
		expect(list().cases).toMatchObject([{ name: 'Old', updated_at: later(-60) }]);
		pass(1);
		expect(ids('order=CREATED_ASC')).toEqual([1, 2]);
		expect(list('filters[search]=new').cases).toMatchObject([{ name: 'New', updated_at: NOW }]);
	});

	it('show comments and activities late', () => {
		const { store, list, comments, pass } = world([{ created_at: later(-60) }], {
			rows: { lateComments: { seconds: 2 } },
		});
		store.addComment(1, 'Hello');
		pass(1);
		expect(comments().comments).toEqual([]);
		expect(list().cases[0].activities).toHaveLength(1);
		pass(1);
		expect(comments().comments).toHaveLength(1);
		expect(list().cases[0].activities).toHaveLength(2);
	});

	it('number comments from 1 in each case', () => {
		const { store, comments } = world([{}, {}], { rows: { commentIdsPerCase: true } });
		for (const id of [1, 2]) store.addComment(id, 'Hello');
		expect([comments(1), comments(2)].map((answer) => answer.comments[0].id)).toEqual([2, 2]);
	});

	it('of one case cannot be read', () => {
		const { comments } = world([{}, {}], {
			rows: { failing: [{ list: 'comments', status: 500, cases: [1] }] },
		});
		expect(() => comments(1)).toThrow(expect.objectContaining({ status: 500 }));
		expect(comments(2).comments).toEqual([]);
	});
});

describe('The actions of a deviating service', () => {
	const buttons = ['a', 'b'].map((label) => ({
		url: `https://${label}.example/`,
		label,
		action_type: 'page' as const,
	}));
	const write = ({ serve }: ReturnType<typeof world>) =>
		serve({ method: 'PUT', path: '/api/v2/cases/1/actions/batch', body: { actions: buttons } });
	const labels = ({ store }: ReturnType<typeof world>) =>
		store
			.getCase(1)
			.actions()
			.map(({ label }) => label);

	it('show their IDs alone, or all fields, in rows', () => {
		const { serve, list } = world([{ actions: buttons }], { actions: { inRows: 'ids' } });
		const [first] = list().cases[0].actions as Row[];
		expect(Object.keys(first)).toEqual(['id']);
		serve.deviate({ actions: { inRows: 'full' } });
		expect(list().cases[0].actions).toMatchObject([
			{ label: 'a', action_text: null, query_params: {}, page_emoji: null },
			{ label: 'b' },
		]);
	});

	it.each([
		['reversed', { case_id: 1, actions: [{ label: 'b' }, { label: 'a' }] }],
		['noList', {}],
	] as const)('are written and answered %s', (batchAnswer, expected) => {
		const one = world([{}], { actions: { batchAnswer } });
		expect(write(one)).toMatchObject(expected);
		expect(labels(one)).toEqual(['a', 'b']);
	});

	it.each([
		['noContent', ''],
		['empty', ''],
		['html', expect.stringContaining('<html>') as string],
	] as const)('are written and answered without JSON: %s', (batchAnswer, expected) => {
		const one = world([{}], { actions: { batchAnswer } });
		expect(write(one)).toEqual(expected);
		expect(labels(one)).toEqual(['a', 'b']);
	});

	it.each([404, 405] as const)('have no requests of their own, answered with %i', (noSingles) => {
		const { serve } = world([{ actions: buttons }], { actions: { noSingles } });
		for (const [method, path] of [
			['GET', ''],
			['POST', ''],
			['PUT', '/1'],
			['DELETE', '/1'],
		] as const) {
			const request = { method, path: `/api/v2/cases/1/actions${path}`, body: {} };
			expect(() => serve(request)).toThrow(expect.objectContaining({ status: noSingles }));
		}
	});
});

describe('Deviations', () => {
	it('are set and ended while the sandbox runs, also from another process', async () => {
		const { sandbox, send } = await clientOf({ store: storeWith([{}]) });
		const control = connectControl(sandbox.controlUrl);
		await control.deviate({ list: { noMeta: true } });
		sandbox.deviate({ clock: { noDate: true } });
		const deviating = await send('/api/v2/cases');
		expect(deviating.json.meta).toBeUndefined();
		expect(deviating.headers.has('date')).toBe(false);
		await control.deviate();
		const honest = await send('/api/v2/cases');
		expect(honest.json.meta).toBeDefined();
		expect(honest.headers.get('date')).toBe(new Date(NOW).toUTCString());
	});

	it('replace the answer to a batch update over a socket', async () => {
		const { sandbox, put } = await clientOf({ store: storeWith([{}]) });
		sandbox.deviate({ actions: { batchAnswer: 'noContent' } });
		expect(await put('/api/v2/cases/1/actions/batch', { actions: [] })).toMatchObject({
			status: 204,
			text: '',
		});
		sandbox.deviate({ actions: { batchAnswer: 'html' } });
		const { status, headers } = await put('/api/v2/cases/1/actions/batch', { actions: [] });
		expect(status).toBe(200);
		expect(headers.get('content-type')).toContain('text/html');
	});

	it('with unknown names are refused', () => {
		const { serve } = world([], {});
		expect(() => serve.deviate({ list: { pagesOf: 1 } } as Deviations)).toThrow('pagesOf');
	});
});
