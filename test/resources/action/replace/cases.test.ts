import {
	failureOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../../support/runs';
import { CONTAIN, FROM_ITEMS, inFields, inJson, replace, RUNBOOK, useActions } from './support';

const service = useActions();

const items = [
	{ id: 5, ...CONTAIN },
	{ id: 6, ...RUNBOOK },
	{ id: 5, ...RUNBOOK, action_text: 'Open' },
];

describe('Replace All of several items', () => {
	it('groups one action per item by case into one PUT, in the order of the items', async () => {
		const run = await service.run({ ...replace, caseId: OF_ITEM, ...FROM_ITEMS }, { items });
		expect(new Map(service.writes() as Array<[string, unknown]>)).toEqual(
			new Map<string, unknown>([
				['/api/v2/cases/5/actions/batch', [CONTAIN, { ...RUNBOOK, action_text: 'Open' }]],
				['/api/v2/cases/6/actions/batch', [RUNBOOK]],
			]),
		);
		expect(idsOf(run)).toEqual([5, 6]);
		expect(pairsOf(run)).toEqual([[0, 2], [1]]);
	});

	it('sends two actions with the same URL as they are given', async () => {
		const twice = [
			{ id: 7, ...RUNBOOK },
			{ id: 7, ...RUNBOOK },
		];
		await service.run({ ...replace, caseId: OF_ITEM, ...FROM_ITEMS }, { items: twice });
		expect(service.writes()).toEqual([['/api/v2/cases/7/actions/batch', [RUNBOOK, RUNBOOK]]]);
	});

	test.each([
		['a bad action', { id: 9, ...RUNBOOK, url: 'x' }],
		['a bad case', { id: 'x', ...RUNBOOK }],
	])('writes nothing when one item has %s', async (_what, bad) => {
		const input = [{ id: 8, ...RUNBOOK }, bad];
		const run = await service.run({ ...replace, caseId: OF_ITEM, ...FROM_ITEMS }, { items: input });
		expect(failureOf(run)).toMatchObject({ status: 'error', item: 1 });
		expect(service.sandbox.requests).toEqual([]);
	});

	it('leaves a case with an invalid item unchanged under Continue On Fail, and writes the others', async () => {
		const before = service.stored(10);
		const input = [
			{ id: 10, ...RUNBOOK },
			{ id: 11, ...RUNBOOK },
			{ id: 10, ...RUNBOOK, url: 'nowhere' },
			{ id: 'x', ...RUNBOOK },
		];
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...FROM_ITEMS },
			{ items: input, onError: 'continueRegularOutput' },
		);
		expect(service.writtenIds()).toEqual([11]);
		expect(service.stored(10)).toEqual(before);
		const rows = rowsOf(run);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(rows[0]).toEqual({
			error: expect.stringContaining('Case 10 was not changed, because item 2 for the same case'),
			details: { httpCode: null, body: null },
		});
		expect(rows[1]).toMatchObject({ case_id: 11 });
		expect(rows[2].error).toContain('"nowhere" is not an http(s) address');
		expect(rows[3].error).toContain('"x" is not a case ID');
	});

	it('reports a refused write at each of its items under Continue On Fail', async () => {
		const input = itemsWith([999, 12, 999, 999]).map((item) => ({ ...item, ...RUNBOOK }));
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...FROM_ITEMS },
			{ items: input, onError: 'continueErrorOutput' },
		);
		expect(pairsOf(run)).toEqual([[1]]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[0], [2], [3]]);
	});

	it('refuses two items for one case and names them, because the second would wipe the first', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inFields(RUNBOOK) },
			{ items: itemsWith([14, 15, '014']) },
		);
		expect(failureOf(run)).toMatchObject({
			message:
				'2 input items (0, 2) would replace the actions of case 14, each overwriting the one before',
			description: expect.stringMatching(
				/drag case_id into 'Case'.*set 'Actions From' to Input Items.*Execute Once in Settings/,
			) as string,
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('names five of many items that name one case', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inFields(RUNBOOK) },
			{ items: itemsWith([15, ...range(1, 300).map(() => 14)]) },
		);
		expect(failureOf(run).message).toMatch(/^300 input items \(1, 2, 3, 4, 5 and 295 more\) would/);
	});

	it('keeps the error of each of 100 items for one case short', async () => {
		const input = itemsWith(range(1, 100).map(() => 14));
		for (const from of [inFields(RUNBOOK), { ...FROM_ITEMS, url: 'nowhere' }]) {
			const run = await service.run(
				{ ...replace, caseId: OF_ITEM, ...from },
				{ items: input, onError: 'continueRegularOutput' },
			);
			expect(run.items).toHaveLength(100);
			expect(JSON.stringify(run.items).length).toBeLessThan(100 * 500);
		}
	});

	it('reports two items for one case under Continue On Fail, and writes the other cases', async () => {
		const before = service.stored(14);
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inJson(JSON.stringify([RUNBOOK])) },
			{ items: itemsWith([14, 15, 14]), onError: 'continueRegularOutput' },
		);
		expect(service.writtenIds()).toEqual([15]);
		expect(service.stored(14)).toEqual(before);
		expect(rowsOf(run).map(({ error }) => error !== undefined)).toEqual([true, false, true]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
	});

	it('writes several cases at a time, never more than Concurrency, and returns them in input order', async () => {
		service.sandbox.faults.add({ fault: { kind: 'latency', ms: 20 } });
		const ids = range(20, 39);
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inFields(RUNBOOK), options: { concurrency: 4 } },
			{ items: itemsWith(ids) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual(range(0, 19).map((item) => [item]));
		expect(service.sandbox.stats.maxInFlight).toBeGreaterThan(1);
		expect(service.sandbox.stats.maxInFlight).toBeLessThanOrEqual(4);
		expect(run.credentialReads).toBe(2);
	});

	it('names at most a hundred of the cases that were not written after a write failed', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inFields(RUNBOOK), options: { concurrency: 1 } },
			{ items: itemsWith([1, ...range(1001, 1151)]) },
		);
		expect(failureOf(run).description).toMatch(
			/Written: item 0 \(case 1\)\. Not started: items 2 \(case 1002\), .*, 101 \(case 1101\) and 50 more\.$/,
		);
	});

	it('stops at a write that fails, and says which cases were written and which were not', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...inFields(RUNBOOK), options: { concurrency: 1 } },
			{ items: itemsWith([43, 44, 999, 45, 46]) },
		);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			description: expect.stringMatching(
				/Failed: item 2 \(case 999\)\. Written: items 0 \(case 43\), 1 \(case 44\)\. Not started: items 3 \(case 45\), 4 \(case 46\)\.$/,
			),
			item: 2,
		});
		expect(service.writtenIds()).toEqual([43, 44, 999]);
	});
});
