import { eventsOf, NOON, useTrigger } from './trigger';

const setUp = useTrigger();

const YEARS = 5 * 365 * 86_400;

describe('a Date header ahead of the data', () => {
	it.each([30, 3600, YEARS])(
		'by %i seconds loses nothing right after the start',
		async (seconds) => {
			const { sandbox, store, published } = await setUp();
			store.createCase({ case_id: 1 });
			sandbox.deviate({ clock: { dateOffset: seconds } });
			const poller = await published({ events: ['caseCreated'] });
			store.createCase({ case_id: 2 });
			expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		},
	);

	it('by years for one poll loses nothing later, also beside cases that are dated ahead', async () => {
		const { sandbox, store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseCreated'] });
		sandbox.deviate({ clock: { dateOffset: YEARS } });
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		sandbox.deviate({ clock: { future: { at: '2031-01-01T00:00:00Z', cases: [10, 11] } } });
		for (let id = 3; id <= 9; id++) {
			later(60);
			store.createCase({ case_id: id });
			expect(await eventsOf(poller)).toEqual([`caseCreated ${id}`]);
		}
		for (const case_id of [10, 11]) store.createCase({ case_id });
		expect(await eventsOf(poller)).toEqual(['caseCreated 10', 'caseCreated 11']);
		for (const case_id of [12, 13, 14, 15, 16, 17, 18]) {
			later(60);
			store.createCase({ case_id });
			expect(await eventsOf(poller)).toEqual([`caseCreated ${case_id}`]);
		}
	});

	it('by years, at a start without any case, loses nothing later', async () => {
		const { sandbox, store, trigger, later } = await setUp();
		const poller = await trigger({ events: ['caseCreated'] });
		sandbox.deviate({ clock: { dateOffset: YEARS } });
		// The first answer has its Date header by then.
		const correct = () => sandbox.deviate();
		sandbox.faults.add({ match: { nth: 1 }, fault: { kind: 'change', run: correct } });
		expect(await poller.poll()).toBeNull();
		later(30);
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
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
