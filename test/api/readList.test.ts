import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { ReadOptions } from '../../nodes/Cases/api/pages';
import { readUpTo } from '../../nodes/Cases/api/firstRows';
import { createPool } from '../../nodes/Cases/api/pool';
import { readAll } from '../../nodes/Cases/api/readList';
import type { Page, Row } from '../../nodes/Cases/api/types';
import { letters, type LettersOptions } from './letters';

const byThree: ReadOptions<Row> = {
	pageSize: 3,
	pool: createPool(1),
	shape: ({ letter }) => ({ letter }),
};
const textOf = (rows: Row[]) => rows.map(({ letter }) => letter).join('');

describe('reading a whole list', () => {
	it('takes one request for a single page', async () => {
		const { source, requests } = letters('ab');
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('ab');
		expect(requests).toEqual(['1/3']);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 1 });
	});

	it.each([
		['abc', ['1/3', '2/3']],
		['abcdef', ['1/3', '3/1', '2/3', '3/3', 'edits']],
	])('takes one request more where the last page is full, as in %s', async (text, expected) => {
		const { source, requests } = letters(text);
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe(text);
		expect(requests).toEqual(expected);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 1 });
	});

	it('takes no request more for a full page where no further row can come', async () => {
		const { source, requests } = letters('abc');
		await readAll([{ ...source, mostRows: 3 }], byThree);
		expect(requests).toEqual(['1/3']);
	});

	it.each([400, 404, 422])(
		'says that rows are missing where the service refuses deep pages with %d',
		async (httpCode) => {
			const { source } = letters('abcdefghijk');
			const shallow: typeof source = {
				...source,
				fetchPage: async (page, perPage) => {
					if (page * perPage <= 6 || page === 3) return await source.fetchPage(page, perPage);
					throw new ApiFailure('Too deep', { description: '', httpCode, retryable: false });
				},
			};
			const { rows, observed } = await readAll([shallow], byThree);
			expect(textOf(rows)).toBe('abcdefghi');
			expect(observed.incomplete).toEqual({ read: 9, stated: 11 });
		},
	);

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

	it('takes the rows out of each page, so that whole rows are not held by it', async () => {
		const { source } = letters('abcdefgh');
		const pages: Page[] = [];
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			pages.push(await source.fetchPage(page, size));
			return pages[pages.length - 1];
		};
		const { rows } = await readAll([{ ...source, fetchPage }], byThree);
		expect(textOf(rows)).toBe('abcdefgh');
		expect(pages.map((page) => page.rows)).toEqual([[], [], [], []]);
	});

	it('keeps of each row what the caller chooses', async () => {
		const shape = ({ letter }: Row) => ({ shown: letter });
		const { rows } = await readAll([letters('abcd').source], { ...byThree, shape });
		expect(rows).toEqual([{ shown: 'a' }, { shown: 'b' }, { shown: 'c' }, { shown: 'd' }]);
	});

	it('plans with the page size of the answer when the service makes smaller pages', async () => {
		const { source, requests } = letters('abcdefg', { maxPerPage: 2 });
		expect(textOf((await readAll([source], byThree)).rows)).toBe('abcdefg');
		expect(requests).toEqual(['1/3', '2/1', '2/3', '3/3', '4/3', 'edits']);
	});

	it('reads a list twice where the service makes no pages of one row, so that no total is known', async () => {
		const { source, requests } = letters('abcdefgh', { minPerPage: 3 });
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toBe('abcdefgh');
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 2 });
		const once = ['1/3', '3/1', '2/3', '3/3', 'edits'];
		expect(requests).toEqual([...once, ...once]);
	});

	it('reads it once where the service makes no pages of one row, but states the total', async () => {
		const meta: LettersOptions['meta'] = (right) => ({ ...right, total: 8 });
		const { source } = letters('abcdefgh', { minPerPage: 3, meta });
		expect((await readAll([source], byThree)).observed.reads).toBe(1);
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

	it('believes the rows, not the total, where there is no row behind them', async () => {
		const { source, requests } = letters('abcdefghijkl', {
			meta: (right) => ({ ...right, pages: 90 }),
		});
		const { observed } = await readAll([source], byThree);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 2 });
		expect(requests.at(-1)).toBe('13/1');
	});

	it('says how many rows are missing where a page returns the rows of another one', async () => {
		const { source } = letters('abcdefghijk');
		const fetchPage: typeof source.fetchPage = async (page, size) =>
			await source.fetchPage(page === 2 && size === 3 ? 1 : page, size);
		const { rows, observed } = await readAll([{ ...source, fetchPage }], byThree);
		expect(textOf(rows)).toBe('abcghijk');
		expect(observed).toMatchObject({ reads: 2, incomplete: { read: 8, stated: 11 } });
	});

	it('says that rows are missing where all pages are the same, from a service that makes no pages of one row', async () => {
		const { source } = letters('abcdefghijklmnopqrstuvwxyz', { minPerPage: 3 });
		const fetchPage: typeof source.fetchPage = async (_page, size) =>
			await source.fetchPage(1, size);
		const { rows, observed } = await readAll([{ ...source, fetchPage }], byThree);
		expect(textOf(rows)).toBe('abc');
		expect(observed.incomplete).toEqual({ read: 3, stated: 25 });
	});

	it('takes few requests where the service states far too many pages', async () => {
		for (const minPerPage of [1, 3]) {
			const meta: LettersOptions['meta'] = (right) => ({ ...right, pages: 2 ** 33 });
			const { source, requests } = letters('abcdefghijkl', { meta, minPerPage });
			const { rows } = await readAll([source], { ...byThree, pool: createPool(4) });
			expect(textOf(rows)).toBe('abcdefghijkl');
			expect(requests.length).toBeLessThan(40);
		}
	});

	it('continues behind an empty page where more pages are stated', async () => {
		const { source } = letters('abcdefghijk');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const answer = await source.fetchPage(page < 2 || size === 1 ? page : page - 1, size);
			const meta = { ...answer.meta, pages: (answer.meta.pages ?? 0) + 1 };
			return page === 2 && size > 1 ? { ...answer, rows: [], meta } : { ...answer, meta };
		};
		const { rows } = await readAll([{ ...source, fetchPage }], byThree);
		expect(textOf(rows)).toBe('abcdefghijk');
	});

	describe.each([400, 404, 422])(
		'from a service that answers %i behind the last page',
		(status) => {
			const missing = new ApiFailure('Not found', {
				description: '',
				httpCode: status,
				retryable: false,
			});
			const endingIn = (
				text: string,
				options: LettersOptions,
				isMissing: (page: number) => boolean,
			) => {
				const made = letters(text, options);
				const fetchPage: typeof made.source.fetchPage = async (page, size) => {
					if (isMissing(page) && size > 1) throw missing;
					return await made.source.fetchPage(page, size);
				};
				return { ...made.source, fetchPage };
			};

			it.each<[string, LettersOptions['meta']]>([
				['no page counts', () => ({ hasNextPage: false })],
				['too many pages', (right, size) => (size > 1 ? { ...right, pages: 6 } : right)],
				['always a next page', (right) => ({ ...right, hasNextPage: true })],
			])('ends there, where it states %s', async (_name, meta) => {
				const source = endingIn('abcdefghi', { meta }, (page) => page > 3);
				const { rows, observed } = await readAll([source], byThree);
				expect(textOf(rows)).toBe('abcdefghi');
				expect(observed.drift ?? observed.incomplete).toBeUndefined();
			});

			it('fails where a later page has rows, and where there is no first page', async () => {
				const middle = endingIn('abcdefghijk', {}, (page) => page === 2);
				await expect(readAll([middle], byThree)).rejects.toBe(missing);
				const first = endingIn('abc', {}, (page) => page === 1);
				await expect(readAll([first], byThree)).rejects.toBe(missing);
			});
		},
	);

	it.each([3, 50])(
		'ends where every request returns the first page of %d, each time with a new row',
		async (pageSize) => {
			let requests = 0;
			const { source } = letters('abc');
			const fetchPage: typeof source.fetchPage = async (_page, size) => {
				requests++;
				const letter = (index: number) => ({ letter: String(requests - index) });
				const rows = Array.from({ length: size }, (_empty, index) => letter(index));
				return await Promise.resolve({ rows, meta: { hasNextPage: false } });
			};
			const whole = await readAll([{ ...source, fetchPage }], { ...byThree, pageSize });
			expect(whole.observed.drift ?? whole.observed.incomplete).toBeDefined();
			const first = await readUpTo([{ ...source, fetchPage }], 1e6, { ...byThree, pageSize });
			expect(first.observed.incomplete).toMatchObject({ isRepeating: true });
			expect(requests).toBeLessThan(150);
		},
	);

	it('says that the same rows keep coming where most of each page was on the one before', async () => {
		const text = 'abcdefghijklmnopqrstuvwxyz';
		const { source } = letters(text);
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const rows = [...text].slice(page - 1, page - 1 + size).map((letter) => ({ letter }));
			return await Promise.resolve({ rows, meta: { hasNextPage: false } });
		};
		const { observed } = await readAll([{ ...source, fetchPage }], { ...byThree, pageSize: 9 });
		expect(observed).toMatchObject({ reads: 2, incomplete: { isRepeating: true } });
	});

	it.each([
		[30, 'where a total shows it', 30],
		[7, 'where nothing shows it', undefined],
	])(
		'finds %d of 30 rows of a service that makes pages of 7 and calls them larger, %s',
		async (expected, _where, total) => {
			const text = 'abcdefghijklmnopqrstuvwxyz1234';
			const meta: LettersOptions['meta'] = (right, size) =>
				size === 1 ? right : { perPage: 50, pages: 1, total, hasNextPage: false };
			const { source } = letters(text, { maxPerPage: 7, meta });
			const { rows } = await readAll([source], { ...byThree, pageSize: 50 });
			expect(rows).toHaveLength(expected);
		},
	);

	it('leaves out rows without identity, and says how many', async () => {
		const { source } = letters('abcdefgh');
		const idOf = ({ letter }: Row) =>
			letter === 'b' || letter === 'h' ? undefined : String(letter);
		const { rows, observed } = await readAll([{ ...source, idOf }], byThree);
		expect(textOf(rows)).toBe('acdefg');
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 2, unusable: 2 });
		const none = readAll([{ ...source, idOf: () => undefined }], byThree);
		await expect(none).rejects.toThrow('No row of the list can be used');
	});

	it('leaves out rows that contradict a filter, and says which and how many', async () => {
		const { source } = letters('abcdefgh');
		const contradictedFilter = ({ letter }: Row) =>
			letter === 'b' ? 'tags' : letter === 'h' ? 'status' : undefined;
		const { rows, observed } = await readAll([{ ...source, contradictedFilter }], byThree);
		expect(textOf(rows)).toBe('acdefg');
		expect(observed).toMatchObject({ reads: 1, contradicting: { tags: 1, status: 1 } });
	});

	it('takes one request for an empty list without page counts', async () => {
		const { source, requests } = letters('', { meta: () => ({ hasNextPage: false }) });
		expect((await readAll([source], byThree)).rows).toEqual([]);
		expect(requests).toEqual(['1/3']);
	});

	const threePages: LettersOptions['meta'] = (right) => ({ ...right, pages: 3 });

	it('reads a list twice when all pages are empty though the service states several', async () => {
		const { rows, observed } = await readAll([letters('', { meta: threePages }).source], byThree);
		expect(rows).toEqual([]);
		expect(observed.reads).toBe(2);
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
		expect(requests.slice(0, 4)).toEqual(['1/3', '3/1', '2/3', '3/3']);
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 2 });
	});

	it('does not count edits when the service sends no time', async () => {
		const { source, requests } = letters('abcdef', { tellsTime: false });
		await readAll([source], byThree);
		expect(requests).not.toContain('edits');
	});

	it('does not say that the list changed where a page leaves out another row at each read', async () => {
		const { source } = letters('abcdefgh');
		let reads = 0;
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			if (page === 1 && size === 3) reads++;
			const answer = await source.fetchPage(page, size);
			const row = (letter: string, ms: number) => ({
				letter,
				updated_at: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, ms)).toISOString(),
			});
			// The row that changed last comes in every other read only.
			const one = reads % 2 === 1 ? row('d', 4) : row('e', 5);
			return page === 2 && size === 3
				? { ...answer, rows: [one, one, row('f', 0)] }
				: { ...answer, rows: answer.rows.map(({ letter }) => row(String(letter), 0)) };
		};
		const { rows, observed } = await readAll([{ ...source, fetchPage }], byThree);
		expect([...textOf(rows)].sort().join('')).toBe('abcdefgh');
		expect(observed.drift).toBeUndefined();
	});

	it('stops at the first page without a new row', async () => {
		const { source, requests } = letters('abcdef', { meta: () => ({ hasNextPage: false }) });
		await readAll([source], byThree);
		expect(requests.slice(0, 4)).toEqual(['1/3', '2/3', '3/3', 'edits']);
	});

	it('stops when every page has the same rows', async () => {
		const { source } = letters('abc', { meta: () => ({ hasNextPage: true }) });
		const fetchPage = jest.fn(
			async (_page: number, size: number) => await source.fetchPage(1, size),
		);
		expect(textOf((await readAll([{ ...source, fetchPage }], byThree)).rows)).toBe('abc');
		// The list was read twice.
		expect(fetchPage).toHaveBeenCalledTimes(4);
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
		expect(observed).toEqual({ repeated: 0, isTruncated: false, reads: 3 });
	});

	it('counts repeated rows', async () => {
		const moved = ({ become }: { become: (list: string) => void }) => become('Xabcdefgh');
		const back = ({ become }: { become: (list: string) => void }) => become('abcdefgh');
		// Between the first page and the others of each read, and back at its end.
		const { source } = letters('abcdefgh', {
			before: { 3: moved, 6: back, 8: moved, 11: back, 13: moved, 16: back, 18: moved },
			tellsTime: false,
		});
		const { rows, observed } = await readAll([source], byThree);
		expect(textOf(rows)).toMatch(/^abc/);
		expect(observed.repeated).toBeGreaterThan(0);
	});

	it('notices a moved row by the total at the last page when the service sends no time', async () => {
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
