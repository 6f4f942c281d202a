import { readUpTo } from '../../nodes/Cases/api/firstRows';
import type { ReadOptions } from '../../nodes/Cases/api/pages';
import { createPool } from '../../nodes/Cases/api/pool';
import type { Row } from '../../nodes/Cases/api/types';
import { failedWith } from './answering';
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
		expect(observed.incomplete).toBeUndefined();
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
			details: {
				description: expect.stringContaining("Set a larger 'Page Size'"),
				retryable: false,
			},
		});
	});
});

describe('how many rows match', () => {
	const matchesOf = async (limit: number, text: string, options: LettersOptions, more = {}) => {
		const { source } = letters(text, options);
		return (await readUpTo([{ ...source, ...more }], limit, byThree)).observed.matches;
	};
	const withTotal = (total: number): LettersOptions => ({
		minPerPage: 3,
		meta: (right) => ({ ...right, total }),
	});

	it('is the total where the service states it for several pages', async () => {
		expect(await matchesOf(4, 'abcdefgh', withTotal(8))).toEqual({ atLeast: 8, atMost: 8 });
		expect(await matchesOf(2, 'abc', withTotal(3))).toEqual({ atLeast: 1, atMost: 3 });
	});

	it('goes by the size of the pages that came', async () => {
		const larger = { minPerPage: 5 };
		const expected = { atLeast: 11, atMost: 15 };
		expect(await matchesOf(4, 'abcdefghijklm', larger)).toEqual(expected);
	});

	it('is not known where a page has more rows than it says', async () => {
		const { source } = letters('abcdefghijkl');
		const fetchPage: typeof source.fetchPage = async (page) => {
			const { rows } = await source.fetchPage(page, 4);
			return { rows, meta: { perPage: 3, pages: 3, hasNextPage: page < 3 } };
		};
		const { observed } = await readUpTo([{ ...source, fetchPage }], 5, byThree);
		expect(observed).toMatchObject({ isTruncated: true, matches: undefined });
	});

	it('is not known where the last page is said to be larger than the first', async () => {
		let requests = 0;
		const meta: LettersOptions['meta'] = (right) => ({ ...right, perPage: ++requests + 2 });
		expect(await matchesOf(4, 'abcdefghijkl', { meta })).toBeUndefined();
	});

	it.each<[string, LettersOptions, object]>([
		['rows are left out by date', {}, { belongs: () => true }],
		[
			'a row cannot be told from others',
			{},
			{ idOf: ({ letter }: Row) => (letter === 'e' ? undefined : String(letter)) },
		],
		[
			'a row contradicts a filter',
			{},
			{ contradictedFilter: ({ letter }: Row) => (letter === 'e' ? 'tags' : undefined) },
		],
	])('is not known where %s', async (_where, options, more) => {
		expect(await matchesOf(4, 'abcdefghijkl', options, more)).toBeUndefined();
	});
});

