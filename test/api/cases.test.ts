import {
	countCases,
	readCase,
	readCases,
	readCasesById,
	type OrderedQuery,
} from '../../nodes/Cases/api/cases/cases';
import { matchesNothing } from '../../nodes/Cases/api/cases/caseQuery';
import type { Client } from '../../nodes/Cases/api/http/client';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import type { ArrayFormat, Row } from '../../nodes/Cases/api/types';
import type { Deviations } from '../../sandbox/deviations';
import { CaseStore } from '../../sandbox/store';
import { simulate, type Clock } from './simulation';

const START = Date.parse('2026-01-31T12:00:00Z');

interface ServiceSetup {
	arrayFormat?: ArrayFormat;
	beforeAnswer?: BeforeAnswer;
	deviations?: Deviations;
}

type BeforeAnswer = (index: number, store: CaseStore, clock: Clock) => void;

/** A store of this many cases, numbered from 1, of which every third is closed, and a client for it. */
function service(count: number, { arrayFormat, beforeAnswer, deviations }: ServiceSetup = {}) {
	const clock: Clock = { now: START };
	const store = new CaseStore({ now: () => new Date(clock.now) });
	for (let index = 1; index <= count; index++) {
		store.createCase({
			status: index % 3 === 0 ? 'CLOSED' : 'OPEN',
			created_at: START - 1_000_000 - index * 1000,
		});
	}
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 4,
		service: { arrayFormat, deviations, grown: ['page-size'] },
		beforeAnswer: (index) => beforeAnswer?.(index, store, clock),
	});
	return { store, client, requests: answered };
}

const query = (collection: Record<string, unknown> = {}): OrderedQuery => ({
	...parseFilters(collection, 'UTC'),
	order: 'CREATED_DESC',
});
const whole = { pageSize: 50, shape: ({ case_id }: { case_id?: unknown }) => ({ case_id }) };
const ids = (rows: Array<Record<string, unknown>>) => rows.map(({ case_id }) => case_id);
const decoded = (request: string) => decodeURIComponent(request);

/** The failure of a call that must fail, with its remedy checked. */
async function failureOf(work: Promise<unknown>, remedy: RegExp): Promise<string> {
	const failure: unknown = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	expect(failure).toBeInstanceOf(ApiFailure);
	expect((failure as ApiFailure).details.description).toMatch(remedy);
	return (failure as ApiFailure).message;
}

/** A client that changes the bodies of answers. */
const bent = (client: Client, bend: (body: Record<string, unknown>) => unknown): Client => ({
	...client,
	send: async (request) => {
		const answer = await client.send(request);
		return { ...answer, body: bend(answer.body as Record<string, unknown>) };
	},
});

/** The client of a service that makes pages of 20 where pages of one are requested. */
function withLargerPages(client: Client): Client {
	return {
		...client,
		send: async (request) =>
			await client.send({
				...request,
				path: request.path.replace('per_page=1&', 'per_page=20&'),
			}),
	};
}

