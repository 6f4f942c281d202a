import type { CaseInput, Fault } from '../../../sandbox';
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
import { useService, type RunOptions } from '../../support/service';
import { runAsTool } from '../../support/tool';

const service = useService({ cases: 120, grown: ['case-writes'] });

const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';
const CONDITION = { formula: '=NOT(ISBLANK(assignees))', name: 'Somebody is assigned' };

let next = 1000;
/** A case of its own for a test. */
function caseWith(input: CaseInput = {}): number {
	return service.sandbox.store.createCase({ case_id: next++, ...input }).case_id;
}
const stored = (id: number) => service.sandbox.store.getCase(id);
const update = async (
	caseId: unknown,
	updateFields: object,
	parameters: object = {},
	options?: RunOptions,
) =>
	await service.run(
		{ resource: 'case', operation: 'update', caseId, updateFields, ...parameters },
		options,
	);
const writes = () => service.sandbox.requests.filter(({ method }) => method === 'PUT');
const bodies = () => writes().map(({ body }) => body);

describe('Case: Update', () => {
	it('sends what was added, once, and returns the case', async () => {
		const id = caseWith({ name: 'Old', priority: 'LOW', tags: ['kept'] });
		const [row] = rowsOf(await update(byId(id), { name: 'New' }));
		expect(service.paths()).toEqual([`PUT /api/v2/cases/${id}`]);
		expect(bodies()).toEqual([{ name: 'New' }]);
		expect(row).toMatchObject({ case_id: id, name: 'New', priority: 'LOW' });
		// The case was not read before.
		expect(row).not.toHaveProperty('changed');
		expect(stored(id)).toMatchObject({ name: 'New', priority: 'LOW', tags: [{ name: 'kept' }] });
	});

	it('sends every field as the API wants it', async () => {
		const id = caseWith({ tags: ['old'], assignees: [1] });
		const fields = {
			name: 'New',
			description: 'Text',
			priority: 'CRITICAL',
			status: 'Open',
			team_id: byId(2),
			add_assignee_emails: BRUNO,
			remove_assignee_emails: `={{ ["${ANA}"] }}`,
			add_tag_names: 'a, b',
			remove_tag_names: 'old',
			opened_at: '2026-01-01T00:00:00Z',
			resolved_at: '2026-01-02T00:00:00Z',
			author_email: ' Ana.Lindqvist@Example.com ',
		};
		rowsOf(await update(byId(id), fields));
		expect(bodies()).toEqual([
			{
				...fields,
				author_email: ANA,
				priority: 'critical',
				status: 'open',
				team_id: 2,
				add_assignee_emails: [BRUNO],
				remove_assignee_emails: [ANA],
				add_tag_names: ['a', 'b'],
				remove_tag_names: ['old'],
			},
		]);
		rowsOf(await update(byId(id), { assignee_emails: `${ANA}, ${BRUNO}` }));
		expect(bodies().at(-1)).toEqual({ assignee_emails: [ANA, BRUNO] });
	});

	it('removes the description where the field is empty', async () => {
		const id = caseWith({ description: 'Old' });
		const run = async (options = {}) =>
			rowsOf(await update(byId(id), { description: '' }, { options }));
		await run();
		expect([bodies(), stored(id).description]).toEqual([[{ description: '' }], '']);
		expect(await run({ skipUnchanged: true })).toMatchObject([{ changed: false }]);
	});

	it.each(['={{ "" }}', "={{ $json.nope ?? '' }}\n"])(
		'leaves the description as it is where an expression returns an empty text: %j',
		async (description) => {
			const id = caseWith({ description: 'Old' });
			rowsOf(await update(byId(id), { description, name: 'New' }));
			expect([bodies(), stored(id).description]).toEqual([[{ name: 'New' }], 'Old']);
		},
	);

	it('removes all assignees only for an empty list', async () => {
		const id = caseWith({ assignees: [1, 2] });
		for (const other of ['', ',', '={{ [""] }}', "={{ '' }}"]) {
			rowsOf(await update(byId(id), { assignee_emails: other, name: 'New' }));
		}
		expect(stored(id).assignees).toHaveLength(2);
		rowsOf(await update(byId(id), { assignee_emails: '={{ [] }}' }));
		expect([bodies().at(-1), stored(id).assignees]).toEqual([{ assignee_emails: [] }, []]);
	});

	it('sends no empty list of what to add or to remove', async () => {
		const nothing = '={{ [] }}';
		const fields = {
			...{ add_assignee_emails: nothing, remove_assignee_emails: nothing },
			...{ add_tag_names: nothing, remove_tag_names: nothing },
		};
		rowsOf(await update(byId(caseWith()), { ...fields, name: 'New' }));
		expect(bodies()).toEqual([{ name: 'New' }]);
		const { message } = failureOf(await update(byId(1), fields));
		expect([message, writes().length]).toEqual(['There is nothing to update', 1]);
	});

	describe('sends no field that is empty', () => {
		const empty = { priority: '', team_id: byId(''), resolved_at: '', author_email: '' };

		it('but leaves the values as they are', async () => {
			const nothing = { description: "={{ '' }}", priority: "={{ '' }}" };
			const lists = { assignee_emails: '', add_assignee_emails: ' , ', add_tag_names: '' };
			rowsOf(await update(byId(caseWith()), { ...empty, ...nothing, ...lists, name: 'New' }));
			expect(bodies()).toEqual([{ name: 'New' }]);
		});

		it.each(['', '[]', '={{ [] }}', '={{ [""] }}'])(
			'as a tool of an agent, also where the model leaves it as %s',
			async (list) => {
				const lists = { description: '', assignee_emails: list, add_tag_names: list };
				const updateFields = { ...empty, ...lists, name: 'New' };
				const parameters = { resource: 'case', operation: 'update', caseId: byId(caseWith()) };
				await runAsTool({ ...parameters, updateFields }, service.credential());
				expect(bodies()).toEqual([{ name: 'New' }]);
			},
		);
	});

	it.each<[string, object, RegExp]>([
		...Object.entries({
			priority: '={{ $json.nope }}',
			description: '={{ $json.nope }}',
			team_id: byId('={{ null }}'),
		}).map(([name, value]): [string, object, RegExp] => [
			`an expression without a value in ${name}`,
			{ [name]: value, add_tag_names: 'a' },
			/^'\w+' has an expression that returns no value$/,
		]),
		['no field', {}, /There is nothing to update/],
		['only empty fields', { name: '', add_tag_names: '' }, /There is nothing to update/],
		['nothing but an author', { author_email: ANA }, /There is nothing to update/],
		['a bad team', { team_id: byId('SOC') }, /'Team': "SOC" is not a team ID/],
		['a bad status', { status: 'Done' }, /'Status': "Done" is not one of OPEN, CLOSED/],
	])('refuses %s before any request', async (_name, fields, message) => {
		expect(failureOf(await update(byId(1), fields)).message).toMatch(message);
		expect(service.paths()).toEqual([]);
	});

	it('writes the items of one case one after another, in their order', async () => {
		const [one, other] = [caseWith(), caseWith()];
		const fault = { kind: 'latency', ms: 100 } as const;
		service.sandbox.faults.add({ match: { nth: 1 }, times: 1, fault });
		const names = ['first', 'other', 'last'];
		const items = [one, other, one].map((id, index) => ({ id, name: names[index] }));
		const run = await update(OF_ITEM, { name: '={{ $json.name }}' }, {}, { items });
		expect(rowsOf(run).map(({ name }) => name)).toEqual(names);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect([stored(one).name, stored(other).name]).toEqual(['last', 'other']);
		expect(service.sandbox.stats.maxInFlight).toBe(2);
	});

	it.each<Fault>([
		{ kind: 'drop', applied: true },
		{ kind: 'reset' },
		{ kind: 'truncatedJson' },
		{ kind: 'status', status: 502, applied: true },
	])('is retried after a lost answer (%o): the second time changes nothing', async (fault) => {
		const id = caseWith();
		service.sandbox.faults.add({ fault });
		rowsOf(await update(byId(id), { add_tag_names: 'a' }));
		expect(writes()).toHaveLength(2);
		expect(stored(id).tags).toMatchObject([{ name: 'a' }]);
	});

	it.each<Fault>([{ kind: 'html' }, { kind: 'empty' }])(
		'is not retried after a whole answer that is not the case (%o)',
		async (fault) => {
			service.sandbox.faults.add({ fault });
			const { description } = failureOf(await update(byId(caseWith()), { name: 'New' }));
			expect([writes().length, description]).toEqual([1, expect.any(String)]);
		},
	);
});