describe('the first rows of a list whose pages are not as they are said to be', () => {
	const requestsFor = async (limit: number, text: string, options: LettersOptions, more = {}) => {
		const { source, requests } = letters(text, options);
		const { rows, observed } = await readUpTo([{ ...source, ...more }], limit, byThree);
		return { text: textOf(rows), requests, incomplete: observed.incomplete };
	};

	it('end with a page that is not full, where the total of several is stated', async () => {
		const meta: LettersOptions['meta'] = (right) => ({ ...right, total: 8 });
		const { requests } = await requestsFor(50, 'abcdefgh', { meta });
		expect(requests).toEqual(['1/3', '2/3', '3/3']);
	});

	it('continue where the only page has as many rows as were requested, or as pages often have', async () => {
		const text = 'abcdefghijklmnopqrstuvwxyz';
		const meta: LettersOptions['meta'] = () => ({ perPage: 100, pages: 1, hasNextPage: false });
		expect((await requestsFor(50, 'abcde', { meta })).text).toBe('abcde');
		const { source } = letters(text, { meta, maxPerPage: 20 });
		const { rows } = await readUpTo([source], 100, { ...byThree, pageSize: 100 });
		expect(textOf(rows)).toBe(text);
	});

	it('continue behind a page without a new row where more pages are stated', async () => {
		const { source } = letters('abcdef');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows } = await source.fetchPage([1, 1, 2][page - 1] ?? 9, size);
			return { rows, meta: { pages: page === 1 ? 1 : 3, hasNextPage: page === 1 } };
		};
		expect((await requestsFor(50, '', {}, { fetchPage })).text).toBe('abcdef');
	});

	it('continue behind an empty page where a next one is stated', async () => {
		const { source } = letters('abcdef');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows } = await source.fetchPage([1, 9, 2][page - 1] ?? 9, size);
			return { rows, meta: { hasNextPage: page < 3 } };
		};
		expect((await requestsFor(50, '', {}, { fetchPage })).text).toBe('abcdef');
	});

	it('continue behind a page that is not full where nothing is stated', async () => {
		const { requests } = await requestsFor(50, 'abcd', { meta: () => ({ hasNextPage: false }) });
		expect(requests).toEqual(['1/3', '2/3', '3/3']);
	});

	it('are requested five times where the same page comes for each of ten', async () => {
		const { source, requests } = letters('abc');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows } = await source.fetchPage(1, size);
			requests.push(`page ${page}`);
			return { rows, meta: { perPage: 3, pages: 10, hasNextPage: true } };
		};
		await requestsFor(50, '', {}, { fetchPage });
		expect(requests.filter((one) => one.startsWith('page'))).toEqual(
			[1, 2, 3, 4, 5, 4].map((page) => `page ${page}`),
		);
	});

	it('are requested until rows came again one and a half times on average, and two pages more', async () => {
		const pages: number[] = [];
		const fetchPage = async (page: number, size: number) => {
			pages.push(page);
			const rows = Array.from({ length: size }, (_empty, index) => ({ letter: page + index }));
			return await Promise.resolve({ rows, meta: { hasNextPage: false } });
		};
		const source = { ...letters('').source, fetchPage };
		// With six rows to a page, page 7 has exactly as many: 6 x 5 = 1.5 x (6 + 6) + 2 x 6.
		await readUpTo([source], 1000, { ...byThree, pageSize: 6 });
		expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	it('are complete where the last page comes again, as page counts say', async () => {
		const { source } = letters('abc');
		const clamping =
			(metaOf: (page: number) => object): typeof source.fetchPage =>
			async (page, size) => {
				if (size === 1) return { rows: [], meta: { perPage: 1, hasNextPage: false } };
				const { rows } = await source.fetchPage(1, size);
				return { rows, meta: { hasNextPage: false, ...metaOf(page) } };
			};
		for (const metaOf of [
			() => ({ pages: 2 }),
			(page: number) => (page === 1 ? { pages: 2 } : {}),
		]) {
			const { incomplete } = await requestsFor(50, '', {}, { fetchPage: clamping(metaOf) });
			expect(incomplete).toBeUndefined();
		}
	});

	it('are complete where a page that is not full comes again', async () => {
		const { source } = letters('ab');
		const fetchPage: typeof source.fetchPage = async (_page, size) => ({
			...(await source.fetchPage(1, size)),
			meta: { hasNextPage: false },
		});
		const { text, incomplete } = await requestsFor(50, '', {}, { fetchPage });
		expect({ text, incomplete }).toEqual({ text: 'ab', incomplete: undefined });
	});

	it('need no row behind them where pages are smaller than they say', async () => {
		const meta: LettersOptions['meta'] = (right) => ({ ...right, perPage: 3 });
		const { requests } = await requestsFor(50, 'abcdefgh', { meta, maxPerPage: 2 });
		expect(requests).toEqual(['1/3', '2/3', '3/3', '4/3', '5/3']);
	});

	it('end with an empty page that states nothing', async () => {
		const { source, requests } = letters('abcdef');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows } = await source.fetchPage(page, size);
			const more = { perPage: 3, pages: 3, hasNextPage: true };
			return { rows, meta: page === 1 ? more : { hasNextPage: false } };
		};
		await readUpTo([{ ...source, fetchPage }], 50, byThree);
		expect(requests.filter((one) => one.endsWith('/3'))).toEqual(['1/3', '2/3', '3/3']);
	});

	it('end where the service refuses the pages behind them', async () => {
		const { source } = letters('abcdef');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			if (page > 2) throw failedWith(404);
			return {
				...(await source.fetchPage(page, size)),
				meta: { perPage: 3, pages: 6, hasNextPage: true },
			};
		};
		expect((await requestsFor(50, '', {}, { fetchPage })).text).toBe('abcdef');
	});

	it('are missing where the first page is empty, and a row is behind it', async () => {
		const { source } = letters('abc');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows } = await source.fetchPage(size === 1 ? page : 9, size);
			return { rows, meta: { perPage: size, pages: 3, hasNextPage: false } };
		};
		const { incomplete } = await requestsFor(50, '', {}, { fetchPage });
		expect(incomplete).toEqual({ read: 0, stated: 7 });
	});

	it('are counted by the requested page size where none is stated', async () => {
		const { source } = letters('abcdefghijk');
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			const { rows, meta } = await source.fetchPage(page === 2 && size === 3 ? 1 : page, size);
			return { rows, meta: { ...meta, perPage: size === 1 ? 1 : undefined } };
		};
		const { incomplete } = await requestsFor(50, '', {}, { fetchPage });
		expect(incomplete).toEqual({ read: 8, stated: 10 });
	});

	it('are as many as stated where one of them cannot be told from others', async () => {
		const idOf = ({ letter }: Row) => (letter === 'b' ? undefined : String(letter));
		const { incomplete, requests } = await requestsFor(50, 'abcd', {}, { idOf });
		expect(incomplete).toBeUndefined();
		expect(requests).toEqual(['1/3', '2/3']);
	});

	it('are read several pages at a time', async () => {
		const { source } = letters('abcdefghijkl');
		let inFlight = 0;
		let most = 0;
		const fetchPage: typeof source.fetchPage = async (page, size) => {
			most = Math.max(most, ++inFlight);
			await new Promise(setImmediate);
			inFlight--;
			return await source.fetchPage(page, size);
		};
		await readUpTo([{ ...source, fetchPage }], 12, { ...byThree, pool: createPool(2) });
		expect(most).toBe(3);
	});
});

