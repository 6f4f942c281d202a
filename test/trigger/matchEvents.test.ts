import { useLog } from '../support/log';
import { eventsOf, failureOf, LIST, useNodeClock, useTrigger } from './trigger';

const setUp = useTrigger();
const lines = useLog();
const node = useNodeClock();

const EVENTS = ['caseMatched', 'caseUnmatched'];
const CRITICAL = { events: EVENTS, filters: { priority: 'CRITICAL' } };

/** A list that comes empty. */
const NO_CASES = {
	kind: 'raw',
	status: 200,
	body: JSON.stringify({ cases: [], meta: { pages: 1 } }),
} as const;

describe('Case Starts to Match and Case No Longer Matches', () => {
	it('report a case when its edit lets it match, and when another one ends that, once each', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		store.createCase({ case_id: 2, priority: 'CRITICAL' });
		const poller = await published(CRITICAL);
		store.updateCase(1, { priority: 'CRITICAL' });
		store.updateCase(2, { name: 'Still critical' });
		expect(await eventsOf(poller)).toEqual(['caseMatched 1']);
		later(10);
		store.updateCase(1, { name: 'Still critical' });
		expect(await poller.poll()).toBeNull();
		later(10);
		store.updateCase(1, { priority: 'HIGH' });
		expect(await poller.poll()).toBeNull();
		later(30);
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 1']);
		later(90);
		expect(await poller.poll()).toBeNull();
	});

	it('report a case that matches when it is created, after an earlier edit of another one', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 3, priority: 'LOW' });
		const poller = await published({ ...CRITICAL, events: ['caseCreated', ...EVENTS] });
		store.updateCase(3, { priority: 'CRITICAL' });
		later(10);
		store.createCase({ case_id: 1, priority: 'CRITICAL' });
		store.createCase({ case_id: 2, priority: 'LOW' });
		expect(await eventsOf(poller)).toEqual(['caseMatched 3', 'caseCreated 1', 'caseMatched 1']);
	});

	it.each([
		['caseMatched', 'caseMatched 1'],
		['caseUnmatched', 'caseUnmatched 2'],
	])('report nothing else where %s alone is chosen', async (event, expected) => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		store.createCase({ case_id: 2, priority: 'CRITICAL' });
		const poller = await published({ ...CRITICAL, events: [event] });
		store.updateCase(1, { priority: 'CRITICAL' });
		store.updateCase(2, { priority: 'LOW' });
		const found = [await eventsOf(poller), await eventsOf(poller)];
		expect(found.flat()).toEqual([expected]);
	});

	it('report a case that gets one of several priorities, which no request names', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		const filters = { priority: ['HIGH', 'CRITICAL'] };
		const poller = await published({ events: EVENTS, filters });
		store.updateCase(1, { priority: 'HIGH' });
		expect(await eventsOf(poller)).toEqual(['caseMatched 1']);
		later(10);
		store.updateCase(1, { priority: 'LOW' });
		expect(await poller.poll()).toBeNull();
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 1']);
	});

	it('take one more request for fifty edited cases, with their IDs', async () => {
		const { sandbox, store, published, paths } = await setUp();
		const poller = await published(CRITICAL);
		for (let id = 1; id <= 50; id++) store.createCase({ case_id: id, priority: 'LOW' });
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST, LIST]);
		const [edits, match] = sandbox.requests.map(({ query }) => query.filters as object);
		expect(Object.keys(edits)).toEqual(['updated_at_start_date', 'updated_at_end_date']);
		expect(match).toMatchObject({ priority: 'CRITICAL', case_ids: expect.anything() });
	});

	it('fail where the service ignores a filter', async () => {
		const { sandbox, store, published } = await setUp();
		for (let id = 1; id <= 5; id++) store.createCase({ case_id: id, priority: 'LOW' });
		const poller = await published(CRITICAL);
		sandbox.deviate({ filters: { ignored: ['priority'] } });
		for (let id = 1; id <= 5; id++) store.updateCase(id, { name: 'Still low' });
		const error = await failureOf(poller);
		expect(error.message).toBe("The service ignores the filter 'Priority'");
	});

	it('report nothing and keep the memory where a poll fails, and report it later', async () => {
		const { sandbox, store, published } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		const poller = await published(CRITICAL);
		store.updateCase(1, { priority: 'CRITICAL' });
		sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 503 } });
		const before = poller.saved();
		await failureOf(poller);
		expect(poller.saved()).toEqual(before);
		sandbox.faults.clear();
		expect(await eventsOf(poller)).toEqual(['caseMatched 1']);
	});

	it('tell last that a case matches which matches again while the poll reads', async () => {
		const { sandbox, store, published } = await setUp();
		store.createCase({ case_id: 1, priority: 'CRITICAL' });
		const poller = await published(CRITICAL);
		const { updated_at } = store.updateCase(1, { priority: 'LOW' });
		expect(await poller.poll()).toBeNull();
		// The first two requests decide that it no longer matches; the third lists the edits.
		const run = () => void store.updateCase(1, { priority: 'CRITICAL', updated_at });
		sandbox.clearRequests();
		sandbox.faults.add({ match: { nth: 3 }, fault: { kind: 'change', run } });
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 1', 'caseMatched 1']);
	});

	it('are found once the edit leaves the window, where the filters see it late', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ ...CRITICAL, events: ['caseCreated', ...EVENTS] });
		store.createCase({ case_id: 1, priority: 'CRITICAL' });
		sandbox.faults.add({ match: { nth: 2 }, fault: NO_CASES });
		const found: string[] = [];
		for (let poll = 0; poll < 6; poll++) {
			found.push(...(await eventsOf(poller)));
			later(60);
		}
		expect(found).toEqual(['caseMatched 1']);
	});

	it('do not take a case for one that no longer matches where the filtered list comes empty once', async () => {
		const { sandbox, store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'CRITICAL' });
		const poller = await published({ ...CRITICAL, events: ['caseUpdated', ...EVENTS] });
		store.updateCase(1, { name: 'Still critical' });
		sandbox.faults.add({ match: { nth: 2 }, fault: NO_CASES });
		expect(await poller.poll()).toBeNull();
		later(30);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		later(90);
		expect(await poller.poll()).toBeNull();
	});
});

