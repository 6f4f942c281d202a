import { hintsOf, idsOf, pairsOf, range, rowsOf } from '../../../support/runs';
import { at, sorted, useCases, type StoredCase } from './support';

const service = useCases();

describe('Return All', () => {
	it('returns each case once, with two requests more than there are pages, which show that no case moved', async () => {
		const run = await service.run({ returnAll: true });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(service.sandbox.requests).toHaveLength(3 + 2);
	});

	it('returns only the cases of its team to a team key', async () => {
		const credential = { apiKey: service.sandbox.keys.team };
		const run = await service.run({ returnAll: true }, { credential });
		expect(sorted(idsOf(run))).toEqual(service.storedIds(({ team }) => team.id === 1));
	});

	it('leaves a hint that the list kept changing when it never holds still', async () => {
		const { store, faults } = service.sandbox;
		const before = store.getCase(60);
		let edits = 0;
		faults.add({
			match: { page: 2 },
			times: Infinity,
			fault: {
				kind: 'change',
				run: () => {
					// Each time another case of page 2 moves to the front.
					const id = [60, 61, 62, 63][edits++ % 4];
					store.updateCase(id, { updated_at: new Date(Date.now() + edits * 1000) });
				},
			},
		});
		const run = await service.run({ returnAll: true, order: 'RECENTLY_EDITED' });
		for (const id of [60, 61, 62, 63]) store.updateCase(id, { updated_at: before.updated_at });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^The list of cases kept changing while it was read/),
		]);
	});
});

describe('Limit', () => {
	/** Limit, Page Size, and the requested pages and page size. */
	test.each([
		[7, 50, [1], '7'],
		[50, 50, [1], '50'],
		[51, 50, [1, 2], '50'],
		[8, 4, [1, 2], '4'],
		[5000, 50, [1, 2, 3], '50'],
	])(
		'%i with Page Size %i requests only the pages it needs',
		async (limit, pageSize, pages, perPage) => {
			const options = pageSize === 50 ? {} : { pageSize };
			const run = await service.run({ limit, options });
			const { requests } = service.sandbox;
			expect(requests.map(({ query }) => Number(query.page)).sort()).toEqual(pages);
			expect(requests.every(({ query }) => query.per_page === perPage)).toBe(true);
			expect(new Set(idsOf(run)).size).toBe(Math.min(limit, service.stored().length));
			expect(idsOf(run)).toHaveLength(Math.min(limit, service.stored().length));
		},
	);

	it('leaves a hint when it truncates the output, and none when it doesn’t', async () => {
		expect(hintsOf(await service.run({ limit: 5 }))).toEqual([
			"'Limit' kept the first 5; there are about 125 cases.",
		]);
		service.sandbox.deviate({ list: { meta: { pages: null } } });
		expect(hintsOf(await service.run({ limit: 1 }))).toEqual([
			"'Limit' kept the first 1; there are more cases.",
		]);
		service.sandbox.deviate();
		expect(hintsOf(await service.run({ limit: 122 }))).toEqual([]);
		expect(hintsOf(await service.run({ limit: 50, filters: { case_ids: '1,2' } }))).toEqual([]);
	});
});

const PRIORITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const updated = (row: StoredCase) => at(row.updated_at);
const created = (row: StoredCase) => at(row.created_at);
const opened = (row: StoredCase) => at(row.opened_at);
const priority = (row: StoredCase) => PRIORITIES.indexOf(row.priority);
const ORDERS: Array<[string, (row: StoredCase) => number, 1 | -1]> = [
	['RECENTLY_EDITED', updated, -1],
	['LEAST_RECENTLY_EDITED', updated, 1],
	['PRIORITY_ASC', priority, 1],
	['PRIORITY_DESC', priority, -1],
	['OPENED_ASC', opened, 1],
	['OPENED_DESC', opened, -1],
	['CREATED_ASC', created, 1],
	['CREATED_DESC', created, -1],
];
const inOrder = (key: (row: StoredCase) => number, direction: number) =>
	service
		.stored()
		.sort((a, b) => {
			const [left, right] = [key(a), key(b)];
			if (Number.isNaN(left) || Number.isNaN(right)) {
				return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a.case_id - b.case_id;
			}
			return direction * (left - right) || a.case_id - b.case_id;
		})
		.map(({ case_id }) => case_id);

