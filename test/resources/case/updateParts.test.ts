import type { Fault } from '../../../sandbox';
import { WITH_WRITES } from '../../../sandbox/grown';
import { byId, failureOf, hintsOf, itemsWith, OF_ITEM, rowsOf } from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

// Metadata, fields and sub-statuses have requests of their own, so one update may take several.
const service = useService({ cases: 4, grown: WITH_WRITES });

const CLOSED_STATUS = 13;
const VERDICT = 32;

let next = 1000;
/** A case of team 1 with metadata. */
function caseWith(metadata: Record<string, string> = {}): number {
	return service.sandbox.store.createCase({ case_id: next++, team_id: 1, metadata }).case_id;
}
const stored = (id: number) => service.sandbox.store.getCase(id);
const valuesOf = (id: number) =>
	Object.fromEntries(
		stored(id)
			.fields()
			.map(({ input_id, value }) => [input_id, value]),
	);
const pairs = (values: Record<string, unknown>) => ({
	pair: Object.entries(values).map(([key, value]) => ({ key, value })),
});
const update = async (
	caseId: unknown,
	updateFields: object,
	options: object = {},
	more?: RunOptions,
) =>
	await service.run({ resource: 'case', operation: 'update', caseId, updateFields, options }, more);
const sent = () =>
	service.sandbox.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path, body }) => [`${method} ${path}`, body]);

/** An update of every part. */
const ALL = {
	name: 'New',
	metadata: pairs({ ticket: 'OPS-7' }),
	remove_metadata_keys: 'old',
	field_values: pairs({ [VERDICT]: 'benign' }),
};

