import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CaseStore, type FaultRule, type Sandbox, type SandboxOptions } from '../../sandbox';
import { createPoller, type Poller, type PollerOptions } from '../../tools/engine/poll';
import { expectNoKey, useSandboxes } from '../support/service';

const TRIGGER = 'n8n-nodes-cases.casesTrigger';
const ALL_EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];
const NOON = Date.parse('2026-01-31T12:00:00Z');
const LIST = 'GET /api/v2/cases';

const startSandbox = useSandboxes();
const sandboxes: Sandbox[] = [];

async function start(options: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	sandboxes.push(sandbox);
	return sandbox;
}

/** Strict services found nothing outside the API document in any request of the test. */
afterEach(() => {
	const rejected = sandboxes.splice(0).flatMap((sandbox) => sandbox.rejected);
	expect(rejected).toEqual([]);
});

interface Options
	extends Pick<
		PollerOptions,
		| 'activation'
		| 'budgetMs'
		| 'mode'
		| 'pollBudget'
		| 'staticData'
		| 'timezone'
		| 'workflowStaticData'
	> {
	events?: string[];
	filters?: IDataObject;
	options?: IDataObject;
	parameters?: IDataObject;
}

/** A service with a clock that tests move, and triggers that look at it. */
async function setUp(options: SandboxOptions & { commentsTouchCase?: boolean } = {}) {
	const clock = { now: NOON };
	const store = new CaseStore({
		now: () => new Date(clock.now),
		commentsTouchCase: options.commentsTouchCase,
	});
	const sandbox = await start({ ...options, store });
	const later = (seconds: number) => {
		clock.now += seconds * 1000;
	};
	/** As n8n would start it: without parameters it looks for all events. */
	const trigger = async ({ events, filters, options, parameters, ...rest }: Options = {}) =>
		await createPoller({
			...rest,
			type: TRIGGER,
			parameters: {
				events: events ?? ALL_EVENTS,
				filters: filters ?? {},
				options: { maxRetries: 0, ...options },
				...parameters,
			} as INodeParameters,
			credentials: { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } },
		});
	/** A trigger that has been activated. */
	const published = async (given: Options = {}): Promise<Poller> => {
		const poller = await trigger(given);
		expect(await poller.poll()).toBeNull();
		later(30);
		sandbox.clearRequests();
		return poller;
	};
	const paths = () => sandbox.requests.map(({ method, path }) => `${method} ${path}`);
	return { sandbox, store, clock, later, trigger, published, paths };
}

/** What a poll gave, as `event case`. */
async function eventsOf(poller: Poller): Promise<string[]> {
	const items = (await poller.poll()) ?? [];
	return items.map(({ json }) => `${json.event as string} ${json.case_id as number}`);
}

async function failureOf(poller: Poller) {
	const error: unknown = await poller.poll().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return error as Error & { description?: string; failure?: { retryAfterMs?: number } };
}

