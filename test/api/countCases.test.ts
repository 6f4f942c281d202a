import { countCases } from '../../nodes/Cases/api/cases/cases';
import type { CaseFilters } from '../../nodes/Cases/api/cases/caseQuery';
import type { Row } from '../../nodes/Cases/api/types';
import { answering, failedWith } from './answering';

const cases = (...ids: unknown[]) => ids.map((case_id) => ({ case_id, status: 'OPEN' }));

interface Answer {
	cases: unknown[];
	meta?: Row;
}

/** Counts the cases of a service that answers pages of one in this way, and has two cases for any other page size. */
async function counted(
	pages: Record<number, Answer | undefined>,
	{
		query = { filters: {} } as CaseFilters,
		pageSize = 50,
		acceptIncomplete = false,
		servedAt = 0 as number | undefined,
	} = {},
) {
	const { client, requests } = answering(
		({ path }) => {
			const [size, page] = ['per_page', 'page'].map((name) =>
				Number(new RegExp(`[?&]${name}=(\\d+)`).exec(path)?.[1]),
			);
			if (size !== 1) return { cases: cases(1, 2), meta: { pages: 1, per_page: size } };
			const answer = pages[page];
			if (answer === undefined) throw failedWith(404);
			return answer;
		},
		{ servedAt },
	);
	const { count, observed } = await countCases(client, query, { pageSize, acceptIncomplete });
	const sizes = requests.map(({ path }) => Number(/per_page=(\d+)/.exec(path)?.[1]));
	return { count, isRead: observed !== undefined, requests: sizes };
}

describe('the number of cases is taken from page counts', () => {
	test.each<[string, Record<number, Answer>, number, number]>([
		[
			'of one page to a case',
			{ 1: { cases: cases(1), meta: { pages: 9, per_page: 1, next_page: '/2' } } },
			9,
			1,
		],
		['of one case', { 1: { cases: cases(1), meta: { pages: 1, per_page: 1 } } }, 1, 1],
		['of none', { 1: { cases: [], meta: { pages: 1, per_page: 1 } } }, 0, 1],
		['that none are stated for none', { 1: { cases: [] } }, 0, 1],
	])('%s', async (_which, pages, count, requests) => {
		const result = await counted(pages);
		expect(result).toMatchObject({ count, isRead: false });
		expect(result.requests).toHaveLength(requests);
	});
});

describe('cases are read to be counted where the answer', () => {
	test.each<[string, Record<number, Answer>]>([
		['has no cases but several pages', { 1: { cases: [], meta: { pages: 2, per_page: 1 } } }],
		['has no cases but a next page', { 1: { cases: [], meta: { pages: 1, next_page: '/2' } } }],
		['has no cases but a count', { 1: { cases: [], meta: { pages: 1, count: 1 } } }],
		['states no pages', { 1: { cases: cases(1), meta: { per_page: 1 } } }],
		['states one page, but no page size', { 1: { cases: cases(1), meta: { pages: 1 } } }],
		['states no page size', { 1: { cases: cases(1), meta: { pages: 2 } } }],
		['has more cases than a page', { 1: { cases: cases(1, 2), meta: { pages: 1, per_page: 1 } } }],
		[
			'has one page and a next one',
			{ 1: { cases: cases(1), meta: { pages: 1, per_page: 1, next_page: '/2' } } },
		],
		['has one page, which is full', { 1: { cases: cases(1, 2), meta: { pages: 1, per_page: 2 } } }],
		[
			'has one page, and counts others',
			{ 1: { cases: cases(1), meta: { pages: 1, per_page: 9, count: 2 } } },
		],
		[
			'has several pages, and the first is not full',
			{ 1: { cases: cases(1), meta: { pages: 4, per_page: 2, count: 8, next_page: '/2' } } },
		],
	])('%s', async (_what, pages) => {
		expect(await counted(pages)).toMatchObject({ count: 2, isRead: true });
	});

	it('contradicts a filter', async () => {
		const pages = { 1: { cases: cases(1), meta: { pages: 9, per_page: 1, next_page: '/2' } } };
		const query = { filters: { status: 'CLOSED' } };
		expect(await counted(pages, { query })).toMatchObject({ count: 0, isRead: true });
	});
});

test.each([[undefined], [['HIGH', 'LOW']]])(
	'no request is needed for an empty list of IDs, with the priorities %j',
	async (priorities) => {
		const none = await counted({}, { query: { filters: {}, caseIds: [], priorities } });
		expect(none).toEqual({ count: 0, isRead: false, requests: [] });
	},
);