describe('the first rows that belong to the result', () => {
	const belonging = (letter: unknown) => String(letter) < 'f';
	const read = async (text: string, more = {}) => {
		const { source, requests } = letters(text, { meta: ({ hasNextPage }) => ({ hasNextPage }) });
		const belongs = ({ letter }: Row) => belonging(letter);
		const sorted = { ...source, belongs, isSortedByBelonging: true, ...more };
		return { rows: textOf((await readUpTo([sorted], 50, byThree)).rows), requests };
	};

	it('are read up to the first that does not', async () => {
		expect(await read('abcdefghijkl')).toEqual({ rows: 'abcde', requests: ['1/3', '2/3'] });
	});

	it('are read on behind one that contradicts a filter', async () => {
		const contradictedFilter = ({ letter }: Row) => (letter === 'b' ? 'tags' : undefined);
		const { rows } = await read('abcdefghijkl', { contradictedFilter });
		expect(rows).toBe('acde');
	});

	it('may be anywhere where the list is not sorted by that', async () => {
		expect((await read('abcxyzde', { isSortedByBelonging: false })).rows).toBe('abcde');
	});
});

describe('a look for a filter that the service ignores', () => {
	const looks = async (contradicting: string, answer: boolean, more = {}) => {
		const { source } = letters('abcdef');
		const contradictedFilter = ({ letter }: Row) =>
			contradicting.includes(String(letter)) ? 'tags' : undefined;
		const refuseIgnoredFilter = jest.fn<Promise<boolean>, [number]>().mockResolvedValue(answer);
		const watched = { ...source, contradictedFilter, refuseIgnoredFilter, ...more };
		await readUpTo([watched], 50, byThree);
		return refuseIgnoredFilter.mock.calls.map(([count]) => count).filter((count) => count > 0);
	};

	it.each<[string, string, boolean, number[]]>([
		['comes once where all rows contradict a filter, and there are enough', 'abcdef', true, [3]],
		['comes again with more rows', 'abcdef', false, [3, 6, 6]],
		['comes again only while all rows contradict a filter', 'abc', false, [3]],
		['does not come where one row agrees', 'ac', false, []],
	])('%s', async (_what, contradicting, answer, expected) => {
		expect(await looks(contradicting, answer)).toEqual(expected);
	});

	it('does not come for rows that are left out by date', async () => {
		expect(await looks('', false, { belongs: () => false })).toEqual([]);
	});
});

