import {
	idOfCase,
	isNotServed,
	loadDetails,
	mayHaveMoreDetails,
	readDetails,
	type ReadDetailsOptions,
} from '../../nodes/Cases/api/caseDetails';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Case, Row } from '../../nodes/Cases/api/types';
import { answering, failedWith } from './answering';

const entries = (count: number): Row[] =>
	Array.from({ length: count }, (_empty, index) => ({ id: index + 1 }));
const caseWith = (activities: unknown, activities_meta?: object): Case => ({
	case_id: 12,
	activities,
	activities_meta,
});

describe('whether a case may have more activities than it carries', () => {
	test.each<[string, unknown, object | undefined, boolean]>([
		['carries no list', undefined, { pages: 1 }, true],
		['says so by its pages', entries(1), { pages: 2 }, true],
		['says so by a next page', entries(1), { pages: 1, next_page: '/2' }, true],
		['says that there is one page', entries(10), { pages: 1, per_page: 10 }, false],
		['says nothing and carries none', [], undefined, false],
		['says nothing and carries as many as pages often have', entries(10), undefined, true],
		['says nothing and carries another number', entries(9), undefined, false],
		['carries a full page and says only how large pages are', entries(3), { per_page: 3 }, true],
		['carries less than a page', entries(5), { per_page: 6 }, false],
		['carries more than a page', entries(4), { per_page: 3 }, true],
	])('that %s', (_what, activities, meta, expected) => {
		expect(mayHaveMoreDetails(caseWith(activities, meta), 'activities')).toBe(expected);
	});
});

test.each<[unknown, boolean]>([
	[failedWith(403), true],
	[failedWith(404), true],
	[failedWith(405), true],
	[failedWith(400), false],
	[failedWith(500), false],
	[new ApiFailure('No answer', { description: '', retryable: true }), false],
	[Object.assign(new Error('Not a failure'), { details: { httpCode: 404 } }), false],
])('whether %s means that a list is not served: %s', (error, expected) => {
	expect(isNotServed(error)).toBe(expected);
});

describe('the ID of a case', () => {
	test.each([[12], ['12']])('is %j', (case_id) => {
		expect(idOfCase({ case_id }, 'more records')).toBe('12');
	});

	test.each([
		[undefined, '""'],
		[null, '""'],
		['', '""'],
		['7a', '"7a"'],
		['a7', '"a7"'],
		[-7, '"-7"'],
	])('is not %j', (case_id, shown) => {
		expect(() => idOfCase({ case_id: case_id as number }, 'more records')).toThrow(
			expect.objectContaining({
				message: 'A case may have more records, but no ID to request them with',
				details: {
					description: `Its ID is ${shown}. Leave this case out, or its records.`,
					retryable: false,
				},
			}),
		);
	});
});

/** Reads activities of a case from a service that has these pages of them, or none. */
async function reading(row: Case, options: ReadDetailsOptions, pages?: Row[][], status = 404) {
	const { client, requests } = answering(({ path }) => {
		if (pages === undefined) throw failedWith(status);
		const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
		return {
			activities: pages[page - 1] ?? [],
			meta: { pages: pages.length, per_page: pages[0].length },
		};
	});
	const result = await readDetails(client, row, 'activities', options);
	return { ...result, paths: requests.map(({ path }) => path) };
}

