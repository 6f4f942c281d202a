import { readAll, readSome, type ReadOptions } from '../../nodes/Cases/api/readList';
import type { Row } from '../../nodes/Cases/api/types';
import { letters, type LettersOptions } from './letters';

const byThree: ReadOptions<Row> = {
	pageSize: 3,
	concurrency: 1,
	shape: ({ letter }) => ({ letter }),
};
const textOf = (rows: Row[]) => rows.map(({ letter }) => letter).join('');

describe('reading a list whole', () => {
	it('takes one request for one page', async () => {
		const { source, requests } = letters('abc');
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe('abc');
		expect(requests).toEqual(['1/3']);
		expect(observed).toEqual({ repeated: 0, isCut: false, reads: 1 });
	});

	it('takes one request for an empty list', async () => {
		const { source, requests } = letters('');
		expect((await readAll(source, byThree)).rows).toEqual([]);
		expect(requests).toEqual(['1/3']);
	});

	it('takes two requests more than there are pages, and reads the last page after the others', async () => {
		const { source, requests } = letters('abcdefghij');
		const { rows, observed } = await readAll(source, { ...byThree, concurrency: 4 });
		expect(textOf(rows)).toBe('abcdefghij');
		expect(requests).toEqual(['1/3', '3/1', '2/3', '3/3', '4/3', 'edits']);
		expect(observed).toEqual({ repeated: 0, isCut: false, reads: 1 });
	});

	it('keeps of a row what the caller wants of it', async () => {
		const shape = ({ letter }: Row) => ({ shown: letter });
		const { rows } = await readAll(letters('abcd').source, { ...byThree, shape });
		expect(rows).toEqual([{ shown: 'a' }, { shown: 'b' }, { shown: 'c' }, { shown: 'd' }]);
	});

	it('plans by the page size that the service really has', async () => {
		const { source, requests } = letters('abcdefgh', { maxPerPage: 2 });
		expect(textOf((await readAll(source, byThree)).rows)).toBe('abcdefgh');
		expect(requests).toEqual(['1/3', '2/1', '2/3', '3/3', '4/3', 'edits']);
	});

	it('works with a service that makes no pages of one row', async () => {
		const { source, requests } = letters('abcdefgh', { minPerPage: 3 });
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe('abcdefgh');
		expect(observed).toEqual({ repeated: 0, isCut: false, reads: 1 });
		expect(requests).toEqual(['1/3', '3/1', '2/3', '3/3', 'edits']);
	});

	it('ends with the failure of a page', async () => {
		const broken = () => {
			throw new Error('The third request broke');
		};
		const { source } = letters('abcdefgh', { before: { 3: broken } });
		await expect(readAll(source, byThree)).rejects.toThrow('The third request broke');
	});
});

describe('reading a list whole at a service without right page counts', () => {
	it.each<[string, LettersOptions['meta']]>([
		['nothing but a next page', ({ hasNextPage }) => ({ hasNextPage })],
		['nothing at all', () => ({ hasNextPage: false })],
		['no page size', ({ pages, hasNextPage }) => ({ pages, hasNextPage })],
		['too few pages', (right) => ({ ...right, pages: 1 })],
		['too many pages', (right) => ({ ...right, pages: 90 })],
		[
			'too few pages, but the right total',
			(right, size) => (size > 1 ? { ...right, pages: 2 } : right),
		],
	])('finds every row when it tells %s', async (_name, meta) => {
		const { source, requests } = letters('abcdefghijkl', { meta });
		expect(textOf((await readAll(source, byThree)).rows)).toBe('abcdefghijkl');
		expect(requests.length).toBeLessThan(20);
	});

	it('says that it can not be sure when totals and rows contradict each other', async () => {
		const { source } = letters('abcdefghijkl', { meta: (right) => ({ ...right, pages: 90 }) });
		const { observed } = await readAll(source, byThree);
		expect(observed).toMatchObject({ reads: 2, unrest: { edited: 0, totalBefore: 90 } });
	});

	it('takes one request for an empty list that has no page counts', async () => {
		const { source, requests } = letters('', { meta: () => ({ hasNextPage: false }) });
		expect((await readAll(source, byThree)).rows).toEqual([]);
		expect(requests).toEqual(['1/3']);
	});

	it('gives what there is when the first page is empty and others are promised', async () => {
		const meta: LettersOptions['meta'] = (right) => ({ ...right, pages: 3 });
		const empty = await readAll(letters('', { meta }).source, byThree);
		expect(empty.rows).toEqual([]);
		expect(empty.observed.unrest).toBeDefined();
		const { source } = letters('', { ...change(2, 'abc', 'abc'), meta });
		expect(textOf((await readAll(source, byThree)).rows)).toBe('abc');
	});

	it('reads on when the last page tells of another one', async () => {
		const { source } = letters('abcdef', {
			...change(3, 'abcdefg', 'g'),
			tellsTime: false,
			meta: (right) => ({ ...right, hasNextPage: false }),
		});
		expect(textOf((await readAll(source, byThree)).rows)).toBe('abcdefg');
	});

	it('asks for no edits where the service tells no time', async () => {
		const { source, requests } = letters('abcdef', { tellsTime: false });
		await readAll(source, byThree);
		expect(requests).not.toContain('edits');
	});

	it('ends at the first page without a new row', async () => {
		const { source, requests } = letters('abcdef', { meta: () => ({ hasNextPage: false }) });
		await readAll(source, byThree);
		expect(requests).toEqual(['1/3', '2/3', '3/3', 'edits']);
	});

	it('ends when every page has the same rows', async () => {
		const { source } = letters('abc', { meta: () => ({ hasNextPage: true }) });
		const fetchPage = jest.fn(
			async (_page: number, size: number) => await source.fetchPage(1, size),
		);
		expect(textOf((await readAll({ ...source, fetchPage }, byThree)).rows)).toBe('abc');
		expect(fetchPage).toHaveBeenCalledTimes(2);
	});
});

