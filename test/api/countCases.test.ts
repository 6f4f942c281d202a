import { countCases } from '../../nodes/Cases/api/countCases';
import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
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
	const { count, observed } = await countCases(client, query, pageSize);
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
		[
			'of one larger page',
			{ 1: { cases: cases(1, 2, 3), meta: { pages: 1, per_page: 20 } } },
			3,
			1,
		],
		[
			'of one larger page that counts its cases',
			{ 1: { cases: cases(1, 2, 3), meta: { pages: 1, per_page: 20, count: 3 } } },
			3,
			1,
		],
		[
			'with the total of larger pages',
			{ 1: { cases: cases(1, 2), meta: { pages: 5, per_page: 2, count: 9, next_page: '/2' } } },
			9,
			1,
		],
		[
			'with the rows of the last larger page',
			{
				1: { cases: cases(1, 2), meta: { pages: 3, per_page: 2, next_page: '/2' } },
				3: { cases: cases(5), meta: { pages: 3, per_page: 2 } },
			},
			5,
			2,
		],
		[
			'with a full last page, and none behind it',
			{
				1: { cases: cases(1, 2), meta: { pages: 3, per_page: 2, next_page: '/2' } },
				3: { cases: cases(5, 6), meta: { pages: 3, per_page: 2 } },
			},
			6,
			3,
		],
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
		[
			'has a case without an ID',
			{ 1: { cases: cases(undefined), meta: { pages: 2, per_page: 1, next_page: '/2' } } },
		],
		[
			'has an entry that is not a case',
			{ 1: { cases: [...cases(1), null], meta: { pages: 2, per_page: 1, next_page: '/2' } } },
		],
		['has no last page', { 1: { cases: cases(1), meta: { pages: 4, per_page: 1 } } }],
		[
			'has a last page with too many cases',
			{ 1: { cases: cases(1), meta: { pages: 4, per_page: 1 } }, 4: { cases: cases(1, 2) } },
		],
		[
			'has a last page with a next one',
			{
				1: { cases: cases(1), meta: { pages: 4, per_page: 1 } },
				4: { cases: cases(1), meta: { next_page: '/5' } },
			},
		],
		[
			'has a full page behind the last',
			{
				1: { cases: cases(1), meta: { pages: 4, per_page: 1 } },
				4: { cases: cases(1) },
				5: { cases: cases(1) },
			},
		],
	])('%s', async (_what, pages) => {
		expect(await counted(pages)).toMatchObject({ count: 2, isRead: true });
	});

	it('contradicts a filter', async () => {
		const pages = { 1: { cases: cases(1), meta: { pages: 9, per_page: 1, next_page: '/2' } } };
		const query = { filters: { status: 'CLOSED' } };
		expect(await counted(pages, { query })).toMatchObject({ count: 0, isRead: true });
	});

	test.each([
		['the requested size where one case came', cases(1), [1, 50]],
		['the size that came where several came', cases(1, 2, 3), [1, 3]],
		['the size of those with an ID', [...cases(1, 2), ...cases(null)], [1, 2, 2]],
	])('is odd, with pages of %s', async (_which, rows, sizes) => {
		expect((await counted({ 1: { cases: rows } })).requests).toEqual(sizes);
	});

	it('is odd, with pages no larger than requested', async () => {
		const { requests } = await counted({ 1: { cases: cases(1, 2, 3, 4) } }, { pageSize: 3 });
		expect(requests).toEqual([1, 3]);
	});
});

test.each([[undefined], [['HIGH', 'LOW']]])(
	'no request is needed for an empty list of IDs, with the priorities %j',
	async (priorities) => {
		const none = await counted({}, { query: { filters: {}, caseIds: [], priorities } });
		expect(none).toEqual({ count: 0, isRead: false, requests: [] });
	},
);

