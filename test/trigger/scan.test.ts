import {
	scanEdits,
	type Edit,
	type EditsPage,
	type ScannedPage,
} from '../../nodes/Cases/trigger/changes/scan';
import type { Place } from '../../nodes/Cases/trigger/changes/state';

const edit = (id: number, edited: number, digest = 1): Edit => ({
	row: { case_id: id },
	version: { id, edited, digest },
});
const page = (edits: Edit[], fields: Partial<EditsPage> = {}): EditsPage => ({
	edits,
	undated: [],
	isFull: false,
	isUnordered: false,
	pages: 1,
	hasNextPage: false,
	...fields,
});

interface Options {
	start?: Place;
	known?: number[];
	beginsAt?: (edit: Edit) => boolean;
}

/** Scans a list of which these pages come, one after another; the last one again and again. */
async function scan(answers: EditsPage[], { start, known = [], beginsAt }: Options = {}) {
	const requests: string[] = [];
	const pages: ScannedPage[] = [];
	const fetchEdits = async (from: number, number: number) => {
		requests.push(`${from} page ${number}`);
		if (requests.length > 100) throw new Error('The scan does not come to an end');
		return await Promise.resolve(answers[Math.min(requests.length, answers.length) - 1]);
	};
	const isKnown = ({ version }: Edit) => known.includes(version.id);
	for await (const one of scanEdits(fetchEdits, start ?? { from: 0, page: 1 }, {
		isKnown,
		beginsAt,
	})) {
		pages.push(one);
	}
	const ids = pages.map(({ edits }) => edits.map(({ version }) => version.id));
	return { requests, pages, ids };
}

describe('a scan of the list of edits', () => {
	it('ends with the only page', async () => {
		const only = page([edit(1, 5)], { servedAt: 9 });
		expect((await scan([only])).pages).toEqual([
			{
				edits: only.edits,
				place: { from: 0, page: 1 },
				servedAt: 9,
				firstPage: undefined,
				pagesLeft: 0,
				isLast: true,
			},
		]);
	});

	it('moves its start to a second before the last edit, and returns each version once', async () => {
		const { requests, ids, pages } = await scan([
			page([edit(1, 5), edit(2, 10)], { pages: 3 }),
			page([edit(2, 10), edit(3, 11)]),
		]);
		expect(requests).toEqual(['0 page 1', '9 page 1']);
		expect(ids).toEqual([[1, 2], [3]]);
		expect(pages.map(({ isLast, pagesLeft }) => [isLast, pagesLeft])).toEqual([
			[false, 2],
			[true, 0],
		]);
	});

	it.each([
		['at another time', edit(2, 11)],
		['with another content', edit(2, 10, 2)],
	])('returns a case again that comes %s', async (_what, again) => {
		const { ids } = await scan([page([edit(1, 5), edit(2, 10)], { pages: 3 }), page([again])]);
		expect(ids).toEqual([[1, 2], [2]]);
	});

	it.each([
		[1, '0 page 2'],
		[2, '1 page 1'],
	])('uses page numbers only where it cannot move, with a last edit at %i', async (at, next) => {
		const { requests } = await scan([page([edit(1, at)], { pages: 2 }), page([], { pages: 1 })]);
		expect(requests.slice(0, 2)).toEqual(['0 page 1', next]);
	});

	it('reads pages without a count up to the first empty one', async () => {
		const countless = { pages: undefined };
		const { requests, pages } = await scan([
			page([edit(1, 1)], countless),
			page([edit(2, 1)], countless),
			page([], countless),
		]);
		expect(requests).toEqual(['0 page 1', '0 page 2', '0 page 3']);
		expect(pages.map(({ pagesLeft }) => pagesLeft)).toEqual([undefined, undefined, undefined]);
	});

	it('goes past an empty page without a count where the service names a next one', async () => {
		const { requests } = await scan([
			page([], { pages: undefined, hasNextPage: true }),
			page([], { pages: undefined }),
		]);
		expect(requests).toEqual(['0 page 1', '0 page 2']);
	});

	it('goes past a count that is too low where a page is full of news', async () => {
		const full = page([edit(1, 1)], { isFull: true });
		expect((await scan([full, page([edit(2, 1)])])).requests).toHaveLength(2);
		expect((await scan([full], { known: [1] })).requests).toHaveLength(1);
		const mixed = page([edit(1, 1), edit(2, 1)], { isFull: true });
		expect((await scan([mixed, page([])], { known: [1] })).requests).toHaveLength(2);
	});

	it('has a page behind the last one where the count shrinks', async () => {
		const { pages } = await scan([
			page([edit(1, 1)], { pages: 2 }),
			page([edit(2, 1)], { pages: 1 }),
		]);
		expect(pages.map(({ pagesLeft }) => pagesLeft)).toEqual([1, 0]);
	});
});

