import { isPartCut, loadPart } from '../../nodes/Cases/api/caseDetails';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Case } from '../../nodes/Cases/api/types';
import { directService } from '../../sandbox/direct';
import { CaseStore } from '../../sandbox/store';
import { simulate } from './simulation';

const BASE_URL = 'https://cases.example.com';

/**
 * A case with so many comments and record entries of two types, as a list shows it, and a client for it.
 * @param vanishAt the request, from 0, before which all records of the first type vanish
 */
function bigCase({ comments = 0, entries = 0, vanishAt = Infinity }) {
	const clock = { now: Date.parse('2026-01-31T12:00:00Z') };
	const store = new CaseStore({ now: () => new Date(clock.now) });
	const records = [1, 2].map((type) => ({
		record_type_id: type,
		record_type_name: `Type ${type}`,
		record_type_record_results: Array.from({ length: entries }, (_empty, index) => ({
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
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 4,
		steps: [],
		apply: () => {},
		beforeAnswer: (index) => {
			if (index === vanishAt) store.updateCase(1, { records: records.slice(1) });
		},
	});
	return { row, client, requests: answered };
}

describe('a part of a case', () => {
	it('is cut when the service has more of it than the case carries', () => {
		const { row } = bigCase({ comments: 30, entries: 2 });
		expect(isPartCut(row, 'activities')).toBe(true);
		expect(isPartCut(row, 'records')).toBe(false);
		expect(isPartCut({}, 'records')).toBe(false);
		expect(isPartCut({ records_meta: { next_page: 'https://x' } }, 'records')).toBe(true);
	});

	it('that is not cut costs no request', async () => {
		const { row, client, requests } = bigCase({ comments: 3 });
		expect((await loadPart(client, row, 'activities')).row).toBe(row);
		expect(requests).toEqual([]);
	});

	it('is read whole: activities', async () => {
		const { row, client, requests } = bigCase({ comments: 120 });
		const { activities, case_id } = (await loadPart(client, row, 'activities')).row;
		expect(case_id).toBe(1);
		expect(activities).toHaveLength(121);
		expect(new Set((activities as Array<{ id: number }>).map(({ id }) => id)).size).toBe(121);
		expect(requests).toHaveLength(4);
	});

	it('is read whole: records, with those of one type in one group', async () => {
		const { row, client } = bigCase({ entries: 60 });
		const { records } = (await loadPart(client, row, 'records')).row;
		const groups = records as Array<
			Record<string, unknown> & { record_type_record_results: Array<{ id: number }> }
		>;
		expect(groups.map(({ record_type_name }) => record_type_name)).toEqual(['Type 1', 'Type 2']);
		expect(groups.map((group) => group.record_type_record_results.map(({ id }) => id))).toEqual([
			Array.from({ length: 60 }, (_empty, index) => 1000 + index),
			Array.from({ length: 60 }, (_empty, index) => 2000 + index),
		]);
	});

	it('is found by the address of its next page, where it has no other', async () => {
		const { row, client } = bigCase({ comments: 30 });
		const meta = { ...(row.activities_meta as object), current_page: undefined };
		const whole = await loadPart(client, { ...row, activities_meta: meta }, 'activities');
		expect(whole.row.activities).toHaveLength(31);
	});

	it('takes at most two requests more than pages: records', async () => {
		const { row, client, requests } = bigCase({ entries: 60 });
		await loadPart(client, row, 'records');
		expect(requests.length).toBeLessThanOrEqual(3 + 2);
	});

	it.each([3, 4, 5])('has no record twice when some vanish before request %i', async (vanishAt) => {
		const { row, client } = bigCase({ entries: 60, vanishAt });
		const { records } = (await loadPart(client, row, 'records')).row;
		const ids = (records as Array<{ record_type_record_results: Array<{ id: number }> }>).flatMap(
			({ record_type_record_results }) => record_type_record_results.map(({ id }) => id),
		);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it.each([
		['https://evil.example/api/v2/cases/1/activities?page=1', 'another host'],
		['https://cases.example.com/api/v2/cases/2/activities?page=1', 'another case'],
		['https://cases.example.com/api/v1/events?page=1', 'another path'],
		['http://cases.example.com/api/v2/cases/1/activities?page=1', 'plain http'],
		['/api/v2/cases/1/activities?page=2', 'no host'],
		['', 'nowhere'],
	])('at %s is not read: %s', async (current_page) => {
		const { row, client, requests } = bigCase({ comments: 30 });
		const moved = { ...row, activities_meta: { pages: 3, per_page: 10, current_page } };
		const failure: unknown = await loadPart(client, moved, 'activities').catch(
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(ApiFailure);
		const { message, details } = failure as ApiFailure;
		expect(message).toBe('The further activities of case 1 are not where they should be');
		expect(details.description).toMatch(/sent nowhere else\. Take activities out of Load in Full/);
		expect(requests).toEqual([]);
	});

	it('without a list where it should be ends in a failure', async () => {
		const { row, client } = bigCase({ comments: 30 });
		const other = {
			...client,
			send: async (request: Parameters<typeof client.send>[0]) => ({
				...(await client.send(request)),
				body: { data: [] },
			}),
		};
		await expect(loadPart(other, row, 'activities')).rejects.toThrow(
			'The answer of the service has no list "activities"',
		);
	});
});