describe('Skip Unchanged', () => {
	const skip = { options: { skipUnchanged: true } };

	it('reads fifty cases to a request and writes those that differ', async () => {
		const { store } = service.sandbox;
		const ids = range(1, 120);
		const low = ids.filter((id) => store.getCase(id).priority === 'LOW');
		const run = await update(OF_ITEM, { priority: 'LOW' }, skip, { items: itemsWith(ids) });
		const unchanged = rowsOf(run).filter(({ changed }) => !changed);
		expect(unchanged.map(({ case_id }) => case_id)).toEqual(low);
		expect(writes()).toHaveLength(120 - low.length);
		expect(service.sandbox.requests.length - writes().length).toBe(3);
	});

	// What counts as a change is tested in test/api/writes.test.ts.
	it('leaves a case alone that has all of it already, whoever writes', async () => {
		const id = caseWith({
			...{ author: 2, name: 'A', description: 'D', status: 'CLOSED', team_id: 2 },
			...{ assignees: [2, 1], tags: ['b', 'a'], opened_at: '2026-01-01T00:00:00Z' },
		});
		const fields = {
			...{ author_email: ANA, name: 'A', description: 'D', status: 'closed', team_id: byId(2) },
			...{ assignee_emails: `${ANA.toUpperCase()}, ${BRUNO}`, add_tag_names: 'a, b' },
			...{ remove_tag_names: 'c', opened_at: '2026-01-01T01:00:00+01:00' },
		};
		const [row] = rowsOf(await update(byId(id), fields, skip));
		expect(row).toMatchObject({ case_id: id, changed: false });
		expect(writes()).toEqual([]);
	});

	it('writes a case that has a tag in another letter case', async () => {
		const fields = { add_tag_names: 'vip', remove_tag_names: 'VIP' };
		const [row] = rowsOf(await update(byId(caseWith({ tags: ['VIP'] })), fields, skip));
		expect([row.changed, writes().length]).toEqual([true, 1]);
	});

	it('writes a case of which the service leaves out what is to be compared', async () => {
		const id = caseWith({ tags: ['a'] });
		service.sandbox.deviate({ rows: { fields: [{ path: 'tags' }] } });
		expect(rowsOf(await update(byId(id), { add_tag_names: 'a' }, skip))).toMatchObject([
			{ changed: true },
		]);
		service.sandbox.deviate();
	});

	it.each([1, 8])(
		'compares an item with what the one before wrote, %i at a time',
		async (concurrency) => {
			const id = caseWith({ name: 'A' });
			const items = ['B', 'B', 'A'].map((name) => ({ id, name }));
			const parameters = { options: { ...skip.options, concurrency } };
			const run = await update(OF_ITEM, { name: '={{ $json.name }}' }, parameters, { items });
			expect(rowsOf(run).map(({ changed }) => changed)).toEqual([true, false, true]);
		},
	);

	it('reads a case again that an item before wrote without reading it', async () => {
		const [other, id] = [caseWith({ name: 'B' }), caseWith({ name: 'B' })];
		const items = [
			{ id: other, name: 'B', skip: true },
			{ id, name: 'A', skip: false },
			{ id, name: 'B', skip: true },
		];
		const options = { concurrency: 1, skipUnchanged: '={{ $json.skip }}' };
		const run = await update(OF_ITEM, { name: '={{ $json.name }}' }, { options }, { items });
		expect(rowsOf(run).map(({ changed }) => changed)).toEqual([false, undefined, true]);
		expect(stored(id).name).toBe('B');
	});
});

