import type { CaseFilters } from '../../nodes/Cases/api/cases/caseQuery';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { findEvents } from '../../nodes/Cases/trigger/changes/poll';
import { stateFrom, type TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import {
	isFinal,
	moveOn,
	newestOf,
	placeAfter,
	type Place,
} from '../../nodes/Cases/trigger/changes/window';
import type { Deviations } from '../../sandbox/deviations';
import { simulate, storeAt } from '../api/simulation';

const NOON = Date.parse('2026-01-31T12:00:00Z');
const EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];
/** Seconds before or after noon, as the state has times. */
const at = (seconds: number) => NOON / 1000 + seconds;
const dated = (seconds: number) => NOON + seconds * 1000;

interface Given extends Partial<Watch> {
	deviations?: Deviations;
	filters?: CaseFilters;
	listsAll?: boolean;
	pageSize?: number;
}

/** A service at noon, and the polls of a trigger that was started half a minute before. */
function setUp({ deviations = {}, filters = { filters: {} }, ...given }: Given = {}) {
	const { clock, store } = storeAt(NOON);
	const { pageSize = 2, listsAll = false, ...rest } = given;
	const service = { deviations, grown: ['page-size' as const] };
	const { client, answered } = simulate({ store, clock, concurrency: 1, service });
	const lines: string[] = [];
	const log = {
		debug: () => {},
		info: (text: string) => void lines.push(text),
		warn: (text: string) => void lines.push(`warn: ${text}`),
	};
	/** From which request of a poll on those with a path fail, and how. */
	const failing = { from: Infinity, path: '', failure: new Error('bug') };
	const send: typeof client.send = async (request) => {
		const isHit = answered.length >= failing.from && request.path.includes(failing.path);
		if (isHit) throw failing.failure;
		return await client.send(request);
	};
	const watch: Watch = {
		cases: watchCases({ ...client, send, log }, filters, pageSize, listsAll),
		what: 'all',
		chosen: EVENTS.slice(0, 3),
		activityTypes: [],
		isIgnored: () => false,
		maxCases: Infinity,
		isTimeUp: () => false,
		now: () => clock.now / 1000,
		log,
		...rest,
	};
	const since = Object.fromEntries(EVENTS.map((event) => [event, at(-30)]));
	const begun = stateFrom({ what: 'all', since }, at(-30));
	/** One poll: its events as `event case`, its requests and lines. */
	const poll = async (before: TriggerState = begun, differs: Partial<Watch> = {}) => {
		lines.length = answered.length = 0;
		const { events, state } = await findEvents({ ...watch, ...differs }, before);
		return {
			events: events.map(({ event, row }) => `${event} ${row.case_id}`),
			state,
			requests: answered.map(shortOf),
			lines: [...lines],
		};
	};
	const create = (...seconds: number[]) => {
		for (const one of seconds) store.createCase({ created_at: dated(one) });
	};
	const outage = (httpCode?: number) =>
		new ApiFailure('Outage', { description: '', httpCode, retryable: true });
	return { clock, store, poll, create, failing, outage, begun };
}

/** A request for edits as `since, page, case IDs`, seconds counted from noon; any other one by its path. */
function shortOf(request: string): string {
	const [path, query] = request.replace('GET /api/v2/', '').split('?');
	const sent = new URLSearchParams(query);
	const edge = (name: string) => Date.parse(sent.get(`filters[updated_at_${name}_date]`) ?? '');
	const [start, end] = ['start', 'end'].map((name) => (edge(name) - NOON) / 1000);
	if (Number.isNaN(start)) return path;
	const ids = sent.getAll('filters[case_ids][]').map((id) => ` #${id}`);
	return `${start}${end < 1e6 ? ` to ${end}` : ''}, page ${sent.get('page')}${ids.join('')}`;
}

/** Says that the time is up after so many pages. */
const after = (pages: number) => {
	let left = pages;
	return () => --left <= 0;
};

