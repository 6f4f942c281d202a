import { byId, failureOf, range, rowsOf } from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

const service = useService({ cases: 110, grown: ['case-writes'] });

const run = async (operation: string, caseId: number, ids: unknown, options?: RunOptions) =>
	await service.run({ operation, caseId: byId(caseId), linkedCaseIds: ids }, options);
const linksOf = (id: number) => service.sandbox.store.getCase(id).linked_case_ids;
const bodies = () => service.sandbox.requests.flatMap(({ body }) => body ?? []);
const LOST = { kind: 'drop', applied: true } as const;

describe('Case: Link', () => {
	it('links a case to others, and returns these', async () => {
		const rows = rowsOf(await run('link', 1, ' #2, 3; 2'));
		const nameOf = (id: number) => service.sandbox.store.getCase(id).name;
		expect(rows).toEqual([
			{
				case_id: 1,
				linked_cases: [
					{ case_id: 2, name: nameOf(2) },
					{ case_id: 3, name: nameOf(3) },
				],
			},
		]);
		expect(service.paths()).toEqual(['POST /api/v2/cases/1/linked_cases/batch']);
		expect(bodies()).toEqual([{ ids: ['2', '3'] }]);
		expect([linksOf(1), linksOf(2)]).toEqual([[2, 3], [1]]);
	});

	it('sends at most 50 cases with a request, and says what was linked before a failure', async () => {
		expect(rowsOf(await run('link', 4, range(5, 64).join()))[0].linked_cases).toHaveLength(60);
		expect(bodies()).toHaveLength(2);
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 422 } });
		const { description } = failureOf(await run('link', 70, range(5, 64).join()));
		expect(description).toMatch(/Links of the same case that were written before: 50\./);
		expect(linksOf(70)).toHaveLength(50);
	});

	it('looks for links whose answer was lost', async () => {
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await run('link', 71, '72'))).toMatchObject([
			{ linked_cases: [{ case_id: 72 }] },
		]);
		expect(service.paths()).toEqual([
			'POST /api/v2/cases/71/linked_cases/batch',
			'GET /api/v2/cases/71/linked_cases',
		]);
		service.sandbox.faults.add({ fault: { kind: 'drop' } });
		expect(failureOf(await run('link', 71, '72, 73')).description).toMatch(
			/check whether case 71 is linked to all of these cases: 72, 73\. If not, it may still arrive/,
		);
		expect(bodies()).toHaveLength(2);
	});

	it.each([
		['={{ [] }}', 'No case ID was given'],
		['7,x', `'Linked Case IDs': "x" is not a case ID`],
	])('refuses the cases "%s" before any request', async (ids, message) => {
		expect(failureOf(await run('link', 1, ids)).message).toBe(message);
		expect(service.paths()).toEqual([]);
	});
});

describe('Case: Unlink', () => {
	it('removes links, skips those that are not there, and says how many there were', async () => {
		await run('link', 80, '81, 82, 83');
		service.sandbox.clearRequests();
		expect(rowsOf(await run('unlink', 80, '={{ [81, 99, 83] }}'))).toEqual([
			{ case_id: 80, removed: 2 },
		]);
		expect(service.paths()).toEqual(
			[81, 99, 83].map((id) => `DELETE /api/v2/cases/80/linked_cases/${id}`),
		);
		expect(linksOf(80)).toEqual([82]);
	});

	it('fails where no link is there, because the case may be another one', async () => {
		expect(failureOf(await run('unlink', 84, '85')).message).toBe(
			'A link of case 84 to case 85 not found, or no access (404)',
		);
		expect(failureOf(await run('unlink', 84, '85, 86')).message).toMatch(/to these cases not/);
	});

	it('says how many links were removed before a failure', async () => {
		await run('link', 87, '88, 89');
		service.sandbox.clearRequests();
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 403 } });
		const { description } = failureOf(await run('unlink', 87, '88, 89'));
		expect(description).toMatch(/Links of the same case that were written before: 1\./);
	});
});

describe('Case: Delete', () => {
	const remove = async (caseId: number) =>
		await service.run({ operation: 'delete', caseId: byId(caseId) });

	it('deletes one case', async () => {
		expect(rowsOf(await remove(90))).toEqual([{ case_id: 90, deleted: true }]);
		expect(service.paths()).toEqual(['DELETE /api/v2/cases/90']);
		expect(service.sandbox.store.findCase(90)).toBeUndefined();
		expect(failureOf(await remove(90)).message).toBe('Case 90 not found, or no access (404)');
	});

	it('takes 404 after a lost answer for done', async () => {
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await remove(91))).toEqual([{ case_id: 91, deleted: true }]);
		expect(service.sandbox.requests).toHaveLength(2);
	});
});
