import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { readList } from '../../nodes/Cases/api/lists/readList';
import type { ListSource, ReadOptions } from '../../nodes/Cases/api/lists/source';
import { createPool } from '../../nodes/Cases/api/pool';
import type { PageMeta, Row } from '../../nodes/Cases/api/types';
import { range } from '../support/runs';
import { failedWith } from './answering';

const SERVED_AT = Date.parse('2026-01-31T12:00:00Z');

interface ListOptions extends Partial<ListSource> {
	/** What the answers say of the pages, besides their number and size. */
	meta?: (page: number, pages: number) => PageMeta;
	/** Other rows for a page, or a failure. */
	bend?: (page: number, rows: Row[]) => Row[];
	/** When each answer was served; null for a service without a clock. */
	served?: number | null;
	rows?: Row[];
	/** How many rows come, whatever the page counts say. */
	visible?: number;
}

/** A list of rows with the IDs from 1 to `total`, in pages of ten, and what was requested: pages, with their size. */
function listOf(
	total: number,
	{
		meta,
		bend = (_page, kept) => kept,
		served = SERVED_AT,
		rows,
		visible,
		...further
	}: ListOptions = {},
) {
	const requested: string[] = [];
	const all = rows ?? range(1, total).map((id) => ({ id }));
	const source: ListSource = {
		noun: 'rows',
		isByCreation: true,
		idOf: ({ id }) => String(id),
		fetchPage: async (page, perPage) => {
			requested.push(`${page}/${perPage}`);
			const pages = Math.ceil(all.length / perPage);
			const right = all.slice(0, visible).slice((page - 1) * perPage, page * perPage);
			const stated = { pages, perPage, hasNextPage: page < pages };
			return await Promise.resolve({
				rows: [...(perPage === 1 ? right : bend(page, right))],
				meta: perPage > 1 && meta ? meta(page, pages) : stated,
				servedAt: served ?? undefined,
			});
		},
		...further,
	};
	return { source, requested };
}

const options = (further: Partial<ReadOptions> = {}): ReadOptions => ({
	pageSize: 10,
	pool: createPool(1),
	...further,
});

/** Keeps all rows but one. */
const without = (id: number) => (row: Row) => (row.id === id ? undefined : row);

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

async function failureOf(work: Promise<unknown>) {
	const failure: unknown = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(failure instanceof ApiFailure)) throw new Error('It did not fail', { cause: failure });
	const { retryable } = failure.details;
	return [failure.message, failure.description, retryable];
}

describe('a limit', () => {
	const pagesOnly = (_page: number, pages: number) => ({ pages, perPage: 10, hasNextPage: true });
	const next = () => ({ hasNextPage: true });
	const counted = (_page: number, pages: number) => ({ ...pagesOnly(1, pages), total: 25 });

	it.each<[string, number, ListOptions, unknown]>([
		['by full pages', 10, { meta: pagesOnly }, { count: 30, isExact: false }],
		['exactly', 10, { meta: counted }, { count: 25, isExact: true }],
		['exactly, two pages on', 20, { meta: counted }, { count: 25, isExact: true }],
		['not, without page counts', 10, { meta: next }, undefined],
		['not, where rows are left out', 10, { meta: counted, isSifted: true }, undefined],
		['not, where rows contradict a filter', 10, { meta: counted, keep: without(3) }, undefined],
	])('that leaves rows out says how many there are: %s', async (_how, limit, list, matches) => {
		const { rows, observed } = await readList([listOf(25, list).source], options({ limit }));
		expect(rows).toHaveLength(limit);
		expect(observed).toMatchObject({ reads: 1, isTruncated: true });
		expect(observed.matches).toEqual(matches);
	});

	it.each([
		[20, 20, ['1/10', '2/10'], false],
		[20, 25, ['1/10', '2/10', '3/10'], false],
		[21, 20, ['1/10', '2/10'], true],
		[7, 5, ['1/5'], true],
		[5, 5, ['1/5'], false],
	])('of %i rows: %i take the requests %j; more: %s', async (total, limit, requests, isMore) => {
		const { source, requested } = listOf(total);
		const { rows, observed } = await readList([source], options({ limit }));
		expect(rows).toHaveLength(Math.min(total, limit));
		expect(requested).toEqual(requests);
		expect(observed.isTruncated).toBe(isMore);
	});

	it('takes whole pages where rows are left out, and reads on until it is reached', async () => {
		const keep = (row: Row) => (Number(row.id) % 5 === 0 ? row : undefined);
		const { source, requested } = listOf(50, { keep, isSifted: true });
		const { rows } = await readList([source], options({ limit: 3 }));
		expect(idsOf(rows)).toEqual([5, 10, 15]);
		expect(requested).toEqual(['1/10', '2/10']);
	});

	it('ends where no row behind belongs to the result', async () => {
		const { source, requested } = listOf(50, {
			keep: (row) => (Number(row.id) < 4 ? row : undefined),
			isSifted: true,
			isBehindAll: ({ id }) => Number(id) >= 4,
		});
		const { rows, observed } = await readList([source], options({ limit: 5 }));
		expect(idsOf(rows)).toEqual([1, 2, 3]);
		expect(requested).toEqual(['1/10']);
		expect(observed).toEqual({ reads: 1, isTruncated: false });
	});

	it('is filled by whole pages once a row is left out', async () => {
		const { source, requested } = listOf(30, { keep: without(2) });
		const { rows } = await readList([source], options({ limit: 4 }));
		expect(idsOf(rows)).toEqual([1, 3, 4, 5]);
		expect(requested).toEqual(['1/4', '1/10']);
	});

	it('of several lists takes the first rows of all, by their keys', async () => {
		const lists = [listOf(3, { rows: [{ id: 1 }, { id: 4 }] }), listOf(3, { rows: [{ id: 2 }] })];
		const sources = lists.map(({ source }) => source);
		const keyOf = ({ id }: Row) => Number(id);
		const { rows, observed } = await readList(sources, options({ limit: 2, keyOf }));
		expect(idsOf(rows)).toEqual([1, 2]);
		expect(observed).toEqual({ reads: 1, isTruncated: true });
	});
});