describe('the memory of which cases match', () => {
	const DAY = 86_400;

	it('is read again once a day, and then finds what no edit shows', async () => {
		const { store, published, later } = await setUp();
		for (let id = 1; id <= 4; id++) store.createCase({ case_id: id, priority: 'CRITICAL' });
		const dated = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
		store.createCase({ case_id: 5, priority: 'LOW', ...dated });
		const poller = await published(CRITICAL);
		store.deleteCase(2);
		store.updateCase(5, { priority: 'CRITICAL', ...dated });
		later(DAY - 3600);
		expect(await poller.poll()).toBeNull();
		later(3600);
		expect(await eventsOf(poller)).toEqual(['caseMatched 5']);
		later(60);
		const [{ json }, ...others] = (await poller.poll()) ?? [];
		expect(others).toEqual([]);
		expect(json).toMatchObject({ event: 'caseUnmatched', case_id: 2, event_time: null });
		expect(json.event_id).toMatch(/^caseUnmatched-2-2026-02-01T[\d:]{8}Z$/);
		expect(await poller.poll()).toBeNull();
	});

	it('is read again also where a clock that was years ahead was set back', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'CRITICAL' });
		later(1000 * DAY);
		const poller = await published(CRITICAL);
		later(-999 * DAY);
		store.deleteCase(1);
		expect(await poller.poll()).toBeNull();
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 1']);
	});

	it('takes requests for all that match at the start and once a day alone', async () => {
		const { sandbox, store, trigger, later, paths } = await setUp();
		for (const id of [1, 2]) store.createCase({ case_id: id, priority: 'CRITICAL' });
		const poller = await trigger(CRITICAL);
		const requests: number[] = [];
		for (const seconds of [300, 300, 300, DAY, 300]) {
			later(seconds);
			sandbox.clearRequests();
			expect(await poller.poll()).toBeNull();
			requests.push(paths().length);
		}
		expect(requests).toEqual([6, 2, 1, 4, 1]);
	});

	it('is kept where the lists of a poll come empty', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 4; id++) store.createCase({ case_id: id, priority: 'CRITICAL' });
		const poller = await published(CRITICAL);
		later(DAY);
		sandbox.faults.add({ times: 99, fault: NO_CASES });
		expect(await poller.poll()).toBeNull();
		sandbox.faults.clear();
		later(60);
		expect(await poller.poll()).toBeNull();
		expect(await poller.poll()).toBeNull();
	});

	it('stops no event where a page of its daily read answers 500, and is read an hour later', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 4; id++) {
			store.createCase({ case_id: id, priority: 'CRITICAL' });
			later(60);
		}
		const poller = await published({ ...CRITICAL, options: { pageSize: 2 } });
		later(DAY);
		store.createCase({ case_id: 5, priority: 'CRITICAL' });
		sandbox.faults.add({ times: 99, match: { page: 2 }, fault: { kind: 'status', status: 500 } });
		store.deleteCase(2);
		lines.length = 0;
		expect(await eventsOf(poller)).toEqual(['caseMatched 5']);
		expect(lines.map(({ message }) => message)).toEqual([
			expect.stringContaining('Which cases match could not be read: The service had an error'),
		]);
		sandbox.faults.clear();
		later(3600);
		expect(await poller.poll()).toBeNull();
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 2']);
	});

	it('ends its daily read with the time of the poll, which then reads the changes, and reads again an hour later', async () => {
		const { sandbox, store, published, later, paths } = await setUp();
		for (let id = 1; id <= 9; id++) {
			store.createCase({ case_id: id, priority: 'CRITICAL' });
			later(60);
		}
		const poller = await published({ ...CRITICAL, options: { pageSize: 1, concurrency: 1 } });
		later(DAY);
		store.createCase({ case_id: 10, priority: 'CRITICAL' });
		sandbox.faults.add({
			match: { path: '/cases$' },
			times: 99,
			fault: { kind: 'change', run: () => node.later(60) },
		});
		sandbox.clearRequests();
		lines.length = 0;
		const found = await eventsOf(poller);
		expect(lines[0].message).toContain('could not be read: The time of the poll is up');
		// A poll may read for 150 seconds: the count and two pages. Then it reads a page of edits, and which of these match.
		expect(paths()).toHaveLength(5);
		sandbox.faults.clear();
		while (found.length === 0) found.push(...(await eventsOf(poller)));
		expect(found).toEqual(['caseMatched 10']);
		later(3600);
		sandbox.clearRequests();
		expect(await poller.poll()).toBeNull();
		expect(paths().length).toBeGreaterThan(10);
	});

	it('is refused beyond ten thousand cases, and continues once no more match', async () => {
		const { store, trigger, later } = await setUp({ grown: ['page-size'] });
		for (let id = 1; id <= 10_001; id++) store.createCase({ case_id: id, priority: 'CRITICAL' });
		later(300);
		const poller = await trigger({ ...CRITICAL, options: { pageSize: 500 } });
		const refused = {
			message: 'More than 10000 cases match the filters',
			description: expect.stringContaining("Add more 'Filters', or remove these events"),
		};
		expect(await failureOf(poller)).toMatchObject(refused);
		store.updateCase(1, { priority: 'LOW' });
		expect(await poller.poll()).toBeNull();
		later(30);
		store.createCase({ case_id: 20_001, priority: 'CRITICAL' });
		expect(await failureOf(poller)).toMatchObject(refused);
		store.updateCase(2, { priority: 'LOW' });
		expect(await eventsOf(poller)).toEqual(['caseMatched 20001']);
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 2']);
	});
});

describe('a test run in the editor with events of matches', () => {
	it('shows a case that matches, and one that does not', async () => {
		const { store, trigger, later } = await setUp();
		for (const priority of ['LOW', 'CRITICAL', 'HIGH'] as const) {
			store.createCase({ priority });
			later(10);
		}
		const poller = await trigger({ ...CRITICAL, mode: 'manual', activation: 'manual' });
		expect(await eventsOf(poller)).toEqual(['caseUnmatched 3', 'caseMatched 2']);
	});
});
