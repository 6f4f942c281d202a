import { idsOf } from '../../../support/runs';
import { at, useCases, type StoredCase } from './support';

const service = useCases();

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
		'sends %s with every page and keeps the order of the service',
		async (order, key, direction) => {
			const run = await service.run({ returnAll: true, order });
			const pages = service.sandbox.requests.filter(({ query }) => query.per_page === '50');
			// The newest first are read oldest first: a new case then moves no other.
			const sent = order === 'CREATED_DESC' ? 'CREATED_ASC' : order;
			expect(pages.length).toBeGreaterThan(2);
			expect([...new Set(pages.map(({ query }) => query.order))]).toEqual([sent]);
			expect(idsOf(run)).toEqual(inOrder(key, direction));
		},
	);

	test.each(ORDERS)('sends %s with a page that Limit truncates', async (order, key, direction) => {
		const run = await service.run({ limit: 7, order });
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ order, per_page: '7', page: '1' },
		]);
		expect(idsOf(run)).toEqual(inOrder(key, direction).slice(0, 7));
	});

	test.each([{ limit: 50 }, { limit: 51 }, { returnAll: true }])(
		'begins with the newest cases by default, with %j',
		async (parameters) => {
			const run = await service.run(parameters);
			expect(idsOf(run).slice(0, 50)).toEqual(inOrder(created, -1).slice(0, 50));
		},
	);
});