describe('the first rows of several lists', () => {
	const keyOf = ({ letter }: Row) => String(letter).charCodeAt(0);
	const readBoth = async (texts: string[], limit: number, more: object[] = []) => {
		const sources = texts.map((text, index) => ({ ...letters(text).source, ...more[index] }));
		const { rows, observed } = await readUpTo(sources, limit, { ...byThree, keyOf });
		return { text: textOf(rows), ...observed };
	};

	it('are sorted, and counted together', async () => {
		const both = await readBoth(['bcdefgh', 'ai'], 4);
		expect(both).toMatchObject({ text: 'abcd', isTruncated: true });
		expect(both.matches).toEqual({ atLeast: 9, atMost: 11 });
	});

	it('are not counted where one of the lists may have more, and does not say so', async () => {
		const unsaid = letters('abcdefgh', { meta: () => ({ hasNextPage: false }) });
		const both = await readBoth(['', 'xyz'], 3, [{ fetchPage: unsaid.source.fetchPage }]);
		expect(both).toMatchObject({ text: 'abc', isTruncated: true, matches: undefined });
	});

	it('of one list keep its order', async () => {
		expect((await readBoth(['cba'], 4)).text).toBe('cba');
	});

	it('are truncated where one of the lists is', async () => {
		expect(await readBoth(['abcdef', ''], 3)).toMatchObject({ text: 'abc', isTruncated: true });
	});

	it('are incomplete where one of the lists is', async () => {
		const { source } = letters('xyz');
		const sameAgain: typeof source.fetchPage = async (_page, size) => ({
			...(await source.fetchPage(1, size)),
			meta: { hasNextPage: false },
		});
		const repeating = await readBoth(['ab', ''], 50, [{}, { fetchPage: sameAgain }]);
		expect(repeating.incomplete).toEqual({ read: 5, isRepeating: true });
		const missing: typeof source.fetchPage = async (page, size) => {
			const rows = page === 2 && size === 3 ? [] : (await source.fetchPage(1, size)).rows;
			return { rows, meta: { perPage: size, pages: 2, hasNextPage: false } };
		};
		const short = await readBoth(['ab', ''], 50, [{}, { fetchPage: missing }]);
		expect(short.incomplete).toEqual({ read: 5, stated: 6 });
	});

	it('leave out what cannot be told from others, in each of them', async () => {
		const idOf = ({ letter }: Row) => ('bx'.includes(String(letter)) ? undefined : String(letter));
		const both = await readBoth(['ab', 'xy'], 50, [{ idOf }, { idOf }]);
		expect(both).toMatchObject({ text: 'ay', unusable: 2 });
	});
});
