import type { Case } from '../../sandbox/types';
import { hintsOf, idsOf, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// The service as it has grown since the API document: what only the whole of it shows. Single traits are tested where they matter.
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

describe('Filters of a service that has grown', () => {
	it('find no case with an excluded tag, though the service has another name for them', async () => {
		const { ids, hints } = await find({ excluded_tags: ['malware'] });
		expect(ids).toEqual(stored(({ tags }) => !tags.some(({ name }) => name === 'malware')));
		expect(hints).toEqual([expect.stringMatching(/the filter 'Tags \(None\)'.*exclude_tags\[\]/)]);
	});

	it('take email addresses and unassigned as assignees', async () => {
		const { email } = service.sandbox.store.user(ANA);
		expect(await find({ assignees: `={{ ['${email}', 'unassigned'] }}` })).toEqual({
			ids: stored(
				({ assignees }) =>
					assignees.length === 0 || assignees.some(({ user_id }) => user_id === ANA),
			),
			hints: [],
		});
	});
});

it('Pages of a service that has grown state the total, which is the count and stands in the hint of a Limit', async () => {
	expect(rowsOf(await service.run({ operation: 'count' }))).toEqual([{ count: 131 }]);
	expect(service.sandbox.requests).toHaveLength(1);
	const run = await service.run({ limit: 20 });
	expect(hintsOf(run)).toEqual([expect.stringContaining('there are 131 cases')]);
});