describe('a poll that ends before the end of the list', () => {
	const created = (...ids: number[]) => ids.map((id) => `caseCreated ${id}`);
	const REST = { from: at(-19), page: 1, began: at(0), newest: at(-18) };
	const CONTINUES = 'The next poll continues with changes from 2026-01-31T11:59:41Z on';

	it('continues where its time was up', async () => {
		const { poll, create } = setUp();
		create(-20, -18, -16, -14);
		const first = await poll(undefined, { isTimeUp: after(1) });
		expect(first).toMatchObject({
			events: created(1, 2),
			state: { from: at(-30), since: at(-30), rest: REST },
			requests: ['-30, page 1'],
			lines: [CONTINUES],
		});
		expect(first.state.mark).toBeUndefined();
		const second = await poll(first.state);
		expect(second).toMatchObject({
			events: created(3, 4),
			state: { from: at(-30), mark: { to: at(-14), at: at(0), ahead: 0 } },
			requests: ['-19, page 1', '-17, page 1'],
			lines: [],
		});
		expect(second.state.rest).toBeUndefined();
	});

	it('keeps what it has where page 2 fails, and says why it ended', async () => {
		const { poll, create, failing, outage } = setUp();
		create(-20, -18, -16);
		Object.assign(failing, { from: 1, failure: outage() });
		expect(await poll()).toMatchObject({
			events: created(1, 2),
			state: { rest: REST, since: at(-30) },
			lines: ['warn: A poll ended early: Outage', CONTINUES],
		});
	});

	it('keeps its place also where all of page 1 was known, and fails where it did not move', async () => {
		const { clock, poll, create, failing, outage } = setUp();
		create(-20, -18, -16);
		const { state } = await poll();
		clock.now += 60_000;
		Object.assign(failing, { from: 1, failure: outage() });
		const second = await poll(state);
		expect(second).toMatchObject({ events: [], state: { rest: { ...REST, began: at(60) } } });
		failing.from = 0;
		await expect(poll(second.state)).rejects.toThrow('Outage');
	});

	it('keeps nothing where the code itself fails', async () => {
		const { poll, create, failing } = setUp();
		create(-20, -18, -16);
		failing.from = 1;
		await expect(poll()).rejects.toThrow('bug');
	});

	it('fails where the given cases cannot be read and nothing was found', async () => {
		const filters = { filters: {}, caseIds: ['1', '2'] };
		const { poll, create, failing, outage } = setUp({ filters, chosen: ['commentAdded'] });
		create(-900, -900);
		Object.assign(failing, { from: 1, failure: outage() });
		await expect(poll()).rejects.toThrow('Outage');
	});

	it('continues among the comments of a page where its time was up', async () => {
		const { store, poll, create } = setUp({ chosen: ['commentAdded'] });
		create(-20, -18);
		for (const id of [1, 2]) store.addComment(id, 'Seen', { created_at: dated(-18) });
		expect(await poll(undefined, { isTimeUp: after(1) })).toMatchObject({
			events: ['commentAdded 1'],
			state: { rest: { from: at(-30), page: 1 } },
		});
	});
});

/** Another tenant or other filters: the trigger starts. */
const OTHER = { what: 'others' };

describe('the comments of given cases', () => {
	it('are read from another case on at each poll, and the window stays, where the time is up', async () => {
		const filters = { filters: {}, caseIds: ['1', '2', '3'] };
		const given = { filters, chosen: ['commentAdded'], isTimeUp: () => true };
		const { begun, clock, store, poll, create } = setUp(given);
		create(-900, -900, -900);
		for (const id of [1, 2, 3]) store.addComment(id, 'Seen', { created_at: dated(-10) });
		let state = begun;
		const found: string[][] = [];
		for (let counter = 0; counter < 4; counter++) {
			const polled = await poll({ ...state, counter });
			({ state } = polled);
			found.push(polled.events);
			if (counter === 0) for (const id of [1, 3]) store.addComment(id, 'New');
			clock.now += 1_800_000;
			// The window would move on to this edit.
			store.updateCase(1, { name: `Edit ${counter}` });
		}
		const [one, two, three] = [1, 2, 3].map((id) => `commentAdded ${id}`);
		expect(found).toEqual([[one], [two], [three, three], [one]]);
	});
});