describe('a list that is not complete', () => {
	const refused = (page: number, rows: Row[]) => {
		if (page === 2) throw failedWith(404);
		return rows;
	};
	const repeated = (page: number, rows: Row[]) =>
		page < 3 ? range(1, 10).map((id) => ({ id })) : rows;
	const MESSAGE = 'The service says that there are 25 rows, but it returned 15';
	const REFUSED = 'It refused page 2. Failed with 404: Run again. ';

	it.each([
		[undefined, "If it keeps happening, contact the service's administrator."],
		[false, "To use what it returned, turn on 'Accept Incomplete Lists' under 'Options'."],
	])(
		'fails where acceptIncomplete is %s, and says what to do',
		async (acceptIncomplete, advice) => {
			const reading = readList(
				[listOf(25, { bend: refused }).source],
				options({ acceptIncomplete }),
			);
			expect(await failureOf(reading)).toEqual([MESSAGE, `${REFUSED}${advice}`, false]);
		},
	);

	it('is the result, with the same message, where that is accepted', async () => {
		const { source } = listOf(25, { bend: refused });
		const { rows, observed } = await readList([source], options({ acceptIncomplete: true }));
		expect(idsOf(rows)).toEqual([...range(1, 10), ...range(21, 25)]);
		expect(observed).toEqual({ reads: 2, isTruncated: false, incomplete: MESSAGE });
	});

	it.each<[string, NonNullable<ListOptions['bend']>, number, number]>([
		['is refused', refused, 25, 25],
		['is empty', (page, rows) => (page === 2 ? [] : rows), 25, 25],
		['repeats the one before', repeated, 25, 25],
		['is short', (page, rows) => (page === 2 ? rows.slice(4) : rows), 26, 31],
	])('fails where a page %s, also with a Limit', async (_what, bend, first, all) => {
		const messageOf = async (limit?: number) =>
			(await failureOf(readList([listOf(35, { bend }).source], options({ limit }))))[0];
		const says = 'The service says that there are';
		expect(await messageOf(25)).toBe(`${says} at least 31 rows, but it returned ${first}`);
		expect(await messageOf()).toBe(`${says} 35 rows, but it returned ${all}`);
	});

	it.each<[string, ListOptions, string, string]>([
		[
			'rows that nobody sees',
			{ visible: 20 },
			'The service says that there are at least 21 rows, but it returned 20',
			"It may count rows that the API key can't see.",
		],
		[
			'a last page that comes empty, though its rows are there',
			{ rows: range(1, 21).map((id) => ({ id })), bend: (page, kept) => (page === 3 ? [] : kept) },
			'The service says that there are at least 21 rows, but it returned 20',
			"It may count rows that the API key can't see.",
		],
		[
			'a page that repeats the one before, where no pages are counted',
			{ bend: repeated, meta: () => ({ perPage: 10, hasNextPage: true }) },
			'The service did not return all rows, only 10',
			'Page 2 only repeated the one before.',
		],
		[
			'rows that another answer of the run promised',
			{ promised: { least: 40, most: 40 } },
			'The service did not return all rows, only 25',
			"It may count rows that the API key can't see.",
		],
	])('fails because of %s', async (_what, list, message, reason) => {
		const [said, description] = await failureOf(readList([listOf(25, list).source], options()));
		expect([said, String(description).startsWith(`${reason} Run again. `)]).toEqual([
			message,
			true,
		]);
	});
});

