import { failureOf, hintsOf, rowsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

const raw = async (id: number) => {
	const { sandbox } = service;
	const response = await fetch(`${sandbox.url}/api/v2/cases?filters[case_ids][]=${id}`, {
		headers: { 'x-user-token': sandbox.keys.tenantOwner, 'content-type': 'application/json' },
	});
	return ((await response.json()) as { cases: Array<Record<string, unknown>> }).cases[0];
};

describe('Output', () => {
	it('is exactly eleven flat fields when simplified, the default', async () => {
		const row = service.sandbox.store.getCase(7);
		const [item] = rowsOf(await service.run({ filters: { case_ids: '7' } }));
		expect(item).toEqual({
			case_id: 7,
			name: row.name,
			status: row.status,
			priority: row.priority,
			team: row.team.name,
			assignees: row.assignees.map(({ email }) => email),
			tags: row.tags.map(({ name }) => name),
			url: `${service.sandbox.url}/cases/7`,
			created_at: row.created_at,
			updated_at: row.updated_at,
			resolved_at: row.resolved_at,
		});
	});

	it('is the case as the service sends it when raw', async () => {
		const [item] = rowsOf(await service.run({ output: 'raw', filters: { case_ids: '8' } }));
		expect(item).toEqual(await raw(8));
		expect(Object.keys(item)).toHaveLength(24);
	});

	it('has each selected field as the service sends it', async () => {
		const { case_id, ...others } = await raw(9);
		const run = await service.run({
			output: 'selected',
			fields: Object.keys(others),
			filters: { case_ids: '9' },
		});
		expect(rowsOf(run)).toEqual([{ case_id, ...others }]);
	});

	it('has the selected fields in the chosen order, after the case ID', async () => {
		const fields = ['status', 'case_id', 'name'];
		const run = await service.run({ output: 'selected', fields, limit: 1 });
		expect(Object.keys(rowsOf(run)[0])).toEqual(['case_id', 'status', 'name']);
	});

	it('has null for a selected field that no case has, with a hint', async () => {
		service.sandbox.deviate({ rows: { fields: [{ path: 'resolved_by' }] } });
		const fields = '={{ ["name", "severity", "resolved_by"] }}';
		const run = await service.run({ output: 'selected', fields, limit: 2 });
		service.sandbox.deviate();
		expect(rowsOf(run)[0]).toHaveProperty('severity', null);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(
				/^These fields are null.*: "severity", "resolved_by"\. Check their names/,
			),
		);
	});

	it('may differ from item to item', async () => {
		const run = await service.run(
			{ output: '={{ $json.output }}', filters: { case_ids: '7' } },
			{ items: [{ output: 'simplified' }, { output: 'raw' }] },
		);
		expect(rowsOf(run).map((row) => Object.keys(row).length)).toEqual([11, 24]);
	});

	it('is refused when it is unknown, before any request', async () => {
		const run = await service.run({ output: '={{ "all" }}' });
		expect(failureOf(run)).toMatchObject({
			message: '\'Output\': "all" is not one of simplified, selected, raw',
			description: expect.stringContaining('Choose from the list'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