describe('cases whose comments failed', () => {
	it('are all remembered where the time is up before the next poll has read them', async () => {
		const list = 'comments' as const;
		const deviations = { rows: { failing: [{ list, status: 500, cases: [1, 2, 3] }] } };
		const { clock, poll, create } = setUp({ deviations, chosen: ['commentAdded'], pageSize: 9 });
		create(-10, -10, -10, -10);
		const first = await poll();
		expect(first.state.failing).toEqual(['1', '2', '3']);
		clock.now += 30_000;
		const second = await poll(first.state, { isTimeUp: () => true });
		expect(second.requests.filter((request) => request.endsWith('/comments'))).toHaveLength(1);
		expect([...second.state.failing].sort()).toEqual(['1', '2', '3']);
	});
});

describe('the start of a trigger', () => {
	it('is now where the tenant or the filters have changed, and the log says so', async () => {
		const { poll, create } = setUp();
		create(0);
		const { state } = await poll();
		const second = await poll(state, OTHER);
		expect(second).toMatchObject({
			events: [],
			state: { from: at(-120), since: at(0), watched: OTHER, waiting: [] },
			requests: ['cases', '-120, page 1'],
			lines: [
				'warn: The tenant or the filters have changed, so the trigger starts from now',
				'Changes from 2026-01-31T12:00:00Z on are reported',
			],
		});
		// All of the second in which it starts is known.
		expect(await poll(second.state, OTHER)).toMatchObject({ events: [] });
	});

	it('fails where a part of the list fails', async () => {
		const { poll, create, failing, outage } = setUp();
		create(-20, -18, -16);
		Object.assign(failing, { from: 2, failure: outage() });
		await expect(poll(undefined, OTHER)).rejects.toThrow('Outage');
	});

	it('does not follow a case that is dated years ahead', async () => {
		const { clock, poll, create } = setUp({ pageSize: 10 });
		create(-20, 1e8);
		const { state } = await poll(undefined, OTHER);
		expect(state.from).toBe(at(-140));
		clock.now += 60_000;
		create(50);
		expect(await poll(state, OTHER)).toMatchObject({ events: ['caseCreated 3'] });
	});
});

describe('the clocks of n8n and of the service', () => {
	it.each([
		['behind', -100, at(-100)],
		['ahead', 100, at(0)],
	])('count as the one that is behind where the service is %s', async (_where, ahead, behind) => {
		const { clock, poll } = setUp({ deviations: { clock: { dateOffset: ahead } } });
		expect(await poll(undefined, OTHER)).toMatchObject({ state: { since: behind } });
		const { state } = await poll();
		expect(state).toMatchObject({ since: at(-30), mark: { to: 0, at: at(0), ahead } });
		clock.now += 3_600_000;
		const { state: next } = await poll(state, { chosen: EVENTS });
		expect(next).toMatchObject({
			since: behind + 3600 - 600,
			mark: { at: at(3600), ahead },
			watched: { since: { commentAdded: behind + 3600, caseClosed: at(-30) } },
		});
	});

	it('are one where the service has no Date header', async () => {
		const { clock, poll, create } = setUp({ deviations: { clock: { noDate: true } } });
		create(-1);
		const { state } = await poll();
		expect(state).toMatchObject({ waiting: ['1'], mark: { to: at(-1), at: at(0) } });
		expect(state.mark?.ahead).toBeUndefined();
		clock.now += 1000;
		expect(await poll({ ...state, waiting: [] })).toMatchObject({ events: ['caseCreated 1'] });
	});
});