describe('a list that edits can change', () => {
	const AT = new Date(SERVED_AT).toISOString();
	const BEFORE = new Date(SERVED_AT - 1).toISOString();
	const dated = (updated_at?: string) => range(1, 25).map((id) => ({ id, updated_at }));

	const counting = (edits?: number) => async () => await Promise.resolve(edits);

	it.each<[string, number, ListOptions]>([
		['nothing was edited', 1, {}],
		['all rows are older than the read', 1, { rows: dated(BEFORE) }],
		['a row was edited since', 2, { rows: dated(AT) }],
		['edits were counted', 2, { countEditedSince: counting(1) }],
		['no count can be trusted', 2, { countEditedSince: counting(undefined) }],
		['edits can’t be counted', 2, { countEditedSince: undefined }],
		['the service has no clock', 2, { served: null }],
	])('where %s is read %i times', async (_what, reads, list) => {
		const countEditedSince = counting(0);
		const { source } = listOf(25, { isByCreation: false, countEditedSince, ...list });
		const { rows, observed } = await readList([source], options());
		expect(idsOf(rows)).toEqual(range(1, 25));
		expect(observed).toEqual({ reads, isTruncated: false });
	});
});

describe('several lists', () => {
	const pair = () => [
		listOf(3, { rows: [{ id: 1 }, { id: 4 }] }),
		listOf(1, { rows: [{ id: 3 }] }),
	];
	const keyOf = ({ id }: Row) => Number(id);

	it('are merged by their keys, or one behind the other without', async () => {
		const sources = pair().map(({ source }) => source);
		expect(idsOf((await readList(sources, options({ keyOf }))).rows)).toEqual([1, 3, 4]);
		expect(idsOf((await readList(sources, options())).rows)).toEqual([1, 4, 3]);
	});

	it('are read again where a row can move from one to another, until two reads are the same', async () => {
		const lists = pair();
		const sources = lists.map(({ source }) => source);
		const { observed } = await readList(sources, options({ keyOf, canRowsMove: true }));
		expect(observed).toEqual({ reads: 2, isTruncated: false });
		expect(lists.map(({ requested }) => requested)).toEqual([
			['1/10', '1/10'],
			['1/10', '1/10'],
		]);
	});
});

describe('rows that are wanted in the opposite order', () => {
	it('are the list reversed', async () => {
		const { rows } = await readList([listOf(3).source], options({ isReordered: true }));
		expect(idsOf(rows)).toEqual([3, 2, 1]);
	});

	it('of several lists are sorted by their keys, and reversed where these are equal', async () => {
		const lists = [listOf(4).source, listOf(1, { rows: [{ id: 9 }] }).source];
		const keyOf = ({ id }: Row) => -Math.floor(Number(id) / 3);
		const { rows } = await readList(lists, options({ keyOf, isReordered: true }));
		expect(idsOf(rows)).toEqual([9, 4, 3, 2, 1]);
	});
});

