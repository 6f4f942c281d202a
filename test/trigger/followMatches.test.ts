import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import type { Client } from '../../nodes/Cases/api/client';
import type { Case } from '../../nodes/Cases/api/types';
import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { findMatching } from '../../nodes/Cases/trigger/changes/matchingCases';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import type { Deviations } from '../../sandbox';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

const CRITICAL: CaseFilters = { filters: { priority: 'CRITICAL' } };

/** Of the cases 1 to 7 the odd ones are critical. The trigger watches which are, and the other events of these. */
async function setUp(filters = CRITICAL, deviations: Deviations = {}) {
	const { clock, store } = storeAt(START);
	const created_at = START - 3_600_000;
	for (let case_id = 1; case_id <= 6; case_id++) {
		const priority = case_id % 2 === 1 ? 'CRITICAL' : 'LOW';
		store.createCase({ case_id, name: `Case ${case_id}`, priority, created_at });
	}
	// The newest edit: what is older is not read with the edits.
	store.createCase({ case_id: 7, name: 'Case 7', priority: 'CRITICAL' });
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 1,
		service: { deviations },
	});
	const lines: string[] = [];
	/** Requests whose list comes empty or has these cases, and the filters that are watched. */
	const now = {
		stale: undefined as Case[] | undefined,
		isEmpty: (() => false) as (path: string) => boolean,
		filters,
		isTimeUp: false,
		maxCases: Infinity,
	};
	const send: Client['send'] = async (request) => {
		const answer = await client.send(request);
		if (now.stale !== undefined && isFiltered(request.path)) {
			return { ...answer, body: { cases: now.stale, meta: { pages: 1, per_page: 50 } } };
		}
		return now.isEmpty(request.path)
			? { ...answer, body: { cases: [], meta: { pages: 1 } } }
			: answer;
	};
	const note = (line: string) => void lines.push(line);
	const watch = (): Watch => {
		const emptied = { ...client, send };
		const cases = watchCases(emptied, now.filters, 50, note, true);
		return {
			cases,
			matching: findMatching(emptied, now.filters, cases, 3600, note),
			chosen: ['caseCreated', 'caseUpdated', 'caseMatched', 'caseUnmatched'],
			withComments: false,
			log: { debug: note, info: note, warn: note },
			maxCases: now.maxCases,
			isTimeUp: () => now.isTimeUp,
		};
	};
	let state = await startNow(watch());
	const later = (seconds: number) => {
		clock.now += seconds * 1000;
	};
	later(100);
	const poll = async () => {
		answered.length = 0;
		lines.length = 0;
		const found = await findEvents(watch(), state);
		state = JSON.parse(JSON.stringify(found.state)) as TriggerState;
		later(60);
		return found.events.map(({ event, row }) => `${event} ${String(row.case_id)}`);
	};
	await poll();
	return { store, later, poll, now, lines, answered, stateNow: () => state };
}

const isFiltered = (path: string) => path.includes('priority') || path.includes('search');

describe('edits of cases whose matches are watched', () => {
	it('are match events where they change a match, and updates where the case matches', async () => {
		const { store, poll, answered } = await setUp();
		store.updateCase(1, { priority: 'LOW' });
		store.updateCase(2, { priority: 'CRITICAL' });
		store.updateCase(3, { name: 'Renamed' });
		store.updateCase(4, { name: 'Renamed' });
		expect((await poll()).sort()).toEqual([
			'caseMatched 2',
			'caseUnmatched 1',
			'caseUpdated 2',
			'caseUpdated 3',
		]);
		expect(answered).toHaveLength(2);
		expect(await poll()).toEqual([]);
		expect(await poll()).toEqual([]);
	});

	it('leave the matches as they are where the filtered list comes empty once, and are updates a poll later', async () => {
		const { store, poll, now, answered, stateNow } = await setUp();
		for (const id of [1, 2, 3]) store.updateCase(id, { name: 'Renamed' });
		now.isEmpty = isFiltered;
		expect(await poll()).toEqual([]);
		expect(stateNow().matches).toHaveProperty('doubts');
		now.isEmpty = () => false;
		expect((await poll()).sort()).toEqual(['caseUpdated 1', 'caseUpdated 3']);
		expect(stateNow().matches).not.toHaveProperty('doubts');
		expect(await poll()).toEqual([]);
		await poll();
		expect(answered).toHaveLength(1);
	});

	it('are decided by the second poll where no row shows why the case is not listed', async () => {
		const { store, poll } = await setUp({ filters: { search: 'Case' } });
		store.updateCase(1, { name: 'Other' });
		expect(await poll()).toEqual([]);
		expect(await poll()).toEqual(['caseUnmatched 1']);
		expect(await poll()).toEqual([]);
		store.updateCase(1, { name: 'Case 1' });
		expect((await poll()).sort()).toEqual(['caseMatched 1', 'caseUpdated 1']);
	});

	it('are decided by the second poll also where the list of edits no longer has them', async () => {
		const { store, later, poll } = await setUp({ filters: { search: 'Case' } });
		store.updateCase(1, { name: 'Other' });
		later(100);
		store.updateCase(2, { name: 'Case two' });
		expect(await poll()).toEqual(['caseUpdated 2']);
		expect(await poll()).toEqual(['caseUnmatched 1']);
		expect(await poll()).toEqual([]);
	});

	it('count at their second look, where the filtered list shows them only then', async () => {
		const { store, poll, now } = await setUp();
		store.updateCase(2, { priority: 'CRITICAL' });
		now.isEmpty = isFiltered;
		expect(await poll()).toEqual([]);
		now.isEmpty = () => false;
		expect((await poll()).sort()).toEqual(['caseMatched 2', 'caseUpdated 2']);
		expect(await poll()).toEqual([]);
	});

	it('count as the list of edits has them, where the filtered list has them as they were', async () => {
		const { store, poll, now } = await setUp();
		const before = { priority: 'CRITICAL', updated_at: '2026-01-31T11:00:00Z' };
		store.updateCase(1, { priority: 'LOW' });
		store.updateCase(3, { name: 'Renamed' });
		now.stale = [
			{ case_id: 1, ...before },
			{ case_id: 3, ...before },
		];
		expect((await poll()).sort()).toEqual(['caseUnmatched 1', 'caseUpdated 3']);
		now.stale = undefined;
		expect(await poll()).toEqual([]);
	});

	it('are events at once where a newer row shows that the case no longer matches', async () => {
		const { store, poll, now } = await setUp();
		store.updateCase(1, { name: 'Renamed' });
		store.updateCase(3, { name: 'Renamed' });
		// Edited again between the list of edits and the filtered list.
		now.isEmpty = (path) => {
			if (isFiltered(path)) store.updateCase(1, { priority: 'LOW' });
			return isFiltered(path);
		};
		expect(await poll()).toEqual(['caseUnmatched 1']);
	});
});

