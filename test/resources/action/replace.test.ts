import {
	byId,
	byUrl,
	failureOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 60 });
const replace = { resource: 'action', operation: 'replace' };

const CONTAIN = {
	url: 'https://stories.example.com/webhook/isolate-host?case=1&b=%20#x',
	label: 'Contain "host" & more 🔥',
	action_type: 'webhook',
	action_text: 'Contain now',
};
const RUNBOOK = { url: 'http://runbooks.example.net/7', label: 'Runbook', action_type: 'page' };

const fields = (...action: unknown[]) => ({ actionsFrom: 'fields', actions: { action } });
const json = (actionsJson: unknown) => ({ actionsFrom: 'json', actionsJson });
/** One action per item, all fields from the item. */
const PER_ITEM = {
	actionsFrom: 'items',
	url: '={{ $json.url }}',
	label: '={{ $json.label }}',
	action_type: '={{ $json.action_type }}',
	action_text: '={{ $json.action_text }}',
};

const writes = () =>
	service.sandbox.requests
		.filter(({ method }) => method === 'PUT')
		.map(({ path, body }) => [path, (body as { actions: unknown }).actions]);
const writtenIds = () =>
	writes().map(([path]) => Number(/cases\/(\d+)\/actions\/batch$/.exec(String(path))?.[1]));
/** The actions that the service has for a case, as far as a user can give them. */
const stored = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ url, label, action_type, action_text }) => ({ url, label, action_type, action_text }));
const snapshot = () => new Map(range(1, 60).map((id) => [id, stored(id)]));

