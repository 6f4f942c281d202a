import {
	countCases,
	readCases,
	readCasesById,
	type OrderedQuery,
} from '../../nodes/Cases/api/cases/cases';
import { readComments } from '../../nodes/Cases/api/cases/listsOfCase';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { Row } from '../../nodes/Cases/api/types';
import type { Deviations } from '../../sandbox/deviations';
import { answering, failedWith } from './answering';
import { simulate, storeAt, type Clock } from './simulation';
import type { CaseStore } from '../../sandbox/store';

const START = Date.parse('2026-01-31T12:00:00Z');
const ALL: OrderedQuery = { filters: {}, order: 'CREATED_DESC' };
const OPEN: OrderedQuery = { filters: { status: 'OPEN' }, order: 'CREATED_DESC' };
const shape = ({ case_id }: Row) => ({ case_id });
const range = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_empty, index) => first + index);

type Change = (index: number, store: CaseStore, clock: Clock) => void;

/** A service with this many open cases, a second apart, that changes before each answer. */
function changing(count: number, change: Change = () => {}, deviations: Deviations = {}) {
	const { clock, store } = storeAt(START);
	for (const index of range(1, count)) {
		store.createCase({ status: 'OPEN', created_at: START - 1_000_000 + index * 1000 });
	}
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 4,
		service: { deviations },
		beforeAnswer: (index) => change(index, store, clock),
	});
	const read = async (query: OrderedQuery, limit?: number) => {
		const { rows, observed } = await readCases(client, query, { pageSize: 10, limit, shape });
		const ids = rows.map(({ case_id }) => Number(case_id)).sort((a, b) => a - b);
		return { ids, observed, requests: answered.length };
	};
	return { client, answered, store, read };
}

describe('the requests of a list that does not change', () => {
	it('are two more than its pages', async () => {
		expect(await changing(95).read(ALL)).toEqual({
			ids: range(1, 95),
			observed: { isTruncated: false, reads: 1 },
			requests: 10 + 2,
		});
	});

	it('are three more with a filter that an edit can change', async () => {
		expect((await changing(95).read(OPEN)).requests).toBe(10 + 3);
	});

	it('is one for one page, for a count and for a limit of a page', async () => {
		expect((await changing(9).read(ALL)).requests).toBe(1);
		expect((await changing(95).read(ALL, 10)).requests).toBe(1);
		const { client, answered } = changing(95);
		expect(await countCases(client, { filters: {} }, { pageSize: 50 })).toEqual({ count: 95 });
		expect(answered).toHaveLength(1);
	});
});

describe('a list by creation', () => {
	/** An edit before every answer, and a new case before each third. */
	const busy: Change = (index, store, clock) => {
		clock.now += 1000;
		store.updateCase(1 + (index % 90), { name: `Edit ${index}` });
		if (index % 3 === 2) store.createCase({ status: 'OPEN' });
	};

	it.each<[string, Deviations['clock']]>([
		['right', undefined],
		['an hour behind', { dateOffset: -3600 }],
		['an hour ahead', { dateOffset: 3600 }],
		['frozen', { dateFrozenAt: '2020-01-01T00:00:00Z' }],
		['missing', { noDate: true }],
	])(
		'is read once under edits and new cases, with a Date header that is %s',
		async (_is, clock) => {
			const { ids, observed, requests } = await changing(95, busy, { clock }).read(ALL);
			expect(ids).toEqual(expect.arrayContaining(range(1, 95)));
			expect(new Set(ids).size).toBe(ids.length);
			expect(observed).toEqual({ isTruncated: false, reads: 1 });
			expect(requests).toBeLessThanOrEqual(10 + 3);
		},
	);

	it.each(range(1, 12))(
		'hides no other case where one of page 1 is deleted before request %i',
		async (before) => {
			const { read } = changing(95, (index, store) => {
				if (index === before) store.deleteCase(3);
			});
			const { ids } = await read(ALL);
			expect(ids.filter((id) => id !== 3)).toEqual(range(1, 95).filter((id) => id !== 3));
		},
	);

	it.each(range(1, 12))(
		'hides no other case where one is deleted and one created before request %i',
		async (before) => {
			for (const victim of [3, 45, 92]) {
				const { read } = changing(95, (index, store, clock) => {
					if (index !== before) return;
					clock.now += 1000;
					store.deleteCase(victim);
					store.createCase({ status: 'OPEN' });
				});
				const { ids } = await read(ALL);
				expect(ids).toEqual(expect.arrayContaining(range(1, 95).filter((id) => id !== victim)));
			}
		},
	);
});

