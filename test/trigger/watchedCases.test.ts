import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { createPool } from '../../nodes/Cases/api/pool';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

/** The cases watched at a service that answers every request with this status. */
function casesAt(httpCode: number) {
	const client: Client = {
		tenant: { arrayFormat: 'brackets' } as Client['tenant'],
		...createPool(1),
		nameFilter: String,
		now: () => 0,
		send: async () =>
			await Promise.reject(new ApiFailure('No', { description: '', httpCode, retryable: false })),
	};
	return watchCases(client, { filters: {} }, 50, () => {});
}

describe('A page of the list of edits', () => {
	it.each([400, 404, 422])(
		'is empty behind the last one, where the answer is %i',
		async (status) => {
			expect((await casesAt(status).fetchEdits(0, 2)).edits).toEqual([]);
			await expect(casesAt(status).fetchEdits(0, 1)).rejects.toThrow('No');
		},
	);

	it('cannot be read where the service fails in another way', async () => {
		await expect(casesAt(403).fetchEdits(0, 2)).rejects.toThrow('No');
	});
});

/** Cases at a service with the cases 1 to 4: the odd ones are critical, and the last two closed. */
function watched(filters: CaseFilters, { pageSize = 50, listsAll = false } = {}) {
	const { clock, store } = storeAt(START);
	for (const case_id of [1, 2, 3, 4]) {
		store.createCase({ case_id, priority: case_id % 2 === 1 ? 'CRITICAL' : 'LOW' });
		clock.now += 1000;
		if (case_id > 2) store.closeCase(case_id);
	}
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 1,
		service: { detailsPerPage: 10 },
	});
	const cases = watchCases(client, filters, pageSize, () => {}, listsAll);
	/** The query of the last request, without the size of its page. */
	const lastQuery = () => {
		const query = new URLSearchParams(answered[answered.length - 1].split('?')[1]);
		query.delete('per_page');
		return decodeURIComponent(query.toString()).replace(/filters\[(\w+)\]/g, '$1');
	};
	return { cases, store, answered, lastQuery };
}
const NONE: CaseFilters = { filters: {} };
const CRITICAL: CaseFilters = { filters: { priority: 'CRITICAL' } };
const MANY = Array.from({ length: 2000 }, (_, index) => String(index + 1));
const row = (case_id: number, priority = 'LOW') => ({ case_id, priority });

describe('The cases that are watched', () => {
	it.each([
		['all cases', NONE, [true, true, true]],
		['given ones', { ...NONE, caseIds: ['1', '3'] }, [true, false, true]],
		['those of some priorities', { ...NONE, priorities: ['HIGH', 'LOW'] }, [true, true, false]],
		['both', { ...NONE, caseIds: ['1', '3'], priorities: ['LOW'] }, [true, false, false]],
	])('are %s', (_which, filters, expected) => {
		const { cases } = watched(filters);
		const rows = [row(1), row(2), row(3, 'CRITICAL')];
		expect(rows.map(cases.includes)).toEqual(expected);
		expect(cases.ids).toEqual((filters as CaseFilters).caseIds);
	});

	it('contradict a filter that was sent, but not priorities, of which one is sent at a time', () => {
		expect(watched(CRITICAL).cases.contradicted(row(1))).toBe("'Priority'");
		expect(watched(CRITICAL).cases.contradicted(row(1, 'CRITICAL'))).toBeUndefined();
		const several = watched({ ...NONE, priorities: ['HIGH'] }).cases;
		expect(several.contradicted(row(1))).toBeUndefined();
		expect(watched({ ...NONE, caseIds: ['2'] }).cases.contradicted(row(1))).toBe("'Case IDs'");
		expect(watched({ ...NONE, caseIds: MANY }).cases.contradicted(row(9999))).toBeUndefined();
	});
});