describe('the request', () => {
	it('is one PUT with the actions as they are given', async () => {
		const run = await service.run({ ...replace, caseId: byId('1'), ...fields(CONTAIN, RUNBOOK) });
		expect(rowsOf(run)).toHaveLength(1);
		expect(writes()).toEqual([['/api/v2/cases/1/actions/batch', [CONTAIN, RUNBOOK]]]);
		expect(service.paths()).toEqual(['PUT /api/v2/cases/1/actions/batch']);
		expect(stored(1)).toEqual([CONTAIN, { ...RUNBOOK, action_text: null }]);
	});

	it('answers one item: the case ID and the actions as the service has them now', async () => {
		const run = await service.run({ ...replace, caseId: byId('1'), ...fields(CONTAIN) });
		expect(rowsOf(run)).toEqual([
			{
				case_id: 1,
				actions: [
					{
						...CONTAIN,
						id: expect.any(Number),
						story_name: 'Isolate host',
						story_emoji: expect.any(String),
						created_at: expect.any(String),
						updated_at: expect.any(String),
					},
				],
			},
		]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	test.each([
		['url', { url: 'https://example.com/x' }],
		['label', { label: 'Another label' }],
		['action_type', { action_type: 'page' }],
		['action_text', { action_text: 'Press' }],
	])('carries the field %s as entered', async (_field, change) => {
		await service.run({ ...replace, caseId: byId('2'), ...fields({ ...CONTAIN, ...change }) });
		expect(writes()).toEqual([['/api/v2/cases/2/actions/batch', [{ ...CONTAIN, ...change }]]]);
	});

	test.each([[''], ['  '], [null], [undefined]])(
		'has no action_text where it is empty: %j',
		async (action_text) => {
			await service.run({ ...replace, caseId: byId('2'), ...json([{ ...RUNBOOK, action_text }]) });
			expect(writes()).toEqual([['/api/v2/cases/2/actions/batch', [RUNBOOK]]]);
		},
	);

	it('has blanks around values trimmed, and webhook where no type is chosen', async () => {
		const action = { url: ' https://example.com/a ', label: ' A ', action_text: ' Go ' };
		await service.run({ ...replace, caseId: byId('2'), ...fields(action) });
		expect(writes()[0][1]).toEqual([
			{ url: 'https://example.com/a', label: 'A', action_type: 'webhook', action_text: 'Go' },
		]);
	});

	it('goes to the case of a URL too', async () => {
		const caseId = byUrl(`${service.sandbox.url}/cases/33`);
		await service.run({ ...replace, caseId, ...fields(RUNBOOK) });
		expect(writtenIds()).toEqual([33]);
	});
});

describe('actions as JSON', () => {
	test.each([
		['a list', [CONTAIN, RUNBOOK]],
		['an object with actions', { actions: [CONTAIN, RUNBOOK] }],
	])('may be %s, as text or as value', async (_form, value) => {
		await service.run({ ...replace, caseId: byId('3'), ...json(JSON.stringify(value)) });
		await service.run(
			{ ...replace, caseId: byId('3'), ...json('={{ $json.value }}') },
			{ items: [{ value }] },
		);
		const expected = ['/api/v2/cases/3/actions/batch', [CONTAIN, RUNBOOK]];
		expect(writes()).toEqual([expected, expected]);
	});

	it('may be the actions that the service has listed: what it adds itself is left out', async () => {
		const listed = {
			...RUNBOOK,
			id: 9,
			story_name: null,
			story_emoji: null,
			created_at: 'x',
			updated_at: 'y',
		};
		await service.run({ ...replace, caseId: byId('3'), ...json([listed]) });
		expect(writes()[0][1]).toEqual([RUNBOOK]);
	});

	test.each([
		['no JSON', 'Contain the host', /^The actions "Contain the host" are no list$/],
		['a single object', RUNBOOK, /are no list$/],
		['an empty text', '', /are no list$/],
		['a list of texts', ['Contain'], /^Action 1: "Contain" is not an action$/],
		['a misspelt field', [{ ...RUNBOOK, text: 'x' }], /^Action 1 has an unknown field "text"$/],
	])('that are %s are refused before any request', async (_form, value, message) => {
		const actionsJson = typeof value === 'string' ? value : JSON.stringify(value);
		const run = await service.run({ ...replace, caseId: byId('3'), ...json(actionsJson) });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(message),
			description: expect.stringMatching(/list|object|fields/),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('one action per input item', () => {
	const items = [
		{ id: 5, ...CONTAIN },
		{ id: 6, ...RUNBOOK },
		{ id: 5, ...RUNBOOK, action_text: 'Open' },
	];

	it('groups the items by case into one PUT, in the order of the items', async () => {
		const run = await service.run({ ...replace, caseId: OF_ITEM, ...PER_ITEM }, { items });
		expect(new Map(writes() as Array<[string, unknown]>)).toEqual(
			new Map<string, unknown>([
				['/api/v2/cases/5/actions/batch', [CONTAIN, { ...RUNBOOK, action_text: 'Open' }]],
				['/api/v2/cases/6/actions/batch', [RUNBOOK]],
			]),
		);
		expect(idsOf(run)).toEqual([5, 6]);
		expect(pairsOf(run)).toEqual([[0, 2], [1]]);
	});

	it('takes two actions with one URL as they are given', async () => {
		const twice = [
			{ id: 7, ...RUNBOOK },
			{ id: 7, ...RUNBOOK },
		];
		await service.run({ ...replace, caseId: OF_ITEM, ...PER_ITEM }, { items: twice });
		expect(writes()).toEqual([['/api/v2/cases/7/actions/batch', [RUNBOOK, RUNBOOK]]]);
	});
});

describe('an action that can’t be sent is refused before any write', () => {
	test.each([
		['no url', { url: '' }, 'Action 1 has no URL', 'full address'],
		[
			'a relative url',
			{ url: '/webhook/x' },
			'Action 1: "/webhook/x" is not an http(s) address',
			'full address',
		],
		[
			'a script as url',
			{ url: 'javascript:alert(1)' },
			'is not an http(s) address',
			'full address',
		],
		['another scheme', { url: 'ftp://example.com/' }, 'is not an http(s) address', 'full address'],
		[
			'a url with a blank',
			{ url: 'https://example.com/a b' },
			'is not an http(s) address',
			'full address',
		],
		['no label', { label: '' }, 'Action 1 has no label', 'identifies the action'],
		['a blank label', { label: '  ' }, 'Action 1 has no label', 'identifies the action'],
		[
			'an unknown type',
			{ action_type: 'button' },
			'the action type "button" is neither webhook nor page',
			'Choose webhook',
		],
		[
			'no type',
			{ action_type: null },
			'the action type "" is neither webhook nor page',
			'Choose webhook',
		],
		[
			'an object as label',
			{ label: { en: 'x' } },
			'Action 1: label "{"en":"x"}" is not text',
			'as text',
		],
		[
			'a list as text',
			{ action_text: ['x'] },
			'Action 1: action_text "["x"]" is not text',
			'as text',
		],
	])('%s', async (_what, change, message, description) => {
		const run = await service.run({
			...replace,
			caseId: byId('4'),
			...json(JSON.stringify([{ ...RUNBOOK, ...change }])),
		});
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			description: expect.stringContaining(description),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('names the action in a longer list', async () => {
		const run = await service.run({
			...replace,
			caseId: byId('4'),
			...fields(CONTAIN, { ...RUNBOOK, url: 'runbook' }),
		});
		expect(failureOf(run).message).toBe('Action 2: "runbook" is not an http(s) address');
	});
});

describe('without Continue On Fail one invalid item means no write at all', () => {
	test.each([
		[
			'a bad action',
			[
				{ id: 8, ...RUNBOOK },
				{ id: 9, ...RUNBOOK, url: 'x' },
			],
			1,
		],
		[
			'a bad case',
			[
				{ id: 8, ...RUNBOOK },
				{ id: 9, ...RUNBOOK },
				{ id: 'x', ...RUNBOOK },
			],
			2,
		],
	])('%s', async (_what, items, item) => {
		const before = snapshot();
		const run = await service.run({ ...replace, caseId: OF_ITEM, ...PER_ITEM }, { items });
		expect(failureOf(run)).toMatchObject({ status: 'error', item });
		expect(service.sandbox.requests).toEqual([]);
		expect(snapshot()).toEqual(before);
	});
});

describe('with Continue On Fail', () => {
	it('a case that has an invalid item isn’t written: all its items are errors, the others are written', async () => {
		const before = stored(10);
		const items = [
			{ id: 10, ...RUNBOOK },
			{ id: 11, ...RUNBOOK },
			{ id: 10, ...RUNBOOK, url: 'nowhere' },
			{ id: 'x', ...RUNBOOK },
		];
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...PER_ITEM },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(writtenIds()).toEqual([11]);
		expect(stored(10)).toEqual(before);
		const rows = rowsOf(run);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(rows[0]).toEqual({
			error: expect.stringContaining('Case 10 was left as it is, because item 2 for the same case'),
			details: { httpCode: null, body: null },
		});
		expect(rows[1]).toMatchObject({ case_id: 11 });
		expect(rows[2].error).toContain('"nowhere" is not an http(s) address');
		expect(rows[3].error).toContain('"x" is not a case ID');
	});

	it('a refused write is the error of its items only, with what the service said', async () => {
		const items = itemsWith([12, 999, 13]);
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...fields(RUNBOOK) },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(idsOf(run)).toEqual([12, 13]);
		expect(pairsOf(run)).toEqual([[0], [2]]);
		expect(run.errorItems.map(({ json: row }) => row)).toEqual([
			{
				id: 999,
				error: expect.stringContaining('Not found, or the API key has no access to it (404)'),
				details: { httpCode: 404, body: { error: 'Not found' } },
			},
		]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[1]]);
	});

	it('an error item has no other fields than error and details', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...fields(RUNBOOK) },
			{ items: itemsWith([999]), onError: 'continueRegularOutput' },
		);
		expect(Object.keys(rowsOf(run)[0]).sort()).toEqual(['details', 'error']);
	});
});

describe('two items aiming at the same case', () => {
	it('are an error that names them, as the second would wipe the first', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...fields(RUNBOOK) },
			{ items: itemsWith([14, 15, '014']) },
		);
		expect(failureOf(run)).toMatchObject({
			message: 'Items 0, 2 aim at the same case 14; each would wipe the actions of the one before',
			description: expect.stringContaining('Input Items'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('are both errors under Continue On Fail, and the other cases are written', async () => {
		const before = stored(14);
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...json(JSON.stringify([RUNBOOK])) },
			{ items: itemsWith([14, 15, 14]), onError: 'continueRegularOutput' },
		);
		expect(writtenIds()).toEqual([15]);
		expect(stored(14)).toEqual(before);
		expect(rowsOf(run).map(({ error }) => error !== undefined)).toEqual([true, false, true]);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
	});
});

test.each([
	['fields', fields()],
	['fields never filled in', { actionsFrom: 'fields' }],
	['JSON', json('[]')],
	['a JSON object', json('{ "actions": [] }')],
])('an empty list of %s is an error that points to Clear', async (_from, parameters) => {
	const before = stored(16);
	const run = await service.run({ ...replace, caseId: byId('16'), ...parameters });
	expect(failureOf(run)).toMatchObject({
		message: expect.stringContaining('would remove all actions of the case'),
		description: expect.stringContaining('the operation Clear'),
		item: 0,
	});
	expect(service.sandbox.requests).toEqual([]);
	expect(stored(16)).toEqual(before);
});

describe('many cases', () => {
	it('are written several at a time, never more than Concurrency, in input order, paired', async () => {
		service.sandbox.faults.add({ fault: { kind: 'latency', ms: 20 } });
		const ids = range(20, 39);
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...fields(RUNBOOK), options: { concurrency: 4 } },
			{ items: itemsWith(ids) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual(range(0, 19).map((item) => [item]));
		expect(service.sandbox.stats.maxInFlight).toBeGreaterThan(1);
		expect(service.sandbox.stats.maxInFlight).toBeLessThanOrEqual(4);
		expect(run.credentialReads).toBe(1);
	});

	it('one PUT to each case, so that writes to one case never overlap', async () => {
		service.sandbox.faults.add({ fault: { kind: 'latency', ms: 10 } });
		const items = range(0, 29).map((n) => ({ id: 40 + (n % 3), ...RUNBOOK, label: `Action ${n}` }));
		await service.run({ ...replace, caseId: OF_ITEM, ...PER_ITEM }, { items });
		expect(writtenIds().sort()).toEqual([40, 41, 42]);
		expect(stored(41).map(({ label }) => label)).toEqual(
			range(0, 9).map((n) => `Action ${n * 3 + 1}`),
		);
	});

	it('a write that fails ends the run, and its error says which cases are written and which not', async () => {
		const run = await service.run(
			{ ...replace, caseId: OF_ITEM, ...fields(RUNBOOK), options: { concurrency: 1 } },
			{ items: itemsWith([43, 44, 999, 45, 46]) },
		);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			description: expect.stringMatching(
				/Failed case: 999\. Written before: 43, 44\. Not written: 45, 46\.$/,
			),
			item: 2,
		});
		expect(writtenIds()).toEqual([43, 44, 999]);
	});
});

describe('a broken answer to a write', () => {
	test.each([
		['a lost connection before the write', { kind: 'drop' }],
		['a lost connection after the write', { kind: 'drop', applied: true }],
		['half an answer', { kind: 'reset' }],
		['a temporary error', { kind: 'status', status: 503 }],
		['a limit of requests', { kind: 'status', status: 429, retryAfter: 0 }],
	] as const)(
		'is tried again after %s, as the batch update is idempotent',
		async (_what, fault) => {
			service.sandbox.faults.add({ fault });
			const run = await service.run({
				...replace,
				caseId: byId('47'),
				...fields(CONTAIN),
				options: { maxRetries: 1 },
			});
			expect(rowsOf(run)).toMatchObject([{ case_id: 47, actions: [CONTAIN] }]);
			expect(writtenIds()).toEqual([47, 47]);
			expect(stored(47)).toEqual([CONTAIN]);
		},
	);

	test.each([
		['half a JSON text', { kind: 'truncatedJson' }],
		['an empty answer', { kind: 'empty' }],
	] as const)('is tried again after %s, which may be of a finished write', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const parameters = { ...replace, caseId: byId('47'), ...fields(CONTAIN) };
		const run = await service.run({ ...parameters, options: { maxRetries: 1 } });
		expect(rowsOf(run)).toMatchObject([{ case_id: 47, actions: [CONTAIN] }]);
	});

	it('that does not confirm the actions is an error that says to look at the case', async () => {
		service.sandbox.faults.add({ fault: { kind: 'listMissing' } });
		const run = await service.run({ ...replace, caseId: byId('48'), ...fields(CONTAIN) });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/did not confirm the actions of case 48/),
			item: 0,
		});
	});

	it('401 is not sent a second time, as n8n would', async () => {
		const credential = { apiKey: 'wrong-key' };
		const run = await service.run(
			{ ...replace, caseId: byId('48'), ...fields(CONTAIN) },
			{ credential },
		);
		expect(failureOf(run)).toMatchObject({ httpCode: '401', item: 0 });
		expect(writes()).toHaveLength(1);
	});
});

