import {
	countCases,
	readCase,
	readCases,
	readCasesById,
	type OrderedQuery,
} from '../../nodes/Cases/api/cases/cases';
import type { CaseFilters } from '../../nodes/Cases/api/cases/caseQuery';
import type { Client } from '../../nodes/Cases/api/http/client';
import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import type { ArrayFormat, Row } from '../../nodes/Cases/api/types';
import { CaseStore } from '../../sandbox/store';
import { range } from '../support/runs';
import { answering } from './answering';
import { simulate, type Clock } from './simulation';

const START = Date.parse('2026-01-31T12:00:00Z');

interface ServiceSetup {
	arrayFormat?: ArrayFormat;
	beforeAnswer?: BeforeAnswer;
}

type BeforeAnswer = (index: number, store: CaseStore, clock: Clock) => void;

/** A store of this many cases, numbered from 1, of which every third is closed, and a client for it. */
function service(count: number, { arrayFormat, beforeAnswer }: ServiceSetup = {}) {
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
		service: { arrayFormat, grown: ['page-size'] },
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

/** What the user reads where the service ignores a filter. */
const ignored = (filter: string, advice: RegExp) => ({
	name: 'ApiFailure',
	message: `The service ignores the filter '${filter}'`,
	description: expect.stringMatching(advice) as string,
});

/** A client that changes the bodies of answers. */
const bent = (client: Client, bend: (body: Record<string, unknown>) => unknown): Client => ({
	...client,
	send: async (request) => {
		const answer = await client.send(request);
		return { ...answer, body: bend(answer.body as Record<string, unknown>) };
	},
});

/** A client in whose answers cases have other fields. */
const withFields = (client: Client, fieldsOf: (row: Row) => Row): Client =>
	bent(client, ({ cases, meta }) => ({
		cases: (cases as Row[]).map((row) => ({ ...row, ...fieldsOf(row) })),
		meta,
	}));

const countOf = async (client: Client, wanted: CaseFilters, pageSize = 50) =>
	(await countCases(client, wanted, { pageSize })).count;

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

	it('returns cases of one second, newest first, in the opposite of the order in which they came', async () => {
		const { client, store } = service(3);
		for (let index = 0; index < 3; index++) store.createCase({ created_at: START - 500_000 });
		const { rows } = await readCases(client, query(), { ...whole, pageSize: 4 });
		expect(ids(rows)).toEqual([6, 5, 4, 1, 2, 3]);
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
		expect(await countOf(client, query({ case_ids: [] }))).toBe(0);
		expect(requests).toEqual([]);
	});
});

