import * as fc from 'fast-check';
import { InvalidInput } from '../../nodes/Cases/api/failure';
import type { Case } from '../../nodes/Cases/api/types';
import {
	openMatches,
	type Matches,
	refuseTooMany,
	unpackMatches,
} from '../../nodes/Cases/trigger/changes/matches';
import { identifyEvent } from '../../nodes/Cases/trigger/changes/eventId';
import { withMatchesDue } from '../../nodes/Cases/trigger/changes/followMatches';
import { startingState } from '../../nodes/Cases/trigger/changes/state';

const ids = (count: number, of: number) => {
	const all = new Set<number>();
	for (let n = 0; all.size < count; n++) all.add((n * 48_271 + ((n * n) % 7919)) % of);
	return [...all];
};
const reopened = (packed: ReturnType<Matches['pack']>) =>
	unpackMatches({ ...packed, filters: 1, readAt: 0 });

describe('the cases that match', () => {
	it('are an event where they change, and none where they were known', () => {
		const matches = openMatches([1, 2]);
		const noted = [
			matches.note(1, true),
			matches.note(3, true),
			matches.note(3, true),
			matches.note(2, false),
			matches.note(2, false),
			matches.note(2, true),
		];
		expect(noted).toEqual([
			undefined,
			'caseMatched',
			undefined,
			'caseUnmatched',
			undefined,
			'caseMatched',
		]);
		expect([1, 2, 3, 4].map(matches.has)).toEqual([true, true, true, false]);
	});

	it('differ from a list in those that came and those that are gone', () => {
		expect(openMatches([1, 2, 3]).differences([3, 4, 1, 5]).sort()).toEqual([2, 4, 5]);
		expect(openMatches([1, 2]).differences([2, 1])).toEqual([]);
	});

	it('are the same when they are unpacked', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat(1e12)), (some) => {
				const matches = reopened(openMatches(some).pack());
				expect(matches.differences(some)).toEqual([]);
			}),
		);
	});

	it('are in doubt for one poll where nothing says why they are not listed, and then no more', () => {
		const first = openMatches([1, 2, 3]);
		expect([first.doubt(1), first.doubt(1), first.doubt(2)]).toEqual([true, true, true]);
		first.note(2, true);
		expect([1, 2, 3].map(first.isNewDoubt)).toEqual([true, false, false]);
		const second = reopened(first.pack());
		expect(second.oldDoubts()).toEqual([1]);
		expect([second.doubt(1), second.doubt(3)]).toEqual([false, true]);
		expect(second.note(1, false)).toBe('caseUnmatched');
		expect(second.oldDoubts()).toEqual([]);
		expect(reopened(second.pack()).oldDoubts()).toEqual([3]);
	});

	it.each([
		['scattered', ids(10_000, 100_000)],
		['in one run', Array.from({ length: 10_000 }, (_, n) => 90_000 + n)],
		['every tenth', Array.from({ length: 10_000 }, (_, n) => n * 10)],
	])('take less than 10 KB where ten thousand of a hundred thousand match, %s', (_how, some) => {
		expect(openMatches(some).pack().ids.length).toBeLessThan(10 * 1024);
	});

	it('are refused beyond a hundred thousand', () => {
		expect(() => refuseTooMany(100_000)).not.toThrow();
		expect(() => refuseTooMany(100_001)).toThrow(InvalidInput);
		const matches = openMatches(Array.from({ length: 100_000 }, (_, n) => n));
		matches.note(100_000, true);
		expect(() => matches.pack()).toThrow('More than 100000 cases match the filters');
	});
});

describe('the ID of an event of matches', () => {
	const row = { case_id: 7, name: 'Scan', updated_at: '2026-01-31T12:00:00Z' };
	const idOf = (event: string, of: Case, seenAt = 0) =>
		identifyEvent({ event, row: of, seenAt }).event_id;

	it('tells events, edits and contents apart, whenever the memory was read', () => {
		const all = [
			idOf('caseMatched', row),
			idOf('caseUnmatched', row),
			idOf('caseMatched', { ...row, updated_at: '2026-01-31T12:00:01Z' }),
			idOf('caseMatched', { ...row, priority: 'CRITICAL' }),
			idOf('caseMatched', { ...row, case_id: 8 }),
		];
		expect(new Set(all).size).toBe(all.length);
		expect(idOf('caseMatched', row, 60)).toBe(all[0]);
	});

	it('of a case that vanished depends on when the memory was read before', () => {
		const gone = { case_id: 7 };
		expect(idOf('caseUnmatched', gone, 60)).toBe(idOf('caseUnmatched', gone, 60));
		expect(idOf('caseUnmatched', gone, 60)).not.toBe(idOf('caseUnmatched', gone, 120));
		expect(identifyEvent({ event: 'caseUnmatched', row: gone, seenAt: 60 }).event_time).toBeNull();
	});
});

describe('the memory of matches', () => {
	it('is due at an activation, where there is one', () => {
		const state = startingState(1000);
		const matches = { ids: 'AB', filters: 1, readAt: 1500 };
		expect(withMatchesDue(state)).toBe(state);
		expect(withMatchesDue({ ...state, matches }).matches).toEqual({ ...matches, isDue: true });
	});
});
