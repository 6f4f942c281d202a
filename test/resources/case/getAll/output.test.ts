import { byId, failureOf, hintsOf, rowsOf } from '../../../support/runs';
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
	it('is the case as the service sends it when raw', async () => {
		const [item] = rowsOf(await service.run({ output: 'raw', filters: { case_ids: '8' } }));
		expect(item).toEqual(await raw(8));
		expect(Object.keys(item)).toHaveLength(24);
	});

	it('has each selected field as the service sends it, in the chosen order, after the case ID', async () => {
		const { case_id, ...others } = await raw(9);
		const fields = Object.keys(others).reverse();
		const filters = { case_ids: '9' };
		const [row] = rowsOf(await service.run({ output: 'selected', fields, filters }));
		expect(row).toEqual({ case_id, ...others });
		expect(Object.keys(row)).toEqual(['case_id', ...fields]);
	});

	it('has null for a selected field that no case has, with a hint', async () => {
		service.sandbox.deviate({ rows: { fields: [{ path: 'resolved_by' }] } });
		const fields = '={{ ["name", "severity", "resolved_by"] }}';
		const run = await service.run({ output: 'selected', fields, limit: 2 });
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
});

describe('Load in Full', () => {
	// By the sandbox's data: case 7 has 60 comments, case 11 has many records; a list carries 10 of each.
	const parameters = (loadInFull: unknown, others = {}) => ({
		output: 'raw',
		filters: { case_ids: '7, 11, 12' },
		options: { loadInFull },
		...others,
	});

	it('reads all activities of the cases that carry only some, and only of these', async () => {
		const run = await service.run(parameters(['activities']));
		const { store } = service.sandbox;
		for (const row of rowsOf(run)) {
			const ids = (row.activities as Array<{ id: number }>).map(({ id }) => id);
			expect(ids).toEqual(
				store
					.getCase(row.case_id as number)
					.activities()
					.map(({ id }) => id),
			);
		}
		const truncated = [7, 11, 12].filter((id) => store.getCase(id).activities().length > 10);
		const requested = service.paths().filter((path) => path.endsWith('/activities'));
		expect(truncated).toContain(7);
		expect(new Set(requested)).toEqual(
			new Set(truncated.map((id) => `GET /api/v2/cases/${id}/activities`)),
		);
		expect(service.sandbox.requests[1].query).toEqual({ per_page: '50', page: '1' });
	});

	it('leaves a hint that names the truncated cases when it is off', async () => {
		const run = await service.run(parameters([]));
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/only some activities or records of these cases: \d/),
		);
		expect(hintsOf(await service.run(parameters(['activities', 'records'])))).toEqual([]);
	});

	it('sends no request for fields that are not in the output, and leaves no hint', async () => {
		const simplified = await service.run(
			parameters(['activities', 'records'], { output: 'simplified' }),
		);
		expect(hintsOf(simplified)).toEqual([]);
		const selected = await service.run(
			parameters(['activities'], { output: 'selected', fields: ['name', 'records'] }),
		);
		expect(service.paths()).toEqual(['GET /api/v2/cases', 'GET /api/v2/cases']);
		expect(hintsOf(selected)).toHaveLength(1);
	});

	it('refuses an unknown value before any request', async () => {
		const run = await service.run(parameters('={{ ["comments"] }}'));
		expect(failureOf(run)).toMatchObject({
			message: '\'Load in Full\': "comments" is not one of activities, records',
			description: expect.stringContaining('Choose from the list'),
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Include Comments', () => {
	// By the sandbox's data: case 7 has 60 comments.
	const parameters = (includeComments: unknown, others = {}) => ({
		order: 'CREATED_ASC',
		filters: { case_ids: '7, 11, 12' },
		options: { includeComments },
		...others,
	});
	const storedComments = (id: unknown) => service.sandbox.store.comments(Number(id));
	const ofCases = () => service.paths().filter((path) => path.endsWith('/comments'));

	it('adds all comments of each case, simplified as the case is', async () => {
		const run = await service.run(parameters(true));
		const rows = rowsOf(run);
		expect(rows).toHaveLength(3);
		for (const { case_id, name, comments } of rows) {
			expect(name).toEqual(expect.any(String));
			expect(comments).toEqual(
				storedComments(case_id).map(({ id, value, created_at }) => ({
					case_id,
					comment_id: id,
					text: value,
					author: expect.any(String) as string,
					author_email: expect.any(String) as string,
					is_service_account: false,
					created_at,
				})),
			);
		}
		expect(storedComments(7).length).toBeGreaterThan(50);
		expect(hintsOf(run)).toEqual([]);
	});

	it.each([
		['raw', {}],
		['selected', { fields: ['name'] }],
	])('adds them as the service returns them where Output is %s', async (output, others) => {
		const [row] = rowsOf(
			await service.run(parameters(true, { output, ...others, filters: { case_ids: '7' } })),
		);
		expect(row.comments).toHaveLength(storedComments(7).length);
		const [first] = row.comments as object[];
		const { id, value, created_at } = storedComments(7)[0];
		expect(first).toMatchObject({ case_id: 7, id, value, created_at, activity_type: 'COMMENTED' });
		expect(first).toHaveProperty('reactions');
	});

	it('takes one request for each case whose comments fit on a page, and none when it is off', async () => {
		await service.run(parameters(true, { filters: { case_ids: '12' } }));
		expect(service.paths()).toEqual(['GET /api/v2/cases', 'GET /api/v2/cases/12/comments']);
		for (const options of [{ includeComments: false }, {}]) {
			const [row] = rowsOf(await service.run(parameters(false, { options })));
			expect(row).not.toHaveProperty('comments');
		}
		expect(ofCases()).toHaveLength(1);
	});

	it('works in Get, beside Load in Full', async () => {
		const run = await service.run({
			operation: 'get',
			caseId: byId(7),
			output: 'raw',
			options: { includeComments: true, loadInFull: ['activities'] },
		});
		const [row] = rowsOf(run);
		expect(row.comments).toHaveLength(storedComments(7).length);
		expect(row.activities).toHaveLength(service.sandbox.store.getCase(7).activities().length);
		expect(hintsOf(run)).toEqual([]);
	});

	const failing = (status: number, cases?: number[]) =>
		service.sandbox.deviate({ rows: { failing: [{ list: 'comments', status, cases }] } });
	const options = { includeComments: true, maxRetries: 0, concurrency: 1 };

	it.each([
		[404, 'Case 11 not found, or the API key has no access to it (404)'],
		[500, 'The service had an error (500)'],
	])('returns null for the case whose comments answer %i, and names it', async (status, reason) => {
		failing(status, [11]);
		const run = await service.run(parameters(true, { options }));
		expect(rowsOf(run).map(({ case_id, comments }) => [case_id, comments])).toEqual([
			[7, expect.any(Array)],
			[11, null],
			[12, expect.any(Array)],
		]);
		expect(hintsOf(run)).toEqual([
			`The comments of some cases could not be read, and are null there: case 11 (${reason}).`,
		]);
	});

	it('fails where the comments of no case can be read', async () => {
		failing(404, [7, 11, 12]);
		expect(failureOf(await service.run(parameters(true, { options })))).toMatchObject({
			message: expect.stringMatching(/^Case 7 not found/) as string,
			description: expect.stringContaining('/cases/7/comments') as string,
		});
	});

	it('fails where the service refuses the key for comments', async () => {
		failing(401, [11]);
		expect(failureOf(await service.run(parameters(true))).message).toContain('(401)');
	});

	it('does not request the comments of all cases where the service fails to answer', async () => {
		failing(500);
		const run = await service.run({ order: 'CREATED_ASC', limit: 50, options });
		expect(failureOf(run).message).toBe('The service had an error (500)');
		expect(ofCases()).toHaveLength(10);
	});

	it('leaves no hint where the field comments is selected', async () => {
		const run = await service.run(
			parameters(true, { output: 'selected', fields: "={{ ['name', 'comments'] }}" }),
		);
		expect(hintsOf(run)).toEqual([]);
		expect(rowsOf(run)[0].comments).toHaveLength(storedComments(7).length);
	});
});