describe('Skip Unchanged', () => {
	const options = { skipUnchanged: true };
	const parameters = { ...replace, caseId: OF_ITEM, ...json('={{ $json.actions }}'), options };
	const OTHER = { ...RUNBOOK, url: 'https://example.com/other', label: 'Other' };
	const given = (...list: unknown[]) => ({ id: 50, actions: list });

	beforeEach(() => {
		const both = [RUNBOOK, OTHER] as Parameters<typeof service.sandbox.store.replaceActions>[1];
		// In the past, as an edit during a read makes the node read again.
		service.sandbox.store.replaceActions(50, both, { updated_at: '2026-01-20T00:00:00Z' });
	});

	it('reads the cases first, fifty to a request, and writes none that is the same', async () => {
		const items = range(1, 60).map((id) => ({
			id,
			actions: stored(id).map(({ url, label, action_type }) => ({ url, label, action_type })),
		}));
		const same = items.filter(({ actions }) => actions.length > 0);
		const run = await service.run(parameters, { items: same });
		expect(writes()).toEqual([]);
		expect(service.sandbox.requests).toHaveLength(Math.ceil(same.length / 50));
		expect(idsOf(run)).toEqual(same.map(({ id }) => id));
		expect(rowsOf(run).every(({ changed }) => changed === false)).toBe(true);
	});

	it('answers an unwritten case with its actions and changed: false', async () => {
		const run = await service.run(parameters, { items: [given(RUNBOOK, OTHER)] });
		expect(rowsOf(run)).toEqual([
			{
				case_id: 50,
				actions: [
					{ id: expect.any(Number), ...RUNBOOK },
					{ id: expect.any(Number), ...OTHER },
				],
				changed: false,
			},
		]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	test.each([
		['another url', [{ ...RUNBOOK, url: 'https://example.com/new' }, OTHER]],
		['another label', [{ ...RUNBOOK, label: 'New' }, OTHER]],
		['another type', [{ ...RUNBOOK, action_type: 'webhook' }, OTHER]],
		['another order', [OTHER, RUNBOOK]],
		['one more', [RUNBOOK, OTHER, CONTAIN]],
		['one less', [RUNBOOK]],
		['a button text, which can’t be compared', [{ ...RUNBOOK, action_text: 'Go' }, OTHER]],
	])('writes where there is %s', async (_what, list) => {
		const run = await service.run(parameters, { items: [given(...list)] });
		expect(writes()).toEqual([['/api/v2/cases/50/actions/batch', list]]);
		expect(rowsOf(run)[0]).toMatchObject({ case_id: 50, actions: list });
		expect(rowsOf(run)[0]).not.toHaveProperty('changed', false);
	});

	it('an unknown case among many means no write at all', async () => {
		const items = [given(RUNBOOK), { id: 999, actions: [RUNBOOK] }];
		const run = await service.run(parameters, { items });
		expect(failureOf(run)).toMatchObject({
			message: 'Case 999 was not found, or the API key has no access to it',
			item: 1,
		});
		expect(writes()).toEqual([]);
	});

	it('a read that fails means no write at all, or an error of its items under Continue On Fail', async () => {
		const fail = () =>
			service.sandbox.faults.add({
				match: { method: 'GET', nth: 2 },
				fault: { kind: 'status', status: 400 },
			});
		const items = [given(RUNBOOK), { id: 51, actions: [RUNBOOK] }];
		const oneByOne = { ...parameters, options: { ...options, pageSize: 1, concurrency: 1 } };
		fail();
		expect(failureOf(await service.run(oneByOne, { items }))).toMatchObject({
			httpCode: '400',
			item: 1,
		});
		expect(writes()).toEqual([]);
		service.sandbox.faults.clear();
		fail();
		const run = await service.run(oneByOne, { items, onError: 'continueRegularOutput' });
		expect(writtenIds()).toEqual([50]);
		expect(rowsOf(run)[1]).toMatchObject({ error: expect.any(String), details: { httpCode: 400 } });
	});
});
