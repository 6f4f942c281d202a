import { failureOf, hintsOf, rowsOf } from '../../../support/runs';
import { useCases } from './support';

const service = useCases();

// By the sandbox's data: case 7 has 60 comments, case 11 has many records; a list carries 10 of each.
const parameters = (loadInFull: unknown, others = {}) => ({
	output: 'raw',
	filters: { case_ids: '7, 11, 12' },
	options: { loadInFull },
	...others,
});

describe('Load in Full', () => {
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

	it('reads all records beside activities, and merges the groups of one type', async () => {
		const run = await service.run(parameters(['activities', 'records']));
		const { store } = service.sandbox;
		for (const row of rowsOf(run)) {
			expect(row.records).toEqual(store.getCase(row.case_id as number).records());
		}
		expect(
			store
				.getCase(11)
				.records()
				.flatMap((group) => group.record_type_record_results).length,
		).toBeGreaterThan(10);
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
