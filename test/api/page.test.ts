import { parseMeta, parsePage, servedAt } from '../../nodes/Cases/api/page';

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

describe('reading the body of a page', () => {
	it('returns rows, page counts and time', () => {
		const body = { cases: [{ case_id: 1 }], meta: { per_page: 1, pages: 2 } };
		expect(parsePage(body, 'cases', 5)).toEqual({
			rows: [{ case_id: 1 }],
			meta: { perPage: 1, pages: 2, hasNextPage: false },
			servedAt: 5,
		});
	});

	it('accepts an empty list without a pagination object', () => {
		expect(parsePage({ comments: [] }, 'comments')?.rows).toEqual([]);
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
		[{ cases: [1] }],
		[{ cases: [null] }],
		[{ cases: [[]] }],
		[{ cases: [{ case_id: 1 }, 'x'] }],
	])('returns undefined for %j, which has no list of cases', (body) => {
		expect(parsePage(body, 'cases')).toBeUndefined();
	});
});

describe('computing when the service began to answer', () => {
	it('subtracts the time the answer took from the Date header and rounds down to seconds', () => {
		const at = (elapsed: number) => {
			const time = servedAt('Sat, 31 Jan 2026 12:00:10 GMT', elapsed);
			return time === undefined ? undefined : new Date(time).toISOString();
		};
		expect(at(0)).toBe('2026-01-31T12:00:10.000Z');
		expect(at(1)).toBe('2026-01-31T12:00:09.000Z');
		expect(at(2500)).toBe('2026-01-31T12:00:07.000Z');
	});

	it.each<[unknown]>([[undefined], ['nonsense'], [5], [null]])(
		'returns undefined for the Date header %j',
		(date) => {
			expect(servedAt(date, 5)).toBeUndefined();
		},
	);
});