describe('Preview Only', () => {
	it('shows what would change, before and after, and writes nothing', async () => {
		const id = caseWith({ name: 'A', description: 'Same', tags: ['a', 'b'], assignees: [1] });
		const tags = { add_tag_names: 'c', remove_tag_names: 'a' };
		const fields = { name: 'B', description: 'Same', ...tags, add_assignee_emails: BRUNO };
		const run = await update(byId(id), fields, { options: { previewOnly: true } });
		const before = { name: 'A', assignees: [ANA], tags: ['a', 'b'] };
		const after = { name: 'B', assignees: [ANA, BRUNO], tags: ['b', 'c'] };
		expect(rowsOf(run)).toEqual([{ case_id: id, before, after, changed: true }]);
		expect(writes()).toEqual([]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('Preview only')]);
	});

	it('is not assumed of an update whose output has a field named before', async () => {
		const output = { output: 'selected', fields: ['before', 'name'] };
		const run = await update(byId(caseWith({ name: 'A' })), { name: 'B' }, output);
		expect(rowsOf(run)).toMatchObject([{ before: null, name: 'B' }]);
		expect(hintsOf(run)).not.toContainEqual(expect.stringContaining('Preview only'));
	});
});

describe.each([
	['close', 'OPEN', 'CLOSED', 'closed'],
	['reopen', 'CLOSED', 'OPEN', 'open'],
] as const)('Case: %s', (operation, before, after, sent) => {
	const run = async (caseId: unknown, parameters: object = {}, options?: RunOptions) =>
		await service.run({ resource: 'case', operation, caseId, ...parameters }, options);

	it('sends the status alone, and returns the case', async () => {
		const id = caseWith({ status: before });
		expect(rowsOf(await run(byId(id)))).toMatchObject([{ case_id: id, status: after }]);
		expect(bodies()).toEqual([{ status: sent }]);
		expect(stored(id).status).toBe(after);
		expect(stored(id).resolved_at === null).toBe(after === 'OPEN');
	});

	it('previews the conditions of a close', async () => {
		const id = caseWith({ status: before, closure_conditions: [CONDITION] });
		const [row] = rowsOf(await run(byId(id), { options: { previewOnly: true } }));
		expect(row.closure_conditions).toEqual(after === 'CLOSED' ? [CONDITION.name] : undefined);
	});

	it('skips or previews cases', async () => {
		const [done, todo] = [caseWith({ status: after }), caseWith({ status: before })];
		const items = itemsWith([done, todo]);
		const preview = await run(OF_ITEM, { options: { previewOnly: true } }, { items });
		expect(rowsOf(preview)).toEqual([
			{ case_id: done, before: {}, after: {}, changed: false },
			{ case_id: todo, before: { status: before }, after: { status: after }, changed: true },
		]);
		const skipped = await run(OF_ITEM, { options: { skipUnchanged: true } }, { items });
		expect(rowsOf(skipped).map(({ changed }) => changed)).toEqual([false, true]);
		expect(writes().map(({ path }) => path)).toEqual([`/api/v2/cases/${todo}`]);
	});
});

describe('A close that the service refuses', () => {
	it('shows which closure condition it names, and the others are closed', async () => {
		const closure_conditions = [CONDITION];
		const [open, fine] = [{}, { assignees: [1] }].map((more) =>
			caseWith({ closure_conditions, ...more }),
		);
		const close = { resource: 'case', operation: 'close', caseId: OF_ITEM };
		const items = itemsWith([open, fine]);
		const { message, description } = failureOf(await service.run(close, { items }));
		expect(message).toBe(`Case ${open} can't be set to closed (422)`);
		expect(description).not.toMatch(/in this node's fields/);
		expect(description).toMatch(/unmet closure conditions: Somebody is assigned\./);
		const run = await service.run(close, { items, onError: 'continueRegularOutput' });
		expect(rowsOf(run)).toMatchObject([{ details: { httpCode: 422 } }, { status: 'CLOSED' }]);
	});
});
