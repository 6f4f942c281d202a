import { readUpTo } from '../../nodes/Cases/api/firstRows';
import type { ReadOptions } from '../../nodes/Cases/api/pages';
import { createPool } from '../../nodes/Cases/api/pool';
import type { Row } from '../../nodes/Cases/api/types';
import { letters, type LettersOptions } from './letters';

const byThree: ReadOptions<Row> = {
	pageSize: 3,
	pool: createPool(1),
	shape: ({ letter }) => ({ letter }),
};
const textOf = (rows: Row[]) => rows.map(({ letter }) => letter).join('');
/** One change before the request with that number. */
const change = (request: number, list: string, edited = ''): LettersOptions => ({
	before: { [request]: ({ become }) => become(list, edited) },
});

describe('reading the first rows of a list', () => {
	it.each([
		[1, ['1/1'], 'a', true],
		[3, ['1/3'], 'abc', true],
		[4, ['1/3', '2/3'], 'abcd', true],
		[6, ['1/3', '2/3'], 'abcdef', true],
		[8, ['1/3', '2/3', '3/3'], 'abcdefgh', false],
		[50, ['1/3', '2/3', '3/3'], 'abcdefgh', false],
	])(
		'takes the fewest requests for a limit of %i: %j',
		async (limit, expected, text, isTruncated) => {
			const { source, requests } = letters('abcdefgh');
			const { rows, observed } = await readUpTo([source], limit, byThree);
			expect(textOf(rows)).toBe(text);
			expect(requests).toEqual(expected);
			expect(observed).toMatchObject({ repeated: 0, isTruncated, reads: 1 });
		},
	);

	it('returns how many rows match when the service states page counts', async () => {
		const { observed } = await readUpTo([letters('abcdefgh').source], 4, byThree);
		expect(observed.matches).toEqual({ atLeast: 7, atMost: 9 });
		const clamped = await readUpTo([letters('abcdefgh', { maxPerPage: 2 }).source], 4, byThree);
		expect(clamped.observed.matches).toEqual({ atLeast: 7, atMost: 8 });
		const untold = letters('abcdefgh', { meta: ({ hasNextPage }) => ({ hasNextPage }) });
		expect((await readUpTo([untold.source], 4, byThree)).observed.matches).toBeUndefined();
	});

	it.each<[string, LettersOptions['meta']]>([
		['page counts alone', (right) => ({ ...right, hasNextPage: false })],
		['a next page alone', ({ hasNextPage }) => ({ hasNextPage })],
	])('is truncated when the service states more rows by %s', async (_what, meta) => {
		expect(
			(await readUpTo([letters('abcdefgh', { meta }).source], 6, byThree)).observed.isTruncated,
		).toBe(true);
	});

	it('takes no needless request without page counts', async () => {
		const meta: LettersOptions['meta'] = ({ hasNextPage }) => ({ hasNextPage });
		const some = letters('abcdefgh', { meta });
		await readUpTo([some.source], 6, byThree);
		expect(some.requests).toEqual(['1/3', '2/3']);
		const none = letters('', { meta });
		await readUpTo([none.source], 6, byThree);
		expect(none.requests).toEqual(['1/3']);
	});

	it('takes one request for an empty list', async () => {
		const { source, requests } = letters('');
		const { rows, observed } = await readUpTo([source], 5, byThree);
		expect(rows).toEqual([]);
		expect(observed.isTruncated).toBe(false);
		expect(requests).toEqual(['1/3']);
	});

	it('takes more requests when the service makes smaller pages', async () => {
		const { source, requests } = letters('abcdefgh', { maxPerPage: 2 });
		expect(textOf((await readUpTo([source], 5, byThree)).rows)).toBe('abcde');
		expect(requests).toEqual(['1/3', '2/3', '3/3']);
	});

	it('reads page by page without page counts', async () => {
		const { source, requests } = letters('abcdefgh', {
			meta: ({ hasNextPage }) => ({ hasNextPage }),
		});
		const { rows, observed } = await readUpTo([source], 5, byThree);
		expect(textOf(rows)).toBe('abcde');
		expect(requests).toEqual(['1/3', '2/3']);
		expect(observed.isTruncated).toBe(true);
	});

	it('keeps a repeated row once and counts it', async () => {
		const { source } = letters('abcdefgh', change(2, 'Xabcdefgh', 'X'));
		const { rows, observed } = await readUpTo([source], 6, byThree);
		expect(textOf(rows)).toBe('abcdef');
		expect(observed).toMatchObject({ repeated: 1, isTruncated: true, reads: 1 });
	});

	it.each<[string, LettersOptions['meta']]>([
		['too few pages', (right) => ({ ...right, pages: 1, hasNextPage: false })],
		['a page size that its pages do not have', (right) => ({ ...right, perPage: 3, pages: 3 })],
	])('fills the limit where the service states %s', async (_what, meta) => {
		const { source } = letters('abcdefgh', { meta, maxPerPage: 2 });
		const options = { ...byThree, pageSize: meta?.({ hasNextPage: true }, 2).perPage ?? 2 };
		expect(textOf((await readUpTo([source], 7, options)).rows)).toBe('abcdefg');
	});

	it('takes few requests where the service states far too many pages', async () => {
		const meta: LettersOptions['meta'] = (right) => ({ ...right, pages: 2 ** 33 });
		const { source, requests } = letters('abcdefgh', { meta });
		const { rows } = await readUpTo([source], 1_000_000, { ...byThree, pool: createPool(4) });
		expect(textOf(rows)).toBe('abcdefgh');
		expect(requests.length).toBeLessThan(15);
	});

	it('fills the limit with rows that agree with the filters, from further pages', async () => {
		const { source, requests } = letters('abcdefghijkl');
		const contradictedFilter = ({ letter }: Row) =>
			'abde'.includes(String(letter)) ? 'tags' : undefined;
		const { rows, observed } = await readUpTo([{ ...source, contradictedFilter }], 3, byThree);
		expect(textOf(rows)).toBe('cfg');
		expect(requests).toEqual(['1/3', '2/3', '3/3']);
		expect(observed).toMatchObject({ contradicting: { tags: 4 }, isTruncated: true });
	});

	it('reads full pages where the first row contradicts a filter', async () => {
		const { source, requests } = letters('abcdefghijkl');
		const contradictedFilter = ({ letter }: Row) => (letter === 'f' ? undefined : 'tags');
		const { rows } = await readUpTo([{ ...source, contradictedFilter }], 1, byThree);
		expect(textOf(rows)).toBe('f');
		expect(requests).toEqual(['1/1', '1/3', '2/3']);
	});

	it('says that the same rows came again where each page is the first one', async () => {
		const { source } = letters('abcdef', { meta: () => ({ hasNextPage: false }) });
		const ignoring = async (_page: number, size: number) => await source.fetchPage(1, size);
		const { rows, observed } = await readUpTo([{ ...source, fetchPage: ignoring }], 5, byThree);
		expect(textOf(rows)).toBe('abc');
		expect(observed.incomplete).toEqual({ read: 3, isRepeating: true });
	});

	it('ends at a last page that comes twice and is not full', async () => {
		const { source } = letters('abcde', { meta: () => ({ hasNextPage: false }) });
		const clamping = async (page: number, size: number) =>
			await source.fetchPage(Math.min(page, 2), size);
		const { rows, observed } = await readUpTo([{ ...source, fetchPage: clamping }], 50, byThree);
		expect(textOf(rows)).toBe('abcde');
		expect(observed.incomplete).toBeUndefined();
	});

	it.each([
		{ pages: 1, hasNextPage: true },
		{ pages: 2, hasNextPage: true },
	])('does not say how many rows match where the page counts are impossible: %j', async (meta) => {
		const { source } = letters('abcdefgh', { meta: () => ({ perPage: 3, ...meta }) });
		const { rows, observed } = await readUpTo([source], 6, byThree);
		expect(textOf(rows)).toBe('abcdef');
		expect(observed).toMatchObject({ isTruncated: true, matches: undefined });
	});

	it('says how many rows there are at least where fewer came than the limit', async () => {
		const { source } = letters('abcdefghijk');
		const fetchPage: typeof source.fetchPage = async (page, size) =>
			await source.fetchPage(page === 2 && size === 3 ? 1 : page, size);
		const { observed } = await readUpTo([{ ...source, fetchPage }], 50, byThree);
		expect(observed.incomplete).toEqual({ read: 8, stated: 10 });
	});

	it('takes no more requests than the limit needs where the last page is full', async () => {
		const { source, requests } = letters('abcdef');
		await readUpTo([source], 6, byThree);
		expect(requests).toEqual(['1/3', '2/3']);
		await readUpTo([source], 7, byThree);
		expect(requests.slice(2)).toEqual(['1/3', '2/3', '3/3']);
	});

	it('fails where the list has no end, and no row of it belongs to the result', async () => {
		const fetchPage = async (page: number) => ({
			rows: [{ letter: String(page) }],
			meta: { hasNextPage: true },
		});
		const source = { ...letters('').source, fetchPage, belongs: () => false };
		await expect(readUpTo([source], 5, { ...byThree, pageSize: 1 })).rejects.toMatchObject({
			message: 'The list has more than 100000 pages',
		});
	});
});