describe('edits beyond Max Cases, where matches are watched', () => {
	it('are left to the next polls, matching or not', async () => {
		const { store, poll, now } = await setUp();
		now.maxCases = 2;
		for (const id of [1, 2, 3, 4, 5]) store.updateCase(id, { name: 'Renamed' });
		expect(await poll()).toEqual(['caseUpdated 1']);
		expect(await poll()).toEqual(['caseUpdated 3']);
		expect(await poll()).toEqual(['caseUpdated 5']);
		expect(await poll()).toEqual([]);
	});
});

describe('edits of cases whose ID is not a whole number', () => {
	it('are left out with a warning', async () => {
		const { store, poll, lines } = await setUp(CRITICAL, {
			rows: { fields: [{ path: 'case_id', value: 'CASE-1', cases: [1] }] },
		});
		store.updateCase(1, { name: 'Renamed' });
		store.updateCase(3, { name: 'Renamed' });
		expect(await poll()).toEqual(['caseUpdated 3']);
		expect(lines).toEqual(['Left out cases whose ID is not a whole number: 1']);
		expect(await poll()).toEqual([]);
	});
});

describe('the memory of matches', () => {
	it('is read again after the time set, and what vanished is an event of the poll after', async () => {
		const { store, later, poll, answered, lines } = await setUp();
		store.deleteCase(3);
		expect(await poll()).toEqual([]);
		expect(answered).toHaveLength(1);
		later(3600);
		expect(await poll()).toEqual([]);
		expect(lines).toEqual(['Read again which cases match the filters. Differences: 1']);
		expect(await poll()).toEqual(['caseUnmatched 3']);
		expect(await poll()).toEqual([]);
		expect(answered).toHaveLength(1);
	});

	it('is kept where its list comes empty once', async () => {
		const { later, poll, now, lines } = await setUp();
		later(3600);
		now.isEmpty = () => true;
		expect(await poll()).toEqual([]);
		expect(lines).toEqual(['Read again which cases match the filters. Differences: 4']);
		now.isEmpty = () => false;
		expect(await poll()).toEqual([]);
		expect(lines).toEqual(['Read again which cases match the filters. Differences: 0']);
		expect(await poll()).toEqual([]);
		expect(lines).toEqual([]);
	});

	it('waits for a poll that has time', async () => {
		const { store, later, poll, now, lines } = await setUp();
		store.deleteCase(3);
		later(3600);
		now.isTimeUp = true;
		expect(await poll()).toEqual([]);
		expect(lines).toEqual([]);
		now.isTimeUp = false;
		await poll();
		now.isTimeUp = true;
		expect(await poll()).toEqual([]);
		now.isTimeUp = false;
		expect(await poll()).toEqual(['caseUnmatched 3']);
	});

	it('is read again without an event where the filters change', async () => {
		const { store, poll, now, lines } = await setUp();
		now.filters = { filters: { priority: 'LOW' } };
		expect(await poll()).toEqual([]);
		expect(lines).toEqual(['The filters have changed. Read which cases match them: 3']);
		store.updateCase(2, { priority: 'CRITICAL' });
		store.updateCase(1, { priority: 'LOW' });
		expect((await poll()).sort()).toEqual(['caseMatched 1', 'caseUnmatched 2', 'caseUpdated 1']);
	});
});
