import { eventsOf, LIST, NOON, useNodeClock, useTrigger } from './trigger';

const setUp = useTrigger();
const node = useNodeClock();

/** Half of the time that n8n gives a poll by default. */
const HALF = 150;

describe('the requests of a poll', () => {
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

	it('sends dates in the timezone of the workflow, and an end in the future, as the API does not document which it takes', async () => {
		const { sandbox, clock, published } = await setUp();
		const filters = { start_date: '2026-01-31T08:00:00' };
		await (await published({ filters, timezone: 'Asia/Tokyo' })).poll();
		const sent = sandbox.requests[0].query.filters as Record<string, string>;
		expect(sent.start_date).toBe('2026-01-30T23:00:00Z');
		expect(Date.parse(sent.updated_at_end_date)).toBeGreaterThan(clock.now + 24 * 3_600_000);
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

	it('works where n8n sets no time limit', async () => {
		const { store, published } = await setUp();
		const poller = await published({ pollBudget: false });
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});
});

describe('a trigger with Case IDs', () => {
	it('reports comments on given cases that match its other filters, although these are not edited', async () => {
		const { store, published, later, paths } = await setUp();
		for (const status of ['OPEN', 'CLOSED', 'OPEN', 'OPEN'] as const) store.createCase({ status });
		const filters = { case_ids: '1,2,3', status: 'OPEN' };
		const poller = await published({ events: ['commentAdded'], filters });
		later(100);
		store.deleteCase(3);
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST, LIST, 'GET /api/v2/cases/1/comments']);
		store.addComment(1, 'Seen');
		store.addComment(2, 'Closed');
		store.addComment(4, 'Not given');
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		expect(await poller.poll()).toBeNull();
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
});