describe('events', () => {
	it('are created, updated, closed and commented cases', async () => {
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
	])('are those chosen: %j', async (events, expected) => {
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

	it('of a case created and closed between two polls are both, in that order', async () => {
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

	it('of comments on cases given by ID come although the case is not edited', async () => {
		const { store, published, later, paths } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		const poller = await published({ filters: { case_ids: '1' } });
		later(100);
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST, 'GET /api/v2/cases/1/comments']);
		store.addComment(1, 'Seen');
		store.addComment(2, 'Not watched');
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		expect(await poller.poll()).toBeNull();
	});
});

describe('filters', () => {
	it('are judged at the poll: an old case that only now matches is an update', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		later(60);
		const poller = await published({ filters: { priority: 'CRITICAL' } });
		store.createCase({ case_id: 2, priority: 'LOW' });
		store.updateCase(1, { priority: 'CRITICAL' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});

	it('that never let an event through are refused with the reason', async () => {
		const { sandbox, trigger } = await setUp();
		const error = await failureOf(
			await trigger({ events: ['caseClosed'], filters: { status: 'OPEN' } }),
		);
		expect(error.message).toBe('Case Closed can never fire together with the filter Status: Open');
		expect(error.description).toContain('a closed case is no longer open');
		expect(sandbox.requests).toEqual([]);
	});

	it('that never let one of several events through are refused too', async () => {
		const { trigger } = await setUp();
		const filters = { status: 'OPEN' };
		const error = await failureOf(
			await trigger({ events: ['caseCreated', 'caseClosed'], filters }),
		);
		expect(error.message).toBe('Case Closed can never fire together with the filter Status: Open');
	});

	it('with an empty list of case IDs are refused', async () => {
		const { sandbox, trigger } = await setUp();
		const error = await failureOf(await trigger({ filters: { case_ids: '={{ [] }}' } }));
		expect(error.message).toBe('Case IDs is an empty list, so the trigger can never fire');
		expect(error.description).toBe('Give at least one case ID, or remove the filter.');
		expect(sandbox.requests).toEqual([]);
	});

	it('read dates in the timezone of the workflow', async () => {
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

describe('the first poll', () => {
	it('emits nothing, and the next what came since', async () => {
		const { store, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await trigger();
		expect(await poller.poll()).toBeNull();
		later(5);
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
	});

	it('goes back to Start From, in the timezone of the workflow', async () => {
		const { store, trigger } = await setUp();
		store.createCase({ case_id: 1, created_at: '2026-01-31T05:59:59Z' });
		store.createCase({ case_id: 2, created_at: '2026-01-31T06:00:00Z' });
		const poller = await trigger({
			options: { startFrom: '2026-01-31T07:00:00' },
			timezone: 'Europe/Berlin',
		});
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		expect(await poller.poll()).toBeNull();
	});

	it('fails clearly where the service is out and no place to go on from is known', async () => {
		const { sandbox, trigger } = await setUp();
		sandbox.faults.add({ times: 3, fault: { kind: 'status', status: 503 } });
		const poller = await trigger({ options: { maxRetries: 2 } });
		const error = await failureOf(poller);
		expect(error.message).toBe('The service failed to answer (503)');
		expect(error.description).toContain('Tried 3 times.');
		expect(sandbox.requests).toHaveLength(3);
		expect(poller.snapshot()).toEqual({});
	});

	const answering = (body: object, headers: Record<string, string> = {}): FaultRule => ({
		times: 9,
		fault: { kind: 'raw', status: 200, headers, body: JSON.stringify(body) },
	});
	const UNDATED = { date: 'none' };
	const EARLIER = '2026-01-31T11:59:59Z';

	it('fails clearly where nothing tells a time to start from', async () => {
		const { sandbox, trigger } = await setUp();
		sandbox.faults.add(answering({ cases: [], meta: { pages: 1 } }, UNDATED));
		const poller = await trigger();
		const error = await failureOf(poller);
		expect(error.message).toBe('The service tells no time to start from');
		expect(error.description).toContain('Set Start From under Options.');
		expect(sandbox.requests).toHaveLength(1);
		expect(poller.snapshot()).toEqual({});
	});

	it('starts from the last edit where the service tells no date', async () => {
		const { sandbox, store, trigger, later } = await setUp();
		const { created_at, updated_at } = store.createCase({ case_id: 1 });
		const known = { case_id: 1, created_at, updated_at };
		sandbox.faults.add(answering({ cases: [known], meta: { pages: 1 } }, UNDATED));
		const poller = await trigger({ events: ['caseCreated'] });
		expect(await poller.poll()).toBeNull();
		sandbox.faults.clear();
		later(5);
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
	});

	test.each([
		['updated_at', { updated_at: 'soon' }, '"soon"'],
		['updated_at', { updated_at: 7 }, '"7"'],
		['created_at', { updated_at: EARLIER }, '""'],
		[
			'resolved_at',
			{ created_at: EARLIER, updated_at: EARLIER, status: 'CLOSED', resolved_at: 'soon' },
			'"soon"',
		],
	])('fails clearly where %s is no time: %j', async (field, row, value) => {
		const { sandbox, trigger } = await setUp();
		sandbox.faults.add(answering({ cases: [{ case_id: 1, ...row }], meta: { pages: 1 } }));
		const error = await failureOf(await trigger());
		expect(error.message).toBe(`The service sent ${value} as ${field}, which is not a time`);
		expect(error.description).toContain(`why ${field} is none.`);
	});

	it('does not throw in an outage where the place to go on from is known', async () => {
		const { sandbox, store, published, trigger } = await setUp();
		const kept = (await published()).saved();
		sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
		const poller = await trigger({ staticData: kept, activation: 'init' });
		expect(await poller.poll()).toBeNull();
		expect(poller.snapshot()).toEqual(kept);
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});

	it('whose node data n8n drops, as with durable cursors, loses nothing', async () => {
		const { store, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		const activation = await trigger();
		expect(await activation.poll()).toBeNull();
		later(30);
		store.createCase({ case_id: 2 });
		later(30);
		const scheduled = await trigger({
			activation: 'update',
			workflowStaticData: activation.workflowSnapshot(),
		});
		expect(await eventsOf(scheduled)).toEqual(['caseCreated 2']);
		expect(await scheduled.poll()).toBeNull();
	});

	it('that is renamed goes on from its last poll, though n8n finds no state under the new name', async () => {
		const { store, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		const before = await trigger();
		expect(await before.poll()).toBeNull();
		later(30);
		store.createCase({ case_id: 2 });
		expect(await eventsOf(before)).toEqual(['caseCreated 2']);
		later(30);
		store.createCase({ case_id: 3 });
		const renamed = await trigger({
			activation: 'update',
			workflowStaticData: before.workflowSnapshot(),
		});
		expect(await eventsOf(renamed)).toEqual(['caseCreated 3']);
	});
});

describe('a test run in the editor', () => {
	it('shows the newest matching cases and leaves the static data alone', async () => {
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

	it('shows the cases that fit a case event, the last edited first, and then comments of all', async () => {
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

	it('says so when no case matches', async () => {
		const { trigger } = await setUp();
		const error = await failureOf(await trigger({ mode: 'manual', activation: 'manual' }));
		expect(error.message).toBe('No case matches right now');
	});
});

describe('a poll', () => {
	it('without news is one request', async () => {
		const { store, published, paths } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published();
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST]);
	});

	it('long after the last edit is one request, also after a bulk edit', async () => {
		const { store, published, later, paths, sandbox } = await setUp();
		for (let id = 1; id <= 120; id++) store.createCase({ case_id: id });
		const poller = await published();
		later(100);
		await poller.poll();
		sandbox.clearRequests();
		expect(await poller.poll()).toBeNull();
		expect(paths()).toEqual([LIST]);
	});

	it('that fails says why, when to come again, and leaves the cursor where it was', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ options: { pageSize: 2 } });
		const before = poller.snapshot();
		for (let id = 1; id <= 5; id++) store.createCase({ case_id: id });
		sandbox.faults.add({
			match: { nth: 2 },
			fault: { kind: 'status', status: 429, retryAfter: 90, body: { error: 'Too many' } },
		});
		const error = await failureOf(poller);
		expect(error.message).toBe('Rate limit reached (429)');
		expect(error.description).toContain('The service says: Too many');
		expect(error.failure?.retryAfterMs).toBe(90_000);
		expectNoKey(error, Object.values(sandbox.keys));
		expect(poller.snapshot()).toEqual(before);
		expect(await eventsOf(poller)).toHaveLength(5);
	});

	it('with more than Max Cases leaves the rest to the next ones, in order', async () => {
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

	it('whose time is up leaves the rest to the next one', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ options: { pageSize: 2 }, budgetMs: 2000 });
		for (let id = 1; id <= 4; id++) {
			store.createCase({ case_id: id });
			later(10);
		}
		sandbox.faults.add({ times: 2, fault: { kind: 'latency', ms: 600 } });
		const first = await eventsOf(poller);
		const rest = await eventsOf(poller);
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(4);
		expect([...first, ...rest]).toEqual([1, 2, 3, 4].map((id) => `caseCreated ${id}`));
	});

	it('that takes long does not run ahead of an edit that is written late', async () => {
		const { sandbox, store, clock, published } = await setUp();
		const poller = await published({ events: ['caseCreated'], options: { pageSize: 2 } });
		const begin = clock.now;
		const create = (case_id: number, seconds: number) =>
			store.createCase({ case_id, created_at: begin + seconds * 1000 });
		const meanwhile = (nth: number, seconds: number, run: () => void) => {
			const change = () => {
				clock.now = begin + seconds * 1000;
				run();
			};
			sandbox.faults.add({ match: { nth }, fault: { kind: 'change', run: change } });
		};
		for (const id of [1, 2, 3]) create(id, id - 5);
		meanwhile(2, 20, () => [4, 5].forEach((id) => create(id, 20)));
		meanwhile(4, 28, () => {
			// Dated four seconds before the edits read by then, and there just after them.
			create(6, 16);
			create(7, 28);
		});
		const first = await eventsOf(poller);
		expect(first).toContain('caseCreated 7');
		expect(first).not.toContain('caseCreated 6');
		expect(await eventsOf(poller)).toEqual(['caseCreated 6']);
		expect(await poller.poll()).toBeNull();
	});

	it('whose time is up among the comments of changed cases leaves the other cases to the next one', async () => {
		const { sandbox, store, published, later, paths } = await setUp();
		const poller = await published({ options: { pageSize: 2, concurrency: 1 }, budgetMs: 1000 });
		for (let id = 1; id <= 4; id++) {
			store.createCase({ case_id: id });
			store.addComment(id, 'Seen');
			later(10);
		}
		for (const id of [1, 2]) {
			const path = `/api/v2/cases/${id}/comments`;
			sandbox.faults.add({ match: { path }, fault: { kind: 'latency', ms: 300 } });
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

	it('whose time is up among the comments of given cases goes on with the next case', async () => {
		const { sandbox, store, published, later } = await setUp();
		for (let id = 1; id <= 4; id++) store.createCase({ case_id: id });
		later(60);
		const poller = await published({
			events: ['commentAdded'],
			filters: { case_ids: '1,2,3,4' },
			options: { concurrency: 1 },
			budgetMs: 1000,
		});
		for (let id = 1; id <= 4; id++) store.addComment(id, 'Seen');
		const polls: string[][] = [];
		for (let poll = 0; poll < 3; poll++) {
			for (let id = 1; id <= 4; id++) {
				const path = `/api/v2/cases/${id}/comments`;
				sandbox.faults.add({ match: { path }, fault: { kind: 'latency', ms: 300 } });
			}
			polls.push(await eventsOf(poller));
			sandbox.faults.clear();
			if (poll === 0) {
				store.addComment(1, 'Behind the place to go on from');
				later(100);
				store.addComment(4, 'Ahead of it, and read first');
			}
			later(10);
		}
		expect(polls[0]).toEqual(['commentAdded 1', 'commentAdded 2']);
		expect(polls.flat().sort()).toEqual([1, 1, 2, 3, 4, 4].map((id) => `commentAdded ${id}`));
		expect(await poller.poll()).toBeNull();
	});

	it('asks with an end in the future, for the document leaves the usual end open', async () => {
		const { sandbox, clock, published } = await setUp();
		await (await published()).poll();
		const { updated_at_end_date } = sandbox.requests[0].query.filters as Record<string, string>;
		expect(Date.parse(updated_at_end_date)).toBeGreaterThan(clock.now + 24 * 3_600_000);
	});

	it('with more case IDs than an address can hold reports these cases alone', async () => {
		const { sandbox, store, published, later } = await setUp();
		const given = Array.from({ length: 400 }, (_, index) => index + 1);
		for (const id of given) store.createCase({ case_id: id, created_at: NOON - id * 60_000 });
		const poller = await published({ filters: { case_ids: given }, options: { concurrency: 16 } });
		store.createCase({ case_id: 1000 });
		store.updateCase(7, { priority: 'HIGH' });
		later(10);
		store.addComment(399, 'Seen');
		store.addComment(1000, 'Not given');
		expect(await eventsOf(poller)).toEqual(['caseUpdated 7', 'commentAdded 399']);
		expect(sandbox.requests.every(({ queryString }) => queryString.length < 6000)).toBe(true);
		expect(await poller.poll()).toBeNull();
		const size = JSON.stringify([poller.snapshot(), poller.workflowSnapshot()]).length;
		expect(size).toBeLessThan(2048);
	});

	it('fails where a case given by ID is gone, and names it', async () => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ filters: { case_ids: '1' } });
		store.deleteCase(1);
		const error = await failureOf(poller);
		expect(error.message).toBe('Not found, or the API key has no access to it (404)');
		expect(error.description).toContain('Request: GET /api/v2/cases/1/comments');
	});

	it('is refused where the service ignores the case IDs', async () => {
		const { sandbox, store, published } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ filters: { case_ids: '1' } });
		store.createCase({ case_id: 2 });
		sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['case_ids'] } });
		expect((await failureOf(poller)).message).toBe('The service ignored the filter for case IDs');
	});

	it('works where n8n tells no budget', async () => {
		const { store, published } = await setUp();
		const poller = await published({ pollBudget: false });
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});

	it('that runs while another of the same trigger does repeats nothing', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 50 } });
		const both = await Promise.all([eventsOf(poller), eventsOf(poller)]);
		expect(both.flat()).toEqual(['caseCreated 1']);
		expect(await poller.poll()).toBeNull();
	});

	it('is refused where the service ignores the time of edits', async () => {
		const { sandbox, store, published, later } = await setUp();
		store.createCase({ case_id: 1, created_at: '2025-01-01T00:00:00Z' });
		store.createCase({ case_id: 2 });
		later(60);
		const poller = await published();
		sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['updated_at_start_date'] } });
		const error = await failureOf(poller);
		expect(error.message).toBe(
			'The service ignored the time or the order of edits that was asked for',
		);
		expect(error.description).toContain('LEAST_RECENTLY_EDITED');
	});

	it('is refused where the service ignores the order', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		later(10);
		store.createCase({ case_id: 2 });
		const cases = [2, 1].map((case_id) => {
			const { created_at, updated_at } = store.getCase(case_id);
			return { case_id, created_at, updated_at };
		});
		sandbox.faults.add({
			fault: { kind: 'raw', status: 200, body: JSON.stringify({ cases, meta: { pages: 1 } }) },
		});
		expect((await failureOf(poller)).message).toBe(
			'The service ignored the time or the order of edits that was asked for',
		);
	});
});