describe('reading all cases', () => {
	it.each([
		['CREATED_DESC', [1, 2, 3, 4, 5, 6, 7]],
		['CREATED_ASC', [7, 6, 5, 4, 3, 2, 1]],
	] as const)('reads %s oldest first, which edits do not change', async (order, expected) => {
		const { client, requests } = service(7);
		const { rows } = await readCases(client, { ...query(), order }, { ...whole, pageSize: 3 });
		expect(ids(rows)).toEqual(expected);
		expect(requests).toHaveLength(5);
		expect(requests.slice(0, 4).every((one) => one.includes('order=CREATED_ASC'))).toBe(true);
	});

	it.each([[null], [undefined], [''], [{}], [[]], [true]])(
		'keeps a case whose ID is %j',
		async (case_id) => {
			const { client } = service(3);
			const nameless = bent(client, ({ cases, meta }) => ({
				cases: (cases as object[]).map((row, index) => (index === 1 ? { ...row, case_id } : row)),
				meta,
			}));
			const { rows, observed } = await readCases(nameless, query(), whole);
			expect(ids(rows)).toStrictEqual([1, case_id, 3]);
			expect(observed).toEqual({ isTruncated: false, reads: 1 });
		},
	);

	it('sorts a list that never holds still by the key of its order, ties by ID', async () => {
		const { client } = service(9, {
			beforeAnswer: (index, store, clock) => {
				clock.now += 1000;
				store.updateCase(1 + (index % 4), { name: `Edit ${index}` });
			},
		});
		const { rows, observed } = await readCases(
			client,
			{ ...query(), order: 'RECENTLY_EDITED' },
			{ pageSize: 3, shape: (row) => row },
		);
		expect(observed).toEqual({ isTruncated: false, reads: 4, keptChanging: true });
		const times = rows.map(({ updated_at }) => Date.parse(String(updated_at)));
		expect(times).toEqual([...times].sort((a, b) => b - a));
	});

	it('looks for later edits with the same filters, and an end far in the future', async () => {
		const { client, requests } = service(7);
		await readCases(
			client,
			{ ...query({ status: 'OPEN' }), order: 'PRIORITY_ASC' },
			{ ...whole, pageSize: 3 },
		);
		expect(decoded(requests[requests.length - 1])).toBe(
			'GET /api/v2/cases?filters[status]=OPEN&filters[updated_at_start_date]=2026-01-31T12:00:00Z&filters[updated_at_end_date]=2099-12-31T23:59:59Z&order=PRIORITY_ASC&per_page=1&page=1',
		);
	});

	it('sends filters, team and order with every page', async () => {
		const { client, requests } = service(7);
		await readCases(
			client,
			{ ...query({ status: 'OPEN', team_id: 1 }), order: 'OPENED_DESC' },
			whole,
		);
		expect(requests.map(decoded)).toEqual([
			'GET /api/v2/cases?filters[status]=OPEN&team_id=1&order=OPENED_DESC&per_page=50&page=1',
		]);
	});

	it('makes no request for an empty list of IDs', async () => {
		const { client, requests } = service(3);
		expect((await readCases(client, query({ case_ids: [] }), whole)).rows).toEqual([]);
		expect((await countCases(client, query({ case_ids: [] }), { pageSize: 50 })).count).toBe(0);
		expect(requests).toEqual([]);
	});
});

describe('reading some cases', () => {
	it.each([
		[1, 1, 'page=1'],
		[50, 1, 'page=1'],
		[51, 2, 'page=2'],
		[120, 3, 'page=3'],
	])('reads %i cases with %i requests', async (limit, count, last) => {
		const { client, requests } = service(130);
		const { rows, observed } = await readCases(client, query(), { ...whole, limit });
		expect(rows).toHaveLength(limit);
		expect(observed.isTruncated).toBe(true);
		expect(requests).toHaveLength(count);
		expect(requests.some((one) => one.endsWith(last))).toBe(true);
	});

	it.each([7, 50, 51])('sends the order with every page of %i cases', async (limit) => {
		const { client, requests } = service(130);
		const { rows } = await readCases(client, query(), { ...whole, limit });
		expect(requests.every((one) => one.includes('order=CREATED_DESC'))).toBe(true);
		expect(ids(rows)).toEqual(Array.from({ length: limit }, (_empty, index) => index + 1));
	});

	it.each(['CREATED_DESC', 'CREATED_ASC', 'PRIORITY_DESC'] as const)(
		'returns a prefix of all cases by %s',
		async (order) => {
			const { client } = service(70);
			const all = await readCases(client, { ...query(), order }, whole);
			const some = await readCases(client, { ...query(), order }, { ...whole, limit: 60 });
			expect(ids(some.rows)).toEqual(ids(all.rows).slice(0, 60));
		},
	);
});

