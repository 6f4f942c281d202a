import type { ReadOptions } from '../../nodes/Cases/api/pages';
import { createPool } from '../../nodes/Cases/api/pool';
import { readAll, readUpTo } from '../../nodes/Cases/api/readList';
import type { Row } from '../../nodes/Cases/api/types';
import { letters, type LettersOptions } from './letters';

const byThree: ReadOptions<Row> = {
	pageSize: 3,
	pool: createPool(1),
	shape: ({ letter }) => ({ letter }),
};
const textOf = (rows: Row[]) => rows.map(({ letter }) => letter).join('');

describe('reading a whole list', () => {
	it('takes one request for a single page', async () => {
		const { source, requests } = letters('abc');
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abc');
		expect(requests).toEqual(['1/3']);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 1 });
	});

	it('takes one request for an empty list', async () => {
		const { source, requests } = letters('');
		expect((await readAll([source], byThree)).rows).toEqual([]);
		expect(requests).toEqual(['1/3']);
	});

	it('takes two requests more than there are pages, and reads the last page after all others', async () => {
		const { source, requests } = letters('abcdefghij');
		const { rows, observed } = await readAll([source], { ...byThree, pool: createPool(4) });
		expect(textOf(rows)).toBe('abcdefghij');
		expect(requests).toEqual(['1/3', '3/1', '2/3', '3/3', '4/3', 'edits']);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 1 });
	});

	it('keeps of each row what the caller chooses', async () => {
		const shape = ({ letter }: Row) => ({ shown: letter });
		const { rows } = await readAll([letters('abcd').source], { ...byThree, shape });
		expect(rows).toEqual([{ shown: 'a' }, { shown: 'b' }, { shown: 'c' }, { shown: 'd' }]);
	});

	it('plans with the page size of the answer when the service makes smaller pages', async () => {
		const { source, requests } = letters('abcdefgh', { maxPerPage: 2 });
		expect(textOf((await readAll([source], byThree)).rows)).toBe('abcdefgh');
		expect(requests).toEqual(['1/3', '2/1', '2/3', '3/3', '4/3', 'edits']);
	});

	it('is complete at a service that makes no pages of one row', async () => {
		const { source, requests } = letters('abcdefgh', { minPerPage: 3 });
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abcdefgh');
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 1 });
		expect(requests).toEqual(['1/3', '3/1', '2/3', '3/3', 'edits']);
	});

	it('fails when one page fails', async () => {
		const broken = () => {
			throw new Error('The third request broke');
		};
		const { source } = letters('abcdefgh', { before: { 3: broken } });
		await expect(readAll([source], byThree)).rejects.toThrow('The third request broke');
	});
});

