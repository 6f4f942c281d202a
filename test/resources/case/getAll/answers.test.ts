import { failureOf, hintsOf, idsOf, rowsOf } from '../../../support/runs';
import { sorted, useCases } from './support';

const service = useCases();

describe('Get Many', () => {
	it('returns no item for an empty list, and leaves a hint', async () => {
		const run = await service.run({ filters: { search: 'nothing is called so' } });
		expect(rowsOf(run)).toEqual([]);
		expect(hintsOf(run)).toEqual(['No case found.']);
	});

	it('reports an answer without a list of cases', async () => {
		service.sandbox.faults.add({ fault: { kind: 'listMissing' } });
		expect(failureOf(await service.run({}))).toMatchObject({
			message: 'The answer of the service has no list "cases"',
			description: expect.stringContaining("Check that 'Base URL'"),
			item: 0,
		});
	});

	it('returns only the cases of its team to a team key, and reports another team', async () => {
		const credential = { apiKey: service.sandbox.keys.team };
		const run = await service.run({ returnAll: true }, { credential });
		expect(sorted(idsOf(run))).toEqual(service.storedIds(({ team }) => team.id === 1));
		const other = await service.run({ filters: { team_id: '2' } }, { credential });
		expect(failureOf(other)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			message: 'Not found, or the API key has no access to it (404)',
			description: expect.stringMatching(
				/the case or team, .*a team key sees only its team's cases/,
			),
			item: 0,
		});
	});
});
