import { eventsOf, failureOf, LIST, useTrigger } from './trigger';

/** What users met in the trigger before it was one window: each of these lost, repeated or stopped something. */

const setUp = useTrigger();

const commentsOf = (id: number) => `/api/v2/cases/${id}/comments`;

describe('a poll keeps what it has', () => {
	it('after an edit of many cases whose comments exceed the rate limit', async () => {
		const { sandbox, store, published, later } = await setUp();
		const ids = Array.from({ length: 120 }, (_, index) => index + 1);
		for (const id of ids) store.createCase({ case_id: id });
		later(300);
		const poller = await published({ events: ['commentAdded'], options: { concurrency: 1 } });
		for (const id of ids) {
			store.updateCase(id, { name: 'Edited' });
			store.addComment(id, 'Seen');
		}
		const polls: number[] = [];
		for (let poll = 0; poll < 4; poll++) {
			// The service answers fifty requests of a poll.
			sandbox.faults.clear();
			let answered = 0;
			const limit = () => {
				if (++answered !== 50) return;
				sandbox.faults.add({ times: 999, fault: { kind: 'status', status: 429, retryAfter: 60 } });
			};
			sandbox.faults.add({ times: 60, fault: { kind: 'change', run: limit } });
			polls.push((await eventsOf(poller)).length);
			later(60);
		}
		expect(polls.reduce((sum, found) => sum + found)).toBe(120);
		expect(polls[0]).toBeGreaterThan(40);
	}, 60_000);
});

describe('an outage', () => {
	it('ends a poll, which then requests the comments of no other case', async () => {
		const { sandbox, store, published, paths } = await setUp();
		const poller = await published({ events: ['commentAdded'], options: { concurrency: 1 } });
		for (const id of [1, 2, 3]) store.createCase({ case_id: id });
		const fault = { kind: 'status', status: 503 } as const;
		sandbox.faults.add({ match: { path: commentsOf(1) }, fault });
		expect((await failureOf(poller)).message).toBe('The service failed to answer (503)');
		expect(paths()).toEqual([LIST, `GET ${commentsOf(1)}`]);
	});
});

describe('one case stops no other', () => {
	it('where its comments time out, and they are reported once they can be read', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ options: { timeout: 500 } });
		for (const id of [1, 2]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		const hangs = { kind: 'latency', ms: 3000 } as const;
		sandbox.faults.add({ match: { path: commentsOf(1) }, times: 99, fault: hangs });
		const created = ['caseCreated 1', 'caseCreated 2'];
		expect(await eventsOf(poller)).toEqual([...created, 'commentAdded 2']);
		sandbox.faults.clear();
		later(10);
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		expect(await poller.poll()).toBeNull();
	});

	it('where its comments cannot be read for an hour, and the window is older than that', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (const id of [1, 2]) store.createCase({ case_id: id });
		const poller = await published({ events: ['commentAdded'] });
		for (const id of [1, 2]) {
			store.updateCase(id, { name: 'Edited' });
			store.addComment(id, 'Seen');
		}
		sandbox.deviate({ rows: { failing: [{ list: 'comments', status: 500, cases: [1] }] } });
		later(3600);
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
		sandbox.deviate();
		later(3600);
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
	});

	it('where three of them can never be read, and the window moves on', async () => {
		const { sandbox, store, published, later, paths } = await setUp();
		const poller = await published({ events: ['commentAdded'] });
		const failing = [404, 404, 500].map((status, index) => ({
			list: 'comments' as const,
			status,
			cases: [index + 1],
		}));
		sandbox.deviate({ rows: { failing } });
		for (const id of [1, 2, 3, 4]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		expect(await eventsOf(poller)).toEqual(['commentAdded 4']);
		for (let poll = 0; poll < 4; poll++) {
			later(120);
			store.updateCase(4, { name: `Edit ${poll}` });
			sandbox.clearRequests();
			expect(await poller.poll()).toBeNull();
		}
		expect(paths()).toEqual([LIST, `GET ${commentsOf(4)}`]);
	});

	it('and the window stays where the comments of no case can be read', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ events: ['caseCreated', 'commentAdded'] });
		store.createCase({ case_id: 1 });
		store.addComment(1, 'Seen');
		const failing = { list: 'comments', status: 500, share: 1 } as const;
		sandbox.deviate({ rows: { failing: [failing] } });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		for (let poll = 0; poll < 5; poll++) {
			later(120);
			expect(await poller.poll()).toBeNull();
		}
		sandbox.deviate();
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
	});
});

