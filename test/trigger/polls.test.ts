import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import type { Deviations } from '../../sandbox';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

interface Options {
	filters?: CaseFilters;
	pageSize?: number;
	deviations?: Deviations;
	watch?: Partial<Watch>;
}

/** A trigger without n8n that started on a service with one case, 1000, half a minute ago. */
async function setUp({
	filters = { filters: {} },
	pageSize = 50,
	deviations = {},
	watch: own,
}: Options = {}) {
	const { clock, store } = storeAt(START);
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 1,
		service: { deviations, detailsPerPage: 10 },
	});
	store.createCase({ case_id: 1000 });
	const lines: string[] = [];
	const note = (line: string) => void lines.push(line);
	const watch: Watch = {
		cases: watchCases(client, filters, pageSize, note),
		chosen: ['caseCreated', 'caseUpdated', 'caseClosed'],
		withComments: false,
		maxCases: Infinity,
		isTimeUp: () => false,
		log: { debug: note, info: note, warn: note },
		...own,
	};
	const later = (seconds: number) => {
		clock.now += seconds * 1000;
	};
	let state = await startNow(watch);
	later(30);
	/** Polls. @returns the events, as `event case` */
	const poll = async () => {
		answered.length = 0;
		lines.length = 0;
		const found = await findEvents(watch, state);
		state = JSON.parse(JSON.stringify(found.state)) as TriggerState;
		return found.events.map(({ event, row }) => `${event} ${String(row.case_id)}`);
	};
	const create = (...ids: number[]) => ids.forEach((case_id) => store.createCase({ case_id }));
	return { store, watch, later, poll, create, lines, answered, stateNow: () => state };
}
const created = (...ids: number[]) => ids.map((id) => `caseCreated ${id}`);
const range = (count: number, from = 1) => Array.from({ length: count }, (_, n) => n + from);

describe('a poll', () => {
	it('has the events in the order of their times, comments among edits', async () => {
		const { store, later, poll, create } = await setUp({ watch: { withComments: true } });
		create(1);
		later(5);
		store.addComment(1, 'Seen');
		later(5);
		create(2);
		later(5);
		store.updateCase(1, { name: 'Renamed' });
		later(5);
		expect(await poll()).toEqual(['commentAdded 1', ...created(2), ...created(1)]);
	});

	it('makes one request where nothing changed, and reports nothing twice', async () => {
		const { later, poll, create, answered } = await setUp();
		create(1, 2);
		expect(await poll()).toEqual(created(1, 2));
		for (let minute = 0; minute < 4; minute++) {
			later(60);
			expect(await poll()).toEqual([]);
			expect(answered).toHaveLength(1);
		}
	});

	it.each([
		['created', 0, created(1)],
		['updated', 3600, ['caseUpdated 1']],
	])(
		'reports a case as %s that is dated before the start, but shows after it',
		async (_what, age, events) => {
			const { store, poll } = await setUp();
			const at = START - 50_000;
			store.createCase({ case_id: 1, created_at: at - age * 1000, updated_at: at });
			expect(await poll()).toEqual(events);
		},
	);

	it('leaves out cases that contradict a filter, and says how many', async () => {
		const { store, poll, lines } = await setUp({
			filters: { filters: { priority: 'HIGH' } },
			deviations: { filters: { ignored: ['priority'] } },
		});
		for (const case_id of [1, 2]) store.createCase({ case_id, priority: 'LOW' });
		store.createCase({ case_id: 3, priority: 'HIGH' });
		expect(await poll()).toEqual(created(3));
		expect(lines).toEqual(["Left out cases that contradict the filter 'Priority': 3"]);
	});
});

describe('a poll that reaches Max Cases', () => {
	it('leaves the others to the next ones, and says so', async () => {
		const { poll, create, lines, stateNow } = await setUp({
			pageSize: 2,
			watch: { maxCases: 3 },
		});
		create(...range(8));
		expect(await poll()).toEqual(created(1, 2, 3));
		expect(lines).toEqual([
			'A poll reached Max Cases per Poll after 3 changed cases. The next poll continues with changes from 2026-01-31T12:00:29Z on; about 4 more cases are left.',
		]);
		expect(stateNow().rest).toMatchObject({ page: 2 });
		expect(await poll()).toEqual(created(4, 5, 6));
		expect(await poll()).toEqual(created(7, 8));
		expect(stateNow().rest).toBeUndefined();
		expect(await poll()).toEqual([]);
	});

	it.each([
		['on the last page', {}],
		['where the service does not say how many pages there are', { metaWithout: ['pages'] }],
	])('names no number of others %s', async (_where, list) => {
		const { poll, create, lines } = await setUp({
			pageSize: 4,
			watch: { maxCases: 3 },
			deviations: { list } as Deviations,
		});
		create(...range(4));
		expect(await poll()).toHaveLength(3);
		expect(lines[0]).toMatch(/^A poll reached Max Cases .* from 2026-01-31T12:00:29Z on\.$/);
	});

	it('takes known cases without counting them', async () => {
		const { store, later, poll, create } = await setUp({ watch: { maxCases: 2 } });
		create(1, 2);
		expect(await poll()).toEqual(created(1, 2));
		later(2);
		store.updateCase(2, { name: 'Renamed' });
		create(3);
		expect(await poll()).toEqual(['caseUpdated 2', ...created(3)]);
	});
});