describe('the memory of a trigger', () => {
	const keys = (count: number) =>
		Array.from({ length: count }, (_, key) => key.toString(36).padStart(8, '0')).join('');
	const minuteOf = (seconds: number) => Math.floor(at(seconds) / 60).toString(36);
	const seen = { [minuteOf(-180)]: keys(40_000), [minuteOf(-60)]: keys(30_000) };

	it('loses what is oldest of too much, and the log says what may be lost', async () => {
		const { begun, poll } = setUp();
		const mark = { to: at(-1), at: at(0), ahead: 0 };
		const before = { ...begun, from: at(-300), since: at(-300), mark, seen };
		const { state, lines } = await poll(before);
		expect(state).toMatchObject({ from: at(-120), since: at(-120) });
		expect(Object.keys(state.seen)).toEqual([minuteOf(-60)]);
		expect(lines).toEqual([
			'warn: Too many changes to remember: what shows late from before 2026-01-31T11:58:00Z is lost',
		]);
	});

	it('keeps what the rest of a read may see again', async () => {
		const { begun, poll, create } = setUp();
		create(-170, -160, -10);
		const before = { ...begun, from: at(-300), since: at(-300), seen };
		const { state, lines } = await poll(before, { isTimeUp: after(1) });
		expect(state).toMatchObject({ from: at(-300), since: at(-300), rest: { from: at(-161) } });
		expect(Object.keys(state.seen)).toEqual(Object.keys(seen));
		expect(lines).toHaveLength(1);
	});
});

describe('the requests of a poll', () => {
	it('read a crowded second from its last page to the first', async () => {
		const { poll, create } = setUp();
		create(-20, -20, -20, -20, -20, -10);
		expect((await poll()).requests).toEqual([
			...['-30, page 1', '-21, page 1', '-20, page 1', '-20 to -19, page 1'],
			...['-20 to -19, page 3', '-20 to -19, page 2', '-20 to -19, page 1', '-19, page 1'],
		]);
	});

	it('continue before a page that is refused, as cases have left the list', async () => {
		const { begun, poll, create } = setUp({ deviations: { list: { notFoundBehindLast: true } } });
		create(-20, -10);
		const place = { from: at(-20), page: 3, backwards: 'second' as const };
		const rest = { ...place, began: at(-5), newest: 0 };
		expect(await poll({ ...begun, rest })).toMatchObject({
			events: ['caseCreated 1', 'caseCreated 2'],
			requests: ['-20 to -19, page 3', '-20 to -19, page 2', '-20 to -19, page 1', '-19, page 1'],
		});
	});

	it('go from the last page back to the window where the service compares days', async () => {
		const { clock, store, poll, create } = setUp({ deviations: { filters: { byDay: true } } });
		create(-900, -800, -700, -20, -10);
		const { events, requests, state } = await poll();
		expect(events).toEqual(['caseCreated 4', 'caseCreated 5']);
		expect(requests).toEqual(['-30, page 1', '-30, page 3', '-30, page 2']);
		clock.now += 10_000;
		store.updateCase(2, { name: 'Renamed' });
		clock.now += 10_000;
		expect(await poll(state)).toMatchObject({ events: ['caseUpdated 2'] });
	});

	it('fail where page 1 is refused', async () => {
		const { poll, failing, outage } = setUp();
		Object.assign(failing, { from: 0, failure: outage(404) });
		await expect(poll()).rejects.toThrow('Outage');
	});

	it.each([
		['time of edits', { filters: { ignored: ['updated_at_start_date'] } }],
		['order', { list: { orderIgnored: true } }],
	])('fail where the service ignores the %s', async (_what, deviations) => {
		const { poll, create } = setUp({ deviations });
		create(-200_000, -20, -10);
		await expect(poll()).rejects.toMatchObject({
			message: 'The service ignored the requested time or order of changes',
			details: { description: expect.stringContaining('LEAST_RECENTLY_EDITED') },
		});
	});

	it.each([false, true])(
		'name given cases that fit, where all are listed: %s',
		async (listsAll) => {
			const filters = { filters: { status: 'OPEN' }, caseIds: ['1', '2'] };
			const { poll, create } = setUp({ filters, listsAll });
			create(-900, -900);
			const edits = (await poll()).requests.filter((one) => one.includes('page'));
			expect(edits).toEqual(['-30, page 1 #1 #2']);
		},
	);

	it('read comments again that failed, and all once when their case leaves the window', async () => {
		const { clock, poll, create, failing, outage } = setUp({ chosen: EVENTS });
		create(-20, -10, -10);
		Object.assign(failing, { from: 0, path: '/2/comments', failure: outage() });
		let state: TriggerState | undefined;
		const reads: string[][] = [];
		for (const seconds of [0, 60, 0, 60, 0]) {
			clock.now += seconds * 1000;
			const polled = await poll(state);
			({ state } = polled);
			reads.push(polled.requests.filter((one) => one.endsWith('comments')));
			failing.from = Infinity;
		}
		const [one, two, three] = [1, 2, 3].map((id) => `cases/${id}/comments`);
		expect(reads).toEqual([[one, three], [two], [], [one, two, three], []]);
	});
});

