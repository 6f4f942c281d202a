import { eventsOf, NOON, useTrigger } from './trigger';

const setUp = useTrigger();

/** The time an hour before the trigger starts, and some seconds. */
const earlier = (seconds: number) => NOON - 3_600_000 + seconds * 1000;

describe('a service that compares days instead of times', () => {
	it('has each later change of the day reported once, and no earlier one', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 5; id++) store.createCase({ case_id: id, created_at: earlier(id) });
		sandbox.deviate({ filters: { byDay: true } });
		const poller = await published({ options: { pageSize: 2 } });
		store.createCase({ case_id: 6 });
		later(10);
		store.updateCase(2, { name: 'Renamed' });
		expect(await eventsOf(poller)).toEqual(['caseCreated 6', 'caseUpdated 2']);
		for (const seconds of [10, 60, 60, 300, 300]) {
			later(seconds);
			expect(await poller.poll()).toBeNull();
		}
	});

	it('is read from its last page back to the window, however long the day is', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 300; id++) {
			store.createCase({ case_id: id, created_at: earlier(10 * id) });
		}
		sandbox.deviate({ filters: { byDay: true } });
		const poller = await published({ events: ['caseCreated'], options: { pageSize: 10 } });
		for (let id = 301; id <= 340; id++) {
			store.createCase({ case_id: id });
			later(1);
		}
		expect(await eventsOf(poller)).toHaveLength(40);
		const pages = sandbox.requests.map(({ query }) => query.page);
		expect(pages).toEqual(['1', '34', '33', '32', '31', '30', '29']);
	});
});
