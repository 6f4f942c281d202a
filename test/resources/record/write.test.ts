import { byId, failureOf, OF_ITEM, rowsOf } from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

const service = useService({ cases: 5, grown: ['case-writes', 'newer-requests'] });

const newCase = () => service.sandbox.store.createCase().case_id;
const recordsOf = (id: number) =>
	service.sandbox.store
		.getCase(id)
		.records()
		.flatMap((group) => group.record_type_record_results);
const bodies = () => service.sandbox.requests.flatMap(({ body }) => body ?? []);
const LOST = { kind: 'drop', applied: true } as const;

/** The types and fields of the made-up tenant. */
const [ALERT, HOST] = ['11', '12'];
const FIELDS = { rule: 1100, firstSeen: 1103, verdict: 1104, muted: 1105, cores: 1202 };

const create = async (
	caseId: unknown,
	typeId: unknown,
	values: Array<[field: unknown, value: unknown]>,
	options?: RunOptions,
) =>
	await service.run(
		{
			...{ resource: 'record', operation: 'create', caseId, recordTypeId: byId(typeId) },
			recordFields: { field: values.map(([field, value]) => ({ field, value })) },
		},
		{ timezone: 'Europe/Berlin', ...options },
	);

describe('Record: Create', () => {
	it('creates a record on a case, with its times in UTC', async () => {
		const id = newCase();
		const run = await create(byId(id), ALERT, [
			[FIELDS.rule, 'brute-force'],
			[FIELDS.firstSeen, '2026-07-01T09:00:00'],
			[FIELDS.verdict, 'benign'],
			[FIELDS.muted, '={{ true }}'],
			[1101, ''],
		]);
		expect(rowsOf(run)).toEqual([
			{
				case_id: id,
				record_id: recordsOf(id)[0].id,
				record_type: 'Alert',
				record_created_at: expect.any(String) as string,
				rule: 'brute-force',
				'first seen': '2026-07-01 07:00:00',
				verdict: 'benign',
				muted: 'true',
			},
		]);
		expect(service.paths()).toEqual(['GET /api/v1/record_types', 'POST /api/v1/records']);
		expect(bodies()).toEqual([
			{
				record_type_id: 11,
				case_ids: [id],
				field_values: [
					{ field_id: 1100, value: 'brute-force' },
					{ field_id: 1103, value: '2026-07-01T07:00:00Z' },
					{ field_id: 1104, value: 'benign' },
					{ field_id: 1105, value: 'true' },
				],
			},
		]);
	});

	it('reads the types once for all items', async () => {
		const items = [1, 2, 3].map(() => ({ id: newCase() }));
		rowsOf(await create(OF_ITEM, HOST, [[FIELDS.cores, '={{ 8 }}']], { items }));
		expect(service.paths().filter((path) => path.startsWith('GET'))).toHaveLength(1);
		for (const { id } of items) expect(recordsOf(id)).toHaveLength(1);
	});

	it.each<[string, unknown, Array<[unknown, unknown]>, string]>([
		['an unknown type', 99, [[FIELDS.cores, '8']], 'There is no record type 99'],
		['a field of another type', HOST, [[1100, 'a']], 'The record type "Host" has no field 1100'],
		['no date', ALERT, [[FIELDS.firstSeen, 'soon']], `'first seen': "soon" is not a date`],
		['no switch', ALERT, [[FIELDS.muted, 'perhaps']], `'muted': "perhaps" is neither true nor`],
	])('refuses %s before any write', async (_what, type, values, message) => {
		const items = [{ id: 1 }, { id: 2 }];
		expect(failureOf(await create(OF_ITEM, type, values, { items })).message).toContain(message);
		expect(bodies()).toEqual([]);
	});

	it.each<[Array<[unknown, unknown]>, string]>([
		[[], `'Record Fields' has no field`],
		[[['name', 'a']], `'Record Fields': "name" is not a field ID`],
		[
			[
				[1, 'a'],
				[1, 'b'],
			],
			`'Record Fields': the field 1 is there twice`,
		],
	])('refuses the values %j before any request', async (values, message) => {
		expect(failureOf(await create(byId(1), HOST, values)).message).toBe(message);
		expect(service.paths()).toEqual([]);
	});

	it('shows what the service says of a value', async () => {
		const { description } = failureOf(await create(byId(1), ALERT, [[FIELDS.verdict, 'odd']]));
		expect(description).toMatch(/The service says: verdict can't be odd/);
	});

	it('is not retried after a lost answer, and says what may exist', async () => {
		const id = newCase();
		service.sandbox.faults.add({ match: { method: 'POST' }, fault: LOST });
		const { description } = failureOf(await create(byId(id), HOST, [[FIELDS.cores, '8']]));
		expect(description).toContain(`check whether case ${id} has the record`);
		expect(recordsOf(id)).toHaveLength(1);
		expect(bodies()).toHaveLength(1);
	});
});

describe('A record that is there', () => {
	const change = async (operation: 'link' | 'unlink', caseId: number, recordId: unknown) =>
		await service.run({ resource: 'record', operation, caseId: byId(caseId), recordId });

	it('can be added to a case and removed from it, also twice', async () => {
		const [first, second] = [newCase(), newCase()];
		const [{ record_id }] = rowsOf(await create(byId(first), HOST, [[FIELDS.cores, '8']]));
		service.sandbox.clearRequests();
		for (const operation of ['link', 'link', 'unlink', 'unlink'] as const) {
			expect(rowsOf(await change(operation, second, record_id))).toEqual([
				{ case_id: second, record_id, linked: operation === 'link' },
			]);
			expect(recordsOf(second)).toHaveLength(operation === 'link' ? 1 : 0);
		}
		expect(recordsOf(first)).toHaveLength(1);
		const path = `/api/v2/records/${Number(record_id)}/cases`;
		expect(service.paths()).toEqual([
			...[`POST ${path}`, `POST ${path}`],
			...[`DELETE ${path}/${second}`, `DELETE ${path}/${second}`],
		]);
		expect(bodies()).toEqual([{ case_id: second }, { case_id: second }]);
	});

	it('is added again after a lost answer, as the service promises', async () => {
		const [first, second] = [newCase(), newCase()];
		const [{ record_id }] = rowsOf(await create(byId(first), HOST, [[FIELDS.cores, '8']]));
		service.sandbox.clearRequests();
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await change('link', second, record_id))).toMatchObject([{ linked: true }]);
		expect(service.paths()).toHaveLength(2);
		expect(recordsOf(second)).toHaveLength(1);
	});

	it('must be there: the message of an error that is an object is shown', async () => {
		const { message, description } = failureOf(await change('link', 1, 999_999));
		expect(message).toMatch(/^Record 999999 or the case not found/);
		expect(description).toMatch(/The service says: Not found\. .* may not support this request/);
		expect(failureOf(await change('unlink', 1, 999_999)).message).toBe(
			'Record 999999 or case 1 not found, or no access (404)',
		);
	});
});