describe('activities that the case itself carries', () => {
	it('are all of them where it says so, without what is not an entry', async () => {
		const row = caseWith([{ id: 1 }, null, 'x', 7, { id: 2 }], { pages: 1, per_page: 10 });
		expect(await reading(row, {})).toEqual({
			rows: [{ id: 1 }, { id: 2 }],
			observed: { repeated: 0, reads: 1, isTruncated: false, matches: { atLeast: 2, atMost: 2 } },
			paths: [],
		});
	});

	test.each<[string, Case, number, object]>([
		[
			'that are more than the limit',
			caseWith(entries(4), { pages: 1, per_page: 10 }),
			3,
			{ isTruncated: true, matches: { atLeast: 4, atMost: 4 } },
		],
		[
			'that are as many as the limit',
			caseWith(entries(3), { pages: 1, per_page: 10 }),
			3,
			{ isTruncated: false, matches: { atLeast: 3, atMost: 3 } },
		],
		[
			'that the case says it has more of',
			caseWith(entries(3), { pages: 2 }),
			3,
			{ isTruncated: true },
		],
		[
			'of which nothing says whether there are more',
			caseWith(entries(5)),
			5,
			{ isTruncated: false, mayHaveMore: true },
		],
	])('take no request for those %s', async (_which, row, limit, expected) => {
		const { rows, observed, paths } = await reading(row, { limit });
		expect(rows).toEqual(entries(limit));
		expect(observed).toEqual({ repeated: 0, reads: 1, ...expected });
		expect(paths).toEqual([]);
	});

	test.each([403, 404, 405])(
		'are the result where a service that answers %i has no list of them',
		async (status) => {
			const { rows, observed } = await reading(caseWith(entries(5)), {}, undefined, status);
			expect(rows).toEqual(entries(5));
			expect(observed).toEqual({ repeated: 0, reads: 1, isTruncated: false, mayHaveMore: true });
		},
	);

	test.each<[string, Case, number]>([
		['it says that there are more', caseWith(entries(5), { pages: 2 }), 404],
		['it carries none', caseWith(undefined), 404],
		['the service fails otherwise', caseWith(entries(5)), 500],
	])('are not the result where %s', async (_where, row, status) => {
		await expect(reading(row, {}, undefined, status)).rejects.toThrow(`Failed with ${status}`);
	});

	it('stay where its pages no longer have them, up to the limit', async () => {
		const row = caseWith([{ id: 9 }, { id: 1 }], { pages: 2, per_page: 2 });
		const { rows } = await reading(row, { limit: 4 }, [[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
		expect(rows).toEqual([{ id: 9 }, { id: 1 }, { id: 2 }, { id: 3 }]);
		const { rows: first } = await reading(row, { limit: 3 }, [[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
		expect(first).toEqual([{ id: 9 }, { id: 1 }, { id: 2 }]);
	});
});

it('Activities of another case are refused, and both cases are named', async () => {
	const { client } = answering(() => ({ case_id: 7, activities: [], meta: {} }));
	await expect(readDetails(client, caseWith(undefined), 'activities')).rejects.toMatchObject({
		message: 'The service answered with the activities of another case',
		details: {
			description: expect.stringContaining(
				'Case 12 was requested, and the answer is about case 7.',
			),
		},
	});
});

test.each([
	[undefined, 50],
	[500, 50],
	[20, 20],
])('pages of activities for a page size of %p have %i at most', async (pageSize, expected) => {
	const { paths } = await reading(caseWith(undefined), { pageSize }, [entries(1)]);
	expect(paths[0]).toBe(`/api/v2/cases/12/activities?per_page=${expected}&page=1`);
});

describe('records with the same ID', () => {
	const record = (type: number, id = 1) => ({
		record_type_id: type,
		record_type_name: `Type ${type}`,
		record_type_record_results: [{ id }],
	});
	const typesOf = async (carried: Row[], onPages: Row[]) => {
		const { client } = answering(() => ({ records: onPages, meta: { pages: 1 } }));
		const row = { case_id: 12, records: carried, records_meta: { pages: 2 } };
		const { rows } = await readDetails(client, row, 'records');
		return rows.map(({ record_type_id }) => record_type_id);
	};

	it('are looked for by their types, one for each that the case carries', async () => {
		expect(await typesOf([record(3), record(4)], [record(4)])).toEqual([3, 4]);
		expect(await typesOf([record(4), record(4)], [record(3), record(4)])).toEqual([4, 3, 4]);
	});

	it('become groups only where they are records', async () => {
		const { client } = answering(() => ({ activities: [record(3), record(3, 2)], meta: {} }));
		const { row } = await loadDetails(client, { case_id: 12 }, 'activities');
		expect(row.activities).toEqual([record(3), record(3, 2)]);
	});
});
