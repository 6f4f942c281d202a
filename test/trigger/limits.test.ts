import { eventsOf, LIST, NOON, useNodeClock, useTrigger } from './trigger';

const setUp = useTrigger();
const node = useNodeClock();

/** Half of the time that n8n gives a poll by default. */
const HALF = 150;

describe('the requests of a poll', () => {
	it('makes one request when nothing changed', async () => {
		const { store, published, paths } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published();
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST]);
	});

	it('makes one request long after the last edit, also after a bulk edit', async () => {
		const { store, published, later, paths, sandbox } = await setUp();
		for (let id = 1; id <= 120; id++) store.createCase({ case_id: id });
		const poller = await published();
		for (let poll = 0; poll < 2; poll++) {
			later(120);
			await poller.poll();
		}
		sandbox.clearRequests();
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST]);
	});

	it('sends an end in the future, because the API does not document which end it takes by default', async () => {
		const { sandbox, clock, published } = await setUp();
		await (await published()).poll();
		const { updated_at_end_date } = sandbox.requests[0].query.filters as Record<string, string>;
		expect(Date.parse(updated_at_end_date)).toBeGreaterThan(clock.now + 24 * 3_600_000);
	});

	it('sends dates in the timezone of the workflow', async () => {
		const { sandbox, published } = await setUp();
		const poller = await published({
			filters: { start_date: '2026-01-31T08:00:00' },
			timezone: 'Asia/Tokyo',
		});
		await poller.poll();
		expect(sandbox.requests[0].query.filters).toMatchObject({
			start_date: '2026-01-30T23:00:00Z',
		});
	});
});

describe('a poll within its limits', () => {
	it('leaves what exceeds Max Cases to the next polls, in order', async () => {
		const { store, published, later } = await setUp();
		const poller = await published({ options: { maxCases: 3, pageSize: 2 } });
		for (let id = 1; id <= 8; id++) {
			store.createCase({ case_id: id });
			later(id % 3);
		}
		const polls = [await eventsOf(poller), await eventsOf(poller), await eventsOf(poller)];
		expect(polls.map((events) => events.length)).toEqual([3, 3, 2]);
		expect(polls.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((id) => `caseCreated ${id}`));
		expect(await poller.poll()).toBeNull();
	});

	it('leaves the rest to the next poll when its time is up', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ options: { pageSize: 2 } });
		for (let id = 1; id <= 4; id++) {
			store.createCase({ case_id: id });
			later(10);
		}
		const pass = () => node.later(HALF * 0.6);
		sandbox.faults.add({ times: 2, fault: { kind: 'change', run: pass } });
		const first = await eventsOf(poller);
		const rest = await eventsOf(poller);
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(4);
		expect([...first, ...rest]).toEqual([1, 2, 3, 4].map((id) => `caseCreated ${id}`));
	});

	it('leaves cases to the next poll when its time is up among their comments', async () => {
		const { sandbox, store, published, later, paths } = await setUp();
		const poller = await published({ options: { pageSize: 2, concurrency: 1 } });
		for (let id = 1; id <= 4; id++) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
			later(10);
		}
		for (const id of [1, 2]) {
			const path = `/api/v2/cases/${id}/comments`;
			const pass = () => node.later(HALF * 0.6);
			sandbox.faults.add({ match: { path }, fault: { kind: 'change', run: pass } });
		}
		expect(await eventsOf(poller)).toEqual(
			[1, 2].flatMap((id) => [`caseCreated ${id}`, `commentAdded ${id}`]),
		);
		expect(paths().filter((path) => path.includes('comments'))).toHaveLength(2);
		expect(await eventsOf(poller)).toEqual(
			[3, 4].flatMap((id) => [`caseCreated ${id}`, `commentAdded ${id}`]),
		);
		expect(await poller.poll()).toBeNull();
	});

	it('handles one case although its time is up once the cases are listed', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published();
		for (const id of [1, 2]) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
		}
		const pass = () => node.later(HALF * 1.1);
		sandbox.faults.add({ fault: { kind: 'change', run: pass } });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1', 'commentAdded 1']);
		expect(await eventsOf(poller)).toEqual(['caseCreated 2', 'commentAdded 2']);
	});

	it('works where n8n sets no time limit', async () => {
		const { store, published } = await setUp();
		const poller = await published({ pollBudget: false });
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});

	it('repeats nothing while another poll of the same trigger runs', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 50 } });
		const both = await Promise.all([eventsOf(poller), eventsOf(poller)]);
		expect(both.flat()).toEqual(['caseCreated 1']);
		expect(await poller.poll()).toBeNull();
	});
});

