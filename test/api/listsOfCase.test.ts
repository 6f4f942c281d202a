import {
	loadDetails,
	mayHaveMoreDetails,
	readListOfCase,
	readDetails,
} from '../../nodes/Cases/api/cases/listsOfCase';
import { flatRecords, recordIdentity } from '../../nodes/Cases/api/cases/recordEntries';
import type { Case, Row } from '../../nodes/Cases/api/types';
import { directService } from '../../sandbox/direct';
import { range } from '../support/runs';
import { answering } from './answering';
import { simulate, storeAt } from './simulation';

const BASE_URL = 'https://cases.example.com';

/**
 * Creates a case as a list returns it, and a client for its service.
 * @param comments how many comments the case has, each an activity
 * @param entries how many records of each of two types it has
 */
function bigCase({ comments = 0, entries = 0 }) {
	const { clock, store } = storeAt(Date.parse('2026-01-31T12:00:00Z'));
	const records = [1, 2].map((type) => ({
		record_type_id: type,
		record_type_name: `Type ${type}`,
		record_type_record_results: range(0, entries - 1).map((index) => ({
			id: type * 1000 + index,
			results: [{ id: 1, name: 'host', value: `h${index}` }],
			created_at: '2026-01-01T00:00:00Z',
		})),
	}));
	store.createCase({ records });
	for (let index = 0; index < comments; index++) {
		store.addComment(1, `Comment ${index}`, { created_at: clock.now - 60_000 });
	}
	const { cases } = directService(store)({ path: '/api/v2/cases' }) as { cases: Case[] };
	const row = JSON.parse(
		JSON.stringify(cases[0]).replaceAll('http://sandbox.invalid', BASE_URL),
	) as Case;
	const { client, answered } = simulate({ store, clock, concurrency: 4 });
	return { row, client, requests: answered };
}

describe('whether there may be more activities or records than a case carries', () => {
	it('is what its own page counts say, and so where it carries no list', () => {
		const { row } = bigCase({ comments: 30, entries: 2 });
		expect(mayHaveMoreDetails(row, 'activities')).toBe(true);
		expect(mayHaveMoreDetails(row, 'records')).toBe(false);
		expect(mayHaveMoreDetails({ records: [{ id: 1 }] }, 'records')).toBe(false);
		expect(mayHaveMoreDetails({}, 'records')).toBe(true);
		const records_meta = { next_page: 'https://x' };
		expect(mayHaveMoreDetails({ records: [], records_meta }, 'records')).toBe(true);
	});
});

describe('loading activities or records of a case', () => {
	it.each([
		['part of a page', 3],
		['a full page', 9],
	])('takes no request where they are %s', async (_what, comments) => {
		const { row, client, requests } = bigCase({ comments });
		expect((await loadDetails(client, row, 'activities')).row).toBe(row);
		expect(requests).toEqual([]);
	});

	it('returns all activities', async () => {
		const { row, client, requests } = bigCase({ comments: 120 });
		const { activities, case_id } = (await loadDetails(client, row, 'activities')).row;
		expect(case_id).toBe(1);
		expect(activities).toHaveLength(121);
		expect(new Set((activities as Array<{ id: number }>).map(({ id }) => id)).size).toBe(121);
		expect(requests).toHaveLength(3 + 2);
	});

	it('returns all records, with those of one type in one group', async () => {
		const { row, client, requests } = bigCase({ entries: 60 });
		const { records } = (await loadDetails(client, row, 'records')).row;
		const group = (type: number) =>
			expect.objectContaining({
				record_type_name: `Type ${type}`,
				record_type_record_results: range(0, 59).map(
					(index) => expect.objectContaining({ id: type * 1000 + index }) as object,
				),
			}) as object;
		expect(records).toEqual([group(1), group(2)]);
		expect(requests).toHaveLength(3 + 2);
	});

	test.each([
		'https://evil.example/api/v2/cases/1/activities?page=1',
		'https://cases.example.com/api/v2/cases/2/activities?page=1',
		'',
	])(
		'requests the path of the case itself, whatever address its row has: %j',
		async (current_page) => {
			const { row, client, requests } = bigCase({ comments: 30 });
			const moved = { ...row, activities_meta: { pages: 4, per_page: 10, current_page } };
			const whole = await loadDetails(client, moved, 'activities');
			expect(whole.row.activities).toHaveLength(31);
			for (const request of requests)
				expect(request).toMatch(/^GET \/api\/v2\/cases\/1\/activities\?/);
		},
	);
});

