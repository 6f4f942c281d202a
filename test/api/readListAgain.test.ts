import type { ListSource } from '../../nodes/Cases/api/pages';
import { createPool } from '../../nodes/Cases/api/pool';
import { readAll, type ReadAllOptions } from '../../nodes/Cases/api/readList';
import type { Row } from '../../nodes/Cases/api/types';
import { letters, type LettersOptions } from './letters';

const START = Date.parse('2026-01-31T12:00:00Z');
const byThree: ReadAllOptions<Row> = {
	pageSize: 3,
	pool: createPool(1),
	shape: ({ letter }) => ({ letter }),
};
const textOf = (rows: Row[]) => rows.map(({ letter }) => letter).join('');

interface Told {
	/** When a row was edited, in ms after the start; undefined for a row without a date. */
	editedAfter?: (letter: string) => number | undefined;
	/** What the service states besides. */
	meta?: (read: number, size: number) => object;
	edits?: number;
}

/** A list that has other rows in each read, told as text; each answer is of the same second. */
function readsOf(
	texts: string[],
	{ editedAfter = () => undefined, meta = () => ({}), edits }: Told = {},
) {
	let read = -1;
	const source: ListSource = {
		fetchPage: async (page, size) => {
			if (page === 1 && size === 3) read++;
			const text = texts[read % texts.length];
			const rows = [...text].slice((page - 1) * size, page * size).map((letter) => {
				const after = editedAfter(letter);
				const updated_at = after === undefined ? null : new Date(START + after).toISOString();
				return { letter, updated_at };
			});
			const right = { hasNextPage: page * size < text.length };
			return await Promise.resolve({
				rows,
				meta: { ...right, ...meta(read, size) },
				servedAt: START,
			});
		},
		idOf: ({ letter }) => String(letter),
		countEditedSince: edits === undefined ? undefined : async () => await Promise.resolve(edits),
	};
	return source;
}

const read = async (sources: ListSource[], options: Partial<ReadAllOptions<Row>> = {}) => {
	const { rows, observed } = await readAll(sources, { ...byThree, ...options });
	return { text: textOf(rows), ...observed };
};

describe('a list that cannot be shown to be stable', () => {
	it.each<[string, string[], number, string]>([
		['it is the same', ['abcd'], 2, 'abcd'],
		['it has one row more', ['abcd', 'abcde', 'abcde'], 3, 'abcde'],
		['it has one row less', ['abcde', 'abcd', 'abcd'], 3, 'abcd'],
		['it has another row', ['abcd', 'abce', 'abce'], 3, 'abce'],
		['it has another order', ['abcd', 'abdc', 'abdc'], 3, 'abdc'],
	])('is read until it is as before: %s', async (_how, texts, reads, text) => {
		expect(await read([readsOf(texts)])).toMatchObject({ reads, text });
	});

	it.each<[string, number, Told['editedAfter'], number]>([
		['no edit', 0, undefined, 2],
		['an edit of no row that was read', 1, () => -1000, 4],
		['an edit of a row without a date', 1, undefined, 2],
		['an edit of a row that was read', 1, (letter) => (letter === 'c' ? 1000 : -1000), 2],
		['an edit in the second of the read', 1, (letter) => (letter === 'c' ? 0 : -1000), 2],
		['two edits, but only one row of that time', 2, (letter) => (letter === 'c' ? 0 : -1000), 4],
	])(
		'is as before only if its rows explain all edits: %s',
		async (_what, edits, editedAfter, reads) => {
			expect((await read([readsOf(['abcd'], { edits, editedAfter })])).reads).toBe(reads);
		},
	);
});

describe('whether a list has changed from one read to the next', () => {
	/** Reads a list that has d and e in turns, so that no read is like the one before. */
	const drifts = async (told: Told = {}) => {
		const { drift, reads } = await read([readsOf(['abcdfgh', 'abcefgh'], { edits: 0, ...told })]);
		return { hasDrift: drift !== undefined, reads };
	};

	it('is not shown by rows without dates', async () => {
		expect(await drifts()).toEqual({ hasDrift: false, reads: 4 });
	});

	const HOUR = 3_600_000;
	it.each<[string, Record<string, number>, boolean]>([
		['older than the first read', { d: -5000, e: -4000 }, false],
		['of the second in which it began, and newer than the others', { d: -5000, e: 0 }, true],
		['newer than all others', { d: 1000, e: 2000 }, true],
		['as new as the newest', { d: HOUR, e: HOUR }, false],
		['older than a row of the first page', { d: 1000, e: 2000, a: HOUR }, false],
		['older than a row of the last page', { d: 1000, e: 2000, h: HOUR }, false],
	])('is shown by rows that are %s: %j', async (_how, dates, hasDrift) => {
		const editedAfter = (letter: string) => dates[letter] ?? -HOUR;
		expect((await drifts({ editedAfter })).hasDrift).toBe(hasDrift);
	});

	/** States a number of rows, which the reader asks for as pages of one. */
	const total = (of: (read: number) => number | undefined) => (reading: number, size: number) => ({
		perPage: size === 1 ? 1 : 3,
		pages: size === 1 ? of(reading) : 3,
	});

	it('is shown by another total', async () => {
		expect((await drifts({ meta: total((number) => 8 + (number % 2)) })).hasDrift).toBe(true);
	});

	it('is not shown by the same total', async () => {
		expect((await drifts({ meta: total(() => 9) })).hasDrift).toBe(false);
	});

	it('is not shown by a total that is stated for one of two reads', async () => {
		const sometimes = total((number) => (number % 2 === 0 ? 9 : undefined));
		expect((await drifts({ meta: sometimes })).hasDrift).toBe(false);
	});

	it('is shown by one of two lists', async () => {
		const told = { edits: 0, meta: total((number) => 8 + (number % 2)) };
		const other = letters('xyz').source;
		const { drift } = await read([readsOf(['abcdfgh', 'abcefgh'], told), other]);
		expect(drift).toEqual({ edited: 0 });
	});
});