describe('a trigger with Case IDs', () => {
	it('reports comments on given cases although these are not edited', async () => {
		const { store, published, later, paths } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		const poller = await published({ filters: { case_ids: '1' } });
		later(100);
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST, LIST, 'GET /api/v2/cases/1/comments']);
		store.addComment(1, 'Seen');
		store.addComment(2, 'Not watched');
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		expect(await poller.poll()).toBeNull();
	});

	it('reports the activities of given cases', async () => {
		const { store, published } = await setUp({ commentsTouchCase: true });
		for (const id of [1, 2]) store.createCase({ case_id: id });
		const poller = await published({ events: ['activityAdded'], filters: { case_ids: '1' } });
		for (const id of [1, 2]) store.addComment(id, 'Seen');
		expect(await eventsOf(poller)).toEqual(['activityAdded 1']);
	});

	it('reports no comments on given cases that do not match its other filters', async () => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1, status: 'CLOSED' });
		store.createCase({ case_id: 2 });
		const poller = await published({
			filters: { case_ids: '1,2', status: 'OPEN' },
			events: ['commentAdded'],
		});
		store.addComment(1, 'Closed');
		store.addComment(2, 'Open');
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
	});

	it('continues with the next given case when the time was up among their comments', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 4; id++) store.createCase({ case_id: id });
		later(60);
		const poller = await published({
			events: ['commentAdded'],
			filters: { case_ids: '1,2,3,4' },
			options: { concurrency: 1 },
		});
		for (let id = 1; id <= 4; id++) store.addComment(id, 'Seen');
		const polls: string[][] = [];
		for (let poll = 0; poll < 4; poll++) {
			for (let id = 1; id <= 4; id++) {
				const path = `/api/v2/cases/${id}/comments`;
				const pass = () => node.later(HALF * 1.1);
				sandbox.faults.add({ match: { path }, fault: { kind: 'change', run: pass } });
			}
			polls.push(await eventsOf(poller));
			sandbox.faults.clear();
			if (poll === 0) {
				store.addComment(2, 'Behind the place to continue from');
				store.addComment(4, 'Ahead of it');
			}
			later(1800);
			// The window would move on to this edit.
			store.updateCase(1, { name: `Edit ${poll}` });
		}
		expect(polls).toEqual([
			['commentAdded 2'],
			['commentAdded 3'],
			['commentAdded 4', 'commentAdded 4'],
			['commentAdded 1'],
		]);
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
	});

	it('reports only given cases when their IDs are too long for one URL', async () => {
		const { sandbox, store, published, later } = await setUp();
		const first = 1_000_000_000_000; // long IDs: fewer fill a URL
		const given = Array.from({ length: 160 }, (_, index) => first + index);
		for (const id of given) store.createCase({ case_id: id, created_at: NOON - 3_600_000 });
		const poller = await published({ filters: { case_ids: given }, options: { concurrency: 16 } });
		store.createCase({ case_id: 1000 });
		store.updateCase(given[7], { priority: 'HIGH' });
		later(10);
		store.addComment(given[150], 'Seen');
		store.addComment(1000, 'Not given');
		expect(await eventsOf(poller)).toEqual([
			`caseUpdated ${given[7]}`,
			`commentAdded ${given[150]}`,
		]);
		expect(sandbox.requests.every(({ queryString }) => queryString.length < 6000)).toBe(true);
		expect(await poller.poll()).toBeNull();
		const size = JSON.stringify([poller.snapshot(), poller.workflowSnapshot()]).length;
		expect(size).toBeLessThan(2048);
	});

	it('skips the comments of a given case that is gone, and reads those of the others', async () => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		const poller = await published({ filters: { case_ids: '1,2' } });
		store.deleteCase(1);
		store.addComment(2, 'Seen');
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
	});
});

describe('a service that differs from the document', () => {
	const DAY_AHEAD = { clock: { future: { at: '2031-01-01T00:00:00Z', cases: [1] } } };

	it('is followed although one case is dated years ahead, which is reported once', async () => {
		const { sandbox, store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		const poller = await published();
		sandbox.deviate(DAY_AHEAD);
		store.updateCase(1, { name: 'Dated ahead' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		later(60);
		store.updateCase(2, { name: 'Later' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 2']);
		expect(await poller.poll()).toBeNull();
	});

	it('gets no Case Updated where only a running number of a case differs', async () => {
		const { store, published, later } = await setUp({ grown: ['further-fields'] });
		store.createCase({ case_id: 1 });
		const poller = await published();
		store.updateCase(1, { name: 'Renamed' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		for (const seconds of [0, 1, 30, 120]) {
			later(seconds);
			expect(await poller.poll()).toBeNull();
		}
	});

	it('has a comment reported that shows only after the poll that saw its case', async () => {
		const { sandbox, store, published, later } = await setUp({ commentsTouchCase: true });
		store.createCase({ case_id: 1 });
		const poller = await published({ events: ['commentAdded'] });
		sandbox.deviate({ rows: { lateComments: { seconds: 100 } } });
		store.addComment(1, 'Shows late');
		expect(await poller.poll()).toBeNull();
		const found: string[] = [];
		for (let poll = 0; poll < 5; poll++) {
			later(60);
			found.push(...(await eventsOf(poller)));
		}
		expect(found).toEqual(['commentAdded 1']);
	});

	it('loses no other event to rows without usable times, nor to a case whose comments fail', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published();
		for (const case_id of [1, 2, 3, 4]) {
			store.createCase({ case_id });
			store.addComment(case_id, 'Seen');
		}
		sandbox.deviate({
			rows: {
				fields: [
					{ path: 'updated_at', value: 'soon', cases: [1] },
					{ path: 'created_at', value: null, cases: [2] },
					{ list: 'comments', path: 'created_at', cases: [3] },
				],
				failing: [{ list: 'comments', status: 500, cases: [4] }],
			},
		});
		const events = await eventsOf(poller);
		expect(events.sort()).toEqual([
			'caseCreated 3',
			'caseCreated 4',
			'caseUpdated 2',
			'commentAdded 2',
		]);
	});
});
