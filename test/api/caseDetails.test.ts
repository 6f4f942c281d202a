import { areDetailsTruncated, loadDetails } from '../../nodes/Cases/api/caseDetails';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Case } from '../../nodes/Cases/api/types';
import { directService } from '../../sandbox/direct';
import { CaseStore } from '../../sandbox/store';
import { simulate } from './simulation';

const BASE_URL = 'https://cases.example.com';

/**
 * Creates a case as a list returns it, and a client for its service.
 * @param comments how many comments the case has, each an activity
 * @param entries how many records of each of two types it has
 * @param deleteAt the request, from 0, before which all records of the first type are deleted
 */
function bigCase({ comments = 0, entries = 0, deleteAt = Infinity }) {
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
			if (index === deleteAt) store.updateCase(1, { records: records.slice(1) });
		},
	});
	return { row, client, requests: answered };
}

describe('whether activities or records of a case are truncated', () => {
	it('compares what the case carries with its own page counts', () => {
		const { row } = bigCase({ comments: 30, entries: 2 });
		expect(areDetailsTruncated(row, 'activities')).toBe(true);
		expect(areDetailsTruncated(row, 'records')).toBe(false);
		expect(areDetailsTruncated({}, 'records')).toBe(false);
		expect(areDetailsTruncated({ records_meta: { next_page: 'https://x' } }, 'records')).toBe(true);
	});
});

describe('loading activities or records of a case', () => {
	it('takes no request when they are not truncated', async () => {
		const { row, client, requests } = bigCase({ comments: 3 });
		expect((await loadDetails(client, row, 'activities')).row).toBe(row);
		expect(requests).toEqual([]);
	});

	it('returns all activities', async () => {
		const { row, client, requests } = bigCase({ comments: 120 });
		const { activities, case_id } = (await loadDetails(client, row, 'activities')).row;
		expect(case_id).toBe(1);
		expect(activities).toHaveLength(121);
		expect(new Set((activities as Array<{ id: number }>).map(({ id }) => id)).size).toBe(121);
		expect(requests).toHaveLength(4);
	});

	it('returns all records, with those of one type in one group', async () => {
		const { row, client } = bigCase({ entries: 60 });
		const { records } = (await loadDetails(client, row, 'records')).row;
		const groups = records as Array<
			Record<string, unknown> & { record_type_record_results: Array<{ id: number }> }
		>;
		expect(groups.map(({ record_type_name }) => record_type_name)).toEqual(['Type 1', 'Type 2']);
		expect(groups.map((group) => group.record_type_record_results.map(({ id }) => id))).toEqual([
			Array.from({ length: 60 }, (_empty, index) => 1000 + index),
			Array.from({ length: 60 }, (_empty, index) => 2000 + index),
		]);
	});

	it('finds the pages by the address of the next page when the current page has none', async () => {
		const { row, client } = bigCase({ comments: 30 });
		const meta = { ...(row.activities_meta as object), current_page: undefined };
		const whole = await loadDetails(client, { ...row, activities_meta: meta }, 'activities');
		expect(whole.row.activities).toHaveLength(31);
	});

	it('takes at most two requests more than there are pages of records', async () => {
		const { row, client, requests } = bigCase({ entries: 60 });
		await loadDetails(client, row, 'records');
		expect(requests.length).toBeLessThanOrEqual(3 + 2);
	});

	it.each([3, 4, 5])(
		'returns no record twice when some are deleted before request %i',
		async (deleteAt) => {
			const { row, client } = bigCase({ entries: 60, deleteAt });
			const { records } = (await loadDetails(client, row, 'records')).row;
			const ids = (records as Array<{ record_type_record_results: Array<{ id: number }> }>).flatMap(
				({ record_type_record_results }) => record_type_record_results.map(({ id }) => id),
			);
			expect(new Set(ids).size).toBe(ids.length);
		},
	);

	it.each([
		['https://evil.example/api/v2/cases/1/activities?page=1', 'another host'],
		['https://cases.example.com/api/v2/cases/2/activities?page=1', 'another case'],
		['https://cases.example.com/api/v1/events?page=1', 'another path'],
		['http://cases.example.com/api/v2/cases/1/activities?page=1', 'plain http'],
		['/api/v2/cases/1/activities?page=2', 'no host'],
		['', 'nowhere'],
	])('sends no request to %s: %s', async (current_page) => {
		const { row, client, requests } = bigCase({ comments: 30 });
		const moved = { ...row, activities_meta: { pages: 3, per_page: 10, current_page } };
		const failure: unknown = await loadDetails(client, moved, 'activities').catch(
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(ApiFailure);
		const { message, details } = failure as ApiFailure;
		expect(message).toBe('The further activities of case 1 are not where they should be');
		expect(details.description).toMatch(
			/sent nowhere else\. Remove activities from 'Load in Full'\./,
		);
		expect(requests).toEqual([]);
	});

	it('fails when the answer has no such list', async () => {
		const { row, client } = bigCase({ comments: 30 });
		const other = {
			...client,
			send: async (request: Parameters<typeof client.send>[0]) => ({
				...(await client.send(request)),
				body: { data: [] },
			}),
		};
		await expect(loadDetails(other, row, 'activities')).rejects.toThrow(
			'The answer of the service has no list "activities"',
		);
	});
});