describe('reading a whole list without correct page counts', () => {
	it.each<[string, LettersOptions['meta']]>([
		['only a next page', ({ hasNextPage }) => ({ hasNextPage })],
		['nothing', () => ({ hasNextPage: false })],
		['page counts without a page size', ({ pages, hasNextPage }) => ({ pages, hasNextPage })],
		['too few pages', (right) => ({ ...right, pages: 1 })],
		['too many pages', (right) => ({ ...right, pages: 90 })],
		[
			'too few pages but the right total',
			(right, size) => (size > 1 ? { ...right, pages: 2 } : right),
		],
	])('finds every row when the service states %s', async (_name, meta) => {
		const { source, requests } = letters('abcdefghijkl', { meta });
		expect(textOf((await readAll([source], byThree)).rows)).toBe('abcdefghijkl');
		expect(requests.length).toBeLessThan(20);
	});

	it('reports drift when the total and the rows contradict each other', async () => {
		const { source } = letters('abcdefghijkl', { meta: (right) => ({ ...right, pages: 90 }) });
		const { observed } = await readAll([source], byThree);
		expect(observed).toMatchObject({ reads: 2, drift: { edited: 0, totalBefore: 90 } });
	});

	it('takes one request for an empty list without page counts', async () => {
		const { source, requests } = letters('', { meta: () => ({ hasNextPage: false }) });
		expect((await readAll([source], byThree)).rows).toEqual([]);
		expect(requests).toEqual(['1/3']);
	});

	const threePages: LettersOptions['meta'] = (right) => ({ ...right, pages: 3 });

	it('reports drift when all pages are empty though the service states several', async () => {
		const { rows, observed } = await readAll([letters('', { meta: threePages }).source], byThree);
		expect(rows).toEqual([]);
		expect(observed.drift).toBeDefined();
	});

	it('finds rows that are added just after an empty first page', async () => {
		const { source } = letters('', { ...change(2, 'abc', 'abc'), meta: threePages });
		expect(textOf((await readAll([source], byThree)).rows)).toBe('abc');
	});

	it('continues after the last planned page when that page states another one', async () => {
		const { source } = letters('abcdef', {
			...change(3, 'abcdefg', 'g'),
			tellsTime: false,
			meta: (right) => ({ ...right, hasNextPage: false }),
		});
		expect(textOf((await readAll([source], byThree)).rows)).toBe('abcdefg');
	});

	it('continues after the last planned page when no total shows that the list grew', async () => {
		const { source, requests } = letters('abcdef', {
			...change(3, 'abcdefg', 'g'),
			tellsTime: false,
			minPerPage: 3,
		});
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abcdefg');
		expect(requests).toEqual(['1/3', '3/1', '2/3', '3/3', '4/3']);
		expect(observed.reads).toBe(1);
	});

	it('does not count edits when the service tells no time', async () => {
		const { source, requests } = letters('abcdef', { tellsTime: false });
		await readAll([source], byThree);
		expect(requests).not.toContain('edits');
	});

	it('stops at the first page without a new row', async () => {
		const { source, requests } = letters('abcdef', { meta: () => ({ hasNextPage: false }) });
		await readAll([source], byThree);
		expect(requests).toEqual(['1/3', '2/3', '3/3', 'edits']);
	});

	it('stops when every page has the same rows', async () => {
		const { source } = letters('abc', { meta: () => ({ hasNextPage: true }) });
		const fetchPage = jest.fn(
			async (_page: number, size: number) => await source.fetchPage(1, size),
		);
		expect(textOf((await readAll([{ ...source, fetchPage }], byThree)).rows)).toBe('abc');
		expect(fetchPage).toHaveBeenCalledTimes(2);
	});
});

/** One change before the request with that number. */
const change = (request: number, list: string, edited = ''): LettersOptions => ({
	before: { [request]: ({ become }) => become(list, edited) },
});

describe('reading a list that changes during the first read only', () => {
	// A read without changes requests the first page, the probe, the other pages, and the number of edits.
	it.each<[string, string, LettersOptions, string]>([
		[
			'a row of the first page is deleted before the probe',
			'abcdefg',
			change(2, 'bcdefg'),
			'bcdefg',
		],
		[
			'a row already read is deleted before a middle page',
			'abcdefghi',
			change(3, 'bcdefghi'),
			'bcdefghi',
		],
		[
			'a row already read is deleted before the last page',
			'abcdefghi',
			change(4, 'bcdefghi'),
			'bcdefghi',
		],
		['all rows after the first page are deleted', 'abcdefg', change(3, 'abc'), 'abc'],
		['a row is added to the first page', 'abcdefg', change(3, 'Xabcdefg', 'X'), 'Xabcdefg'],
		['a row is added after all pages were read', 'abcdefg', change(5, 'abcdefgX', 'X'), 'abcdefgX'],
		['a row moves to the first page', 'abcdefg', change(3, 'gabcdef', 'g'), 'gabcdef'],
		['a row is deleted while another is added', 'abcdefg', change(3, 'bcdefgX', 'X'), 'bcdefgX'],
		[
			'two rows are added just before the last page',
			'abcdef',
			change(3, 'abcXYdef', 'XY'),
			'abcXYdef',
		],
		[
			'more than a page of rows is deleted before the probe, then a row already read',
			'abcdefghijkl',
			{ before: { 2: ({ become }) => become('abcdef'), 3: ({ become }) => become('bcdef') } },
			'bcdef',
		],
		[
			'a row is added, read in place of another, and deleted',
			'abcdefghi',
			{
				before: {
					3: ({ become }) => become('abcXdefghi', 'X'),
					4: ({ become }) => become('abcdefghi'),
				},
			},
			'abcdefghi',
		],
		[
			'a row is moved to the end of the first page, probed, and deleted',
			'abcdef',
			{
				before: {
					2: ({ become }) => become('bdcef', 'c'),
					4: ({ become }) => become('bdef'),
				},
			},
			'bdef',
		],
	])('reads it a second time when %s', async (_name, start, options, expected) => {
		const { source } = letters(start, options);
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe(expected);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 2 });
	});

	it('keeps a repeated row once', async () => {
		const { source } = letters('abcdef', { ...change(3, 'Xabcdef', 'X'), tellsTime: false });
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('Xabcdef');
		expect(observed.reads).toBe(2);
	});

	it('counts repeated rows', async () => {
		const { source } = letters('abcdef', {
			...change(2, 'Xabcdef', 'X'),
			meta: () => ({ hasNextPage: false }),
			countsEdits: false,
		});
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abcdef');
		expect(observed).toMatchObject({ repeated: 1, reads: 1 });
	});

	it('notices a moved row by the total at the last page when the service tells no time', async () => {
		const { source } = letters('abcdef', { ...change(3, 'abXcdef', 'X'), tellsTime: false });
		const pages = { ...byThree, pageSize: 2, pool: createPool(8) };
		const { rows, observed } = await readAll([source], pages);
		expect(textOf(rows)).toBe('abXcdef');
		expect(observed.reads).toBe(2);
	});
});