describe('reading cases of several priorities', () => {
	const twoOfThem = { priority: ['HIGH', 'LOW'] };
	const mixed = (count: number, options = {}) => {
		const made = service(count, options);
		const names = ['HIGH', 'LOW', 'INFO'];
		for (let id = 1; id <= count; id++)
			made.store.updateCase(id, { priority: names[id % 3] as 'HIGH' | 'LOW' | 'INFO' });
		return made;
	};

	it.each([undefined, 12])('merges a read for each by the order (limit %p)', async (limit) => {
		const { client, requests } = mixed(40);
		const { rows } = await readCases(client, query(twoOfThem), { ...whole, limit });
		const expected = Array.from({ length: 40 }, (_empty, index) => index + 1).filter(
			(id) => id % 3 !== 2,
		);
		expect(ids(rows)).toEqual(expected.slice(0, limit));
		const priorities = requests.map((one) => /filters\[priority\]=(\w+)/.exec(decoded(one))?.[1]);
		expect(priorities.slice(0, 2).sort()).toEqual(['HIGH', 'LOW']);
	});

	it('takes as many requests for each as one alone would', async () => {
		const { client, requests } = mixed(300);
		await readCases(client, query(twoOfThem), { ...whole, limit: 60 });
		expect(requests).toHaveLength(4);
	});

	it('finds a case that moved from one to the other between the two reads', async () => {
		let moved = false;
		const { client, store } = mixed(9, {
			beforeAnswer: (index: number, { updateCase }: CaseStore) => {
				if (index !== 1 || moved) return;
				moved = true;
				updateCase.call(store, 3, { priority: 'LOW' });
				updateCase.call(store, 1, { priority: 'HIGH' });
			},
		});
		const { rows, observed } = await readCases(client, query(twoOfThem), whole);
		expect(ids(rows).sort()).toEqual([1, 3, 4, 6, 7, 9]);
		expect(observed.reads).toBeGreaterThan(1);
	});

	it('counts them together', async () => {
		const { client } = mixed(40);
		expect((await countCases(client, query(twoOfThem), { pageSize: 50 })).count).toBe(27);
	});
});

describe('reading cases created since a time', () => {
	const since = (count: number) => START - 1_000_000 - count * 1000;

	it.each([
		['CREATED_DESC', undefined, [1, 2, 3, 4]],
		['CREATED_ASC', undefined, [4, 3, 2, 1]],
		['CREATED_DESC', 3, [1, 2, 3]],
		['CREATED_ASC', 2, [4, 3]],
	] as const)('returns exactly these by %s with limit %p', async (order, limit, expected) => {
		const { client, store } = service(10);
		for (const id of [8, 9]) store.updateCase(id, { name: 'Edited after' });
		const created = { ...query(), order, createdSince: since(4) };
		const { rows } = await readCases(client, created, { ...whole, pageSize: 3, limit });
		expect(ids(rows)).toEqual(expected);
	});

	it('stops at the first older case where the newest come first', async () => {
		const { client, store, requests } = service(30);
		for (let id = 1; id <= 30; id++) store.updateCase(id, { name: 'Edited' });
		const created = { ...query(), createdSince: since(4) };
		const { observed } = await readCases(client, created, { ...whole, pageSize: 5, limit: 10 });
		expect(requests).toHaveLength(1);
		expect(observed.isTruncated).toBe(false);
	});

	it('reads whole pages for a small limit, because many cases may be left out', async () => {
		const { client, store, requests } = service(30);
		for (let id = 3; id <= 30; id++) store.updateCase(id, { name: 'Edited' });
		const created = { ...query(), order: 'RECENTLY_EDITED' as const, createdSince: since(2) };
		await readCases(client, created, { ...whole, limit: 1 });
		expect(requests).toHaveLength(1);
	});

	it('counts them one by one', async () => {
		const { client, store } = service(10);
		store.updateCase(9, { name: 'Edited after' });
		expect(
			(await countCases(client, { ...query(), createdSince: since(4) }, { pageSize: 3 })).count,
		).toBe(4);
	});
});

