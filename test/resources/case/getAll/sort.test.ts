import { failureOf, idsOf } from '../../../support/runs';
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

describe('Sort', () => {
	test.each(ORDERS)(
		'sends %s with every page and keeps the order of the service',
		async (order, key, direction) => {
			const run = await service.run({ returnAll: true, sort: { order } });
			const pages = service.sandbox.requests.filter(({ query }) => query.per_page === '50');
			expect(pages.map(({ query }) => query.order)).toEqual([order, order, order]);
			expect(idsOf(run)).toEqual(inOrder(key, direction));
		},
	);

	test.each(ORDERS)('sends %s with a page that Limit cuts', async (order, key, direction) => {
		const run = await service.run({ limit: 7, sort: { order } });
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ order, per_page: '7', page: '1' },
		]);
		expect(idsOf(run)).toEqual(inOrder(key, direction).slice(0, 7));
	});

	it('sends CREATED_ASC for several pages when none is chosen, because paging needs a stable order', async () => {
		const run = await service.run({ limit: 60 });
		expect(service.sandbox.requests.map(({ query }) => query.order)).toEqual([
			'CREATED_ASC',
			'CREATED_ASC',
		]);
		expect(idsOf(run)).toEqual(inOrder(created, 1).slice(0, 60));
	});

	it('sends no order for one page when none is chosen', async () => {
		await service.run({ limit: 50 });
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ per_page: '50', page: '1' },
		]);
	});

	it('refuses an order that the service doesn’t know before any request', async () => {
		const run = await service.run({ sort: { order: '={{ "BY_NAME" }}' } });
		expect(failureOf(run)).toMatchObject({
			message: 'Sort: "BY_NAME" is not an order of the service',
			description: expect.stringContaining('PRIORITY_DESC'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
