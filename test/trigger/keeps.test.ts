import { eventsOf, failureOf, LIST, useTrigger } from './trigger';

/** What users met in the trigger before it was one window: each of these lost, repeated or stopped something. */

const setUp = useTrigger();

const commentsOf = (id: number) => `/api/v2/cases/${id}/comments`;

describe('an outage', () => {
	it('ends a poll among comments: it keeps what it has, and the next polls begin behind that case', async () => {
		const { sandbox, store, published, paths } = await setUp();
		const poller = await published({ events: ['commentAdded'], options: { concurrency: 1 } });
		for (const id of [1, 2, 3]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		const fault = { kind: 'status', status: 503 } as const;
		sandbox.faults.add({ times: 2, match: { path: commentsOf(2) }, fault });
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		expect(paths()).toEqual([LIST, `GET ${commentsOf(1)}`, `GET ${commentsOf(2)}`]);
		expect(await eventsOf(poller)).toEqual(['commentAdded 3']);
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
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

	it('where it times out: its other list is not requested in this poll', async () => {
		const { sandbox, store, published, paths } = await setUp({ detailsPerPage: 1 });
		const events = ['commentAdded', 'activityAdded'];
		const poller = await published({ events, options: { timeout: 500 } });
		for (const id of [1, 2]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		const hangs = { kind: 'latency', ms: 3000 } as const;
		sandbox.faults.add({ match: { path: '/cases/1/activities' }, times: 99, fault: hangs });
		expect((await eventsOf(poller)).sort()).toEqual([
			...['activityAdded 2', 'activityAdded 2', 'commentAdded 2'],
		]);
		expect(paths()).not.toContain(`GET ${commentsOf(1)}`);
		sandbox.faults.clear();
		expect((await eventsOf(poller)).sort()).toEqual([
			...['activityAdded 1', 'activityAdded 1', 'commentAdded 1'],
		]);
	});

	it('where those of two can never be read, and the window moves on', async () => {
		const { sandbox, store, published, later, paths } = await setUp();
		const poller = await published({ events: ['commentAdded'] });
		const list = 'comments' as const;
		const failing = [404, 500].map((status, index) => ({ list, status, cases: [index + 1] }));
		sandbox.deviate({ rows: { failing } });
		for (const id of [1, 2, 3]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		expect(await eventsOf(poller)).toEqual(['commentAdded 3']);
		for (let poll = 0; poll < 4; poll++) {
			later(120);
			store.updateCase(3, { name: `Edit ${poll}` });
			sandbox.clearRequests();
			expect(await poller.poll()).toBeNull();
		}
		expect(paths()).toEqual([LIST, `GET ${commentsOf(3)}`]);
	});

	it.each([302, 408, 425, 429, 503])(
		'where its comments and activities always answer %i, and the window moves on',
		async (status) => {
			const { sandbox, store, published, later, paths } = await setUp({
				commentsTouchCase: true,
				detailsPerPage: 1,
			});
			const events = ['caseCreated', 'commentAdded', 'activityAdded'];
			const poller = await published({ events, options: { concurrency: 1 } });
			const failing = (['comments', 'activities'] as const).map((list) => ({
				...{ list, status },
				cases: [1],
			}));
			sandbox.deviate({ rows: { failing } });
			const found: string[] = [];
			for (const id of [1, 2, 3]) {
				store.createCase({ case_id: id });
				store.addComment(id, 'Seen');
			}
			for (let poll = 0; poll < 6; poll++) {
				found.push(...(await eventsOf(poller)));
				later(120);
				store.addComment(3, `Comment ${poll}`);
			}
			const of = (id: number) => found.filter((event) => event.endsWith(` ${id}`)).length;
			// Two activities and a comment, and two more at each poll but the first.
			expect([of(1), of(2), of(3)]).toEqual([1, 4, 4 + 10]);
			sandbox.clearRequests();
			await poller.poll();
			expect(paths()).not.toContain(`GET ${commentsOf(1)}`);
		},
	);

	it('where its comments always answer 429, and those of another in Case IDs take several requests', async () => {
		const { sandbox, store, published } = await setUp();
		for (const id of [1, 2]) store.createCase({ case_id: id });
		const poller = await published({
			events: ['commentAdded'],
			filters: { case_ids: '1, 2' },
			options: { pageSize: 2, concurrency: 2 },
		});
		sandbox.deviate({ rows: { failing: [{ list: 'comments', status: 429, cases: [1] }] } });
		for (let comment = 0; comment < 9; comment++) store.addComment(2, `Comment ${comment}`);
		const found: string[] = [];
		for (let poll = 0; poll < 4; poll++) found.push(...(await eventsOf(poller)));
		expect(found).toEqual(Array.from({ length: 9 }, () => 'commentAdded 2'));
	});

	it('where its comments always answer 429, and those of a later one failed once', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ events: ['commentAdded'], options: { concurrency: 1 } });
		sandbox.deviate({ rows: { failing: [{ list: 'comments', status: 429, cases: [1] }] } });
		for (const id of [1, 2]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		sandbox.faults.add({ match: { path: commentsOf(2) }, fault: { kind: 'status', status: 500 } });
		const polls = [await eventsOf(poller), await eventsOf(poller), await eventsOf(poller)];
		expect(polls).toEqual([[], [], ['commentAdded 2']]);
	});

	it('but a refused key ends the poll before it, and is its failure', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ events: ['commentAdded'] });
		store.createCase({ case_id: 1 });
		store.addComment(1, 'Seen');
		sandbox.faults.add({ match: { path: commentsOf(1) }, fault: { kind: 'status', status: 401 } });
		const before = poller.saved();
		expect((await failureOf(poller)).message).toBe('The service refused the API key (401)');
		expect(poller.saved()).toEqual(before);
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
	});

	it('where the comments of two cases in Case IDs always answer 429, and the window moves on', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (const id of [1, 2, 3, 4]) store.createCase({ case_id: id });
		const filters = { case_ids: '1, 2, 3, 4' };
		const poller = await published({ events: ['caseUpdated', 'commentAdded'], filters });
		const fault = { list: 'comments', status: 429, cases: [1, 3] } as const;
		sandbox.deviate({ rows: { failing: [fault] } });
		const from = () => (Object.values(poller.workflowSnapshot())[0] as { from: number }).from;
		const before = from();
		const found: string[] = [];
		for (let poll = 0; poll < 8; poll++) {
			store.addComment(2, `Comment ${poll}`);
			store.addComment(4, `Comment ${poll}`);
			store.updateCase(4, { name: `Edit ${poll}` });
			found.push(...(await eventsOf(poller)));
			later(120);
		}
		expect(found.filter((event) => event === 'commentAdded 2')).toHaveLength(8);
		expect(found.filter((event) => event === 'commentAdded 4')).toHaveLength(8);
		expect(from()).toBeGreaterThan(before + 400);
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
	it('has nothing from before an event was added', async () => {
		const { store, published, trigger, later } = await setUp({ commentsTouchCase: true });
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['caseCreated'] });
		store.addComment(1, 'A week ago');
		later(7 * 86_400);
		expect(await poller.poll()).toBeNull();
		store.addComment(1, 'Just before');
		later(5);
		const events = ['caseCreated', 'caseUpdated', 'activityAdded', 'commentAdded'];
		const changed = await trigger({ events, ...poller.savedData() });
		expect(await changed.poll()).toBeNull();
		later(10);
		store.addComment(1, 'New');
		const found = (await eventsOf(changed)).sort();
		expect(found).toEqual(['activityAdded 1', 'caseUpdated 1', 'commentAdded 1']);
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