describe('An update of several parts', () => {
	it('sends each once, the case last, and changes nothing besides', async () => {
		const id = caseWith({ old: '1', kept: '2', ticket: '3' });
		const [row] = rowsOf(await update(byId(id), ALL));
		const C = `/api/v2/cases/${id}`;
		const fields = [{ input_id: VERDICT, value: 'benign', upsert: true }];
		expect(sent()).toEqual([
			[`PUT ${C}/metadata`, { metadata: { ticket: 'OPS-7' } }],
			[`DELETE ${C}/metadata`, { metadata: ['old'] }],
			['POST /api/v2/cases/bulk/fields', { case_ids: [id], fields }],
			[`PUT ${C}`, { name: 'New' }],
		]);
		expect(stored(id).metadata).toEqual({ kept: '2', ticket: 'OPS-7' });
		expect(valuesOf(id)).toEqual({ [VERDICT]: 'benign' });
		expect(row).toMatchObject({ case_id: id, name: 'New' });
	});

	it('returns the case, also where only metadata is sent', async () => {
		const id = caseWith();
		const [row] = rowsOf(await update(byId(id), { metadata: pairs({ 'a b/c[0].d': '1' }) }));
		expect(sent()).toHaveLength(1);
		expect(stored(id).metadata).toEqual({ 'a b/c[0].d': '1' });
		expect(row).toMatchObject({ case_id: id, status: 'OPEN' });
	});

	it('sends several values of a field with | between them', async () => {
		const id = caseWith();
		const values = { [VERDICT]: '={{ ["benign", "malicious"] }}', 34: '={{ 7 }}' };
		rowsOf(await update(byId(id), { field_values: pairs(values) }));
		expect(valuesOf(id)).toEqual({ [VERDICT]: 'benign|malicious', 34: '7' });
	});

	test.each<[string, object, RegExp]>([
		[
			'a value with |',
			{ field_values: pairs({ 31: 'a|b' }) },
			/'Field Values': "a\|b" contains a \|/,
		],
		['no value', { field_values: pairs({ 31: '' }) }, /^There is nothing to update$/],
		['no value of a key', { metadata: pairs({ a: "={{ '' }}" }) }, /^There is nothing to update$/],
		['a list with a hole', { field_values: pairs({ 31: [null, 'x'] }) }, /entry 1 of the list/],
		['a name of a field', { field_values: pairs({ Verdict: 'x' }) }, /"Verdict" is not a field ID/],
		[
			'a field twice',
			{
				field_values: {
					pair: [
						{ key: '31', value: 'a' },
						{ key: '31', value: 'b' },
					],
				},
			},
			/^'Field Values': "31" is there twice$/,
		],
		[
			'a key that is set and removed',
			{ metadata: pairs({ a: '1' }), remove_metadata_keys: 'a' },
			/both name "a"/,
		],
		[
			'a team with a field',
			{ team_id: byId(2), field_values: pairs({ 31: 'a' }) },
			/'Team' can't be/,
		],
		[
			'a team with a sub-status',
			{ team_id: byId(2), sub_status_id: '13' },
			/'Team' can't be changed/,
		],
		['a sub-status by name', { sub_status_id: 'Done' }, /"Done" is not a sub-status ID/],
	])('refuses %s before any request', async (_what, fields, message) => {
		const run = await update(byId(caseWith()), fields);
		expect(failureOf(run)).toMatchObject({ message: expect.stringMatching(message) });
		expect(service.paths()).toEqual([]);
	});

	test.each<[string, number, Fault, string]>([
		[
			'a part that is refused',
			3,
			{ kind: 'status', status: 422 },
			'Done: Metadata, Metadata Keys to Remove. Not done: Field Values, the other fields.',
		],
		[
			'the first part, refused',
			1,
			{ kind: 'status', status: 422 },
			'Not done: Metadata, Metadata Keys to Remove, Field Values, the other fields.',
		],
		[
			'an answer that is lost',
			4,
			{ kind: 'drop', applied: true },
			'Done: Metadata, Metadata Keys to Remove, Field Values. Perhaps done: the other fields.',
		],
	])('says what was done: %s', async (_what, nth, fault, said) => {
		const id = caseWith({ old: '1' });
		service.sandbox.faults.add({ match: { nth }, fault });
		const run = await update(byId(id), ALL, { maxRetries: 0 });
		expect(failureOf(run).description).toContain(said);
		// The same update, run again, does the rest.
		rowsOf(await update(byId(id), ALL));
		expect(stored(id)).toMatchObject({ name: 'New', metadata: { ticket: 'OPS-7' } });
		expect(valuesOf(id)).toEqual({ [VERDICT]: 'benign' });
	});

	it('repeats each part whose answer is lost', async () => {
		const id = caseWith({ old: '1' });
		for (const nth of [1, 3, 5, 7]) {
			service.sandbox.faults.add({ match: { nth }, fault: { kind: 'drop', applied: true } });
		}
		rowsOf(await update(byId(id), ALL));
		expect(sent()).toHaveLength(8);
	});

	it.each([false, true])(
		'does not call keys removed where the case is gone (%j)',
		async (isLost) => {
			const id = caseWith({ old: '1' });
			const lost: Fault = { kind: 'drop', applied: false };
			if (isLost) service.sandbox.faults.add({ match: { nth: 1 }, fault: lost });
			const gone: Fault = { kind: 'status', status: 404 };
			service.sandbox.faults.add({ match: { method: 'DELETE' }, fault: gone });
			const failure = failureOf(await update(byId(id), { remove_metadata_keys: 'old' }));
			expect(failure.message).toBe(
				`Case ${id} not found, or the API key has no access to it (404)`,
			);
			expect(String(failure.description).includes('may have carried out')).toBe(isLost);
			expect(stored(id).metadata).toEqual({ old: '1' });
		},
	);

	it('says that the case could not be read afterwards', async () => {
		const id = caseWith();
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'status', status: 403 } });
		const run = await update(byId(id), { metadata: pairs({ ticket: 'OPS-7' }) });
		expect(failureOf(run).description).toContain(
			'Done: Metadata. Not done: reading the case afterwards.',
		);
	});

	it('is not done where the answer lacks what was sent', async () => {
		const id = caseWith();
		const body = JSON.stringify({ cases: [] });
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
		const run = await update(byId(id), { field_values: pairs({ [VERDICT]: 'benign' }) });
		expect(failureOf(run).message).toMatch(/did not answer with the field values/);
	});
});