describe('a case that does not match', () => {
	it('is not remembered where the filters that it contradicts are not sent', async () => {
		const filters = { filters: {}, priorities: ['HIGH', 'CRITICAL'] };
		const { store, poll } = setUp({ filters });
		store.createCase({ created_at: dated(-20), priority: 'LOW' });
		expect(await poll()).toMatchObject({ events: [], state: { seen: {} }, lines: [] });
	});

	it.each([
		['HIGH', ['caseClosed 1']],
		['LOW', []],
	] as const)(
		'has no late closing in a known second, with priority %s',
		async (priority, events) => {
			const filters = { filters: { priority: 'HIGH' } };
			const chosen = ['caseClosed', 'caseMatched'];
			const { clock, store, poll } = setUp({ filters, chosen, listsAll: true });
			store.createCase({ created_at: dated(-20), priority });
			const { state } = await poll();
			clock.now += 1000;
			store.updateCase(1, { status: 'CLOSED', resolved_at: dated(-20), updated_at: dated(-20) });
			expect((await poll(state)).events).toEqual(events);
		},
	);
});

describe('the law of the window', () => {
	type Differs = Partial<Place>;
	it.each<[Differs, times: number[], pages: number | undefined, next: Differs | undefined]>([
		[{}, [], undefined, undefined],
		[{}, [], 2, undefined],
		[{}, [5, 9], 1, undefined],
		[{}, [5, 9], 2, { from: 8 }],
		[{}, [5, 6], undefined, { from: 6 }],
		[{}, [5, 5], undefined, { page: 2 }],
		[{}, [5, 5], 3, { backwards: 'count' }],
		[{}, [4, 9], 3, { page: 3, backwards: 'all' }],
		[{}, [4, 9], undefined, { from: 8 }],
		[{ page: 2, backwards: 'all' }, [5, 9], 3, { page: 1, backwards: 'all' }],
		[{ page: 2, backwards: 'all' }, [4, 9], 3, undefined],
		[{ page: 1, backwards: 'all' }, [5], 3, undefined],
	])('goes from 5 and page 1, but for %j, where times are %j and pages %j, to %j', (...row) => {
		const [place, times, pages, next] = row;
		const first = { from: 5, page: 1 };
		const expected = next && { ...first, ...next };
		expect(placeAfter({ ...first, ...place }, { times, pages })).toEqual(expected);
	});

	it('lets no case that is dated ahead be the newest edit', () => {
		expect(newestOf([3, 9, 10, 7], 9, 8)).toBe(9);
		expect(newestOf([3], 9, 8)).toBe(8);
	});

	it.each([
		['back', 99, { from: 5, mark: { to: 8, at: 150, ahead: 1 } }],
		['nowhere', 100, { from: 5, mark: { to: 7, at: 100 } }],
		['on', 219, { from: 5, mark: { to: 7, at: 100 } }],
		['on by two minutes', 220, { from: 8, mark: { to: 8, at: 150, ahead: 1 } }],
	])('moves the window as it should where the clock went %s', (_how, began, moved) => {
		const window = { from: 5, mark: { to: 7, at: 100 } };
		expect(moveOn(window, { from: 5, page: 1, began, newest: 8 }, 150, 1)).toEqual(moved);
	});

	it('waits two seconds until a version is final', () => {
		expect([98, 99, 221].map((time) => isFinal(time, 100))).toEqual([true, false, false]);
	});
});