/** A client whose pages of a list hold these rows, and a case that carries some of them. */
function served(details: 'activities' | 'records', carried: unknown[], rows: Row[], per_page = 2) {
	const pages = Math.max(1, Math.ceil(rows.length / per_page));
	const meta = { pages, per_page };
	const { client, requests } = answering(({ path }) => {
		const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
		return { [details]: rows.slice((page - 1) * per_page, page * per_page), meta };
	});
	const row: Case = { case_id: 1, [details]: carried, [`${details}_meta`]: meta };
	return { client, row, requests };
}

describe('the pages of activities or records', () => {
	it('alone decide, also where the case carries some of them in another form', async () => {
		const rows = range(1, 45).map((id) => ({ id, value: `${id}` }));
		const withoutIds = rows.slice(0, 20).map(({ value }) => ({ value }));
		const activities = served('activities', withoutIds, rows, 20);
		expect(
			(await loadDetails(activities.client, activities.row, 'activities')).row.activities,
		).toEqual(rows);
		const host = (id: number, type: Row) => ({ ...type, record_type_record_results: [{ id }] });
		const carried = [host(1, { record_type_id: '3' }), host(2, { record_type_name: 'Host' })];
		const onPages = [1, 2, 3].map((id) =>
			host(id, { record_type_id: 3, record_type_name: 'Host' }),
		);
		const records = served('records', carried, onPages);
		const { rows: read } = await readDetails(records.client, records.row, 'records');
		expect(flatRecords(read).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it.each(['activities', 'records'] as const)(
		'that have fewer %s than the case promised are an error',
		async (details) => {
			const rows = [1, 2, 3, 4].map((id) => ({ id }));
			const { client, row } = served(details, rows.slice(0, 2), rows.slice(0, 2));
			const full = { ...row, [`${details}_meta`]: { pages: 3, per_page: 2 } };
			const message = `The service says that there are at least 5 ${details}, but it returned 2`;
			await expect(loadDetails(client, full, details)).rejects.toThrow(message);
			const accepted = await loadDetails(client, full, details, true);
			expect(accepted.row[details]).toEqual(rows.slice(0, 2));
			expect(accepted.observed?.incomplete).toBe(message);
		},
	);
});

describe('rows of shapes that the API document doesn’t have', () => {
	const FLAT = { id: 9, record_type_id: 3, name: 'host', value: 'srv-1' };

	it('stay as they are, wherever they stand', async () => {
		const group = (id: number) => ({
			record_type_id: 3,
			record_type_name: 'Host',
			record_type_record_results: [{ id }],
		});
		const { client, row } = served('records', [FLAT], [FLAT, group(1), group(2), { odd: true }]);
		expect((await loadDetails(client, row, 'records')).row.records).toEqual([
			FLAT,
			{ ...group(1), record_type_record_results: [{ id: 1 }, { id: 2 }] },
			{ odd: true },
		]);
	});

	it('are records of their own', () => {
		expect(flatRecords([FLAT, { record_type_record_results: [] }])).toEqual([FLAT]);
	});
});

describe('the identity of a record', () => {
	const typed = (record_type_id: unknown, record_type_name: unknown) => ({
		record_type_id,
		record_type_name,
		record_type_record_results: [{ id: 1 }],
	});

	it.each([
		['an ID as number and as text', typed(3, 'Host'), typed('3', 'Mail'), true],
		['other IDs', typed(3, 'Host'), typed(4, 'Host'), false],
		['no ID and the same name', typed(undefined, 'Host'), typed(null, 'Host'), true],
		['no ID and other names', typed(undefined, 'Host'), typed(undefined, 'Mail'), false],
	])('of types with %s', (_what, one, other, isSame) => {
		expect(recordIdentity(one) === recordIdentity(other)).toBe(isSame);
	});
});

describe('reading the first activities of a case', () => {
	const rows = [1, 2, 3, 4, 5].map((number) => ({ id: number, activity_type: `T${number % 2}` }));
	const read = async (limit: number | undefined, type?: string) => {
		const { client, row, requests } = served('activities', rows.slice(0, 2), rows);
		const belongs = type ? ({ activity_type }: Row) => activity_type === type : undefined;
		const result = await readDetails(client, row, 'activities', { limit, pageSize: 2, belongs });
		const { isTruncated } = result.observed;
		return { ids: result.rows.map((one) => one.id), isTruncated, requests: requests.length };
	};

	test.each([
		[1, undefined, { ids: [1], isTruncated: true, requests: 0 }],
		[2, undefined, { ids: [1, 2], isTruncated: true, requests: 0 }],
		[3, undefined, { ids: [1, 2, 3], isTruncated: true, requests: 2 }],
		[9, undefined, { ids: [1, 2, 3, 4, 5], isTruncated: false, requests: 3 }],
		[1, 'T0', { ids: [2], isTruncated: true, requests: 0 }],
		[3, 'T1', { ids: [1, 3, 5], isTruncated: false, requests: 3 }],
	])('up to %s of the type %s takes only the requests it needs', async (limit, type, expected) => {
		expect(await read(limit, type)).toEqual(expected);
	});
});

describe('the details that a case carries', () => {
	const row = (pages?: number): Case => ({
		case_id: 7,
		activities: [{ id: 1 }, { id: 2 }, { id: 3 }, null],
		...(pages && { activities_meta: { pages, per_page: 3 } }),
	});
	const { client, requests } = answering(() => ({}));

	it.each([
		[undefined, undefined, 3, false],
		[undefined, 3, 3, false],
		[undefined, 2, 2, true],
		[2, 3, 3, true],
	])('are enough with %s pages and a limit of %s', async (pages, limit, count, isTruncated) => {
		const { rows, observed } = await readDetails(client, row(pages), 'activities', { limit });
		expect(rows).toHaveLength(count);
		expect(observed).toEqual({ reads: 1, isTruncated });
		expect(requests).toEqual([]);
	});
});

describe('reading the comments of a case', () => {
	it('reads all pages and looks once whether they moved, and adds the case ID to each comment', async () => {
		const { client, requests } = bigCase({ comments: 7 });
		const { rows, observed } = await readListOfCase(client, '1', 'comments', { pageSize: 3 });
		expect(rows).toMatchObject(
			range(0, 6).map((index) => ({
				case_id: 1,
				value: `Comment ${index}`,
				activity_type: 'COMMENTED',
			})),
		);
		expect(observed).toEqual({ isTruncated: false, reads: 1 });
		expect(requests).toEqual([
			'GET /api/v2/cases/1/comments?per_page=3&page=1',
			'GET /api/v2/cases/1/comments?per_page=3&page=3',
			'GET /api/v2/cases/1/comments?per_page=1&page=3',
			'GET /api/v2/cases/1/comments?per_page=3&page=2',
			'GET /api/v2/cases/1/comments?per_page=1&page=7',
		]);
	});

	it('keeps a case ID too long for a number exact, as text', async () => {
		const { client } = answering(() => ({ comments: [{ id: 1 }] }));
		const reading = readListOfCase(client, '9007199254740993', 'comments', { pageSize: 50 });
		expect((await reading).rows).toEqual([{ case_id: '9007199254740993', id: 1 }]);
	});

	it('fails with the error of the service when there is no such case', async () => {
		const { client } = bigCase({ comments: 1 });
		const reading = readListOfCase(client, '2', 'comments', { pageSize: 50 });
		await expect(reading).rejects.toThrow('Not found');
	});
});
