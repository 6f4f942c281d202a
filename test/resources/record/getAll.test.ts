import { byId, hintsOf, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 60 });
const records = { resource: 'record', operation: 'getAll' };

/** By the sandbox's data: more records than a case carries. */
const MANY = 11;

/** The records of a case in the store, flat. */
const stored = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.records()
		.flatMap((group) =>
			group.record_type_record_results.map(({ id, results, created_at }) => ({
				case_id: caseId,
				record_id: id,
				record_type: group.record_type_name,
				record_created_at: created_at,
				...Object.fromEntries(results.map(({ name, value }) => [name, value])),
			})),
		);

describe('Get Many of records', () => {
	it('returns one flat row for each record of a case, those beyond its first page too', async () => {
		const run = await service.run({ ...records, caseId: byId(MANY), returnAll: true });
		expect(stored(MANY).length).toBeGreaterThan(10);
		expect(rowsOf(run)).toEqual(stored(MANY));
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
		const type = String(stored(MANY)[0].record_type);
		const some = await service.run({
			...records,
			caseId: byId(MANY),
			returnAll: true,
			recordTypes: [type.toLowerCase()],
		});
		expect(rowsOf(some)).toEqual(stored(MANY).filter(({ record_type }) => record_type === type));
		const none = await service.run({ ...records, caseId: byId(7), recordTypes: ['Moon'] });
		expect(rowsOf(none)).toEqual([]);
		expect(hintsOf(none)).toEqual(['No record found.']);
	});
});
