import type { Case } from '../../sandbox/types';
import { byId, failureOf, hintsOf, idsOf, itemsWith, OF_ITEM, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// The service as it has grown since the API document: each of its newer traits, as far as the Cases node meets it.
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
const byOther = (name: string, value: string) => ({ other: { filter: [{ name, value }] } });
/** The page sizes that were requested of a list. */
const pageSizes = (list: string) => [
	...new Set(
		service.sandbox.requests
			.filter(({ path }) => path.endsWith(list))
			.map(({ query }) => query.per_page),
	),
];

const action = (label: string, more: object = {}) => ({
	url: `https://example.com/${label}`,
	label,
	action_type: 'webhook' as const,
	action_text: `Run ${label}`,
	query_params: { from: label },
	...more,
});
const [A, B, C] = ['a', 'b', 'c'].map((label) => action(label));
/** In the past: an edit during a read would make the node read again. */
const put = (caseId: number, ...actions: Array<typeof A>) =>
	service.sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
const written = () =>
	service.sandbox.requests
		.filter(({ method }) => method === 'PUT')
		.map(({ body }) => (body as { actions: unknown }).actions);
const write = (operation: string, ...actions: object[]) => ({
	...{ resource: 'action', operation, caseId: byId(1) },
	...{ actionsFrom: 'json', actionsJson: JSON.stringify(actions) },
});

describe('Filters of a service that has grown', () => {
	const isAssigned = (id: number) => (row: Case) =>
		row.assignees.some(({ user_id }) => user_id === id);

	it('find no case with an excluded tag, though the service has another name for them', async () => {
		const { ids, hints } = await find({ excluded_tags: ['malware'] });
		expect(ids).toEqual(stored(({ tags }) => !tags.some(({ name }) => name === 'malware')));
		expect(hints).toEqual([expect.stringMatching(/the filter 'Tags \(None\)'.*exclude_tags\[\]/)]);
	});

	it('take email addresses and unassigned as assignees', async () => {
		const { email } = service.sandbox.store.user(ANA);
		expect(await find({ assignees: `={{ ['${email}', 'unassigned'] }}` })).toEqual({
			ids: stored((row) => row.assignees.length === 0 || isAssigned(ANA)(row)),
			hints: [],
		});
	});

	it.each<[string, string, (row: Case) => boolean]>([
		[
			'and_assignees[]',
			`={{ [${ANA}, ${BRUNO}] }}`,
			(row) => isAssigned(ANA)(row) && isAssigned(BRUNO)(row),
		],
		['exclude_assignees[]', String(ANA), (row) => !isAssigned(ANA)(row)],
		['authors[]', String(ANA), ({ author }) => author.user_id === ANA],
		['exclude_authors[]', String(ANA), ({ author }) => author.user_id !== ANA],
	])('find the cases of %s by Other Filters', async (name, value, matches) => {
		expect(stored(matches).length).toBeGreaterThan(0);
		expect(await find(byOther(name, value))).toEqual({ ids: stored(matches), hints: [] });
	});
});

describe('Pages of a service that has grown', () => {
	it('have up to 500 cases', async () => {
		expect(idsOf(await service.run({ returnAll: true, options: { pageSize: 500 } }))).toHaveLength(
			131,
		);
		expect(pageSizes('/cases')).toEqual(['500']);
	});

	it.each([
		['comment', 'comments', 7],
		['activity', 'activities', 7],
		['record', 'records', 11],
	])('have up to 50 rows of the resource %s', async (resource, list, caseId) => {
		rowsOf(
			await service.run({ resource, operation: 'getAll', caseId: byId(caseId), returnAll: true }),
		);
		expect(pageSizes(`/${list}`)).toContain('50');
		expect(pageSizes(`/${list}`)).not.toContain('500');
	});

	it('state the total, which is the count and stands in the hint of a Limit', async () => {
		expect(rowsOf(await service.run({ operation: 'count' }))).toEqual([{ count: 131 }]);
		expect(service.sandbox.requests).toHaveLength(1);
		const run = await service.run({ limit: 20 });
		expect(hintsOf(run)).toEqual([expect.stringContaining('there are 131 cases')]);
	});
});

describe('Actions of a service that has grown', () => {
	afterEach(() => service.sandbox.deviate());
	/** Lists of cases then have query_params, too. */
	const showAll = () => service.sandbox.deviate({ actions: { inRows: 'full' } });

	it('go back as the service returned them, without the fields that it adds', async () => {
		showAll();
		put(1, A, B);
		const [listed] = rowsOf(
			await service.run({
				operation: 'get',
				caseId: byId(1),
				output: 'selected',
				fields: ['actions'],
			}),
		);
		service.sandbox.clearRequests();
		const actions = listed.actions as object[];
		rowsOf(await service.run(write('replace', ...actions)));
		expect(written()).toEqual([[A, B]]);
		const [replaced] = rowsOf(await service.run(write('replace', A, C)));
		service.sandbox.clearRequests();
		rowsOf(await service.run(write('replace', ...(replaced.actions as object[]))));
		const sent = written() as object[][];
		expect(sent[0].map((one) => Object.keys(one)).flat()).not.toContain('page_emoji');
	});

	it.each([
		['the same', {}, false],
		['another parameter', { query_params: { from: 'elsewhere' } }, true],
		['another text', { action_text: 'Stop' }, true],
	])('are compared by Skip Unchanged: %s', async (_what, change, changed) => {
		showAll();
		put(1, A);
		const options = { skipUnchanged: true };
		const run = await service.run({ ...write('replace', { ...A, ...change }), options });
		expect(rowsOf(run)).toMatchObject([{ changed }]);
		expect(written()).toHaveLength(changed ? 1 : 0);
	});

	it('are certain, though the answer to a write has them in another order', async () => {
		put(1, A);
		const run = await service.run(write('replace', A, B, C));
		expect(rowsOf(run)).toMatchObject([
			{ changed: true, actions: ['c', 'b', 'a'].map((label) => ({ label })) },
		]);
		expect(hintsOf(run)).toEqual([]);
	});
});

describe('Records of a service that has grown, which are flat,', () => {
	/** By the sandbox's data: more records than a case carries. */
	const caseId = byId(11);
	const storedRecords = () =>
		service.sandbox.store
			.getCase(11)
			.records()
			.flatMap(({ record_type_record_results }) => record_type_record_results);

	it('are all returned', async () => {
		const records = { resource: 'record', operation: 'getAll', caseId, returnAll: true };
		const rows = rowsOf(await service.run(records));
		expect(rows.map(({ record_id }) => record_id)).toEqual(storedRecords().map(({ id }) => id));
		rows.forEach((row, index) => {
			const values = storedRecords()[index].results.map(({ value }) => value);
			for (const value of values) expect(JSON.stringify(row)).toContain(value);
		});
	});

	it('are all in the case with Load in Full', async () => {
		const options = { loadInFull: ['records'] };
		const run = await service.run({ operation: 'get', caseId, output: 'raw', options });
		expect(rowsOf(run)[0].records).toHaveLength(storedRecords().length);
	});

	it('are in the text of a case, and its further fields too', async () => {
		const [{ text, truncated }] = rowsOf(await service.run({ operation: 'digest', caseId }));
		expect(truncated).toBe(false);
		expect(text).toMatch(/^- Sub-status: /m);
		expect(text).toMatch(/^## Other fields$/m);
		for (const { results } of storedRecords()) {
			for (const { value } of results) expect(text).toContain(value);
		}
	});
});

describe('Answers of a service that has grown', () => {
	it('pass on the fields that the document does not have in Raw', async () => {
		const run = await service.run({ limit: 1, output: 'raw' });
		expect(rowsOf(run)).toMatchObject([
			{ sub_status: { name: expect.any(String) }, fields: {}, sla: {}, slas: expect.any(Array) },
		]);
	});

	it('pass on the user ID of a comment as the text that it is', async () => {
		const comments = { resource: 'comment', operation: 'getAll', caseId: byId(7), output: 'raw' };
		const [{ user }] = rowsOf(await service.run({ ...comments, limit: 1 }));
		expect(user).toMatchObject({ user_id: expect.stringMatching(/^\d+$/) });
	});

	it('have the details of an error in its description', async () => {
		const run = await service.run({
			...{ resource: 'comment', operation: 'getAll', caseId: byId(999) },
		});
		expect(failureOf(run)).toMatchObject({
			httpCode: '404',
			description: expect.stringMatching(/^The service says: The request failed: \w/),
		});
	});

	it('have kinds of activities that the document does not name, which Activity Types finds', async () => {
		const updated_at = '2026-01-20T00:00:00Z';
		service.sandbox.store.updateCase(3, { priority: 'INFO', updated_at });
		service.sandbox.store.updateCase(3, { priority: 'CRITICAL', updated_at });
		const run = await service.run(
			{
				...{ resource: 'activity', operation: 'getAll', caseId: OF_ITEM, output: 'raw' },
				...{ returnAll: true, activityTypes: ['SEVERITY_UPDATED'] },
			},
			{ items: itemsWith([3]) },
		);
		expect(rowsOf(run).at(-1)).toMatchObject({
			activity_type: 'SEVERITY_UPDATED',
			value: 'CRITICAL',
			file: null,
		});
	});
});
