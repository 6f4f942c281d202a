import { CASE_ORDERS, sortKeyOf, type CaseOrder } from '../../nodes/Cases/api/cases/caseQuery';
import type { Case } from '../../nodes/Cases/api/types';
import { CaseStore } from '../../sandbox/store';
import { listCases } from '../../sandbox/query';
import { randomOf } from '../../sandbox/random';

const sortCases = (rows: Case[], order: CaseOrder): Case[] => {
	const keyOf = sortKeyOf(order);
	return [...rows].sort((a, b) => keyOf(a) - keyOf(b));
};

const idsOf = (rows: ReadonlyArray<{ case_id?: unknown }>) => rows.map(({ case_id }) => case_id);

describe('sorting cases that came in several lists', () => {
	it.each((Object.keys(CASE_ORDERS) as CaseOrder[]).map((order): [CaseOrder] => [order]))(
		'by %s returns the order of the service',
		(order) => {
			const random = randomOf(7);
			const store = new CaseStore();
			const time = () => Date.parse('2026-01-01T00:00:00Z') + random.int(0, 20) * 60_000;
			for (let index = 0; index < 60; index++) {
				store.createCase({
					priority: random.pick(['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
					created_at: time(),
					opened_at: time(),
					updated_at: time(),
				});
			}
			const served = listCases(
				store,
				{ order, per_page: 60 },
				{ user_id: 1, team_ids: 'all' },
			).rows;
			const rows = [...store.cases()] as unknown as Case[];
			expect(idsOf(sortCases(rows, order))).toEqual(idsOf(served));
		},
	);

	it('puts cases that were never opened last either way, as the service does', () => {
		const rows = [
			{ case_id: 1, opened_at: null },
			{ case_id: 2, opened_at: '2026-01-02T00:00:00Z' },
			{ case_id: 3, opened_at: '2026-01-03T00:00:00Z' },
		];
		expect(idsOf(sortCases(rows, 'OPENED_ASC'))).toEqual([2, 3, 1]);
		expect(idsOf(sortCases(rows, 'OPENED_DESC'))).toEqual([3, 2, 1]);
	});

	it('sorts by priority whatever the case of its letters', () => {
		const rows = ['low', 'Critical', 'HIGH'].map((priority, case_id) => ({ case_id, priority }));
		expect(sortCases(rows, 'PRIORITY_DESC').map(({ priority }) => priority)).toEqual([
			'Critical',
			'HIGH',
			'low',
		]);
	});
});