/** One change before the request of that position. */
const change = (request: number, list: string, edited = ''): LettersOptions => ({
	before: { [request]: ({ become }) => become(list, edited) },
});

describe('reading a list that changes during the first read only', () => {
	// Requests of a read without changes: 1 first page, 2 probe, then the other pages, at last the edits.
	it.each<[string, string, LettersOptions, string]>([
		['a row of the first page vanishes before the probe', 'abcdefg', change(2, 'bcdefg'), 'bcdefg'],
		['a read row vanishes before a middle page', 'abcdefghi', change(3, 'bcdefghi'), 'bcdefghi'],
		['a read row vanishes before the last page', 'abcdefghi', change(4, 'bcdefghi'), 'bcdefghi'],
		['all rows but those of the first page vanish', 'abcdefg', change(3, 'abc'), 'abc'],
		['a row comes to the first page', 'abcdefg', change(3, 'Xabcdefg', 'X'), 'Xabcdefg'],
		['a row comes after all pages are read', 'abcdefg', change(5, 'abcdefgX', 'X'), 'abcdefgX'],
		['a row moves to the first page', 'abcdefg', change(3, 'gabcdef', 'g'), 'gabcdef'],
		['a row vanishes as another comes', 'abcdefg', change(3, 'bcdefgX', 'X'), 'bcdefgX'],
		[
			'a row comes before the last page is read, and another pushes it out of it',
			'abcdef',
			change(3, 'abcXYdef', 'XY'),
			'abcXYdef',
		],
		[
			'more rows than a page vanish before the probe, and then a read one',
			'abcdefghijkl',
			{ before: { 2: ({ become }) => become('abcdef'), 3: ({ become }) => become('bcdef') } },
			'bcdef',
		],
		[
			'a row comes, is read in the place of another, and vanishes',
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
			'the row that is probed was moved there and vanishes',
			'abcdef',
			{
				before: {
					2: ({ become }) => become('bdcef', 'c'),
					4: ({ become }) => become('bdef'),
				},
			},
			'bdef',
		],
	])('reads it once more: %s', async (_name, start, options, expected) => {
		const { source } = letters(start, options);
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe(expected);
		expect(observed).toEqual({ repeated: 0, isCut: false, reads: 2 });
	});

	it('keeps a row once that came twice', async () => {
		const { source } = letters('abcdef', { ...change(3, 'Xabcdef', 'X'), tellsTime: false });
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe('Xabcdef');
		expect(observed.reads).toBe(2);
	});

	it('counts the rows that came twice', async () => {
		const { source } = letters('abcdef', {
			...change(2, 'Xabcdef', 'X'),
			meta: () => ({ hasNextPage: false }),
			tellsEdits: false,
		});
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe('abcdef');
		expect(observed).toMatchObject({ repeated: 1, reads: 1 });
	});

	it('sees a moved row by the total of the last page where the service tells no time', async () => {
		const { source } = letters('abcdef', { ...change(3, 'abXcdef', 'X'), tellsTime: false });
		const pages = { ...byThree, pageSize: 2, concurrency: 8 };
		const { rows, observed } = await readAll(source, pages);
		expect(textOf(rows)).toBe('abXcdef');
		expect(observed.reads).toBe(2);
	});
});