it('Reads that together have all rows are enough', async () => {
	const meta = (_read: number, size: number) => ({
		perPage: size,
		pages: size === 1 ? 8 : 3,
		hasNextPage: false,
	});
	const sometimes = readsOf(['abcdfghd', 'abcefghe'], { edits: 0, meta });
	const { text, reads, incomplete, drift } = await read([sometimes]);
	expect([...text].sort().join('')).toBe('abcdefgh');
	expect({ reads, incomplete, drift }).toEqual({ reads: 2 });
});

describe('a list whose pages hold fewer rows than they are said to have', () => {
	const stating = (textOfPage: (page: number) => string): ListSource => ({
		fetchPage: async (page, size) => {
			const rows = [...textOfPage(page)].map((letter) => ({ letter }));
			return await Promise.resolve({
				rows: size === 3 ? rows : rows.slice(0, 1),
				meta: { perPage: 3, pages: 10, hasNextPage: false },
			});
		},
		idOf: ({ letter }) => String(letter),
	});

	it('is complete where its other pages are empty', async () => {
		const { incomplete, text } = await read([stating((page) => (page === 1 ? 'abc' : ''))]);
		expect({ incomplete, text }).toEqual({ incomplete: undefined, text: 'abc' });
	});

	it('is incomplete where the same rows come on each page', async () => {
		const { incomplete } = await read([stating(() => 'abc')]);
		expect(incomplete).toEqual({ read: 3, stated: 28 });
	});
});

it('Several lists count edits also where only one has several pages', async () => {
	for (const texts of [
		['ab', 'uvwxyz'],
		['uvwxyz', 'ab'],
	]) {
		const lists = texts.map((text) => letters(text));
		expect((await read(lists.map(({ source }) => source))).reads).toBe(1);
		expect(lists[0].requests).toContain('edits');
	}
});

it('Several lists are incomplete where one of them is, or repeats itself', async () => {
	const endless = letters('xyz');
	const fetchPage: ListSource['fetchPage'] = async (_page, size) => ({
		...(await endless.source.fetchPage(1, size)),
		meta: { hasNextPage: false },
	});
	const sources = [letters('ab').source, { ...endless.source, fetchPage }];
	expect((await read(sources)).incomplete).toEqual({ read: 5, isRepeating: true });
});

it('Several lists of which one is never stable have no total', async () => {
	const drifting = (): LettersOptions => ({
		before: Object.fromEntries(
			[4, 9, 14, 19].map((request, index) => [
				request,
				({ become }) => become('abcdefghijkl'.slice(index + 1, index + 8), 'ghijk'[index]),
			]),
		),
	});
	const { drift, reads } = await read([
		letters('abcdefg', drifting()).source,
		letters('xy').source,
	]);
	expect(drift).toBeDefined();
	expect(drift?.totalBefore).toBeUndefined();
	expect(reads).toBe(4);
});

it('A list of one page turns out to have more when further rows come behind it', async () => {
	const { source, requests } = letters('abcdef', { meta: (right) => ({ ...right, pages: 1 }) });
	expect((await read([source])).text).toBe('abcdef');
	expect(requests).toContain('edits');
	const full = letters('abc', { meta: () => ({ hasNextPage: false }) });
	await read([full.source]);
	expect(full.requests.slice(0, 3)).toEqual(['1/3', '2/3', 'edits']);
});

it.each(['abcdefg', 'abcdefgh'])(
	'A page that is larger than the one requested to see the total of %s tells no total',
	async (text) => {
		const { source } = letters(text, { minPerPage: 3 });
		expect(await read([source])).toMatchObject({ text, reads: 2 });
	},
);

describe('rows with keys', () => {
	/** Small letters have keys, capitals have none. */
	const keyOf = ({ letter }: Row) => {
		const code = String(letter).charCodeAt(0);
		return code >= 97 ? code : NaN;
	};

	it.each<[string, string[], string, Partial<ReadAllOptions<Row>>]>([
		['keep the order of one stable list that is sorted', ['aXb'], 'aXb', {}],
		['are sorted where one stable list is not', ['bXa'], 'abX', {}],
		['are sorted where the last is out of order', ['bca'], 'abc', {}],
		['keep their order where they have none', ['YX'], 'YX', {}],
		['are sorted where there are two lists', ['aX', 'b'], 'abX', {}],
		[
			'are sorted where the list was read in the opposite order',
			['bXa'],
			'abX',
			{ isReordered: true },
		],
		['without keys are reversed then', ['XY'], 'YX', { isReordered: true }],
	])('%s: %j', async (_what, texts, expected, options) => {
		const sources = texts.map((text) => letters(text).source);
		expect((await read(sources, { keyOf, ...options })).text).toBe(expected);
	});

	it('are sorted where a list was never as before', async () => {
		const sources = [readsOf(['aXbcd', 'aXbce'], { edits: 0 })];
		expect((await read(sources, { keyOf })).text).toBe('abcdeX');
	});
});
