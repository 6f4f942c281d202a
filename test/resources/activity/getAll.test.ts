import { byId, hintsOf, itemsWith, OF_ITEM, pairsOf, range, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 60 });
const activities = { resource: 'activity', operation: 'getAll' };

/** By the sandbox's data: 61 activities, 60 of them comments. */
const MANY = 7;

/** The history of a case in the store, as simplified rows. */
const stored = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.activities()
		.map(({ id, activity_type, value, user, created_at }) => ({
			case_id: caseId,
			activity_id: id,
			activity_type,
			value,
			user: `${user.first_name} ${user.last_name}`,
			user_email: user.email,
			created_at,
		}));

describe('Get Many of activities', () => {
	it('returns the whole history of each case, in the order of the service', async () => {
		const cases = range(1, 60);
		const run = await service.run(
			{ ...activities, caseId: OF_ITEM, returnAll: true },
			{ items: itemsWith(cases) },
		);
		expect(rowsOf(run)).toEqual(cases.flatMap(stored));
		expect(pairsOf(run)).toEqual(cases.flatMap((caseId, item) => stored(caseId).map(() => [item])));
		const truncated = cases.filter((caseId) => stored(caseId).length > 10);
		const details = service.paths().filter((path) => path.endsWith('/activities'));
		expect(service.paths()).toHaveLength(2 + details.length);
		expect(new Set(details)).toEqual(
			new Set(truncated.map((caseId) => `GET /api/v2/cases/${caseId}/activities`)),
		);
	});

	it('returns each activity as the service sends it, with its case ID, when raw', async () => {
		const run = await service.run({ ...activities, caseId: byId(MANY), limit: 1, output: 'raw' });
		const [{ id, activity_type, value, user, created_at }] = service.sandbox.store
			.getCase(MANY)
			.activities();
		expect(rowsOf(run)).toEqual([
			{
				case_id: MANY,
				id,
				activity_type,
				value,
				user: { ...user, user_id: String(user.user_id) },
				created_at,
			},
		]);
	});

	it('keeps only the types of Activity Types', async () => {
		const run = await service.run({
			...activities,
			caseId: byId(MANY),
			returnAll: true,
			activityTypes: ['CREATED'],
		});
		expect(rowsOf(run)).toEqual(stored(MANY).slice(0, 1));
	});

	it('takes no further request for as many as the case carries', async () => {
		const run = await service.run({ ...activities, caseId: byId(MANY), limit: 10 });
		expect(rowsOf(run)).toEqual(stored(MANY).slice(0, 10));
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 10; there are more activities."]);
	});
});
