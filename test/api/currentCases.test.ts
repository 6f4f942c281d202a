import { CurrentCases } from '../../nodes/Cases/api/currentCases';
import { CaseStore } from '../../sandbox/store';
import { simulate } from './simulation';

/** Cases 1 to 9, read at 10,000 ms, and the IDs of each further read. */
function nineCases(pageSize = 4) {
	const store = new CaseStore({ now: () => new Date('2026-01-20T00:00:00Z') });
	for (let count = 0; count < 9; count++) store.createCase();
	const clock = { now: 10_000 };
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 4,
	});
	const noted: number[] = [];
	const cases = new CurrentCases(client, { pageSize, note: (count) => noted.push(count) });
	for (let id = 1; id <= 9; id++) cases.add(String(id), { case_id: id }, 10_000);
	const reads = () =>
		answered.map((path) =>
			(path.match(/case_ids[^=]*=\d+/g) ?? []).map((id) => /\d+$/.exec(id)?.[0]).join(),
		);
	return { store, clock, cases, reads, noted };
}

describe('Current cases', () => {
	it('are those that were read while these are young', async () => {
		const { clock, cases, reads } = nineCases();
		clock.now += 2000;
		expect(await cases.now('1')).toEqual({ row: { case_id: 1 }, readAt: 10_000 });
		expect(reads()).toEqual([]);
	});

	it('are read again where they are old, with those that are left, up to a page', async () => {
		const { clock, cases, reads, noted } = nineCases();
		cases.expect(['1', '2', '3', '5', '6', '7', '8']);
		cases.finish('2');
		clock.now += 2001;
		const { row, readAt } = await cases.now('3');
		expect(row).toMatchObject({ case_id: 3, status: 'OPEN' });
		expect(readAt).toBe(12_001);
		expect(reads()).toEqual(['3,1,5,6']);
		expect(noted).toEqual([4]);
		await cases.now('5');
		expect(reads()).toHaveLength(1);
	});

	it('are read again where the clock was set back', async () => {
		const { clock, cases, reads } = nineCases();
		clock.now -= 2001;
		await cases.now('1');
		expect(reads()).toEqual(['1']);
	});

	it('share the reads that are under way, and no case is in two of them', async () => {
		const { clock, cases, reads } = nineCases();
		cases.expect(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
		clock.now += 3000;
		await Promise.all(['1', '2', '5', '9'].map(async (id) => await cases.now(id)));
		expect(reads().sort()).toEqual(['1,2,3,4', '5,6,7,8', '9']);
	});

	it('are read alone where nothing else is left', async () => {
		const { cases, reads } = nineCases();
		const { cases: others } = nineCases();
		expect(await others.now('1')).toMatchObject({ row: { case_id: 1 } });
		cases.add('1', {}, 0);
		await cases.now('1');
		expect(reads()).toEqual(['1']);
	});

	it('are not found where they are gone, and are looked for again', async () => {
		const { store, clock, cases, reads } = nineCases();
		store.deleteCase(1);
		clock.now += 3000;
		await expect(cases.now('1')).rejects.toMatchObject({
			message: 'Case 1 was not found, or the API key has no access to it',
			details: { description: expect.stringContaining('Check the ID'), retryable: false },
		});
		await expect(cases.now('1')).rejects.toThrow('Case 1 was not found');
		expect(reads()).toEqual(['1', '1']);
		expect(() => cases.last('1')).toThrow('Case 1 was not found');
	});
});