describe('reading some cases', () => {
	it('sends the order with every page, and returns the first cases in it', async () => {
		const { client, requests } = service(130);
		const { rows } = await readCases(client, query(), { ...whole, limit: 51 });
		expect(requests).toHaveLength(2);
		expect(requests.every((one) => one.includes('order=CREATED_DESC'))).toBe(true);
		expect(ids(rows)).toEqual(range(1, 51));
	});
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
		const expected = range(1, 40).filter((id) => id % 3 !== 2);
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
		expect(await countOf(client, query(twoOfThem))).toBe(27);
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
		expect(requests.map(decoded)).toEqual([
			'GET /api/v2/cases?filters[updated_at_start_date]=2026-01-31T11:43:16Z&filters[updated_at_end_date]=2099-12-31T23:59:59Z&order=CREATED_DESC&per_page=5&page=1',
		]);
		expect(observed.isTruncated).toBe(false);
	});

	it('are not truncated where the page with the last of them has an older one, too', async () => {
		const { client, store } = service(12);
		for (let id = 1; id <= 12; id++) store.updateCase(id, { name: 'Edited' });
		const created = { ...query(), createdSince: since(4) };
		const { rows, observed } = await readCases(client, created, {
			...whole,
			pageSize: 5,
			limit: 4,
		});
		expect(ids(rows)).toEqual([1, 2, 3, 4]);
		expect(observed.isTruncated).toBe(false);
	});

	it('counts them one by one', async () => {
		const { client, store } = service(10);
		store.updateCase(9, { name: 'Edited after' });
		expect(await countOf(client, { ...query(), createdSince: since(4) }, 3)).toBe(4);
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

	it.each([
		[6, false],
		[5, true],
		[2, true],
	])('is truncated only where more are there than a limit of %i', async (limit, isTruncated) => {
		const { client } = service(130);
		const options = { ...whole, pageSize: 3, limit };
		const six = query({ case_ids: asked.slice(0, 6) });
		const { rows, observed } = await readCases(client, six, options);
		expect(ids(rows)).toEqual([1, 2, 5, 9, 77, 120].slice(0, limit));
		expect(observed.isTruncated).toBe(isTruncated);
	});

	it.each<[ArrayFormat]>([['brackets'], ['indices'], ['repeat'], ['comma']])(
		'keeps every address within what services take, with arrays as %s',
		async (arrayFormat) => {
			const { client, requests } = service(5, { arrayFormat });
			const long = range(123_456_789_000_000, 123_456_789_000_399);
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
		const case_ids = range(100_000, 100_229);
		await readCases(client, query({ case_ids }), { ...whole, pageSize: 500 });
		expect(requests).toHaveLength(2);
		expect(Math.max(...requests.map((one) => one.length))).toBeLessThanOrEqual(6004);
	});

	it('splits by length where the other filters are long', async () => {
		const { client, requests } = service(5);
		const long = range(123_456_789_000_000, 123_456_789_000_049);
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
		await expect(readCases(ignoring, query({ case_ids: [1, 2] }), whole)).rejects.toMatchObject(
			ignored(
				'Case IDs',
				/contradict the filter\. Try another 'List Format in Requests' in the credential/,
			),
		);
	});

	it('leaves out one that was not requested, and keeps one without an ID', async () => {
		const { client } = service(5);
		const cases = [{ name: 'A' }, { case_id: 4 }];
		const odd = bent(client, () => ({ cases, meta: {} }));
		const { rows, observed } = await readCases(odd, query({ case_ids: [1, 2] }), whole);
		expect(ids(rows)).toStrictEqual([undefined]);
		expect(observed.contradicting).toEqual({ case_ids: 1 });
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
		expect(await countOf(client, query())).toBe(130);
		expect(await countOf(client, query({ status: 'CLOSED' }))).toBe(43);
		expect(await countOf(client, query({ search: 'nothing' }))).toBe(0);
		expect(requests.map((one) => /per_page=\d+/.exec(one)?.[0])).toEqual([
			'per_page=1',
			'per_page=50',
			'per_page=1',
			'per_page=1',
		]);
	});

	/** Counts the cases of a service that answers so to a page of one, and has two cases for any other page size. */
	const counted = async (cases: number, meta?: Row) => {
		const { client, requests } = answering(({ path }) => {
			if (!path.includes('per_page=1&')) return { cases: [{}, { name: 'B' }], meta: { pages: 1 } };
			return { cases: range(1, cases).map((case_id) => ({ case_id })), meta };
		});
		const { count, observed } = await countCases(client, { filters: {} }, { pageSize: 50 });
		return { count, isRead: observed !== undefined, requests: requests.length };
	};

	const NINE = { pages: 9, per_page: 1, next_page: '/2' };

	it.each<[string, number, Row | undefined, number]>([
		['one page to a case', 1, NINE, 9],
		['one case', 1, { pages: 1, per_page: 1 }, 1],
		['one page to a case, which counts the cases of the page', 1, { ...NINE, count: 1 }, 9],
		['one page to a case, which counts all cases', 1, { ...NINE, count: 9 }, 9],
		['no case', 0, { pages: 1, per_page: 1 }, 0],
		['no case and no page counts', 0, undefined, 0],
	])('takes the page counts of an answer with %s', async (_what, cases, meta, count) => {
		expect(await counted(cases, meta)).toEqual({ count, isRead: false, requests: 1 });
	});

	it.each<[string, number, Row]>([
		['has no cases but several pages', 0, { pages: 2, per_page: 1, next_page: '/2' }],
		['has no cases but a next page', 0, { pages: 1, next_page: '/2' }],
		['has no cases but a count', 0, { pages: 1, count: 1 }],
		['states no pages', 1, { per_page: 1 }],
		['states one page, but no page size', 1, { pages: 1 }],
		['states several pages, but no page size', 1, { pages: 2, next_page: '/2' }],
		['has more cases than a page', 2, { pages: 1, per_page: 1 }],
		['has one page and a next one', 1, { pages: 1, per_page: 1, next_page: '/2' }],
		['has one page, which is full', 2, { pages: 1, per_page: 2 }],
		['has one page, and counts others', 1, { pages: 1, per_page: 9, count: 2 }],
		['counts fewer cases than pages', 1, { ...NINE, count: 8 }],
		['has several pages and no next one', 1, { pages: 9, per_page: 1 }],
		[
			'has several pages, and the first is not full',
			1,
			{ pages: 4, per_page: 2, count: 8, next_page: '/2' },
		],
	])('reads and counts them where the answer %s', async (_what, cases, meta) => {
		expect(await counted(cases, meta)).toMatchObject({ count: 2, isRead: true });
	});

	it('adds up the parts of a long list of IDs', async () => {
		const { client } = service(130);
		expect(await countOf(client, query({ case_ids: range(1, 200) }))).toBe(130);
	});

	it('reads and counts them where the case that came contradicts a filter, and says so', async () => {
		const lagging = withFields(service(60).client, ({ case_id }) =>
			case_id === 2 || case_id === 59 ? { status: 'CLOSED' } : {},
		);
		const counting = countCases(lagging, query({ status: 'OPEN' }), { pageSize: 50 });
		expect(await counting).toEqual({
			count: 38,
			observed: { reads: 1, isTruncated: false, contradicting: { status: 2 } },
		});
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
		const closed = range(1, 20).map((index) => 3 * index);
		expect(ids(rows)).toEqual(closed.slice(0, limit));
		expect(observed.contradicting).toEqual({ status: limit === undefined ? 40 : 34 });
	});

	const tagged = (count: number) => {
		const { client, requests } = service(count);
		return { client: withFields(client, () => ({ tags: [{ id: 1, name: 'VIP' }] })), requests };
	};
	const untagged = query({ excluded_tags: ['VIP'] });

	it.each([
		[50, undefined, 1],
		[50, 5, 1],
		// For a single case that contradicts it, a full page as well.
		[50, 1, 2],
		[5, undefined, 1],
		[5, 100, 1],
	])(
		'fails where all cases on a page of %i contradict it, with limit %p',
		async (pageSize, limit, count) => {
			const { client, requests } = tagged(600);
			const reading = readCases(client, untagged, { ...whole, pageSize, limit });
			await expect(reading).rejects.toMatchObject(
				ignored('Tags (None)', /^The cases that it returned contradict the filter.*exclude_tags/),
			);
			expect(requests).toHaveLength(count);
		},
	);

	it('leaves fewer than five of them out', async () => {
		const { rows, observed } = await readCases(tagged(4).client, untagged, whole);
		expect(rows).toEqual([]);
		expect(observed.contradicting).toEqual({ excluded_tags: 4 });
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