describe('Skip Unchanged and Preview Only', () => {
	it('compare each part', async () => {
		const id = caseWith({ ticket: 'OPS-7' });
		rowsOf(await update(byId(id), ALL));
		service.sandbox.clearRequests();
		const [row] = rowsOf(await update(byId(id), ALL, { skipUnchanged: true }));
		expect([row.changed, sent()]).toEqual([false, []]);
	});

	it('take a field that the case does not show for a change', async () => {
		const fields = { field_values: pairs({ [VERDICT]: 'benign' }), remove_metadata_keys: 'x, a' };
		const run = await update(byId(caseWith({ a: '1' })), fields, { previewOnly: true });
		expect(rowsOf(run)).toMatchObject([
			{
				before: { field_values: { [VERDICT]: null }, metadata: { x: null, a: '1' } },
				after: { field_values: { [VERDICT]: 'benign' }, metadata: { x: null, a: null } },
				changed: true,
			},
		]);
		expect(sent()).toEqual([]);
	});
});

describe('A sensitive field', () => {
	const INFORMANT = 37;
	const SECRET = 'Kim';
	const MASK = '••••••';
	function caseWithSecret(): number {
		const id = caseWith();
		const value = { id: service.sandbox.store.nextId(), input_id: INFORMANT, value: SECRET };
		service.sandbox.store.editContent(id, { fields: [value] });
		return id;
	}

	test.each([{}, { skipUnchanged: true }, { previewOnly: true }])(
		'that is read is never written back: %j',
		async (options) => {
			const id = caseWithSecret();
			const credential = { apiKey: service.sandbox.keys.team };
			const [row] = rowsOf(await update(byId(id), ALL, options, { credential }));
			expect(row.case_id).toBe(id);
			expect(JSON.stringify(sent())).not.toMatch(new RegExp(`${SECRET}|${MASK}|${INFORMANT}`));
			expect(valuesOf(id)).toMatchObject({ [INFORMANT]: SECRET });
		},
	);
});

describe('A sub-status', () => {
	it('goes with its status, which is read once a run', async () => {
		const ids = [caseWith(), caseWith()];
		const fields = { sub_status_id: String(CLOSED_STATUS) };
		rowsOf(await update(OF_ITEM, fields, {}, { items: itemsWith(ids) }));
		const body = { status: 'closed', sub_status_id: CLOSED_STATUS };
		expect(sent()).toEqual(ids.map((id) => [`PUT /api/v2/cases/${id}`, body]));
		expect(service.paths().filter((path) => path.includes('case_sub_statuses'))).toHaveLength(1);
	});

	it('that is not there is named', async () => {
		const { message } = failureOf(await update(byId(caseWith()), { sub_status_id: '999' }));
		expect(message).toBe('Sub-status 999 not found, or the API key has no access to it (404)');
	});

	test.each([
		['close', CLOSED_STATUS, 'closed'],
		['reopen', 11, 'open'],
	])('is an option of %s', async (operation, sub_status_id, status) => {
		const id = caseWith();
		const options = { sub_status_id: String(sub_status_id) };
		rowsOf(await service.run({ resource: 'case', operation, caseId: byId(id), options }));
		expect(sent()).toEqual([[`PUT /api/v2/cases/${id}`, { status, sub_status_id }]]);
	});

	it('and tasks are given at creation', async () => {
		const additionalFields = {
			...{ sub_status_id: '11', tasks: 'Block the sender, Warn the team' },
			field_values: pairs({ [VERDICT]: 'benign' }),
		};
		const create = { resource: 'case', operation: 'create', teamId: byId(1), name: 'A' };
		rowsOf(await service.run({ ...create, additionalFields }));
		expect(sent()).toEqual([
			[
				'POST /api/v2/cases',
				{
					...{ team_id: 1, name: 'A', status: 'open', sub_status_id: 11 },
					field_values: { [VERDICT]: 'benign' },
					tasks: [{ description: 'Block the sender' }, { description: 'Warn the team' }],
				},
			],
		]);
	});
});

describe('Case: Create with Field Values', () => {
	const grown = useService({ cases: 1, grown: true });

	it('names the fields that the team lacks, whose values the service leaves out', async () => {
		const create = { resource: 'case', operation: 'create', teamId: byId(1), name: 'A' };
		const additionalFields = { field_values: pairs({ [VERDICT]: 'benign', 41: 'x' }) };
		const run = await grown.run({ ...create, additionalFields });
		expect(rowsOf(run)).toMatchObject([{ name: 'A', changed: true }]);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/of these fields: 41\. Its team may lack/),
		]);
	});
});
