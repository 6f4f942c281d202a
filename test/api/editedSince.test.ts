import { countEditedSince, readCases, readNewestCases } from '../../nodes/Cases/api/cases';
import { FAR_FUTURE } from '../../nodes/Cases/api/timestamps';
import type { Row } from '../../nodes/Cases/api/types';
import { answering } from './answering';

const NOON = Date.parse('2026-01-31T12:00:00Z');
const BEFORE = '2026-01-31T11:00:00Z';
const AT_NOON = '2026-01-31T12:00:00Z';
const AFTER = '2026-01-31T13:00:00Z';

/** A client whose lists hold one case that was edited late, and the times of edits that were requested. */
function edited(meta: object = { pages: 4, per_page: 1 }, updated_at = '2026-01-31T14:00:00Z') {
	const { client, requests } = answering(() => ({ cases: [{ case_id: 1, updated_at }], meta }));
	const ranges = () =>
		requests.map(({ path }) =>
			['start', 'end'].map(
				(end) =>
					new RegExp(`updated_at_${end}_date\\]=([^&]*)`).exec(decodeURIComponent(path))?.[1],
			),
		);
	return { client, ranges };
}

describe('the cases that were edited since noon', () => {
	test.each<[string, Record<string, string>, string, string]>([
		['by no filter', {}, AT_NOON, FAR_FUTURE],
		['by an earlier start', { updated_at_start_date: BEFORE }, AT_NOON, FAR_FUTURE],
		['by a later start', { updated_at_start_date: AFTER }, AFTER, FAR_FUTURE],
		[
			'by a later end',
			{ updated_at_end_date: '2026-01-31T15:00:00Z' },
			AT_NOON,
			'2026-01-31T15:00:00Z',
		],
	])('are requested %s', async (_what, filters, start, end) => {
		const { client, ranges } = edited();
		expect(await countEditedSince(client, { filters }, NOON)).toBe(4);
		expect(ranges()).toEqual([[start, end]]);
	});

	it('are requested up to noon, and are none before it', async () => {
		const at = edited({ pages: 1, per_page: 1 }, AT_NOON);
		const until = (end: string) => ({ filters: { updated_at_end_date: end } });
		expect(await countEditedSince(at.client, until(AT_NOON), NOON)).toBe(1);
		expect(at.ranges()).toEqual([[AT_NOON, AT_NOON]]);
		expect(await countEditedSince(at.client, until(BEFORE), NOON)).toBe(0);
		expect(at.ranges()).toHaveLength(1);
	});

	it('are as many as came where pages are larger than requested, or none are counted', async () => {
		for (const meta of [{ pages: 4, per_page: 20 }, { per_page: 1 }, {}]) {
			expect(await countEditedSince(edited(meta).client, { filters: {} }, NOON)).toBe(1);
		}
	});

	it('are unknown where one that came was not edited since', async () => {
		const { client } = answering(() => ({
			cases: [
				{ case_id: 1, updated_at: AFTER },
				{ case_id: 2, updated_at: BEFORE },
			],
			meta: { pages: 4, per_page: 1 },
		}));
		expect(await countEditedSince(client, { filters: {} }, NOON)).toBeUndefined();
	});

	it('are unknown where nothing but a row without an ID came, on the only page', async () => {
		const counted = async (cases: Row[], meta: object) =>
			await countEditedSince(answering(() => ({ cases, meta })).client, { filters: {} }, NOON);
		const nameless = { updated_at: AFTER };
		expect(await counted([nameless], { pages: 1, per_page: 1 })).toBeUndefined();
		expect(await counted([nameless], {})).toBeUndefined();
		expect(await counted([nameless], { pages: 3, per_page: 1 })).toBe(3);
		expect(await counted([nameless, { case_id: 1, updated_at: AFTER }], {})).toBe(1);
	});

	it('are added up by priority, and only where there are any', async () => {
		const counting = (edits: Record<string, number>) =>
			answering(({ path }) => {
				const priority = /priority%5D=(\w+)/.exec(path)?.[1] ?? 'any';
				const pages = edits[priority];
				const updated_at = Number.isNaN(pages) ? BEFORE : AFTER;
				const cases = pages === 0 ? [] : [{ case_id: 1, updated_at }];
				return { cases, meta: { pages, per_page: 1 } };
			});
		const query = { filters: {}, priorities: ['HIGH', 'LOW'] };
		const many = counting({ any: 9, HIGH: 2, LOW: 3 });
		expect(await countEditedSince(many.client, query, NOON)).toBe(5);
		expect(many.requests).toHaveLength(3);
		const unclear = counting({ any: 9, HIGH: 2, LOW: NaN });
		expect(await countEditedSince(unclear.client, query, NOON)).toBeUndefined();
		const none = counting({ any: 0 });
		expect(await countEditedSince(none.client, query, NOON)).toBe(0);
		expect(none.requests).toHaveLength(1);
	});
});

describe('cases created since noon', () => {
	const rows = [{ case_id: ' ' }, { case_id: '7' }, { case_id: true }].map((row) => ({
		...row,
		created_at: AFTER,
		updated_at: AFTER,
	}));
	const read = async (filters: Record<string, string>) => {
		const { client, requests } = answering(() => ({
			cases: rows,
			meta: { pages: 1, per_page: 50 },
		}));
		const query = { filters, createdSince: NOON, order: 'CREATED_ASC' as const };
		const result = await readCases(client, query, { pageSize: 50, shape: (row) => row });
		return { result, path: decodeURIComponent(requests[0].path) };
	};

	it('are requested by the time of their last edit, and need an ID', async () => {
		const { result, path } = await read({});
		expect(path).toContain(`filters[updated_at_start_date]=${AT_NOON}`);
		expect(result.rows.map(({ case_id }) => case_id)).toEqual(['7']);
		expect(result.observed.unusable).toBe(2);
	});

	it('are requested by the filters alone where these end before it', async () => {
		const { path } = await read({ updated_at_end_date: BEFORE });
		expect(path).toContain(`filters[updated_at_end_date]=${BEFORE}`);
		expect(path).not.toContain('updated_at_start_date');
	});
});

describe('a page of the newest cases', () => {
	const page = async (number: number, cases: Row[], meta: object) => {
		const { client } = answering(() => ({ cases, meta }));
		return await readNewestCases(client, { status: 'OPEN' }, number);
	};
	const one = [{ case_id: 1, status: 'OPEN' }];

	it('has no case that contradicts a filter', async () => {
		const closed = { case_id: 2, status: 'CLOSED' };
		expect((await page(1, [closed, ...one], {})).cases).toEqual(one);
	});

	test.each<[string, number, Row[], object, boolean]>([
		['there are more pages', 1, one, { pages: 2 }, true],
		['it is the last one', 2, one, { pages: 2 }, false],
		['nothing is stated', 1, one, {}, false],
		['a next page is stated', 1, one, { next_page: '/2' }, true],
		['a next page is stated behind the last one', 2, one, { pages: 2, next_page: '/3' }, true],
		['it is empty', 1, [], { pages: 2, next_page: '/2' }, false],
	])('may be followed by another one where %s', async (_where, number, rows, meta, isMore) => {
		expect((await page(number, rows, meta)).isMore).toBe(isMore);
	});
});
