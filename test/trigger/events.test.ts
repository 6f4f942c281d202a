import { eventsOf, failureOf, useTrigger } from './trigger';

const setUp = useTrigger();

describe('the events of a poll', () => {
	it('reports created, updated, closed and commented-on cases in the order of change', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		later(60);
		const poller = await published();
		store.createCase({ case_id: 3, name: 'New' });
		later(10);
		store.updateCase(1, { priority: 'HIGH' });
		later(10);
		store.closeCase(2);
		later(10);
		const comment = store.addComment(1, 'On it');
		const items = await poller.poll();
		expect(items?.map(({ json }) => json)).toEqual([
			expect.objectContaining({ event: 'caseCreated', case_id: 3, name: 'New', status: 'OPEN' }),
			expect.objectContaining({ event: 'caseUpdated', case_id: 1, priority: 'HIGH' }),
			expect.objectContaining({ event: 'caseClosed', case_id: 2, status: 'CLOSED' }),
			expect.objectContaining({
				event: 'commentAdded',
				case_id: 1,
				case_name: 'Case 1',
				id: comment.id,
				value: 'On it',
				activity_type: 'COMMENTED',
			}),
		]);
		expect(await poller.poll()).toBeNull();
	});

	it.each([
		[['caseCreated'], ['caseCreated 2']],
		[['caseUpdated'], ['caseUpdated 1']],
		[['caseClosed'], ['caseClosed 2']],
		[
			['caseUpdated', 'caseCreated'],
			['caseUpdated 1', 'caseCreated 2'],
		],
		[['commentAdded'], ['commentAdded 1']],
	])('reports only the chosen events: %j', async (events, expected) => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events });
		store.updateCase(1, { name: 'Renamed' });
		store.addComment(1, 'Done');
		later(10);
		store.createCase({ case_id: 2 });
		store.closeCase(2);
		expect(await eventsOf(poller)).toEqual(expected);
	});

	it('reports a case created and closed between two polls as both, created first', async () => {
		const { store, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		later(10);
		store.closeCase(1);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1', 'caseClosed 1']);
		later(10);
		store.reopenCase(1);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		later(10);
		store.closeCase(1);
		expect(await eventsOf(poller)).toEqual(['caseClosed 1']);
	});

	it('reports an old case that matches the filters only now as updated', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		later(60);
		const poller = await published({ filters: { priority: 'CRITICAL' } });
		store.createCase({ case_id: 2, priority: 'LOW' });
		store.updateCase(1, { priority: 'CRITICAL' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});

	it('reports a second edit in the same second after a poll', async () => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published();
		store.updateCase(1, { name: 'First edit' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		store.updateCase(1, { name: 'Second edit' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});

	it.each([-3600, 0, 3600])(
		'reports a case created during a poll once, with the clock of the service %i s off',
		async (offSeconds) => {
			const { sandbox, store, published, clock } = await setUp();
			clock.now = Math.floor(Date.now() / 1000) * 1000 + offSeconds * 1000;
			store.createCase({ case_id: 1 });
			const poller = await published();
			sandbox.faults.add({
				fault: { kind: 'change', run: (changing) => void changing.createCase({ case_id: 2 }) },
			});
			const first = await eventsOf(poller);
			const second = await eventsOf(poller);
			expect([...first, ...second]).toEqual(['caseCreated 2']);
		},
	);

	it('reports a case created and edited between two polls, and each edit after it', async () => {
		const { store, published, later } = await setUp();
		const poller = await published({ events: ['caseCreated', 'caseUpdated'] });
		store.createCase({ case_id: 1 });
		later(1800);
		store.updateCase(1, { name: 'Edited' });
		later(1800);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		later(3600);
		store.updateCase(1, { name: 'Edited again' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});
});

describe('the output', () => {
	it.each([
		[{}, ['event', 'case_id', 'name', 'status', 'priority', 'team', 'assignees', 'tags']],
		[{ output: 'selected', fields: ['metadata'] }, ['event', 'case_id', 'metadata']],
		[{ output: 'raw' }, ['event', 'case_id', 'activities', 'records_meta', 'closure_conditions']],
	])('gives items with %j the fields %j', async (parameters, fields) => {
		const { store, published } = await setUp();
		const poller = await published({ events: ['caseCreated'], parameters });
		store.createCase({ case_id: 1 });
		const [{ json }] = (await poller.poll()) ?? [];
		expect(Object.keys(json)).toEqual(expect.arrayContaining(fields));
		if ('fields' in parameters) expect(Object.keys(json)).toEqual(fields);
	});
});

describe('a test run in the editor', () => {
	it('shows the newest matching cases and leaves the static data unchanged', async () => {
		const { store, trigger, later } = await setUp();
		for (let id = 1; id <= 12; id++) {
			store.createCase({ case_id: id, priority: id === 12 ? 'LOW' : 'HIGH' });
			later(10);
		}
		const poller = await trigger({
			mode: 'manual',
			activation: 'manual',
			events: ['caseCreated'],
			filters: { priority: 'HIGH' },
		});
		expect(await eventsOf(poller)).toEqual(
			[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((id) => `caseCreated ${id}`),
		);
		expect(poller.snapshot()).toEqual({});
		expect(poller.workflowSnapshot()).toEqual({});
	});

	it('shows cases that fit a case event, the last edited first, then comments of all', async () => {
		const { store, trigger, later } = await setUp();
		for (const status of ['CLOSED', 'OPEN', 'CLOSED'] as const) {
			const { case_id } = store.createCase({ status });
			store.addComment(case_id, 'Please look');
			later(10);
		}
		const poller = await trigger({
			mode: 'manual',
			activation: 'manual',
			events: ['caseClosed', 'commentAdded'],
		});
		expect(await eventsOf(poller)).toEqual([
			'caseClosed 3',
			'caseClosed 1',
			'commentAdded 3',
			'commentAdded 2',
			'commentAdded 1',
		]);
	});

	it('fails when no case matches, and says so', async () => {
		const { trigger } = await setUp();
		const error = await failureOf(await trigger({ mode: 'manual', activation: 'manual' }));
		expect(error.message).toBe('No case matches right now');
	});
});
