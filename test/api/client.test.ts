import { deleteAt, deleteOrFail, fetchPage, parseMeta } from '../../nodes/Cases/api/http/client';
import { answering, failedWith } from './answering';

describe('reading a pagination object', () => {
	it('returns the page size, the number of pages and whether there is another page', () => {
		expect(parseMeta({ per_page: 20, pages: 3, next_page: 'https://x/?page=2' })).toEqual({
			perPage: 20,
			pages: 3,
			hasNextPage: true,
		});
	});

	it.each<[unknown]>([[undefined], [null], ['text'], [[]], [{}]])(
		'returns no counts for %j',
		(meta) => {
			expect(parseMeta(meta)).toEqual({ perPage: undefined, pages: undefined, hasNextPage: false });
		},
	);

	it.each<[unknown]>([[0], [-1], [1.5], ['3'], [NaN], [Infinity], [null], [true]])(
		'ignores %p as a count',
		(count) => {
			expect(parseMeta({ per_page: count, pages: count })).toMatchObject({
				perPage: undefined,
				pages: undefined,
			});
		},
	);

	it.each<[unknown]>([[null], [''], [2], [true]])('finds no next page in %j', (next_page) => {
		expect(parseMeta({ next_page }).hasNextPage).toBe(false);
	});
});

describe('fetching a page', () => {
	const fetch = async (body: unknown, listKey = 'cases') =>
		await fetchPage(answering(() => body, { servedAt: 5 }).client, '/list', listKey, {});

	it('returns rows, page counts and time', async () => {
		expect(await fetch({ cases: [{ case_id: 1 }], meta: { per_page: 1, pages: 2 } })).toEqual({
			rows: [{ case_id: 1 }],
			meta: { perPage: 1, pages: 2, hasNextPage: false },
			servedAt: 5,
		});
	});

	it('accepts an empty list without a pagination object', async () => {
		expect((await fetch({ comments: [] }, 'comments')).rows).toEqual([]);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['<html>'],
		[[]],
		[{}],
		[{ comments: [] }],
		[{ cases: {} }],
		[{ cases: null }],
		[{ cases: [{ case_id: 1 }, null] }],
		[{ cases: [7] }],
	])('refuses %j, which has no list of objects', async (body) => {
		await expect(fetch(body)).rejects.toThrow('The answer of the service has no list "cases"');
	});
});

describe('reading the total of a pagination object', () => {
	it.each([
		[{ per_page: 20, pages: 13, count: 242 }, 242],
		[{ per_page: 1, pages: 7, count: 7 }, 7],
		[{ per_page: 50, pages: 1, count: 12 }, 12],
		[{ per_page: 50, pages: 3, count: 50 }, undefined],
		[{ per_page: 50, pages: 3, count: 151 }, undefined],
		[{ pages: 3, count: 150 }, undefined],
		[{ per_page: 50, count: 12 }, undefined],
		[{ per_page: 50, pages: 1, count: '12' }, undefined],
	])('finds in %j the total %p, where it agrees with the page counts', (meta, total) => {
		expect(parseMeta(meta).total).toBe(total);
	});
});

const PATH = '/api/v2/cases/7/comments/9';

/** A client that deletes nothing: each request fails. */
const failing = (failure: Error) =>
	answering(() => {
		throw failure;
	}).client;

describe('what is deleted', () => {
	it('is named by its path, and is there until then', async () => {
		const { client, requests } = answering(() => ({}));
		await expect(deleteAt(client, PATH)).resolves.toBe(true);
		await expect(deleteOrFail(client, PATH, '')).resolves.toBeUndefined();
		expect(requests).toEqual(Array(2).fill({ method: 'DELETE', path: PATH }));
	});

	it('was not there where the service does not find it', async () => {
		await expect(deleteAt(failing(failedWith(404)), PATH)).resolves.toBe(false);
		const deleted = deleteOrFail(failing(failedWith(404)), PATH, 'Check it.', 'Comment 9');
		await expect(deleted).rejects.toMatchObject({
			message: 'Comment 9 not found, or no access (404)',
			details: {
				description: 'The service gives the same answer for both. Check it.',
				httpCode: 404,
				retryable: false,
			},
		});
	});

	it('is gone where the service does not find it after a lost answer', async () => {
		const failure = failedWith(404).adding('', { mayHaveBeenDone: true });
		await expect(deleteAt(failing(failure), PATH)).resolves.toBe(true);
	});

	it.each([failedWith(500), failedWith(403), new Error('a fault of the code')])(
		'stays unknown after $message',
		async (failure) => {
			await expect(deleteAt(failing(failure), PATH)).rejects.toBe(failure);
		},
	);
});