describe('a scan of a range with rows that come twice', () => {
	it('reads it again from its first page on', async () => {
		const { requests, ids } = await scan([
			page([edit(1, 1), edit(2, 1)], { pages: 2 }),
			page([edit(2, 1), edit(3, 1)], { pages: 2 }),
			page([edit(1, 1), edit(2, 1)], { pages: 2 }),
			page([edit(3, 1), edit(4, 1)], { pages: 2 }),
		]);
		expect(requests).toEqual(['0 page 1', '0 page 2', '0 page 1', '0 page 2']);
		expect(ids).toEqual([[1, 2], [3], [], [4]]);
	});

	it('reads it again also where it could move on', async () => {
		const { requests } = await scan([
			page([edit(1, 1), edit(1, 9)], { pages: 2 }),
			page([edit(1, 9), edit(2, 9)], { pages: 2 }),
			page([edit(3, 9)], { pages: 1 }),
		]);
		expect(requests).toEqual(['0 page 1', '0 page 1', '8 page 1']);
	});

	it('reads it again where a page is larger than the one before, and so begins behind rows that did not come', async () => {
		const sizes = [
			page([edit(1, 1), edit(2, 1)], { pages: 3, size: 2 }),
			page([edit(4, 1), edit(5, 9)], { pages: 2, size: 3 }),
			page([edit(1, 1), edit(2, 1), edit(3, 1)], { pages: 2, size: 3 }),
			page([edit(4, 1), edit(5, 9)], { pages: 2, size: 3 }),
		];
		const { ids, requests } = await scan(sizes);
		expect(ids).toEqual([[1, 2], [4, 5], [3], []]);
		expect(requests).toEqual(['0 page 1', '0 page 2', '0 page 1', '0 page 2']);
	});

	it('reads it again from a later page on, where a case from in front of it may have moved behind it', async () => {
		const start = { from: 5, page: 2 };
		const before = page([edit(9, 4), edit(11, 60)], { pages: 3 });
		const after = page([edit(11, 60), edit(12, 61)], { pages: 3 });
		const last = page([edit(13, 62), edit(1, 70)], { pages: 3 });
		const answers = [before, last, after, last, after, last];
		const { requests, ids } = await scan(answers, { start, known: [11] });
		expect(requests).toEqual([2, 3, 2, 3, 2, 3].map((number) => `5 page ${number}`));
		expect(ids).toEqual([[11], [13, 1], [12], [], [], []]);
		const quiet = await scan([before, last], { start, known: [11, 13, 1] });
		expect(quiet.requests).toHaveLength(2);
		const ofOnePage = page([edit(9, 4), edit(11, 60)], { pages: 2 });
		expect((await scan([ofOnePage], { start })).requests).toHaveLength(1);
	});

	it('takes a last page that is smaller for one of the same list', async () => {
		const pages = [
			page([edit(1, 1), edit(2, 1)], { pages: 2, size: 2 }),
			page([edit(3, 1)], { pages: 2, size: 1 }),
		];
		expect((await scan(pages)).requests).toEqual(['0 page 1', '0 page 2']);
	});

	it('comes to an end where the pages keep growing and shrinking', async () => {
		const first = page([edit(1, 1)], { pages: 2, size: 2 });
		const second = page([edit(2, 1)], { pages: 2, size: 3 });
		const answers = Array.from({ length: 20 }, () => [first, second]).flat();
		expect((await scan(answers)).requests).toHaveLength(6);
	});

	it('gives up after two passes without anything new, of three pages each behind the first', async () => {
		const { requests, pages } = await scan([page([edit(1, 1)], { pages: 9 })]);
		const pass = ['0 page 1', '0 page 2', '0 page 3', '0 page 4'];
		expect(requests).toEqual([...pass, ...pass, ...pass]);
		expect(pages.filter(({ isLast }) => isLast)).toEqual([pages[11]]);
	});

	it('counts idle pages only in a row', async () => {
		const same = page([edit(1, 1)], { pages: 9 });
		const { requests } = await scan([
			same,
			same,
			same,
			page([edit(2, 1)], { pages: 9 }),
			same,
			same,
			page([edit(3, 1)], { pages: 7 }),
			page([edit(1, 1), edit(2, 1), edit(3, 1)]),
		]);
		expect(requests.slice(0, 8)).toEqual([
			...[1, 2, 3, 4, 5, 6, 7].map((number) => `0 page ${number}`),
			'0 page 1',
		]);
		expect(requests).toHaveLength(8);
	});

	it('counts pages with the same rows without a time as idle, and no others', async () => {
		const undated = (id: number) => page([], { undated: [id], pages: 9 });
		expect((await scan([undated(1)])).requests).toHaveLength(4);
		const others = [1, 2, 3, 4, 5, 6, 7, 8].map(undated);
		expect((await scan([...others, page([])])).requests).toHaveLength(9);
	});
});