describe('the pages of a list', () => {
	const none = () => ({ perPage: 10, hasNextPage: false });
	const THREE = ['1/10', '3/10', '2/10', '3/10', '12/1'];
	const ON = ['1/10', '2/10', '3/10'];
	it.each<[string, number, ListOptions, string[], number]>([
		['one full page is the last', 10, {}, ['1/10', '10/1'], 1],
		[
			'three pages are stated of eleven rows',
			11,
			{ meta: () => ({ pages: 3, perPage: 10, hasNextPage: false }) },
			[...THREE, ...THREE],
			2,
		],
		['no pages are counted', 15, { meta: none }, [...ON, ...ON], 2],
		[
			'the size of a page is not stated',
			25,
			{ meta: (_page, pages) => ({ pages, hasNextPage: false }) },
			['1/10', '3/10', '10/1', '2/10', '25/1'],
			1,
		],
		['of at most two rows both came', 2, { mostRows: 2 }, ['1/10'], 1],
		['of at most one row one came', 1, { mostRows: 1 }, ['1/10'], 1],
	])('are all that is requested where %s', async (_what, total, list, requests, reads) => {
		const { source, requested } = listOf(total, list);
		const { rows, observed } = await readList([source], options());
		expect([idsOf(rows), requested, observed]).toEqual([
			range(1, total),
			requests,
			{ reads, isTruncated: false },
		]);
	});

	it('are as large as the first, where the service makes smaller ones and does not say so', async () => {
		const bend = (page: number) =>
			range(page * 5 - 4, Math.min(page * 5, 13)).map((id) => ({ id }));
		const { source, requested } = listOf(13, {
			bend,
			meta: () => ({ pages: 3, hasNextPage: false }),
		});
		const { rows } = await readList([source], options());
		expect([idsOf(rows), requested]).toEqual([
			range(1, 13),
			['1/10', '3/10', '5/1', '2/10', '13/1'],
		]);
	});

	it.each([
		[true, { incomplete: 'The service did not return all rows, only 20' }],
		[false, {}],
	])(
		'are missed when one is refused, where the page before promised it: %s',
		async (promised, further) => {
			const { source, requested } = listOf(20, {
				meta: () => ({ perPage: 10, hasNextPage: promised }),
				bend: (page, rows) => {
					if (page === 3) throw failedWith(404);
					return rows;
				},
			});
			const { rows, observed } = await readList([source], options({ acceptIncomplete: true }));
			expect([idsOf(rows), requested, observed]).toEqual([
				range(1, 20),
				[...ON, ...ON],
				{ reads: 2, isTruncated: false, ...further },
			]);
		},
	);
});

it('A list that never holds still is merged from four reads, by the keys, with the last content of each row', async () => {
	let reads = 0;
	const { source } = listOf(20, {
		bend: (page, rows) => {
			if (page === 1) reads++;
			return rows
				.filter(({ id }) => Number(id) % 4 !== reads % 4)
				.map((row) => ({ ...row, reads }));
		},
	});
	const keyOf = ({ id }: Row) => -Number(id);
	const { rows, observed } = await readList([source], options({ keyOf }));
	const merged = range(1, 20).map((id) => ({ id, reads: id % 4 === 0 ? 3 : 4 }));
	expect(rows).toEqual(merged.reverse());
	expect(observed).toEqual({ reads: 4, isTruncated: false, keptChanging: true });
});

it.each([
	[-1, 1],
	[0, 2],
	[1, 2],
])('A row created %i ms after the start, by its only date, takes %i reads', async (ms, reads) => {
	const rows = [{ id: 1 }, { id: 2, created_at: new Date(SERVED_AT + ms).toISOString() }];
	const countEditedSince = async () => await Promise.resolve(0);
	const list = () => listOf(2, { rows, isByCreation: false, countEditedSince }).source;
	const { observed } = await readList([list()], options({ canRowsMove: true }));
	expect(observed).toEqual({ reads, isTruncated: false });
});

it('Edits are counted from the first start of several lists', async () => {
	const since: number[] = [];
	const countEditedSince = async (time: number) =>
		await Promise.resolve(Number(since.push(time) < 0));
	const lists = [SERVED_AT + 5, SERVED_AT].map(
		(served) => listOf(2, { served, isByCreation: false, countEditedSince }).source,
	);
	await readList(lists, options({ canRowsMove: true }));
	expect(since).toEqual([SERVED_AT, SERVED_AT]);
});

it('A list of 250000 rows is read, and one of 250001 refused', async () => {
	const read = async (total: number) =>
		await readList([listOf(total).source], options({ pageSize: 300_000 }));
	expect((await read(250_000)).rows).toHaveLength(250_000);
	expect(await failureOf(read(250_001))).toEqual([
		'The list has more than 250000 rows',
		'Set a Limit, or use more filters.',
		false,
	]);
});