describe('reading cases by a list of IDs', () => {
	const asked = [9, 2, 120, 77, 1, 5, 999];

	it('returns them in the order, over several requests of a page each', async () => {
		const { client, requests } = service(130);
		const { rows } = await readCases(client, query({ case_ids: asked }), { ...whole, pageSize: 3 });
		expect(ids(rows)).toEqual([1, 2, 5, 9, 77, 120]);
		expect(requests).toHaveLength(3);
	});

	it('returns the first ones of the order up to the limit', async () => {
		const { client } = service(130);
		const { rows, observed } = await readCases(
			client,
			{ ...query({ case_ids: asked }), order: 'CREATED_ASC' },
			{ ...whole, pageSize: 3, limit: 2 },
		);
		expect(ids(rows)).toEqual([120, 77]);
		expect(observed.isTruncated).toBe(true);
	});

	it.each([
		[6, false],
		[5, true],
	])('is truncated only where more are there than a limit of %i', async (limit, isTruncated) => {
		const { client } = service(130);
		const { rows, observed } = await readCases(client, query({ case_ids: asked.slice(0, 6) }), {
			...whole,
			pageSize: 3,
			limit,
		});
		expect(rows).toHaveLength(limit);
		expect(observed.isTruncated).toBe(isTruncated);
	});

	it.each<[ArrayFormat]>([['brackets'], ['indices'], ['repeat'], ['comma']])(
		'keeps every address within what services take, with arrays as %s',
		async (arrayFormat) => {
			const { client, requests } = service(5, { arrayFormat });
			const long = Array.from({ length: 400 }, (_empty, index) => 123_456_789_000_000 + index);
			const { rows } = await readCases(
				client,
				{ ...query({ case_ids: [3, ...long, 1], search: 'Case' }), order: 'CREATED_DESC' },
				whole,
			);
			expect(ids(rows)).toEqual([1, 3]);
			expect(Math.max(...requests.map((one) => one.length))).toBeLessThanOrEqual(6004);
			expect(requests.length).toBeLessThanOrEqual(9);
		},
	);

	it('puts 115 IDs into a request where the page size allows it', async () => {
		const { client, requests } = service(5);
		const case_ids = Array.from({ length: 230 }, (_empty, index) => 100_000 + index);
		await readCases(client, query({ case_ids }), { ...whole, pageSize: 500 });
		expect(requests).toHaveLength(2);
		expect(Math.max(...requests.map((one) => one.length))).toBeLessThanOrEqual(6004);
	});

	it('splits by length where the other filters are long', async () => {
		const { client, requests } = service(5);
		const long = Array.from({ length: 50 }, (_empty, index) => 123_456_789_000_000 + index);
		for (const case_ids of [
			[...long, 1],
			[1, ...long],
		]) {
			await readCases(client, query({ case_ids, search: 'x'.repeat(5000) }), whole);
		}
		expect(requests.length).toBeGreaterThan(4);
		expect(Math.max(...requests.map((one) => one.length))).toBeLessThanOrEqual(6004);
	});

	it('refuses an answer with a case that was not requested', async () => {
		const { client } = service(5, { arrayFormat: 'brackets' });
		const ignoring = bent(client, () => ({
			cases: [4, 3, 2].map((case_id) => ({ case_id })),
			meta: {},
		}));
		const message = await failureOf(
			readCases(ignoring, query({ case_ids: [1, 2] }), whole),
			/contradict the filter\. Try another 'List Format in Requests' in the credential/,
		);
		expect(message).toBe("The service ignores the filter 'Case IDs'");
	});

	it('keeps cases without an ID, and leaves out one that was not requested', async () => {
		const { client } = service(5, { arrayFormat: 'brackets' });
		const readOf = async (...cases: object[]) =>
			await readCases(
				bent(client, () => ({ cases, meta: {} })),
				query({ case_ids: [1, 2] }),
				whole,
			);
		expect((await readOf({ name: 'A' }, { case_id: null })).rows).toHaveLength(2);
		const { rows, observed } = await readOf({ name: 'A' }, { case_id: 4 });
		expect(rows).toHaveLength(1);
		expect(observed.contradicting).toEqual({ case_ids: 1 });
		expect((await readOf({ name: 'A' }, { case_id: 2 })).rows).toHaveLength(2);
	});

	it('keeps a case without an ID, also alone on its page', async () => {
		const { client } = service(5);
		const odd = bent(client, ({ cases, meta }) => ({
			cases: (cases as Row[]).map((row) => (row.case_id === 2 ? { name: 'A' } : row)),
			meta,
		}));
		const { rows, observed } = await readCases(odd, query({ case_ids: [1, 2, 3] }), {
			...whole,
			pageSize: 1,
		});
		expect(ids(rows)).toStrictEqual([1, 3, undefined]);
		expect(observed).toEqual({ isTruncated: false, reads: 1 });
	});

	it('returns the cases found, by ID', async () => {
		const { client, requests } = service(130);
		const found = await readCasesById(client, ['3', '999', '1'], 50);
		expect([...found.keys()].sort()).toEqual(['1', '3']);
		expect(found.get('3')).toMatchObject({ case_id: 3, name: 'Case 3' });
		expect(requests).toHaveLength(1);
		expect((await readCasesById(client, [], 50)).size).toBe(0);
		expect(requests).toHaveLength(1);
	});
});