describe('the static data', () => {
	it('stays under 2 KB for ten thousand quiet cases', async () => {
		const { store, published } = await setUp();
		for (let id = 1; id <= 10_000; id++) {
			store.createCase({ case_id: id, created_at: NOON - (20_000 - id) * 1000 });
		}
		const poller = await published();
		expect(await poller.poll()).toBeNull();
		const size = JSON.stringify([poller.snapshot(), poller.workflowSnapshot()]).length;
		expect(size).toBeLessThan(2048);
	});

	it('is enough for the next leader of several mains to go on from', async () => {
		const { store, published, trigger, later } = await setUp();
		const first = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(first)).toEqual(['caseCreated 1']);
		later(10);
		store.createCase({ case_id: 2 });
		const next = await trigger({ staticData: first.saved(), activation: 'leadershipChange' });
		expect(await eventsOf(next)).toEqual(['caseCreated 2']);
		expect(await next.poll()).toBeNull();
	});

	it('shared by two polls at the same time of two mains loses nothing', async () => {
		const { sandbox, store, published, trigger, later } = await setUp();
		const first = await published();
		const second = await trigger({ staticData: first.staticData, activation: 'init' });
		store.createCase({ case_id: 1 });
		later(10);
		store.createCase({ case_id: 2 });
		sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 50 } });
		const both = await Promise.all([eventsOf(first), eventsOf(second)]);
		expect([...new Set(both.flat())].sort()).toEqual(['caseCreated 1', 'caseCreated 2']);
		later(10);
		store.createCase({ case_id: 3 });
		expect(await eventsOf(first)).toEqual(['caseCreated 3']);
		expect(await second.poll()).toBeNull();
	});

	it('as n8n last saved it is enough to go on from after a restart', async () => {
		const { store, published, trigger, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		expect(await poller.poll()).toBeNull();
		later(10);
		store.createCase({ case_id: 2 });
		const restarted = await trigger({ staticData: poller.saved(), activation: 'init' });
		expect(await eventsOf(restarted)).toEqual(['caseCreated 2']);
	});
});