describe('what is watched', () => {
	it('continues where the workflow is published twice with durable cursors', async () => {
		const { store, trigger, later } = await setUp();
		const first = await trigger();
		expect(await first.poll()).toBeNull();
		later(30);
		const scheduled = await trigger({
			activation: 'update',
			workflowStaticData: first.workflowSnapshot(),
		});
		store.createCase({ case_id: 1 });
		expect(await eventsOf(scheduled)).toEqual(['caseCreated 1']);
		later(60);
		const workflowStaticData = scheduled.workflowSnapshot();
		const second = await trigger({ staticData: scheduled.snapshot(), workflowStaticData });
		expect(await second.poll()).toBeNull();
		later(10);
		store.createCase({ case_id: 2 });
		// n8n throws away what an activation stores for the node, if it starts nothing.
		const next = await trigger({
			activation: 'update',
			workflowStaticData: second.workflowSnapshot(),
		});
		expect(await eventsOf(next)).toEqual(['caseCreated 2']);
	});

	it('has nothing from before an event was added', async () => {
		const { store, published, trigger, later } = await setUp({ commentsTouchCase: true });
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseCreated'] });
		store.addComment(1, 'A week ago');
		later(7 * 86_400);
		expect(await poller.poll()).toBeNull();
		store.addComment(1, 'Just before');
		later(5);
		const events = ['caseCreated', 'activityAdded', 'commentAdded'];
		const changed = await trigger({ events, ...poller.savedData() });
		expect(await changed.poll()).toBeNull();
		later(10);
		store.addComment(1, 'New');
		expect((await eventsOf(changed)).sort()).toEqual(['activityAdded 1', 'commentAdded 1']);
	});

	it('has no edit from before Case Updated was added, while the workflow was not published', async () => {
		const { store, published, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseClosed'] });
		store.updateCase(1, { name: 'A week ago' });
		later(7 * 86_400);
		const events = ['caseClosed', 'caseUpdated'];
		const changed = await trigger({ events, ...poller.savedData() });
		expect(await changed.poll()).toBeNull();
		later(10);
		store.updateCase(1, { name: 'New' });
		expect(await eventsOf(changed)).toEqual(['caseUpdated 1']);
	});

	it('starts from now with another tenant, and reports no old case of it', async () => {
		const { store, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		const other = await setUp();
		for (let id = 1; id <= 30; id++) other.store.createCase({ case_id: id });
		other.later(7200);
		later(60);
		const moved = await other.trigger(poller.savedData());
		expect(await moved.poll()).toBeNull();
		other.later(30);
		other.store.updateCase(1, { name: 'Edited' });
		expect(await eventsOf(moved)).toEqual(['caseUpdated 1']);
	});

	it('stays the same where a filter has an expression with $now', async () => {
		const { store, published, later } = await setUp();
		const since = "={{ $now.minus({ days: 30 }).toFormat('yyyy-MM-dd HH:mm:ss') }}";
		const poller = await published({ filters: { start_date: since } });
		later(60);
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});
});

describe('an event', () => {
	it.each([0, 1])('is a creation whatever else happens, with %i other edits', async (others) => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2, priority: 'LOW' });
		const poller = await published({ filters: { priority: 'CRITICAL' } });
		store.createCase({ case_id: 3, priority: 'LOW' });
		const found: string[] = [];
		for (let poll = 0; poll < 20; poll++) {
			later(60);
			if (others > 0) store.createCase({ case_id: 100 + poll, priority: 'CRITICAL' });
			found.push(...(await eventsOf(poller)));
		}
		// It was created twenty minutes ago.
		store.updateCase(3, { priority: 'CRITICAL' });
		found.push(...(await eventsOf(poller)));
		expect(found.filter((event) => event.endsWith(' 3'))).toEqual(['caseUpdated 3']);
	});

	it('is reported where its case is edited right before each poll', async () => {
		const { store, published, later } = await setUp();
		const poller = await published({ events: ['caseCreated', 'caseUpdated'] });
		store.createCase({ case_id: 1 });
		const found: number[] = [];
		for (let poll = 0; poll < 5; poll++) {
			found.push(((await poller.pollAtOnce()) ?? []).length);
			later(60);
			store.updateCase(1, { name: `Edit ${poll}` });
		}
		expect(found).toEqual([0, 1, 0, 1, 0]);
	});

	it('is a closing that becomes visible late in a known second, and one in the same minute', async () => {
		const { store, published } = await setUp();
		for (const id of [1, 2]) store.createCase({ case_id: id });
		const poller = await published({ events: ['caseUpdated', 'caseClosed'] });
		const { updated_at } = store.updateCase(1, { name: 'Edited' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		store.updateCase(1, { status: 'CLOSED', resolved_at: updated_at, updated_at });
		store.closeCase(2);
		expect(await eventsOf(poller)).toEqual(['caseClosed 1', 'caseClosed 2']);
		expect(await poller.poll()).toBeNull();
	});

	it('waits until its second is over, as another one may follow', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseUpdated'] });
		store.updateCase(1, { name: 'First' });
		expect(await poller.pollAtOnce()).toBeNull();
		store.updateCase(1, { name: 'Second' });
		later(3);
		const items = (await poller.pollAtOnce()) ?? [];
		expect(items.map(({ json }) => json.name)).toEqual(['Second']);
	});
});
