import { useShortWaits } from '../../support/shortWaits';
import {
	byId,
	failureOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
import { A, B, FROM_ITEMS, give, useCases, type Given } from './support';

// How actions are read is tested in test/fields, how they are compared in test/api.
const { service, put, stored, writes } = useCases(60);
useShortWaits();

const CONTAIN: Given = {
	url: 'https://stories.example.com/webhook/isolate-host?case=1&b=%20#x',
	label: 'Contain "host" & more 🔥',
	action_type: 'webhook',
	action_text: 'Contain now',
};
const id = expect.any(Number) as number;
/** An action as lists carry it. */
const listed = ({ url, label, action_type }: Given) => ({ id, url, label, action_type });
const ofCase = { resource: 'action', operation: 'replace' };
const ofItems = { ...ofCase, caseId: OF_ITEM };
const inFields = (...action: unknown[]) => ({ actionsFrom: 'fields', actions: { action } });
const batch = (caseId: number, ...actions: unknown[]) => [
	'PUT',
	`${caseId}/actions/batch`,
	{ actions },
];
/** The cases that were written. */
const writtenIds = () => writes().map(([, path]) => Number(String(path).split('/')[0]));

describe('Replace All', () => {
	it('sends one PUT with the actions as they are given, and returns those that the service has', async () => {
		const run = await service.run({ ...ofCase, caseId: byId(1), ...inFields(CONTAIN, B) });
		expect(service.paths()).toEqual(['PUT /api/v2/cases/1/actions/batch']);
		expect(writes()).toEqual([batch(1, CONTAIN, B)]);
		expect(stored(1)).toEqual([
			{ ...CONTAIN, id },
			{ ...B, id },
		]);
		const actions = [
			expect.objectContaining({ ...CONTAIN, story_name: 'Isolate host' }),
			expect.objectContaining(B),
		];
		expect(rowsOf(run)).toEqual([{ case_id: 1, actions, changed: true }]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	it('trims values, and sends webhook when no type is chosen', async () => {
		const action = { url: ' https://example.com/a ', label: ' A ', action_text: ' Go ' };
		await service.run({ ...ofCase, caseId: byId(2), ...inFields(action) });
		const trimmed = { url: 'https://example.com/a', label: 'A', action_text: 'Go' };
		expect(writes()).toEqual([batch(2, { ...trimmed, action_type: 'webhook' })]);
	});

	test.each([
		['JSON that was never filled in', { actionsFrom: 'json' }],
		['fields', inFields()],
		['fields never filled in', { actionsFrom: 'fields' }],
		['JSON', give()],
		['a JSON object', { actionsFrom: 'json', actionsJson: '{ "actions": [] }' }],
	])('refuses an empty list of %s and points to Clear', async (_from, parameters) => {
		const run = await service.run({ ...ofCase, caseId: byId(16), ...parameters });
		expect(failureOf(run)).toMatchObject({
			message: 'No action was given',
			description: expect.stringContaining('the operation Clear'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	const RAW = { kind: 'raw', applied: true } as const;
	// With success the write is done, and only the case is read.
	test.each([
		['is retried after a lost connection before the write', 2, { kind: 'drop' }],
		['is retried after a lost connection after the write', 2, { kind: 'drop', applied: true }],
		['is retried after a temporary error', 2, { kind: 'status', status: 503 }],
		['is retried after a limit of requests', 2, { kind: 'status', status: 429, retryAfter: 0 }],
		['is not retried after half an answer with success', 1, { kind: 'reset' }],
		['is not retried after half a JSON text with success', 1, { kind: 'truncatedJson' }],
		['is not retried after an empty answer with success', 1, { kind: 'empty' }],
		['is not retried after success without a body', 1, { ...RAW, status: 204, body: '' }],
		['is not retried after success without actions', 1, { ...RAW, status: 200, body: '{}' }],
	] as const)('%s', async (_what, requests, fault) => {
		service.sandbox.faults.add({ fault });
		const options = { maxRetries: 1 };
		const run = await service.run({ ...ofCase, caseId: byId(47), ...give(CONTAIN), options });
		expect(rowsOf(run)).toMatchObject([{ case_id: 47, actions: [listed(CONTAIN)] }]);
		expect(writes()).toEqual(Array(requests).fill(batch(47, CONTAIN)));
		expect(service.sandbox.requests).toHaveLength(2);
		expect(stored(47)).toEqual([{ ...CONTAIN, id }]);
	});

	it('is not retried after a 401, as n8n would', async () => {
		const credential = { apiKey: 'wrong-key' };
		const run = await service.run({ ...ofCase, caseId: byId(48), ...give(A) }, { credential });
		expect(failureOf(run)).toMatchObject({ httpCode: '401', item: 0 });
		expect(writes()).toHaveLength(1);
	});
});

describe('Replace All of several items', () => {
	it('groups one action per item by case into one PUT, in the order of the items', async () => {
		const last = { ...B, action_text: 'Open' };
		const items = [
			{ id: 5, ...CONTAIN },
			{ id: 6, ...B },
			{ id: 5, ...last },
		];
		const run = await service.run({ ...ofItems, ...FROM_ITEMS }, { items });
		expect(writes().sort()).toEqual([batch(5, CONTAIN, last), batch(6, B)]);
		expect(idsOf(run)).toEqual([5, 6]);
		expect(pairsOf(run)).toEqual([[0, 2], [1]]);
	});

	it('sends two actions with the same URL as they are given', async () => {
		const items = [7, 7].map((caseId) => ({ ...B, id: caseId }));
		await service.run({ ...ofItems, ...FROM_ITEMS }, { items });
		expect(writes()).toEqual([batch(7, B, B)]);
	});

	test.each([
		['a bad action', { ...B, id: 9, url: 'x' }],
		['a bad case', { ...B, id: 'x' }],
	])('writes nothing when one item has %s', async (_what, bad) => {
		const run = await service.run({ ...ofItems, ...FROM_ITEMS }, { items: [{ ...B, id: 8 }, bad] });
		expect(failureOf(run)).toMatchObject({ status: 'error', item: 1 });
		expect(service.sandbox.requests).toEqual([]);
	});

	it('leaves a case with an invalid item unchanged under Continue On Fail, and writes the others', async () => {
		const before = stored(10);
		const items = [
			{ ...B, id: 10 },
			{ ...B, id: 11 },
			{ ...B, id: 10, url: 'nowhere' },
			{ ...B, id: 'x' },
		];
		const run = await service.run(
			{ ...ofItems, ...FROM_ITEMS },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(writtenIds()).toEqual([11]);
		expect(stored(10)).toEqual(before);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		const details = { httpCode: null, body: null };
		const because = (text: string) => ({ error: expect.stringContaining(text), details });
		expect(rowsOf(run)).toEqual([
			because('Case 10 was not changed, because item 2 for the same case'),
			{ case_id: 11, actions: [expect.objectContaining(B)], changed: true },
			because('"nowhere" is not an http(s) address'),
			because('"x" is not a case ID'),
		]);
	});

	it('reports a refused write at each of its items under Continue On Fail', async () => {
		const items = itemsWith([999, 12, 999, 999]).map((item) => ({ ...item, ...B }));
		const run = await service.run(
			{ ...ofItems, ...FROM_ITEMS },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(pairsOf(run)).toEqual([[1]]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[0], [2], [3]]);
	});

	it('refuses two items for one case and names them, because the second would wipe the first', async () => {
		const items = itemsWith([14, 15, '014']);
		const run = await service.run({ ...ofItems, ...inFields(B) }, { items });
		expect(failureOf(run)).toMatchObject({
			message:
				'2 input items (0, 2) would replace the actions of case 14, each overwriting the one before',
			description: expect.stringMatching(
				/drag case_id into 'Case'.*set 'Actions From' to Input Items.*Execute Once in Settings/,
			) as string,
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('names five of many items that name one case', async () => {
		const items = itemsWith([15, ...range(1, 300).map(() => 14)]);
		const run = await service.run({ ...ofItems, ...inFields(B) }, { items });
		expect(failureOf(run).message).toMatch(/^300 input items \(1, 2, 3, 4, 5 and 295 more\) would/);
	});

	it('reports two items for one case under Continue On Fail, and writes the other cases', async () => {
		const before = stored(14);
		const run = await service.run(
			{ ...ofItems, ...give(B) },
			{ items: itemsWith([14, 15, 14]), onError: 'continueRegularOutput' },
		);
		expect(writtenIds()).toEqual([15]);
		expect(stored(14)).toEqual(before);
		expect(rowsOf(run).map(({ error }) => error !== undefined)).toEqual([true, false, true]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
	});

	it('writes several cases at a time, never more than Concurrency, and returns them in input order', async () => {
		service.sandbox.faults.add({ fault: { kind: 'latency', ms: 20 } });
		const ids = range(20, 39);
		const run = await service.run(
			{ ...ofItems, ...inFields(B), options: { concurrency: 4 } },
			{ items: itemsWith(ids) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual(range(0, 19).map((item) => [item]));
		expect(service.sandbox.stats.maxInFlight).toBeGreaterThan(1);
		expect(service.sandbox.stats.maxInFlight).toBeLessThanOrEqual(4);
		// Once for all items, and once behind the last one, where an expression would show.
		expect(run.credentialReads).toBe(2);
	});

	test.each([
		[
			'stops at a write that fails, and says which cases were written and which were not',
			[43, 44, 999, 45, 46],
			2,
			/Failed: item 2 \(case 999\)\. Written: items 0 \(case 43\), 1 \(case 44\)\. Not started: items 3 \(case 45\), 4 \(case 46\)\.$/,
			[43, 44, 999],
		],
		[
			'names at most a hundred of the cases that were not written after a write failed',
			[1, ...range(1001, 1151)],
			1,
			/Written: item 0 \(case 1\)\. Not started: items 2 \(case 1002\), .*, 101 \(case 1101\) and 50 more\.$/,
			[1, 1001],
		],
	])('%s', async (_name, ids, item, description, written) => {
		const parameters = { ...ofItems, ...give(B), options: { concurrency: 1 } };
		expect(failureOf(await service.run(parameters, { items: itemsWith(ids) }))).toMatchObject({
			...{ name: 'NodeApiError', httpCode: '404', item },
			description: expect.stringMatching(description),
		});
		expect(writtenIds()).toEqual(written);
	});
});

describe('Replace All with Skip Unchanged', () => {
	const OTHER: Given = { ...B, url: 'https://example.com/other', label: 'Other' };
	const options = { skipUnchanged: true };
	const parameters = { ...ofItems, actionsFrom: 'json', actionsJson: '={{ $json.actions }}' };
	const skip = async (...items: Array<{ id: number; actions: unknown[] }>) =>
		await service.run({ ...parameters, options }, { items });

	beforeEach(() => put(50, B, OTHER));

	it('reads the cases first, fifty to a request, and writes none that are unchanged', async () => {
		for (const caseId of range(1, 60)) put(caseId, B);
		const run = await skip(...range(1, 60).map((caseId) => ({ id: caseId, actions: [B] })));
		expect(rowsOf(run)).toEqual(
			range(1, 60).map((case_id) => ({ case_id, actions: [listed(B)], changed: false })),
		);
		expect(pairsOf(run)).toEqual(range(0, 59).map((item) => [item]));
		expect(service.paths()).toEqual(['GET /api/v2/cases', 'GET /api/v2/cases']);
	});

	it('leaves a case alone that has the actions in another order, in which the service may list them', async () => {
		const run = await skip({ id: 50, actions: [OTHER, B] });
		expect(writes()).toEqual([]);
		expect(rowsOf(run)).toMatchObject([{ actions: [B, OTHER], changed: false }]);
	});

	test.each([
		['another label', [{ ...B, label: 'New' }, OTHER]],
		['a button text, which can’t be compared', [{ ...B, action_text: 'Go' }, OTHER]],
	])('writes a case that gets %s', async (_what, actions) => {
		const run = await skip({ id: 50, actions });
		expect(writes()).toEqual([batch(50, ...actions)]);
		expect(rowsOf(run)).toMatchObject([{ case_id: 50, actions, changed: true }]);
	});

	it('reports only cases to write when a write fails, not those that it skips', async () => {
		const fault = { kind: 'status', status: 400 } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
		const run = await skip({ id: 50, actions: [B, OTHER] }, { id: 51, actions: [A] });
		expect(failureOf(run).description).toMatch(
			/Failed: item 1 \(case 51\)\. Unchanged: item 0 \(case 50\)\.$/,
		);
	});

	it('holds for a case if one of its items turns it on, where each item is one action', async () => {
		const items = [
			{ id: 50, ...B, skip: false },
			{ id: 50, ...OTHER, skip: true },
		];
		const byItem = { skipUnchanged: '={{ $json.skip }}' };
		const run = await service.run({ ...ofItems, ...FROM_ITEMS, options: byItem }, { items });
		expect(writes()).toEqual([]);
		expect(rowsOf(run)).toMatchObject([{ case_id: 50, changed: false }]);
	});
});

describe('An answer to Replace All', () => {
	const run = async () => await service.run({ ...ofCase, caseId: byId(5), ...give(CONTAIN, B) });

	it('may have another order', async () => {
		const body = { actions: [B, CONTAIN] };
		const fault = { kind: 'raw', status: 200, body, applied: true } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
		expect(rowsOf(await run())).toMatchObject([{ actions: [B, CONTAIN], changed: true }]);
	});

	it('that is a web page is an error where the case has other actions', async () => {
		put(5);
		const fault = { kind: 'raw', status: 200, body: '<html>', applied: false } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
		expect(failureOf(await run()).description).toContain('may have carried out the write');
		expect(writtenIds()).toEqual([5]);
	});

	it.each([
		['without a body, where the case can’t be read either,', 204, ''],
		['with other actions', 200, JSON.stringify({ actions: [B] })],
	])('%s is an error that says so', async (_what, status, body) => {
		service.sandbox.faults.add(
			{ match: { method: 'PUT' }, fault: { kind: 'raw', status, body, applied: true } },
			{ match: { method: 'GET' }, fault: { kind: 'status', status: 400 } },
		);
		const { message, description } = failureOf(await run());
		expect(message).toBe('The service did not confirm the actions of case 5');
		expect(description).toContain('They may be written or not.');
		expect(writtenIds()).toEqual([5]);
	});
});
