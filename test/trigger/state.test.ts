import { eventsOf, failureOf, useTrigger } from './trigger';

const setUp = useTrigger();

describe('the first poll', () => {
	it.each([0, 1])(
		'emits nothing of %i cases, and the second poll what happened since',
		async (count) => {
			const { store, trigger, later } = await setUp();
			if (count > 0) store.createCase({ case_id: 1 });
			const poller = await trigger();
			expect(await poller.poll()).toBeNull();
			later(5);
			store.createCase({ case_id: 2 });
			expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		},
	);

	it('goes back to Start From, in the timezone of the workflow', async () => {
		const { store, trigger } = await setUp();
		store.createCase({ case_id: 1, created_at: '2026-01-31T05:59:59Z' });
		store.createCase({ case_id: 2, created_at: '2026-01-31T06:00:00Z' });
		store.createCase({ case_id: 3, created_at: '2025-12-01T00:00:00Z' });
		store.updateCase(3, { updated_at: '2026-01-31T06:00:00Z' });
		for (const second of ['05:59:59', '06:00:00']) {
			store.addComment(2, 'Seen', { created_at: `2026-01-31T${second}Z` });
		}
		const poller = await trigger({
			options: { startFrom: '2026-01-31T07:00:00' },
			timezone: 'Europe/Berlin',
		});
		const events = ['caseCreated 2', 'caseUpdated 3', 'commentAdded 2'];
		expect(await eventsOf(poller)).toEqual(events);
		expect(await poller.poll()).toBeNull();
	});

	it('fails clearly in an outage without a stored state', async () => {
		const { sandbox, trigger } = await setUp();
		sandbox.faults.add({ times: 3, fault: { kind: 'status', status: 503 } });
		const poller = await trigger({ options: { maxRetries: 2 } });
		const error = await failureOf(poller);
		expect(error.message).toBe('The service had an error (503)');
		expect(error.description).toContain('Tried 3 times.');
		expect(sandbox.requests).toHaveLength(3);
		expect(poller.snapshot()).toEqual({});
	});

	it('lets the workflow be published in an outage where a state is stored', async () => {
		const { sandbox, store, published, trigger } = await setUp();
		const kept = (await published()).saved();
		sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
		const poller = await trigger({ staticData: kept, activation: 'init' });
		expect(await poller.poll()).toBeNull();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});
});

describe('the stored state', () => {
	it('writes no data of the workflow with a durable poll, where other nodes write', async () => {
		const { store, trigger, later } = await setUp();
		const activation = await trigger();
		await activation.poll();
		later(30);
		store.createCase({ case_id: 1 });
		const kept = { ...activation.workflowSnapshot(), ofAnotherNode: 1 };
		const scheduled = await trigger({ activation: 'update', workflowStaticData: kept });
		expect(await eventsOf(scheduled)).toEqual(['caseCreated 1']);
		expect(scheduled.workflowSnapshot()).toEqual(kept);
	});

	it('is kept once, with the workflow, where n8n polls with timers in memory', async () => {
		const { store, published } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		expect(poller.snapshot()).toEqual({});
		expect(Object.values(poller.workflowSnapshot())).toEqual([
			expect.objectContaining({ counter: 2 }),
		]);
	});

	it('reports the edit of a case that only an unsaved poll has seen, where Case Updated alone is chosen', async () => {
		const { store, published, trigger, later } = await setUp();
		const events = ['caseUpdated'];
		const poller = await published({ events });
		store.createCase({ case_id: 1 });
		expect(await poller.poll()).toBeNull();
		later(30);
		store.updateCase(1, { name: 'Edited while n8n was down' });
		const restarted = await trigger({ events, activation: 'init', ...poller.savedData() });
		expect(await eventsOf(restarted)).toEqual(['caseUpdated 1']);
	});

	it.each([
		['n8n starts again', 'init', ['staticData', 'workflowStaticData']],
		['another main becomes the leader', 'leadershipChange', ['staticData', 'workflowStaticData']],
		['n8n lost that of the node because it was renamed', 'update', ['workflowStaticData']],
	] as const)('is continued from where %s', async (_when, activation, kept) => {
		const { store, published, trigger, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		expect(await poller.poll()).toBeNull();
		later(10);
		store.createCase({ case_id: 2 });
		const saved = poller.savedData();
		const given = Object.fromEntries(kept.map((name) => [name, saved[name]]));
		const next = await trigger({ ...given, activation });
		expect(await eventsOf(next)).toEqual(['caseCreated 2']);
		expect(await next.poll()).toBeNull();
	});
});
