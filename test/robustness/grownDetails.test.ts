import { byId, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// The service as it has grown since the API document: flat records, other hosts in addresses, further fields.
const service = useService({ cases: 60, grown: true });

/** By the sandbox's data: 60 comments, and more records than a case carries. */
const [MANY_ACTIVITIES, MANY_RECORDS] = [7, 11];

const storedRecords = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.records()
		.flatMap(({ record_type_record_results }) => record_type_record_results);

describe('A service that has grown', () => {
	it('returns every record of a case, though they are flat', async () => {
		const run = await service.run({
			resource: 'record',
			operation: 'getAll',
			caseId: byId(MANY_RECORDS),
			returnAll: true,
		});
		const stored = storedRecords(MANY_RECORDS);
		expect(rowsOf(run).map(({ record_id }) => record_id)).toEqual(stored.map(({ id }) => id));
		rowsOf(run).forEach((row, index) => {
			const text = JSON.stringify(row);
			for (const { value } of stored[index].results) expect(text).toContain(value);
		});
	});

	it('keeps flat records with Load in Full', async () => {
		const run = await service.run({
			operation: 'get',
			caseId: byId(MANY_RECORDS),
			output: 'raw',
			options: { loadInFull: ['records'] },
		});
		expect(rowsOf(run)[0].records).toHaveLength(storedRecords(MANY_RECORDS).length);
	});

	it('returns the whole history of a case, though its addresses have another host', async () => {
		const run = await service.run({
			resource: 'activity',
			operation: 'getAll',
			caseId: byId(MANY_ACTIVITIES),
			returnAll: true,
		});
		const stored = service.sandbox.store.getCase(MANY_ACTIVITIES).activities();
		expect(rowsOf(run).map(({ activity_id }) => activity_id)).toEqual(stored.map(({ id }) => id));
	});

	it('has its further fields in the text of a case', async () => {
		const run = await service.run({
			operation: 'digest',
			caseId: byId(MANY_RECORDS),
		});
		const [{ text, truncated }] = rowsOf(run);
		expect(truncated).toBe(false);
		expect(text).toMatch(/^- Sub-status: /m);
		expect(text).toMatch(/^## Other fields$/m);
		for (const { results } of storedRecords(MANY_RECORDS)) {
			for (const { value } of results) expect(text).toContain(value);
		}
	});
});