describe('counting cases', () => {
	it('takes one request, two with a filter that cases can be held against', async () => {
		const { client, requests } = service(130);
		expect((await countCases(client, query(), { pageSize: 50 })).count).toBe(130);
		expect((await countCases(client, query({ status: 'CLOSED' }), { pageSize: 50 })).count).toBe(
			43,
		);
		expect((await countCases(client, query({ search: 'nothing' }), { pageSize: 50 })).count).toBe(
			0,
		);
		expect(requests.map((one) => /per_page=\d+/.exec(one)?.[0])).toEqual([
			'per_page=1',
			'per_page=50',
			'per_page=1',
			'per_page=1',
		]);
	});

	it('adds up the parts of a long list of IDs', async () => {
		const { client } = service(130);
		const many = Array.from({ length: 200 }, (_empty, index) => index + 1);
		expect((await countCases(client, query({ case_ids: many }), { pageSize: 50 })).count).toBe(130);
	});

	it('reads and counts them where the service makes larger pages', async () => {
		const { client } = service(45);
		expect((await countCases(withLargerPages(client), query(), { pageSize: 50 })).count).toBe(45);
	});

	it('returns 0 for an answer without cases and without page counts', async () => {
		const { client } = service(5);
		const silent = bent(client, () => ({ cases: [] }));
		expect((await countCases(silent, query(), { pageSize: 50 })).count).toBe(0);
	});

	it.each<[string, (meta: Row, rows: unknown[]) => unknown]>([
		['has no page counts', () => undefined],
		['has no number of pages', (meta) => ({ ...meta, pages: undefined })],
		['has no page size', (meta) => ({ ...meta, per_page: undefined })],
		['has one page and a next one', (meta) => ({ ...meta, pages: 1 })],
		['repeats the requested page size', (meta) => ({ ...meta, per_page: 1 })],
	])('reads and counts them where the answer %s', async (_what, bend) => {
		const { client } = service(137);
		const odd = bent(withLargerPages(client), ({ cases, meta }) => ({
			cases,
			meta: bend(meta as Row, cases as unknown[]),
		}));
		expect((await countCases(odd, query(), { pageSize: 50 })).count).toBe(137);
	});

	it.each<[string, Deviations['list']]>([
		['states one page, but the right number of cases', { meta: { pages: 1, count: 137 } }],
		['states too few pages and no next one', { pagesOff: -87, meta: { next_page: null } }],
	])('looks again where the service %s', async (_what, list) => {
		const { client } = service(137, { deviations: { list } });
		expect((await countCases(client, query(), { pageSize: 50 })).count).toBe(137);
	});

	it('reads and counts them where the case that came contradicts a filter, and says so', async () => {
		const { client } = service(60);
		const lagging = bent(client, ({ cases, meta }) => ({
			cases: (cases as Row[]).map((row) =>
				[1, 59].includes(Number(row.case_id)) ? { ...row, status: 'CLOSED' } : row,
			),
			meta,
		}));
		const { count, observed } = await countCases(lagging, query({ status: 'OPEN' }), {
			pageSize: 50,
		});
		expect(count).toBe(38);
		expect(observed?.contradicting).toEqual({ status: 2 });
	});
});

