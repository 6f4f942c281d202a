import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../support/runs';
import { useService } from '../support/service';

const service = useService({ cases: 60 });
const activities = { resource: 'activity', operation: 'getAll' };
const records = { resource: 'record', operation: 'getAll' };

/** By the sandbox's data: 61 activities, 60 of them comments; the other has more records than a case carries. */
const [BUSY, MANY_RECORDS] = [7, 11];

/** The history of a case in the store, as simplified rows. */
const historyOf = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.activities()
		.map(({ id, activity_type, value, user, created_at }) => ({
			...{ case_id: caseId, activity_id: id, activity_type, value },
			...{ user: `${user.first_name} ${user.last_name}`, user_email: user.email },
			...{ is_service_account: user.is_service_account, created_at },
		}));

/** The records of a case in the store, flat. */
const recordsOf = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.records()
		.flatMap(({ record_type_name: record_type, record_type_record_results }) =>
			record_type_record_results.map(({ id, results, created_at }) => ({
				...{ case_id: caseId, record_id: id, record_type, record_created_at: created_at },
				...Object.fromEntries(results.map(({ name, value }) => [name, value])),
			})),
		);

describe('Get Many of activities', () => {
	it('returns the whole history of each case, in the order of the service', async () => {
		const cases = range(1, 60);
		const run = await service.run(
			{ ...activities, caseId: OF_ITEM, returnAll: true },
			{ items: itemsWith(cases) },
		);
		expect(rowsOf(run)).toEqual(cases.flatMap(historyOf));
		expect(pairsOf(run)).toEqual(
			cases.flatMap((caseId, item) => historyOf(caseId).map(() => [item])),
		);
		const truncated = cases.filter((caseId) => historyOf(caseId).length > 10);
		const details = service.paths().filter((path) => path.endsWith('/activities'));
		expect(service.paths()).toHaveLength(2 + details.length);
		expect(new Set(details)).toEqual(
			new Set(truncated.map((caseId) => `GET /api/v2/cases/${caseId}/activities`)),
		);
	});

	it('returns each activity as the service sends it, with its case ID, when raw', async () => {
		const run = await service.run({ ...activities, caseId: byId(BUSY), limit: 1, output: 'raw' });
		const [{ id, activity_type, value, user: stored, created_at }] = service.sandbox.store
			.getCase(BUSY)
			.activities();
		const user = { ...stored, user_id: String(stored.user_id) };
		expect(rowsOf(run)).toEqual([{ case_id: BUSY, id, activity_type, value, user, created_at }]);
	});

	it('keeps only the types of Activity Types', async () => {
		const only = { returnAll: true, activityTypes: ['CREATED'] };
		const run = await service.run({ ...activities, caseId: byId(BUSY), ...only });
		expect(rowsOf(run)).toEqual(historyOf(BUSY).slice(0, 1));
	});

	it.each([
		['={{ [] }}', "'Activity Types' has an expression that returns no value"],
		['={{ "" }}', undefined],
	])('of the types of an expression: %s is refused with %j', async (activityTypes, message) => {
		const run = await service.run({ ...activities, caseId: byId(BUSY), activityTypes });
		expect(failureOf(run).message).toBe(message);
	});

	it('takes no further request for as many as the case carries', async () => {
		const run = await service.run({ ...activities, caseId: byId(BUSY), limit: 10 });
		expect(rowsOf(run)).toEqual(historyOf(BUSY).slice(0, 10));
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 10; there are more activities."]);
	});
});

describe('Get Many of records', () => {
	it('returns one flat row for each record of a case, those beyond its first page too', async () => {
		const run = await service.run({ ...records, caseId: byId(MANY_RECORDS), returnAll: true });
		expect(recordsOf(MANY_RECORDS).length).toBeGreaterThan(10);
		expect(rowsOf(run)).toEqual(recordsOf(MANY_RECORDS));
		expect(hintsOf(run)).toEqual([]);
	});

	it('returns the entry as the service sends it, with its type, when raw', async () => {
		const run = await service.run({ ...records, caseId: byId(7), limit: 1, output: 'raw' });
		const [{ record_type_id, record_type_name, record_type_record_results }] = service.sandbox.store
			.getCase(7)
			.records();
		expect(rowsOf(run)).toEqual([
			{ case_id: 7, record_type_id, record_type_name, ...record_type_record_results[0] },
		]);
	});

	it('keeps only the types of Record Types, and says that none match', async () => {
		const type = String(recordsOf(MANY_RECORDS)[0].record_type);
		const only = { returnAll: true, recordTypes: [type.toLowerCase()] };
		const some = await service.run({ ...records, caseId: byId(MANY_RECORDS), ...only });
		expect(rowsOf(some)).toEqual(
			recordsOf(MANY_RECORDS).filter(({ record_type }) => record_type === type),
		);
		const none = await service.run({ ...records, caseId: byId(7), recordTypes: ['Moon'] });
		expect(rowsOf(none)).toEqual([]);
		expect(hintsOf(none)).toEqual(['No record found.']);
	});
});