describe('a poll whose time is up', () => {
	it('ends after its first page, and a later one after its second', async () => {
		const { poll, create, lines } = await setUp({ pageSize: 2, watch: { isTimeUp: () => true } });
		create(...range(9));
		expect(await poll()).toEqual(created(1));
		expect(await poll()).toEqual(created(2));
		expect(lines).toEqual([
			expect.stringMatching(/^The time of a poll was up after 1 changed cases\. The next poll /),
		]);
		const polls = [];
		for (let count = 0; count < 12; count++) polls.push(await poll());
		expect(polls.flat().sort()).toEqual(created(...range(7, 3)));
	});

	it('is complete where the last page was read', async () => {
		const { poll, create, lines } = await setUp({ watch: { isTimeUp: () => true } });
		create(1, 2);
		expect(await poll()).toEqual(created(1, 2));
		expect(lines).toEqual([]);
	});
});

describe('the place where a poll begins to read', () => {
	it.each([
		[49, 6, 9],
		[50, 1, 2],
		[70, 1, 2],
	])('is behind more than a page of known edits, after %i', async (count, least, most) => {
		const { later, poll, create, answered } = await setUp({ pageSize: 10 });
		create(...range(count));
		later(1);
		expect(await poll()).toHaveLength(count);
		later(10);
		await poll();
		expect(answered.length).toBeGreaterThanOrEqual(least);
		expect(answered.length).toBeLessThanOrEqual(most);
		create(5000);
		expect(await poll()).toEqual(created(5000));
	});

	it('is the page of the known edits where the service compares days', async () => {
		const { later, poll, create, answered } = await setUp({
			pageSize: 10,
			deviations: { filters: { byDay: true } },
		});
		create(...range(45));
		expect(await poll()).toHaveLength(45);
		later(200);
		create(46);
		expect(await poll()).toEqual(created(46));
		for (let minute = 0; minute < 4; minute++) {
			later(60);
			await poll();
		}
		expect(answered).toHaveLength(1);
		expect(answered[0]).toContain('page=5');
		create(5000);
		expect(await poll()).toEqual(created(5000));
	});
});

describe('the second look after an edit of many cases', () => {
	it('reads them once more beside what is new, in as many polls as it takes', async () => {
		const limit = { pages: Infinity };
		let pages = 0;
		const { later, poll, create, answered, stateNow } = await setUp({
			pageSize: 10,
			watch: { isTimeUp: () => ++pages >= limit.pages },
		});
		create(...range(60));
		expect(await poll()).toHaveLength(60);
		later(60);
		limit.pages = 4;
		pages = 0;
		create(5000);
		expect(await poll()).toEqual(created(5000));
		expect(stateNow().secondLook?.rest).toBeDefined();
		expect(stateNow().rest).toBeUndefined();
		const before = answered.length;
		pages = 0;
		limit.pages = Infinity;
		later(1);
		expect(await poll()).toEqual([]);
		expect(answered.length).toBeLessThan(before + 6);
		expect(stateNow().secondLook?.rest).toBeUndefined();
		later(60);
		await poll();
		later(60);
		await poll();
		expect(answered).toHaveLength(1);
		expect(stateNow().secondLook).toBeUndefined();
	});

	it('finds what showed late, with the date of the edit', async () => {
		const { store, later, poll, create } = await setUp({ pageSize: 10 });
		create(...range(60));
		expect(await poll()).toHaveLength(60);
		later(10);
		store.createCase({ case_id: 5000, created_at: START + 25_000, updated_at: START + 25_000 });
		expect(await poll()).toEqual([]);
		later(60);
		expect(await poll()).toEqual(created(5000));
		expect(await poll()).toEqual([]);
	});
});

describe('the comments of changed cases', () => {
	it('count from the start on', async () => {
		const { store, later, poll, create } = await setUp({ watch: { withComments: true } });
		create(1);
		store.addComment(1, 'Before the start', { created_at: START - 46_000 });
		store.addComment(1, 'At the start', { created_at: START - 45_000 });
		later(1);
		store.updateCase(1, { name: 'Renamed' });
		expect(await poll()).toEqual(['commentAdded 1', ...created(1)]);
	});

	it('are read with an edit, and once more at its second look', async () => {
		const { later, poll, create, answered } = await setUp({ watch: { withComments: true } });
		const readsOf = () => answered.filter((path) => path.includes('/comments')).length;
		create(1);
		expect(await poll()).toEqual(created(1));
		expect(readsOf()).toBe(1);
		later(10);
		await poll();
		expect(readsOf()).toBe(0);
		// One of case 1, and one of case 1000.
		later(60);
		await poll();
		expect(readsOf()).toBe(2);
		later(60);
		await poll();
		expect(readsOf()).toBe(0);
	});
});

describe('the activities of changed cases', () => {
	it('are all read with an edit, and later only those that the case carries', async () => {
		const { store, poll, create, answered } = await setUp({
			watch: { chosen: [], isActivityWanted: () => true },
		});
		create(1);
		for (let count = 0; count < 12; count++) store.addComment(1, 'Seen');
		expect((await poll()).filter((event) => event === 'activityAdded 1')).toHaveLength(13);
		expect(answered.length).toBeGreaterThan(1);
		expect(await poll()).toEqual([]);
		expect(answered).toHaveLength(1);
	});

	it('are new ones of the wanted kinds, with an edit or carried by a known case', async () => {
		const { store, poll, create, answered } = await setUp({
			watch: { isActivityWanted: ({ value }) => value !== 'Unwanted' },
		});
		create(1);
		expect(await poll()).toEqual([...created(1), 'activityAdded 1']);
		store.addComment(1, 'Unwanted');
		store.addComment(1, 'Seen');
		expect(await poll()).toEqual(['activityAdded 1']);
		expect(answered).toHaveLength(1);
		expect(await poll()).toEqual([]);
	});
});
