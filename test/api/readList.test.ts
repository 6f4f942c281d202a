import {
	countCases,
	readCases,
	readCasesById,
	type OrderedQuery,
} from '../../nodes/Cases/api/cases/cases';
import type { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { Row } from '../../nodes/Cases/api/types';
import type { Deviations } from '../../sandbox/deviations';
import { range } from '../support/runs';
import { answering, failedWith } from './answering';
import { simulate, storeAt, type Clock } from './simulation';
import type { CaseStore } from '../../sandbox/store';

const START = Date.parse('2026-01-31T12:00:00Z');
const ALL: OrderedQuery = { filters: {}, order: 'CREATED_DESC' };
const OPEN: OrderedQuery = { filters: { status: 'OPEN' }, order: 'CREATED_DESC' };
const shape = ({ case_id }: Row) => ({ case_id });

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

	it.each<[string, OrderedQuery]>([
		['a filter', OPEN],
		['a team', { ...ALL, teamId: '1' }],
	])('are three more with %s that an edit can change', async (_what, query) => {
		const { ids, requests } = await changing(95).read(query);
		expect(ids).toEqual(range(1, 95));
		expect(requests).toBe(10 + 3);
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

	it.each(range(2, 7))(
		'hides no other case where the last is deleted before request 2, and another before request %i',
		async (before) => {
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
		},
	);
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