describe('cases of two priorities', () => {
	const START = Date.parse('2026-01-31T12:00:00Z');

	/**
	 * Counts them at a service that has nine of each.
	 * @param edits how many cases of each priority, or of any, it says were edited since
	 */
	async function ofTwo(edits: Record<string, unknown>, times: Array<number | undefined> = [START]) {
		const paths: string[] = [];
		const { client } = answering(({ path }) => {
			const decoded = decodeURIComponent(path);
			const [, priority = 'any'] = /filters\[priority\]=(\w+)/.exec(decoded) ?? [];
			const since = /updated_at_start_date\]=([^&]*)/.exec(decoded)?.[1];
			paths.push(since === undefined ? priority : `${priority} since ${since}`);
			if (!path.includes('per_page=1&')) {
				return { cases: [{ case_id: priority, priority }], meta: { pages: 1, per_page: 50 } };
			}
			const edited = since === undefined ? 9 : edits[priority];
			if (typeof edited !== 'number') return edited;
			const row = { case_id: 1, priority: priority === 'any' ? 'INFO' : priority };
			const meta = { pages: Math.max(1, edited), per_page: 1, next_page: edited > 1 ? '/2' : null };
			return { cases: edited === 0 ? [] : [row], meta };
		});
		const { send } = client;
		let answers = 0;
		const timed: typeof client = {
			...client,
			send: async (request) => ({
				...(await send(request)),
				servedAt: times[answers++ % times.length],
			}),
		};
		const query = { filters: {}, priorities: ['HIGH', 'LOW'] };
		const { count, observed } = await countCases(timed, query, 50);
		return { count, isRead: observed !== undefined, paths };
	}
	const SINCE = 'since 2026-01-31T12:00:00Z';

	it('are the sum where no case was edited meanwhile', async () => {
		expect(await ofTwo({ any: 0 })).toEqual({
			count: 18,
			isRead: false,
			paths: ['HIGH', 'LOW', `any ${SINCE}`],
		});
	});

	it('are the sum where only cases of other priorities were edited meanwhile', async () => {
		const { paths, ...result } = await ofTwo({ any: 3, HIGH: 0, LOW: 0 });
		expect(result).toEqual({ count: 18, isRead: false });
		expect(paths).toEqual(['HIGH', 'LOW', `any ${SINCE}`, `HIGH ${SINCE}`, `LOW ${SINCE}`]);
	});

	it('are searched for edits since the first count began', async () => {
		const { paths } = await ofTwo({ any: 0 }, [START, START - 5000]);
		expect(paths[2]).toBe('any since 2026-01-31T11:59:55Z');
	});

	it('are read where a case of one comes as one of the other', async () => {
		const low = { case_id: 1, priority: 'LOW' };
		const { client } = answering(
			({ path }) => {
				if (path.includes('updated_at_start_date')) return { cases: [] };
				const pages = path.includes('per_page=1&') ? 9 : 1;
				return { cases: [low], meta: { pages, per_page: 1, next_page: pages > 1 ? '/2' : null } };
			},
			{ servedAt: START },
		);
		const query = { filters: {}, priorities: ['HIGH', 'LOW'] };
		expect((await countCases(client, query, 50)).count).toBe(1);
	});

	const PAGE_OF = { pages: 1, per_page: 1 };
	test.each<[string, Record<string, unknown>, Array<number | undefined>]>([
		['one of them was edited meanwhile', { any: 3, HIGH: 1, LOW: 0 }, [START]],
		['the last of them was edited meanwhile', { any: 3, HIGH: 0, LOW: 1 }, [START]],
		['the service tells no time', { any: 0 }, [undefined]],
		['the service tells the time of one list only', { any: 0 }, [START, undefined]],
		[
			'the service ignores the filter for edits of one priority',
			{ any: 2, HIGH: 0, LOW: { cases: [{ case_id: 1, priority: 'INFO' }], meta: PAGE_OF } },
			[START],
		],
		[
			'the service ignores the filter for edits of the first priority',
			{ any: 2, HIGH: { cases: [{ case_id: 1, priority: 'INFO' }], meta: PAGE_OF }, LOW: 0 },
			[START],
		],
	])('are read and counted where %s', async (_where, edits, times) => {
		expect(await ofTwo(edits, times)).toMatchObject({ count: 2, isRead: true });
	});
});
