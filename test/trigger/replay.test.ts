import { replay } from '../../nodes/Cases/trigger/changes/replay';
import { startingState } from '../../nodes/Cases/trigger/changes/state';
import { eventsOf, failureOf, useTrigger } from './trigger';

const setUp = useTrigger();

describe('Replay From', () => {
	it('reports what happened since the time once more, and only once', async () => {
		const { store, clock, published, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		later(3600);
		const poller = await published();
		store.createCase({ case_id: 2 });
		later(3600);
		store.closeCase(1);
		const first = (await poller.poll()) ?? [];
		expect(first).toHaveLength(2);
		const replayFrom = new Date(clock.now - 2 * 3600_000).toISOString();
		const options = { replayFrom };
		const changed = await trigger({ options, ...poller.savedData() });
		const again = (await changed.poll()) ?? [];
		const idsOf = (items: typeof first) => items.map(({ json }) => json.event_id);
		expect(idsOf(again)).toEqual(idsOf(first));
		expect(await changed.poll()).toBeNull();
		const restarted = await trigger({ options, activation: 'init', ...changed.savedData() });
		expect(await restarted.poll()).toBeNull();
		store.createCase({ case_id: 3 });
		expect(await eventsOf(restarted)).toEqual(['caseCreated 3']);
	});

	it('replays once for an expression that gives another time with each poll', async () => {
		const { store, clock, trigger } = await setUp();
		clock.now = Math.floor(Date.now() / 1000) * 1000;
		store.createCase({ case_id: 1 });
		const expression = (hours: number) =>
			`={{ $now.minus({ hours: ${hours}, seconds: Math.floor(Math.random() * 3000) }).toISO() }}`;
		const poller = await trigger({ options: { replayFrom: expression(2) } });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		for (let poll = 0; poll < 3; poll++) expect(await poller.poll()).toBeNull();
		const changed = await trigger({
			options: { replayFrom: expression(3) },
			activation: 'update',
			...poller.savedData(),
		});
		expect(await eventsOf(changed)).toEqual(['caseCreated 1']);
		expect(await changed.poll()).toBeNull();
	});

	it('is tried again where the poll fails', async () => {
		const { sandbox, store, clock, published, trigger, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		later(600);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		const replayFrom = new Date(clock.now - 3600_000).toISOString();
		const changed = await trigger({
			options: { replayFrom },
			activation: 'update',
			...poller.savedData(),
		});
		sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
		await failureOf(changed);
		sandbox.faults.clear();
		expect(await eventsOf(changed)).toEqual(['caseCreated 1']);
	});

	it('is where a trigger without a stored position starts', async () => {
		const { store, trigger } = await setUp();
		store.createCase({ case_id: 1, created_at: '2026-01-31T05:59:59Z' });
		store.createCase({ case_id: 2, created_at: '2026-01-31T06:00:00Z' });
		const poller = await trigger({
			options: { replayFrom: '2026-01-31T07:00:00' },
			timezone: 'Europe/Berlin',
		});
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		expect(await poller.poll()).toBeNull();
	});

	it.each([
		['earlier', '2026-01-31T05:00:00Z', '2026-01-31T09:00:00Z'],
		['later', '2026-01-31T09:00:00Z', '2026-01-31T05:00:00Z'],
	])(
		'loses no change where Start From is %s than it at the first poll',
		async (_which, startFrom, replayFrom) => {
			const { store, trigger } = await setUp();
			for (const [case_id, hour] of [
				[1, '04'],
				[2, '06'],
				[3, '10'],
			] as const) {
				store.createCase({ case_id, created_at: `2026-01-31T${hour}:00:00Z` });
			}
			const poller = await trigger({ options: { startFrom, replayFrom } });
			expect(await eventsOf(poller)).toEqual(['caseCreated 2', 'caseCreated 3']);
			expect(await poller.poll()).toBeNull();
		},
	);

	it('may be now, and then reports nothing again', async () => {
		const { store, published, trigger } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
		const options = { replayFrom: '={{ $now }}' };
		const changed = await trigger({ options, ...poller.savedData() });
		store.createCase({ case_id: 2 });
		expect(await eventsOf(changed)).toEqual(['caseCreated 2']);
	});

	it.each([
		['2999-01-01T00:00:00Z', /^'Replay From' is 2999-01-01T00:00:00Z, a time in the future$/],
		['soon', /^'Replay From': "soon" is not a date/],
	])('is refused before any request where it is %j', async (replayFrom, message) => {
		const { sandbox, trigger } = await setUp();
		const error = await failureOf(await trigger({ options: { replayFrom } }));
		expect(error.message).toMatch(message);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('the state of a replay', () => {
	const state = { ...startingState(1000), newest: 2000, marks: { a: 'AA' } };

	it('forgets what was reported since the time, and remembers which cases match', () => {
		const matches = { ids: 'AB', filters: 1, readAt: 1500 };
		const again = replay({ ...state, from: 1900, matches }, { time: 1200 });
		expect(again).toMatchObject({ start: 1200, from: 1199, marks: {}, matches, replayed: 1200 });
	});

	it('begins earlier where changes from before the time are still to be read', () => {
		expect(replay({ ...state, from: 1100 }, { time: 1200 })).toMatchObject({
			start: 1100,
			from: 1099,
		});
		const rest = { from: 1500, page: 1 };
		expect(replay({ ...state, rest }, { time: 1600 })).toMatchObject({ start: 1500, from: 1499 });
		const secondLook = { from: 1440, reads: [] };
		expect(replay({ ...state, rest, secondLook }, { time: 1600 })).toMatchObject({ start: 1440 });
	});

	it('leaves the place unchanged where it would skip changes', () => {
		expect(replay(state, { time: 2000 })).toEqual({ ...state, replayed: 2000 });
	});

	it('starts a trigger that has no state', () => {
		expect(replay(undefined, { time: 1200 })).toMatchObject({ from: 1199, replayed: 1200 });
	});
});
