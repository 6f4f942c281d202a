import type { Case } from '../../sandbox/types';
import { byId, hintsOf, idsOf, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// The service as it has grown since the API document: each of its newer traits, as far as the Cases node meets it.
const service = useService({ cases: 130, grown: true });
const [ANA, BRUNO] = [1, 2];
beforeAll(() => {
	const created_at = '2026-01-15T10:00:00Z';
	service.sandbox.store.createCase({ created_at, assignees: [ANA, BRUNO], author: ANA });
});

const stored = (matches: (row: Case) => boolean) =>
	[...service.sandbox.store.cases()].filter(matches).map(({ case_id }) => case_id);
const inOrder = (ids: unknown[]) => ids.map(Number).sort((a, b) => a - b);
/** The IDs of all cases that match filters, and the hints. */
const find = async (filters: object) => {
	const run = await service.run({ returnAll: true, filters });
	return { ids: inOrder(idsOf(run)), hints: hintsOf(run) };
};
const byOther = (name: string, value: string) => ({ other: { filter: [{ name, value }] } });
/** The page sizes that were requested of a list. */
const pageSizes = (list: string) => [
	...new Set(
		service.sandbox.requests
			.filter(({ path }) => path.endsWith(list))
			.map(({ query }) => query.per_page),
	),
];

describe('Filters of a service that has grown', () => {
	const isAssigned = (id: number) => (row: Case) =>
		row.assignees.some(({ user_id }) => user_id === id);

	it('find no case with an excluded tag, though the service has another name for them', async () => {
		const { ids, hints } = await find({ excluded_tags: ['malware'] });
		expect(ids).toEqual(stored(({ tags }) => !tags.some(({ name }) => name === 'malware')));
		expect(hints).toEqual([expect.stringMatching(/the filter 'Tags \(None\)'.*exclude_tags\[\]/)]);
	});

	it('take email addresses and unassigned as assignees', async () => {
		const { email } = service.sandbox.store.user(ANA);
		expect(await find({ assignees: `={{ ['${email}', 'unassigned'] }}` })).toEqual({
			ids: stored((row) => row.assignees.length === 0 || isAssigned(ANA)(row)),
			hints: [],
		});
	});

	it.each<[string, string, (row: Case) => boolean]>([
		[
			'and_assignees[]',
			`={{ [${ANA}, ${BRUNO}] }}`,
			(row) => isAssigned(ANA)(row) && isAssigned(BRUNO)(row),
		],
		['exclude_assignees[]', String(ANA), (row) => !isAssigned(ANA)(row)],
		['authors[]', String(ANA), ({ author }) => author.user_id === ANA],
		['exclude_authors[]', String(ANA), ({ author }) => author.user_id !== ANA],
	])('find the cases of %s by Other Filters', async (name, value, matches) => {
		expect(stored(matches).length).toBeGreaterThan(0);
		expect(await find(byOther(name, value))).toEqual({ ids: stored(matches), hints: [] });
	});
});

describe('Pages of a service that has grown', () => {
	it('have up to 500 cases', async () => {
		expect(idsOf(await service.run({ returnAll: true, options: { pageSize: 500 } }))).toHaveLength(
			131,
		);
		expect(pageSizes('/cases')).toEqual(['500']);
	});

	it('state the total, which is the count and stands in the hint of a Limit', async () => {
		expect(rowsOf(await service.run({ operation: 'count' }))).toEqual([{ count: 131 }]);
		expect(service.sandbox.requests).toHaveLength(1);
		const run = await service.run({ limit: 20 });
		expect(hintsOf(run)).toEqual([expect.stringContaining('there are 131 cases')]);
	});
});

it('Skip Unchanged compares all that a service that has grown lists of an action', async () => {
	const action = {
		...{ url: 'https://example.com/a', label: 'A', action_type: 'webhook' as const },
		...{ action_text: 'Go', query_params: { from: 'a' } },
	};
	// In the past: an edit during a read would make the node read again.
	service.sandbox.store.replaceActions(1, [action], { updated_at: '2026-01-20T00:00:00Z' });
	service.sandbox.deviate({ actions: { inRows: 'full' } });
	const parameters = {
		...{ resource: 'action', operation: 'replace', caseId: byId(1) },
		...{ actionsFrom: 'json', options: { skipUnchanged: true } },
	};
	const stop = { action_text: 'Stop' };
	// Each differs in one field from what the one before has left.
	const changes: object[] = [{}, stop, { ...stop, query_params: { from: 'elsewhere' } }];
	for (const change of changes) {
		const run = await service.run({ ...parameters, actionsJson: [{ ...action, ...change }] });
		expect(rowsOf(run)).toMatchObject([{ changed: change !== changes[0] }]);
	}
	service.sandbox.deviate();
});

it('Records of a service that has grown, which are flat, are all returned', async () => {
	// By the sandbox's data: more records than a case carries.
	const stored = service.sandbox.store
		.getCase(11)
		.records()
		.flatMap(({ record_type_record_results }) => record_type_record_results);
	const records = { resource: 'record', operation: 'getAll', caseId: byId(11), returnAll: true };
	const rows = rowsOf(await service.run(records));
	expect(rows.map(({ record_id }) => record_id)).toEqual(stored.map(({ id }) => id));
	stored.forEach(({ results }, index) => {
		for (const { value } of results) expect(JSON.stringify(rows[index])).toContain(value);
	});
});