describe('a scan of a service that compares days or lags behind', () => {
	it('leaves out earlier edits, and continues by page numbers', async () => {
		const { requests, pages, ids } = await scan(
			[
				page([edit(1, 50), edit(2, 99)], { pages: 3 }),
				page([edit(3, 99), edit(4, 100)], { pages: 3 }),
				page([edit(5, 200)], { pages: 3 }),
			],
			{ start: { from: 100, page: 1 } },
		);
		expect(requests).toEqual(['100 page 1', '100 page 2', '100 page 3']);
		expect(ids).toEqual([[], [4], [5]]);
		expect(pages.map(({ firstPage }) => firstPage)).toEqual([1, 2, 2]);
	});

	it('continues by page numbers where edits are out of order', async () => {
		const { requests } = await scan([
			page([edit(1, 9), edit(2, 8)], { pages: 3, isUnordered: true }),
			page([edit(3, 20)], { pages: 3 }),
			page([edit(4, 30)], { pages: 3 }),
		]);
		expect(requests).toEqual(['0 page 1', '0 page 2', '0 page 3']);
	});
});

describe('a scan that begins with a later page', () => {
	const start = { from: 10, page: 3 };
	const requestsOf = async (first: EditsPage, options: Options = {}) =>
		(await scan([first, page([])], { start, ...options })).requests.slice(0, 2);

	it.each([
		['a known edit', page([edit(1, 10), edit(2, 10)], { pages: 3 })],
		['an earlier edit', page([edit(9, 9), edit(8, 10)], { pages: 3 })],
	])('stays there where the page begins with %s', async (_what, first) => {
		expect(await requestsOf(first, { known: [1] })).toEqual(['10 page 3']);
	});

	it.each([
		['with an edit that is not', page([edit(2, 10), edit(1, 10)], { pages: 3 }), '10 page 2'],
		['with rows without a time', page([], { undated: [5], pages: 1 }), '10 page 2'],
		['empty, of as many pages', page([], { pages: 9 }), '10 page 2'],
		['empty, of fewer pages', page([], { pages: 1 }), '10 page 1'],
		['empty, of none', page([], { pages: 0 }), '10 page 1'],
		['empty, without a count', page([], { pages: undefined }), '10 page 1'],
	])('goes back where the page comes %s', async (_what, first, next) => {
		expect(await requestsOf(first, { known: [1] })).toEqual(['10 page 3', next]);
	});

	it('begins with the edit that beginsAt accepts', async () => {
		const first = page([edit(1, 10)], { pages: 3 });
		expect(await requestsOf(first, { known: [1], beginsAt: () => false })).toHaveLength(2);
		expect(await requestsOf(first, { beginsAt: () => true })).toHaveLength(1);
	});

	it('does not return the pages on which it goes back, and begins with the first at the latest', async () => {
		const unknown = page([edit(2, 10)], { pages: 3 });
		const { requests, pages } = await scan([unknown, unknown, unknown, page([edit(3, 10)])], {
			start,
		});
		expect(requests).toEqual(['10 page 3', '10 page 2', '10 page 1', '10 page 2']);
		expect(pages.map(({ place }) => place.page)).toEqual([1, 2]);
	});
});