describe('a list by creation whose last row is deleted', () => {
	it.each(range(2, 7))('before request 2, and another one before request %i', async (before) => {
		for (const victim of [3, 15]) {
			const { read } = changing(21, (index, store, clock) => {
				clock.now += 1000;
				if (index === 2) store.deleteCase(21);
				if (index !== before) return;
				store.deleteCase(victim);
				store.createCase({ status: 'OPEN' });
			});
			const { ids } = await read(ALL);
			expect(ids).toEqual(expect.arrayContaining(range(1, 20).filter((id) => id !== victim)));
		}
	});
});

describe('a list with a filter that an edit can change', () => {
	const tick: Change = (_index, _store, clock) => {
		clock.now += 1000;
	};

	it('takes at most two reads for one edit that concerns it', async () => {
		for (const at of range(1, 12)) {
			const { ids, observed, requests } = await changing(95, (index, store, clock) => {
				tick(index, store, clock);
				if (index === at) store.updateCase(3, { status: 'CLOSED' });
			}).read(OPEN);
			expect(ids.filter((id) => id !== 3)).toEqual(range(1, 95).filter((id) => id !== 3));
			expect(observed.keptChanging).toBeUndefined();
			expect(requests).toBeLessThanOrEqual(2 * 10 + 6);
		}
	});

	it.each<[string, Deviations]>([
		['a Date header that is behind', { clock: { dateOffset: -3600 } }],
		['a Date header that is frozen', { clock: { dateFrozenAt: '2020-01-01T00:00:00Z' } }],
		['no Date header', { clock: { noDate: true } }],
		['no page counts', { list: { meta: { pages: undefined, count: undefined } } }],
	])('takes at most two reads with %s', async (_what, deviations) => {
		const { ids, observed, requests } = await changing(95, tick, deviations).read(OPEN);
		expect(ids).toEqual(range(1, 95));
		expect(observed.keptChanging).toBeUndefined();
		expect(requests).toBeLessThanOrEqual(2 * 10 + 6);
	});
});

const LISTS = ['cases', 'comments'] as const;

/** Pages of 50 rows that are the answers to any list; `bend` returns other rows for a page, or throws. */
function paged(
	total: number,
	bend: (page: number, rows: Row[]) => Row[] | undefined = () => undefined,
	pagesOff = 0,
	visible = total,
) {
	const all = range(1, total).map((id) => ({ case_id: id, id }));
	const { client, requests } = answering(({ path }) => {
		if (requests.length > 300) throw failedWith(500);
		const [perPage, page] = ['per_page', 'page'].map((name) =>
			Number(new RegExp(`[?&]${name}=(\\d+)`).exec(path)?.[1]),
		);
		const pages = Math.max(1, Math.ceil(total / perPage)) + pagesOff;
		const right = all.slice(0, visible).slice((page - 1) * perPage, page * perPage);
		const rows = perPage === 1 ? right : (bend(page, right) ?? right);
		const meta = { pages, per_page: perPage, next_page: page < pages ? '/next' : null };
		return { [path.includes('/comments') ? 'comments' : 'cases']: rows, meta };
	});
	const read = async (list: (typeof LISTS)[number], limit?: number, acceptIncomplete = false) => {
		const options = { pageSize: 50, limit, acceptIncomplete };
		return list === 'cases'
			? await readCases(client, ALL, { ...options, shape })
			: await readComments(client, '1', options);
	};
	return { client, requests, read };
}

/** What fails, as its message. */
const messageOf = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(failure: unknown) => (failure instanceof ApiFailure ? failure.message : String(failure)),
	);

