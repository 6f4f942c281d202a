import type { CaseFilters } from '../../nodes/Cases/api/caseQuery';
import { findMatching } from '../../nodes/Cases/trigger/changes/matchingCases';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import type { Deviations } from '../../sandbox';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

const CRITICAL: CaseFilters = { filters: { priority: 'CRITICAL' } };

/** What matches at a service with the cases 1 to 6, of which the odd ones are critical. */
function setUp(filters: CaseFilters, deviations: Deviations = {}) {
	const { clock, store } = storeAt(START);
	for (let case_id = 1; case_id <= 6; case_id++) {
		store.createCase({ case_id, priority: case_id % 2 === 1 ? 'CRITICAL' : 'LOW' });
	}
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 1,
		service: { deviations },
	});
	const warnings: string[] = [];
	const cases = watchCases(client, filters, 50, () => {}, true);
	const matching = findMatching(client, filters, cases, 3600, (line) => void warnings.push(line));
	return { matching, answered, warnings };
}

describe('the filters that cases match', () => {
	const numberOf = (filters: CaseFilters) => setUp(filters).matching.filters;
	const both = { filters: { priority: 'LOW', status: 'OPEN' } };

	it('are the same in another order, and others with another value', () => {
		expect(numberOf({ filters: { status: 'OPEN', priority: 'LOW' } })).toBe(numberOf(both));
		const numbers = [
			both,
			{ filters: { priority: 'LOW' } },
			{ filters: { priority: 'LOW', status: 'CLOSED' } },
			{ ...both, caseIds: ['1'] },
			{ ...both, teamId: '1' },
			{ ...both, priorities: ['LOW'] },
		].map(numberOf);
		expect(new Set(numbers).size).toBe(numbers.length);
	});
});

describe('the cases that match', () => {
	it('are all that the service lists', async () => {
		const { matching, warnings } = setUp(CRITICAL);
		expect((await matching.readIds()).sort()).toEqual([1, 3, 5]);
		expect(warnings).toEqual([]);
		expect(matching.readEvery).toBe(3600);
	});

	it('are refused before they are read where they are too many', async () => {
		const { matching, answered } = setUp(CRITICAL, { list: { pagesOff: 200_000 } });
		await expect(matching.readIds()).rejects.toThrow('More than 100000 cases match the filters');
		expect(answered).toHaveLength(2);
	});

	it('among some are those that match now', async () => {
		const { matching, answered } = setUp(CRITICAL);
		expect([...(await matching.among([1, 2, 3])).keys()].sort()).toEqual([1, 3]);
		expect((await matching.among([3])).get(3)).toMatchObject({
			case_id: 3,
			name: expect.anything(),
		});
		expect(answered).toHaveLength(2);
		expect(await matching.among([])).toEqual(new Map());
		expect(answered).toHaveLength(2);
	});

	it('among some are only given ones', async () => {
		const { matching, answered } = setUp({ filters: {}, caseIds: ['1', '2'] });
		expect([...(await matching.among([2, 3])).keys()]).toEqual([2]);
		expect(decodeURIComponent(answered[0])).not.toMatch(/case_ids\S*=3/);
	});

	it('among some are those of several priorities, with one request', async () => {
		const { matching, answered } = setUp({ filters: {}, priorities: ['CRITICAL', 'HIGH'] });
		expect([...(await matching.among([1, 2, 3])).keys()]).toEqual([1, 3]);
		expect(answered).toHaveLength(1);
	});
});