describe('The list of edits', () => {
	const TIMES =
		'updated_at_start_date=2026-01-31T12:00:02Z&updated_at_end_date=2099-12-31T23:59:59Z';

	it('has the cases that match from a time on, the least recently edited first', async () => {
		const { cases, lastQuery } = watched(CRITICAL);
		const { edits } = await cases.fetchEdits(START / 1000 + 2, 1);
		expect(edits.map((edit) => edit.row.case_id)).toEqual([3]);
		expect(lastQuery()).toBe(`priority=CRITICAL&${TIMES}&order=LEAST_RECENTLY_EDITED&page=1`);
	});

	it('has all cases where matches are watched', async () => {
		const { cases, lastQuery } = watched({ ...CRITICAL, teamId: '5' }, { listsAll: true });
		const { edits } = await cases.fetchEdits(START / 1000 + 2, 1);
		expect(edits.map((edit) => edit.row.case_id)).toEqual([3, 4]);
		expect(lastQuery()).toBe(`${TIMES}&order=LEAST_RECENTLY_EDITED&page=1`);
	});

	it.each([false, true])('has given cases alone, if they fit into a URL: %s', async (listsAll) => {
		const few = watched({ ...NONE, caseIds: ['1', '4'] }, { listsAll });
		const { edits } = await few.cases.fetchEdits(START / 1000, 1);
		expect(edits.map((edit) => edit.row.case_id)).toEqual([1, 4]);
		const many = watched({ ...NONE, caseIds: MANY }, { listsAll });
		expect((await many.cases.fetchEdits(START / 1000, 1)).edits).toHaveLength(4);
		expect(many.lastQuery()).not.toContain('case_ids');
	});

	it('is read from its other end for the cases edited last', async () => {
		const { cases, lastQuery, answered } = watched(CRITICAL);
		const { rows } = await cases.fetchLastEdited();
		expect(rows.map(({ case_id }) => case_id)).toEqual([3, 1]);
		expect(lastQuery()).toBe('priority=CRITICAL&order=RECENTLY_EDITED&page=1');
		expect(answered[0]).toContain('per_page=10');
	});
});

describe('The first cases in an order', () => {
	it('are those that match, and with a status those in it', async () => {
		const { cases } = watched(CRITICAL);
		const first = await cases.readFirst('RECENTLY_EDITED', 5);
		expect(first.map(({ case_id }) => case_id)).toEqual([3, 1]);
		const closed = await cases.readFirst('RECENTLY_EDITED', 5, 'CLOSED');
		expect(closed.map(({ case_id }) => case_id)).toEqual([3]);
		expect(await cases.readFirst('RECENTLY_EDITED', 1)).toHaveLength(1);
	});
});

describe('The comments of watched cases', () => {
	it('are read a page of fifty at a time at most, all or the first ones', async () => {
		const { cases, store, answered } = watched(NONE, { pageSize: 500 });
		for (let count = 0; count < 60; count++) store.addComment(1, 'Seen');
		const [all] = await cases.readComments(['1']);
		expect(all).toHaveLength(60);
		expect(answered[0]).toContain('per_page=50');
		const [first] = await cases.readComments(['1'], { limit: 1 });
		expect(first).toHaveLength(1);
	});

	it('are read in smaller pages where those of cases are smaller', async () => {
		const { cases, answered } = watched(NONE, { pageSize: 20 });
		await cases.readComments(['1']);
		expect(answered[0]).toContain('per_page=20');
	});

	it('are read while there is time', async () => {
		const { cases } = watched(NONE);
		expect(await cases.readComments(['1', '2'])).toHaveLength(2);
		expect(await cases.readComments(['1', '2'], { isTimeUp: () => true })).toHaveLength(1);
	});
});

describe('The activities of watched cases', () => {
	it('are those that a case carries, and all where it is watched closely and has more', async () => {
		const { cases, store, answered } = watched(NONE);
		for (let count = 0; count < 12; count++) {
			store.addComment(1, 'Seen');
			store.addComment(2, 'Seen');
		}
		const rows = await cases.readFirst('CREATED_ASC', 4);
		answered.length = 0;
		const lists = await cases.readActivities([
			{ row: rows[0], isClose: true },
			{ row: rows[1], isClose: false },
			{ row: rows[2], isClose: true },
		]);
		expect(lists.map(({ length }) => length)).toEqual([13, 10, 1]);
		expect(answered.filter((path) => !path.includes('/cases/1/'))).toEqual([]);
	});

	it('are those that it carries where the others cannot be read', async () => {
		const { cases } = watched(NONE);
		const carried = { case_id: 99, activities: [{ id: 1 }], activities_meta: { pages: 2 } };
		const [list] = await cases.readActivities([{ row: carried, isClose: true }]);
		expect(list).toEqual([{ id: 1 }]);
	});

	it('are only those that are objects', async () => {
		const { cases } = watched(NONE);
		const odd = { case_id: 1, activities: [{ id: 1 }, null, 'x', 7] } as never;
		expect(await cases.readActivities([{ row: odd, isClose: false }])).toEqual([[{ id: 1 }]]);
		const none = { case_id: 1, activities: 'x' } as never;
		expect(await cases.readActivities([{ row: none, isClose: false }])).toEqual([[]]);
	});
});
