import { readComments } from '../../nodes/Cases/api/cases/listsOfCase';
import { CaseStore } from '../../sandbox/store';
import { simulate } from './simulation';

function caseWithComments(count: number) {
	const clock = { now: Date.parse('2026-01-31T12:00:00Z') };
	const store = new CaseStore({ now: () => new Date(clock.now) });
	store.createCase();
	for (let index = 1; index <= count; index++) {
		store.addComment(1, `Comment ${index}`, { created_at: clock.now - 60_000 });
	}
	return simulate({ store, clock, concurrency: 4 });
}

describe('reading the comments of a case', () => {
	it('reads all pages and looks once whether they moved, and adds the case ID to each comment', async () => {
		const { client, answered } = caseWithComments(7);
		const { rows, observed } = await readComments(client, '1', { pageSize: 3 });
		expect(rows).toMatchObject(
			Array.from({ length: 7 }, (_empty, index) => ({
				case_id: 1,
				value: `Comment ${index + 1}`,
				activity_type: 'COMMENTED',
			})),
		);
		expect(observed).toEqual({ isTruncated: false, reads: 1 });
		expect(answered).toEqual([
			'GET /api/v2/cases/1/comments?per_page=3&page=1',
			'GET /api/v2/cases/1/comments?per_page=3&page=3',
			'GET /api/v2/cases/1/comments?per_page=1&page=3',
			'GET /api/v2/cases/1/comments?per_page=3&page=2',
			'GET /api/v2/cases/1/comments?per_page=1&page=7',
		]);
	});

	it('reads up to a limit', async () => {
		const { client, answered } = caseWithComments(7);
		const { rows, observed } = await readComments(client, '1', { limit: 4, pageSize: 3 });
		expect(rows).toHaveLength(4);
		expect(observed.isTruncated).toBe(true);
		expect(answered).toHaveLength(2);
	});

	it('takes one request for a case without comments', async () => {
		const { client, answered } = caseWithComments(0);
		expect((await readComments(client, '1', { pageSize: 50 })).rows).toEqual([]);
		expect(answered).toHaveLength(1);
	});

	it('keeps a case ID too long for a number exact, as text', async () => {
		const { client } = caseWithComments(1);
		const far = {
			...client,
			send: async () => ({
				body: { comments: [{ id: 1 }], meta: { pages: 1, per_page: 50 } },
				unusable: () => new Error() as never,
			}),
		};
		expect((await readComments(far, '9007199254740993', { pageSize: 50 })).rows).toEqual([
			{ case_id: '9007199254740993', id: 1 },
		]);
	});

	it('fails with the error of the service when there is no such case', async () => {
		const { client } = caseWithComments(1);
		await expect(readComments(client, '2', { pageSize: 50 })).rejects.toThrow('Not found');
	});
});