describe.each(LISTS)('a page of %s that was promised', (list) => {
	test.each([400, 404, 422])('and is refused with %i is an error that counts', async (status) => {
		const { read, client } = paged(137, (page) => {
			if (page === 2) throw failedWith(status);
			return undefined;
		});
		const message = `The service says that there are 137 ${list}, but it returned 87`;
		expect(await messageOf(read(list))).toBe(message);
		const { rows, observed } = await read(list, undefined, true);
		expect(rows).toHaveLength(87);
		expect(observed.incomplete).toBe(message);
		expect((await countCases(client, { filters: {} }, { pageSize: 50 })).count).toBe(137);
	});

	it('and is refused is an error also with a Limit that later pages could fill', async () => {
		const { read } = paged(137, (page) => {
			if (page === 2) throw failedWith(404);
			return undefined;
		});
		expect(await messageOf(read(list, 60))).toMatch(/^The service /);
	});

	test.each<[string, (page: number, rows: Row[]) => Row[] | undefined]>([
		['is empty', (page) => (page === 2 ? [] : undefined)],
		['is short', (page, rows) => (page === 2 ? rows.slice(9) : undefined)],
	])('and %s is an error', async (_what, bend) => {
		expect(await messageOf(paged(137, bend).read(list))).toMatch(
			/^The service says that there are 137 \w+, but it returned \d+$/,
		);
	});

	test.each<[string, number, (page: number, rows: Row[]) => Row[] | undefined]>([
		['is empty', 60, (page) => (page === 2 ? [] : undefined)],
		[
			'repeats page 1',
			60,
			(page) => (page === 2 ? range(1, 50).map((id) => ({ case_id: id, id })) : undefined),
		],
		['is short', 110, (page, rows) => (page === 2 ? rows.slice(9) : undefined)],
	])('and %s is an error also with a Limit of %i', async (_what, limit, bend) => {
		expect(await messageOf(paged(170, bend).read(list, limit))).toMatch(/^The service /);
	});

	it('and has only rows that the key can’t see is an error also with a Limit', async () => {
		const { read } = paged(87, (page, rows) => (page === 2 ? [] : rows), 0, 50);
		for (const limit of [60, 80, undefined]) {
			expect(await messageOf(read(list, limit))).toMatch(/^The service /);
		}
	});

	it('may be one too many at the very end', async () => {
		expect((await paged(137, undefined, 1).read(list)).rows).toHaveLength(137);
	});
});

it('rows without an ID are kept, and told apart by what they have', async () => {
	const nameless = [{ name: 'A' }, { name: 'B' }, { name: 'A' }];
	const { client } = answering(() => ({ cases: nameless, meta: { pages: 1, per_page: 50 } }));
	const { rows } = await readCases(client, ALL, { pageSize: 50, shape: (row) => row });
	expect(rows.map(({ name }) => name).sort()).toEqual(['A', 'B']);
});

describe('a request for several IDs that is refused', () => {
	const refusing = (bad: string, status: number) =>
		answering(({ path }) => {
			const ids = [...decodeURIComponent(path).matchAll(/case_ids\]\[\]=(\d+)/g)].map(
				([, id]) => id,
			);
			if (ids.includes(bad)) throw failedWith(status);
			return {
				cases: ids.map((id) => ({ case_id: Number(id) })),
				meta: { pages: 1, per_page: 50 },
			};
		});
	const ids = range(1, 50).map(String);

	test.each([400, 404, 414, 422])(
		'with %i is halved until the bad one is alone',
		async (status) => {
			const { client, requests } = refusing('17', status);
			const refused = new Map<string, ApiFailure>();
			const found = await readCasesById(client, ids, 50, () => {}, refused);
			expect([...found.keys()].sort()).toEqual(ids.filter((id) => id !== '17').sort());
			expect([...refused].map(([id, { details }]) => [id, details.httpCode])).toEqual([
				['17', status],
			]);
			expect(requests.length).toBeLessThanOrEqual(2 + 2 * 6);
		},
	);

	test.each([403, 500])('with %i is not requested again', async (status) => {
		const { client, requests } = refusing('17', status);
		const reading = readCasesById(client, ids, 50, () => {}, new Map());
		await expect(reading).rejects.toMatchObject({ details: { httpCode: status } });
		expect(requests).toHaveLength(1);
	});
});

it('a list without an end is an error', async () => {
	const { client, requests } = answering(({ path }) => {
		const page = Number(/&page=(\d+)/.exec(path)?.[1]);
		const cases = range(1, 500).map((place) => ({ case_id: page * 500 + place }));
		return { cases, meta: { per_page: 500 } };
	});
	await expect(readCases(client, ALL, { pageSize: 500, shape })).rejects.toThrow(
		'The list has more than 250000 rows',
	);
	expect(requests.length).toBeLessThan(510);
});