describe('reading cases from a service that ignores a filter', () => {
	const ignoring = (client: Client, name: string): Client => ({
		...client,
		send: async (request) =>
			await client.send({
				...request,
				path: request.path.replace(new RegExp(`filters%5B${name}%5D[^&]*&`, 'g'), ''),
			}),
	});

	it.each([undefined, 5])('leaves out the others and says so, with limit %p', async (limit) => {
		const { client } = service(60);
		const { rows, observed } = await readCases(
			ignoring(client, 'status'),
			query({ status: 'CLOSED' }),
			{ ...whole, limit },
		);
		const closed = Array.from({ length: 20 }, (_empty, index) => 3 * index + 3);
		expect(ids(rows)).toEqual(closed.slice(0, limit));
		expect(observed.contradicting).toEqual({ status: limit === undefined ? 40 : 34 });
	});

	it.each([undefined, 5, 1])(
		'fails where all of many contradict it, with limit %p',
		async (limit) => {
			const { client, requests } = service(600);
			const tagged = bent(client, ({ cases, meta }) => ({
				cases: (cases as Row[]).map((row) => ({ ...row, tags: [{ id: 1, name: 'VIP' }] })),
				meta,
			}));
			expect(
				await failureOf(
					readCases(tagged, query({ excluded_tags: ['VIP'] }), { ...whole, limit }),
					/^The cases that it returned contradict the filter.*exclude_tags/,
				),
			).toBe("The service ignores the filter 'Tags (None)'");
			// For a single case that contradicts it, a full page as well.
			expect(requests).toHaveLength(limit === 1 ? 2 : 1);
		},
	);

	it.each([undefined, 100])(
		'fails where only several small pages have many, with limit %p',
		async (limit) => {
			const { client } = service(58);
			const open = bent(ignoring(client, 'status'), ({ cases, meta }) => ({
				cases: (cases as Row[]).map((row) => ({ ...row, status: 'OPEN' })),
				meta,
			}));
			expect(
				await failureOf(
					readCases(open, query({ status: 'CLOSED' }), { ...whole, limit, pageSize: 5 }),
					/contradict the filter/,
				),
			).toBe("The service ignores the filter 'Status'");
		},
	);

	it('leaves fewer than five of them out', async () => {
		const few = service(6);
		const closed = bent(few.client, ({ cases, meta }) => ({
			cases: (cases as Row[]).map((row) => ({ ...row, status: 'CLOSED' })),
			meta,
		}));
		const { rows, observed } = await readCases(closed, query({ status: 'OPEN' }), whole);
		expect(rows).toEqual([]);
		expect(observed.contradicting).toEqual({ status: 4 });
	});
});

describe('one case', () => {
	it('is read by its ID, and an error says that there is none', async () => {
		const { client } = service(3);
		expect(await readCase(client, '2')).toMatchObject({ case_id: 2 });
		await expect(readCase(client, '9')).rejects.toMatchObject({
			message: 'Case 9 was not found, or the API key has no access to it',
			description:
				"The service gives the same answer for both. Check the ID, and what the key can see: a team key sees only its team's cases.",
			details: { retryable: false },
		});
	});
});

it.each([
	[[], true],
	[['1'], false],
	[undefined, false],
])('Of the case IDs %j nothing can match: %s', (caseIds, isNothing) => {
	expect(matchesNothing({ filters: {}, caseIds })).toBe(isNothing);
});
