import { eventsOf, NOON, useTrigger } from './trigger';

const setUp = useTrigger();

describe('a Date header ahead of the data', () => {
	it.each([30, 3600])('by %i seconds loses nothing right after the start', async (seconds) => {
		const { sandbox, store, published } = await setUp();
		store.createCase({ case_id: 1 });
		sandbox.deviate({ clock: { dateOffset: seconds } });
		const poller = await published({ events: ['caseCreated'] });
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
	});
});

describe('a Date header that stands still', () => {
	it('loses no edit that becomes visible late', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (const case_id of [1, 2]) store.createCase({ case_id });
		sandbox.deviate({ clock: { dateFrozenAt: new Date(NOON).toISOString() } });
		const poller = await published({ events: ['caseUpdated'] });
		later(80);
		store.updateCase(2, { name: 'In time' });
		later(40);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 2']);
		store.updateCase(1, { name: 'Late', updated_at: NOON + 100_000 });
		later(150);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});
});