describe('Order', () => {
	test.each(ORDERS)(
		'sends %s with every page, also one that Limit truncates, and keeps the order of the service',
		async (order, key, direction) => {
			const run = await service.run({ returnAll: true, order });
			const pages = service.sandbox.requests.filter(({ query }) => query.per_page === '50');
			// The newest first are read oldest first: a new case then moves no other.
			const sent = order === 'CREATED_DESC' ? 'CREATED_ASC' : order;
			expect(pages.length).toBeGreaterThan(2);
			expect([...new Set(pages.map(({ query }) => query.order))]).toEqual([sent]);
			expect(idsOf(run)).toEqual(
				sent === order ? inOrder(key, direction) : inOrder(key, 1).reverse(),
			);
			service.sandbox.clearRequests();
			const first = await service.run({ limit: 7, order });
			expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
				{ order, per_page: '7', page: '1' },
			]);
			expect(idsOf(first)).toEqual(inOrder(key, direction).slice(0, 7));
		},
	);

	test.each([{ limit: 50 }, { limit: 51 }, { returnAll: true }])(
		'begins with the newest cases by default, with %j',
		async (parameters) => {
			const run = await service.run(parameters);
			const all = 'limit' in parameters ? inOrder(created, -1) : inOrder(created, 1).reverse();
			expect(idsOf(run).slice(0, 50)).toEqual(all.slice(0, 50));
		},
	);
});

describe('A long list of Case IDs', () => {
	/** Newest first, ties by ID: with a Limit the lower one is first, otherwise the higher one. */
	const byCreation = (ids: number[], direction: 1 | -1) =>
		service
			.stored()
			.filter(({ case_id }) => ids.includes(case_id))
			.sort((a, b) => at(b.created_at) - at(a.created_at) || direction * (a.case_id - b.case_id))
			.map(({ case_id }) => case_id);

	it('is split into batches of fifty and merged by creation, each case once', async () => {
		const given = range(1, 119);
		const case_ids = [...given, 5, 999_999].join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids } });
		expect(idsOf(run)).toEqual(byCreation(given, -1));
		const sent = service.sandbox.requests.map(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids.length,
		);
		expect(sent.sort()).toEqual([20, 50, 50]);
	});

	it('leaves a hint when Limit truncates it', async () => {
		const run = await service.run({ limit: 50, filters: { case_ids: range(1, 51).join(',') } });
		expect(idsOf(run)).toHaveLength(50);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 50; there are more cases."]);
	});

	it('is sent with the other filters in every batch', async () => {
		const case_ids = range(1, 120).join(',');
		const run = await service.run({ limit: 10, filters: { case_ids, status: 'OPEN' } });
		const open = service.storedIds(({ status, case_id }) => status === 'OPEN' && case_id <= 120);
		expect(idsOf(run)).toEqual(byCreation(open, 1).slice(0, 10));
		for (const { query } of service.sandbox.requests) {
			expect(query.filters).toMatchObject({ status: 'OPEN' });
		}
		expect(hintsOf(run)).toHaveLength(1);
	});
});

describe('Get Many over several input items', () => {
	it('requests a list once that all items need, and leaves the advice of Execute Once to n8n', async () => {
		const run = await service.run({ limit: 3 }, { items: range(1, 100).map((n) => ({ n })) });
		expect(service.sandbox.requests).toHaveLength(1);
		expect(run.items).toHaveLength(300);
		expect(pairsOf(run)).toEqual(range(0, 99).flatMap((item) => [[item], [item], [item]]));
		const rows = rowsOf(run);
		expect(rows[0]).toEqual(rows[3]);
		expect(rows[0]).not.toBe(rows[3]);
		expect(rows[0].tags).not.toBe(rows[3].tags);
		expect(String(hintsOf(run))).not.toContain('Execute Once');
	});

	it('requests a list once that some items share, without pointing to Execute Once', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 30 }, { id: 30 }, { id: 20 }, { id: 30 }] },
		);
		expect(service.sandbox.requests).toHaveLength(2);
		expect(idsOf(run)).toEqual([30, 30, 20, 30]);
		expect(hintsOf(run)).toEqual([]);
	});

	it('returns no item for an input item that finds no case, and leaves a hint', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 10 }, { id: 999 }, { id: 30 }] },
		);
		expect(idsOf(run)).toEqual([10, 30]);
		expect(pairsOf(run)).toEqual([[0], [2]]);
		expect(hintsOf(run)).toEqual(['No case found for input item 1.']);
	});
});
