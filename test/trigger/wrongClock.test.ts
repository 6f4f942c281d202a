import { eventsOf, useTrigger } from './trigger';

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

describe('a clock of the service that is set back', () => {
	it('lets a case count as created that shows only with its next edit', async () => {
		const { sandbox, store, clock, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		later(70);
		expect(await poller.poll()).toBeNull();
		sandbox.deviate({ clock: { stepBack: { at: clock.now, seconds: 90 } } });
		store.createCase({ case_id: 2 });
		// It is dated before the place from which the trigger reads.
		expect(await poller.poll()).toBeNull();
		later(60);
		store.updateCase(2, { name: 'Renamed' });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
	});
});

describe('a second edit of a case in the second of another', () => {
	it('is reported where it becomes visible a few seconds late, after two polls', async () => {
		const { store, clock, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseCreated', 'caseUpdated'] });
		const updated_at = clock.now;
		store.updateCase(1, { name: 'First edit', updated_at });
		later(3);
		store.createCase({ case_id: 2 });
		later(1);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1', 'caseCreated 2']);
		later(1);
		expect(await poller.poll()).toBeNull();
		store.updateCase(1, { name: 'Second edit', updated_at });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});
});