describe('reading a list that never comes to rest', () => {
	/** Before every second page a row vanishes from the front and a new one comes at the end. */
	const restless = (): LettersOptions => {
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

	it('reads it four times, merges the rows of all, and says what changed', async () => {
		const { source, requests } = letters('abcdefg', restless());
		const { rows, observed } = await readAll(source, byThree);
		expect(requests).toHaveLength(20);
		expect([...textOf(rows)].sort().join('')).toBe('abcdefghijk');
		expect(observed).toEqual({
			repeated: 0,
			isCut: false,
			reads: 4,
			unrest: { edited: 1, totalBefore: 7, totalAfter: 7 },
		});
	});

	it('begins with the rows of the last read, in its order', async () => {
		const { source } = letters('abcdefg', restless());
		const { rows } = await readAll(source, byThree);
		expect(textOf(rows)).toMatch(/^defghik/);
	});

	it('gives each row as it was read last', async () => {
		const edit = ({ become }: { become: (list: string, edited: string) => void }) =>
			become('abcdefg', 'a');
		const { source } = letters('abcdefg', { before: { 3: edit, 8: edit, 13: edit } });
		const seen: unknown[] = [];
		const shape = ({ letter, updated_at }: Row) => {
			if (letter === 'a') seen.push(updated_at);
			return { letter, updated_at };
		};
		const { rows } = await readAll(source, { ...byThree, shape });
		expect(new Set(seen).size).toBeGreaterThan(1);
		expect(rows[0]).toEqual({ letter: 'a', updated_at: seen.at(-1) });
	});

	it('stops earlier when another read adds no row', async () => {
		const edit = ({ become }: { become: (list: string, edited: string) => void }) =>
			become('abcdefg', 'a');
		const { source } = letters('abcdefg', { before: { 3: edit, 8: edit, 13: edit } });
		const { rows, observed } = await readAll(source, byThree);
		expect(textOf(rows)).toBe('abcdefg');
		expect(observed).toMatchObject({ reads: 2, unrest: { edited: 1, totalBefore: 7 } });
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
	])('takes for %i rows no page more than it needs: %j', async (limit, expected, text, isCut) => {
		const { source, requests } = letters('abcdefgh');
		const { rows, observed } = await readSome(source, limit, byThree);
		expect(textOf(rows)).toBe(text);
		expect(requests).toEqual(expected);
		expect(observed).toMatchObject({ repeated: 0, isCut, reads: 1 });
	});

	it('tells how many there are at least', async () => {
		const { observed } = await readSome(letters('abcdefgh').source, 4, byThree);
		expect(observed.atLeast).toBe(7);
		const clamped = await readSome(letters('abcdefgh', { maxPerPage: 2 }).source, 4, byThree);
		expect(clamped.observed.atLeast).toBe(7);
		const untold = letters('abcdefgh', { meta: ({ hasNextPage }) => ({ hasNextPage }) });
		expect((await readSome(untold.source, 4, byThree)).observed.atLeast).toBeUndefined();
	});

	it.each<[string, LettersOptions['meta']]>([
		['only page counts', (right) => ({ ...right, hasNextPage: false })],
		['only a next page', ({ hasNextPage }) => ({ hasNextPage })],
	])('knows that there are more where the service tells %s', async (_what, meta) => {
		expect((await readSome(letters('abcdefgh', { meta }).source, 6, byThree)).observed.isCut).toBe(
			true,
		);
	});

	it('takes no request too many where the service tells no page counts', async () => {
		const meta: LettersOptions['meta'] = ({ hasNextPage }) => ({ hasNextPage });
		const some = letters('abcdefgh', { meta });
		await readSome(some.source, 6, byThree);
		expect(some.requests).toEqual(['1/3', '2/3']);
		const none = letters('', { meta });
		await readSome(none.source, 6, byThree);
		expect(none.requests).toEqual(['1/3']);
	});

	it('takes one request for an empty list', async () => {
		const { source, requests } = letters('');
		const { rows, observed } = await readSome(source, 5, byThree);
		expect(rows).toEqual([]);
		expect(observed.isCut).toBe(false);
		expect(requests).toEqual(['1/3']);
	});

	it('takes more requests where the service makes smaller pages', async () => {
		const { source, requests } = letters('abcdefgh', { maxPerPage: 2 });
		expect(textOf((await readSome(source, 5, byThree)).rows)).toBe('abcde');
		expect(requests).toEqual(['1/3', '2/3', '3/3']);
	});

	it('goes from page to page where the service tells no page counts', async () => {
		const { source, requests } = letters('abcdefgh', {
			meta: ({ hasNextPage }) => ({ hasNextPage }),
		});
		const { rows, observed } = await readSome(source, 5, byThree);
		expect(textOf(rows)).toBe('abcde');
		expect(requests).toEqual(['1/3', '2/3']);
		expect(observed.isCut).toBe(true);
	});

	it('keeps a row once that came twice, and says so', async () => {
		const { source } = letters('abcdefgh', change(2, 'Xabcdefgh', 'X'));
		const { rows, observed } = await readSome(source, 6, byThree);
		expect(textOf(rows)).toBe('abcde');
		expect(observed).toMatchObject({ repeated: 1, isCut: true, reads: 1 });
	});
});