describe('output', () => {
	it.each([
		[{}, ['event', 'case_id', 'name', 'status', 'priority', 'team', 'assignees', 'tags']],
		[{ output: 'selected', fields: ['metadata'] }, ['event', 'case_id', 'metadata']],
		[{ output: 'raw' }, ['event', 'case_id', 'activities', 'records_meta', 'closure_conditions']],
	])('with %j has the fields %j', async (parameters, fields) => {
		const { store, published } = await setUp();
		const poller = await published({ events: ['caseCreated'], parameters });
		store.createCase({ case_id: 1 });
		const [{ json }] = (await poller.poll()) ?? [];
		expect(Object.keys(json)).toEqual(expect.arrayContaining(fields));
		if ('fields' in parameters) expect(Object.keys(json)).toEqual(fields);
	});
});

describe('what other triggers lose or repeat', () => {
	it('a poll that fails does not move the cursor: its window is read by the next', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		sandbox.faults.add({ fault: { kind: 'drop' } });
		expect(await failureOf(poller)).toMatchObject({ name: 'NodeApiError' });
		later(600);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});

	it('a second edit in the same second, after a poll, is an event', async () => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published();
		store.updateCase(1, { name: 'First edit' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		store.updateCase(1, { name: 'Second edit' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});

	it.each([-3600, 0, 3600])(
		'a case created while a poll runs comes once, with the clock of the service %i s off',
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

	it('a case created and edited between two polls is reported, and each edit after it', async () => {
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

	it('equal timestamps at the cut of Max Cases all come, once', async () => {
		const { store, published } = await setUp();
		const poller = await published({ options: { maxCases: 2, pageSize: 2 } });
		for (let id = 1; id <= 7; id++) store.createCase({ case_id: id });
		const polls = [];
		for (let round = 0; round < 4; round++) polls.push(await eventsOf(poller));
		expect(polls.flat()).toEqual([1, 2, 3, 4, 5, 6, 7].map((id) => `caseCreated ${id}`));
		expect(await poller.poll()).toBeNull();
	});

	it('a first poll without any case sets where to start', async () => {
		const { store, published } = await setUp();
		const poller = await published();
		expect(poller.snapshot()).not.toEqual({});
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});
});