describe('reading a list that is never stable', () => {
	/** Once in every read, the first row is deleted and a new one is added at the end. */
	const drifting = (): LettersOptions => {
		const alphabet = 'abcdefghijklmnopqrstuvwxyz';
		const step =
			(count: number): NonNullable<LettersOptions['before']>[number] =>
			({ become }) =>
				become(alphabet.slice(count, count + 7), alphabet[count + 6]);
		return {
			before: Object.fromEntries(
				[4, 9, 14, 19].map((request, index) => [request, step(index + 1)]),
			),
		};
	};

	it('reads it four times, merges all reads, and reports the drift', async () => {
		const { source, requests } = letters('abcdefg', drifting());
		const { rows, observed } = await readAll([source], byThree);
		expect(requests).toHaveLength(20);
		expect([...textOf(rows)].sort().join('')).toBe('abcdefghijk');
		expect(observed).toEqual({
			repeated: 0,
			isTruncated: false,
			reads: 4,
			drift: { edited: 1, totalBefore: 7, totalAfter: 7 },
		});
	});

	it('starts with the rows of the last read, in their order', async () => {
		const { source } = letters('abcdefg', drifting());
		const { rows } = await readAll([source], byThree);
		expect(textOf(rows)).toMatch(/^defghik/);
	});

	it('returns each row as it was last read', async () => {
		const edit = ({ become }: { become: (list: string, edited: string) => void }) =>
			become('abcdefg', 'a');
		const { source } = letters('abcdefg', { before: { 3: edit, 8: edit, 13: edit } });
		const seen: unknown[] = [];
		const shape = ({ letter, updated_at }: Row) => {
			if (letter === 'a') seen.push(updated_at);
			return { letter, updated_at };
		};
		const { rows } = await readAll([source], { ...byThree, shape });
		expect(new Set(seen).size).toBeGreaterThan(1);
		expect(rows[0]).toEqual({ letter: 'a', updated_at: seen.at(-1) });
	});

	it('stops when another read adds no row', async () => {
		const edit = ({ become }: { become: (list: string, edited: string) => void }) =>
			become('abcdefg', 'a');
		const { source } = letters('abcdefg', { before: { 3: edit, 8: edit, 13: edit } });
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abcdefg');
		expect(observed).toMatchObject({ reads: 2, drift: { edited: 1, totalBefore: 7 } });
	});
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
		expect(textOf(rows)).toBe('abcde');
		expect(observed).toMatchObject({ repeated: 1, isTruncated: true, reads: 1 });
	});
});
