import type { Case } from '../../nodes/Cases/api/types';
import { openMemory, versionOf } from '../../nodes/Cases/trigger/changes/memory';
import { startingState } from '../../nodes/Cases/trigger/changes/state';
import { closedAt, eventsOf, newFrom } from '../../nodes/Cases/trigger/changes/versions';
import { START } from './world';

const NOON = START / 1000;
const ALL = ['caseCreated', 'caseUpdated', 'caseClosed'];
/** A trigger that remembers since noon, in detail since a minute later. Events count from ten seconds past noon on. */
const STATE = { ...startingState(NOON + 10, NOON), floor: NOON + 60 };

const at = (second: number) => new Date((NOON + second) * 1000).toISOString();
const caseOf = (created: number, closed?: number): Case => ({
	case_id: 7,
	status: closed === undefined ? 'OPEN' : 'CLOSED',
	created_at: at(created),
	resolved_at: closed === undefined ? null : at(closed),
});

/** The events of versions of one case, one after another. */
function setUp(chosen = ALL) {
	const memory = openMemory(STATE);
	const see = (row: Case, edited: number) => {
		const version = versionOf(row, NOON + edited);
		const events = eventsOf(row, version, STATE, memory, chosen);
		memory.addVersion(version);
		return events;
	};
	return { memory, see };
}

describe('the first version of a case', () => {
	it.each([
		['created since the start', 10, ['caseCreated']],
		['created before the start', 9, ['caseUpdated']],
		['created before the memory', -1, ['caseUpdated']],
	])('%s', (_when, created, events) => {
		expect(setUp().see(caseOf(created), 100)).toEqual(events);
	});

	it('is an update where nothing says when the case was created', () => {
		expect(setUp().see({ ...caseOf(20), created_at: null }, 100)).toEqual(['caseUpdated']);
	});

	it('is created and closed, in this order', () => {
		expect(setUp().see(caseOf(20, 30), 30)).toEqual(['caseCreated', 'caseClosed']);
	});

	it.each([
		['closed since the start', 10, ['caseClosed']],
		['closed before the start', 9, ['caseUpdated']],
		['closed before the memory', -1, ['caseUpdated']],
	])('%s', (_when, closed, events) => {
		expect(setUp().see(caseOf(-100, closed), 100)).toEqual(events);
	});
});

describe('the first version of a case, long after the start', () => {
	const LATER = { ...startingState(NOON - 1000, NOON), floor: NOON };

	it.each([
		['created within the memory', 0, ['caseCreated']],
		['created before it', -1, ['caseUpdated']],
	])('%s', (_when, created, events) => {
		const row = caseOf(created);
		const version = versionOf(row, NOON + 100);
		expect(eventsOf(row, version, LATER, openMemory(LATER), ALL)).toEqual(events);
	});
});

describe('a later version of a case', () => {
	it('is an update', () => {
		const { see } = setUp();
		see(caseOf(20), 20);
		expect(see(caseOf(20), 90)).toEqual(['caseUpdated']);
	});

	it('is closed once for each time', () => {
		const { see } = setUp();
		see(caseOf(20), 20);
		expect(see(caseOf(20, 70), 70)).toEqual(['caseClosed']);
		expect(see(caseOf(20, 70), 80)).toEqual(['caseUpdated']);
		expect(see(caseOf(20, 90), 90)).toEqual(['caseClosed']);
	});

	it('is not closed by a time of which the details are forgotten', () => {
		const { see } = setUp();
		see(caseOf(20), 20);
		expect(see(caseOf(20, 59), 70)).toEqual(['caseUpdated']);
		expect(see(caseOf(20, 60), 80)).toEqual(['caseClosed']);
	});

	it('is created once, also where the creation is dated after the edit', () => {
		const { memory, see } = setUp();
		expect(see(caseOf(30), 20)).toEqual(['caseCreated']);
		expect(memory.isAhead(7)).toBe(true);
		const later = openMemory({ ...STATE, ahead: memory.pack(KEEP).ahead });
		expect(eventsOf(caseOf(30), versionOf(caseOf(30), NOON + 40), STATE, later, ALL)).toEqual([
			'caseUpdated',
		]);
	});

	it('is not kept as created ahead where the edit has the same time', () => {
		const { memory, see } = setUp();
		see(caseOf(20), 20);
		expect(memory.isAhead(7)).toBe(false);
	});
});

const KEEP = { floor: Infinity, digestsFrom: Infinity, keepsOlder: false };

describe('an edit that came after a creation or a closing', () => {
	it.each([
		[['caseUpdated'], caseOf(20), 21, ['caseCreated', 'caseUpdated']],
		[['caseUpdated'], caseOf(20), 20, ['caseCreated']],
		[['caseUpdated'], caseOf(20, 30), 31, ['caseCreated', 'caseClosed', 'caseUpdated']],
		[['caseUpdated'], caseOf(20, 30), 30, ['caseCreated', 'caseClosed']],
		[['caseUpdated'], caseOf(-100, 30), 31, ['caseClosed', 'caseUpdated']],
		[['caseUpdated', 'caseClosed'], caseOf(20), 21, ['caseCreated', 'caseUpdated']],
		[['caseUpdated', 'caseClosed'], caseOf(20, 30), 31, ['caseCreated', 'caseClosed']],
		[['caseUpdated', 'caseCreated'], caseOf(20), 21, ['caseCreated']],
	])('counts where neither is chosen: %j, %j edited at %i', (chosen, row, edited, events) => {
		expect(setUp(chosen).see(row, edited)).toEqual(events);
	});
});

describe('what counts as new', () => {
	it('begins with the memory for a new case, with its details for a known one', () => {
		expect(newFrom(STATE, false)).toBe(NOON);
		expect(newFrom(STATE, true)).toBe(NOON + 60);
	});

	it('has no closing of an open case, nor one without a time', () => {
		expect(closedAt(caseOf(20, 30))).toBe(NOON + 30);
		expect(closedAt({ ...caseOf(20, 30), status: 'OPEN' })).toBeUndefined();
		expect(closedAt({ ...caseOf(20, 30), resolved_at: '' })).toBeUndefined();
	});
});
