import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
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

	it('reads fifty cases with one request, and further pages only of truncated cases', async () => {
		const cases = range(1, 60);
		const run = await service.run(
			{ ...records, caseId: OF_ITEM, returnAll: true },
			{ items: itemsWith(cases) },
		);
		expect(rowsOf(run)).toEqual(cases.flatMap(stored));
		expect(pairsOf(run)).toEqual(cases.flatMap((caseId, item) => stored(caseId).map(() => [item])));
		const details = service.paths().filter((path) => path.endsWith('/records'));
		expect(service.paths()).toHaveLength(2 + details.length);
		expect(new Set(details)).toEqual(new Set([`GET /api/v2/cases/${MANY}/records`]));
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

	test.each([
		[10, 1],
		[11, 2],
	])('up to %i takes %i requests where a case carries ten', async (limit, requests) => {
		const run = await service.run({ ...records, caseId: byId(MANY), limit });
		expect(rowsOf(run)).toEqual(stored(MANY).slice(0, limit));
		expect(service.sandbox.requests).toHaveLength(requests);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^'Limit' kept the first \d+; there are .*records\.$/),
		]);
	});

	it('refuses Record Types that are not a list of names', async () => {
		const run = await service.run({ ...records, caseId: byId(7), recordTypes: '={{ ({}) }}' });
		expect(failureOf(run).message).toMatch(/^'Record Types': .* is not a list of names/);
	});
});
