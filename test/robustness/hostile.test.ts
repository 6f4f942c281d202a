import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { engineRealm } from '../support/engineRealm';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { byId, failureOf, pairsOf } from '../support/runs';
import { useService } from '../support/service';
import { createPoller } from '../../tools/engine/poll';

// Not strict, because these tests check what the service receives, whether or not it likes it.
const service = useService({ cases: 8, strict: false });

/** Runs of the node for each parameter, each with some input items. */
const RUNS = PROPERTY_TIMES;
const ITEMS = 14;

const TEXTS = [
	'"',
	"'",
	'[',
	'][page]=2',
	'&page=2&per_page=1',
	'%',
	'%2e%2e%2f',
	'#',
	'?',
	';',
	'\r\nX-Injected: 1',
	'\0',
	'🤖',
	'\ud83d',
	'\u202etxt.exe',
	'../',
	'../../../v1/events',
	'__proto__',
	'constructor',
	'1/../../2/actions/batch?x=',
	'1%2F..',
	'1#',
	'1e3',
	'0x10',
	'-1',
	'null',
	'={{ $env }}',
	'{{ $json }}',
	'a,b',
	' 7 ',
	'٣',
	'x'.repeat(100_000),
];
/** Any code point; fast-check's own unit for that takes a second to make. */
const codePoint = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: codePoint, maxLength: 30 }));
const value = fc.oneof(
	{ weight: 3, arbitrary: text },
	{ weight: 1, arbitrary: fc.array(text, { maxLength: 3 }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<unknown>(
			null,
			true,
			0,
			-1,
			1.5,
			7,
			2 ** 60,
			{},
			{ a: { b: ['c'] } },
			[[['deep']]],
			[null],
			{ constructor: { prototype: { isAdmin: true } } },
		),
	},
);

let counted = 0;
const prototype = engineRealm.Object.prototype;
const names = Object.getOwnPropertyNames(prototype).sort();
afterEach(() => {
	expect(Object.getOwnPropertyNames(prototype).sort()).toEqual(names);
	expect('isAdmin' in prototype).toBe(false);
});
afterAll(() => console.log(`Hostile input: ${counted} values through n8n's engine`));

/** Runs the node with a list of hostile values, one to an input item, some times. */
async function withValues(
	values: fc.Arbitrary<unknown>,
	parameters: Record<string, unknown>,
	check: (item: { value: unknown; index: number; error?: string; json: IDataObject[] }) => void,
	shared?: (accepted: unknown[]) => void,
): Promise<void> {
	const lists = fc.array(values, { minLength: ITEMS, maxLength: ITEMS });
	await fc.assert(
		fc.asyncProperty(lists, async (list) => {
			service.sandbox.clearRequests();
			const items = list.map((one, index) => ({ id: index + 1, value: one }) as IDataObject);
			const run = await service.run(
				{ options: { maxRetries: 0, concurrency: 2 }, ...parameters },
				{ items, onError: 'continueRegularOutput' },
			);
			counted += list.length;
			expect(run.status).toBe('success');
			const pairs = pairsOf(run);
			list.forEach((one, index) => {
				const json = run.items
					.filter((_item, position) => pairs[position].includes(index))
					.map((item) => item.json);
				const error = json[0]?.error as string | undefined;
				if (error !== undefined) expect(error).not.toBe('');
				check({ value: one, index, error, json });
			});
			shared?.(list);
			for (const { path } of service.sandbox.requests) expect(path).toMatch(DOCUMENTED);
		}),
		{ numRuns: RUNS },
	);
}

/** The paths that the API document describes. */
const DOCUMENTED = /^\/api\/v2\/cases(\/[1-9]\d*\/(comments|actions\/batch))?$/;

const decoded = (query: string) =>
	query.split('&').map((part) => {
		const at = part.indexOf('=');
		return [decodeURIComponent(part.slice(0, at)), decodeURIComponent(part.slice(at + 1))];
	});
/** Name and values of the filters in each request, as any server reads them. */
const filtersSent = () =>
	service.sandbox.requests.map(({ queryString }) =>
		decoded(queryString).filter(
			([name]) => !['per_page', 'page', 'order', 'team_id'].includes(name),
		),
	);

const isBlank = (one: unknown) =>
	one === null || one === undefined || (typeof one === 'string' && one.trim() === '');
/** The entries of text that is a list of texts in JSON. */
function asList(one: unknown): unknown[] {
	const isJson = typeof one === 'string' && /^\s*\[\s*(".*"\s*)?\]\s*$/s.test(one);
	try {
		return isJson ? (JSON.parse(one) as unknown[]) : [one];
	} catch {
		return [one];
	}
}

/** The texts that a value means in a filter; undefined where it can't mean any, as an expression without a value. */
function textsOf(given: unknown): string[] | undefined {
	if ([given].flat().every((one) => one === null)) return undefined;
	const list = (Array.isArray(given) ? given.flat() : [given])
		.flatMap(asList)
		.filter((one) => !isBlank(one));
	return list.every((one) => typeof one === 'string' || typeof one === 'number')
		? list.map(String)
		: undefined;
}

const LISTS = ['and_tags', 'tags', 'or_tags', 'excluded_tags', 'records'];
const SCALARS = ['search'];
const VALID =
	/^(|\d+|true|false|CRITICAL|HIGH|MEDIUM|LOW|INFO|OPEN|CLOSED|\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Filters whose values have a shape of their own. */
const SHAPES: Record<string, RegExp> = {
	assignees: /^\S+$/,
	assignee_emails: EMAIL,
	author_emails: EMAIL,
};
const CHECKED = [
	...Object.keys(SHAPES),
	'case_ids',
	'assigned_to_me',
	'unassigned',
	'priority',
	'status',
	'start_date',
	'end_date',
	'resolved_at_start_date',
	'resolved_at_end_date',
	'updated_at_start_date',
	'updated_at_end_date',
	'team_id',
];

describe('A hostile value in the filter', () => {
	it.each([...LISTS, ...SCALARS])('%s is sent as given, or not at all', async (name) => {
		await withValues(
			value,
			{ limit: 1, filters: { [name]: '={{ $json.value }}' } },
			({ value: given, error }) => {
				const meant = SCALARS.includes(name) && Array.isArray(given) ? undefined : textsOf(given);
				if (meant === undefined) {
					expect(error).toBeDefined();
					return;
				}
				const key = SCALARS.includes(name) ? `filters[${name}]` : `filters[${name}][]`;
				const sent = meant.map((one) => [key, one]);
				if (error === undefined) expect(filtersSent()).toContainEqual(sent);
				else if (!/\(4\d\d\)/.test(error)) expect(filtersSent()).not.toContainEqual(sent);
			},
			(list) => {
				const meant = new Set(list.map((one) => JSON.stringify(textsOf(one) ?? null)));
				for (const sent of filtersSent()) {
					expect(meant).toContain(JSON.stringify(sent.map(([, one]) => one)));
				}
			},
		);
	});

	it.each(CHECKED)('%s is sent as a valid value, or not at all', async (name) => {
		await withValues(
			value,
			{ limit: 1, filters: { [name]: '={{ $json.value }}' } },
			() => undefined,
		);
		const pattern = SHAPES[name] ?? VALID;
		for (const sent of filtersSent()) {
			for (const [key, one] of sent) {
				expect([`filters[${name}]`, `filters[${name}][]`]).toContain(key);
				expect(one).toMatch(pattern);
			}
		}
	});

	it('metadata is sent under its own key, or not at all', async () => {
		const pair = fc.record({ key: text, value: text });
		await withValues(
			pair,
			{
				limit: 1,
				filters: {
					metadata: {
						pair: [{ key: '={{ $json.value.key }}', value: '={{ $json.value.value }}' }],
					},
				},
			},
			({ value: given, error }) => {
				const { key, value: meant } = given as { key: string; value: string };
				const sent = isBlank(key) && isBlank(meant) ? [] : [[`filters[metadata][${key}]`, meant]];
				if (error === undefined) expect(filtersSent()).toContainEqual(sent);
			},
			(list) => {
				const meant = list.map((one) => {
					const { key, value: text } = one as { key: string; value: string };
					return JSON.stringify([[`filters[metadata][${key}]`, text]]);
				});
				for (const sent of filtersSent()) {
					if (sent.length > 0) expect(meant).toContain(JSON.stringify(sent));
				}
			},
		);
	});
});

describe('A hostile case locator', () => {
	const locators = fc.oneof(
		value,
		text.map((tail) => `1${tail}`),
		text.map((tail) => `/cases/${tail}`),
	);

	it.each(['id', 'list', 'url'])('in mode %s reaches the given case, or none', async (mode) => {
		for (const base of mode === 'url' ? ['', 'own'] : ['']) {
			const expression =
				base === 'own' ? `=${service.sandbox.url}{{ $json.value }}` : '={{ $json.value }}';
			await withValues(
				locators,
				{
					resource: 'comment',
					operation: 'getAll',
					caseId: { __rl: true, mode, value: expression },
				},
				({ value: given, error }) => {
					if (mode === 'url' || error !== undefined) return;
					const id = String(given).trim().replace(/^0+/, '');
					expect(service.paths()).toContain(`GET /api/v2/cases/${id}/comments`);
				},
				(list) => {
					for (const path of service.paths()) {
						const id = /cases\/(\d+)\/comments$/.exec(path)?.[1] ?? 'none';
						expect(list.some((one) => String(one).includes(id))).toBe(true);
					}
				},
			);
		}
	});
});

describe('A hostile action', () => {
	const good = { url: 'https://example.com/a', label: 'A', action_type: 'page', action_text: 'Go' };
	const field = fc.constantFrom('url', 'label', 'action_type', 'action_text', 'extra', '__proto__');
	const hostile = fc
		.tuple(
			field,
			fc.oneof(
				value,
				text.map((tail) => `https://example.com/${tail}`),
			),
		)
		// As JSON, so that __proto__ is a field like others.
		.map(([name, one]) => ({ name, one, json: JSON.stringify([{ ...good, [name]: one }]) }));
	const part = (name: string) => `={{ JSON.parse($json.value.json)[0].${name} }}`;
	const fields = {
		url: part('url'),
		label: part('label'),
		action_type: part('action_type'),
		action_text: part('action_text'),
	};
	const MODES: Array<[string, Record<string, unknown>]> = [
		['fields', { actionsFrom: 'fields', actions: { action: [fields] } }],
		['json', { actionsFrom: 'json', actionsJson: '={{ $json.value.json }}' }],
		['items', { actionsFrom: 'items', ...fields }],
	];

	it.each(MODES)('from %s is written as given, or not at all', async (mode, parameters) => {
		await withValues(
			hostile,
			{
				resource: 'action',
				operation: 'replace',
				caseId: byId('={{ $json.id }}'),
				...parameters,
			},
			({ value: given, index, error }) => {
				const { name, one } = given as { name: string; one: unknown };
				const path = `/api/v2/cases/${index + 1}/actions/batch`;
				const sent = service.sandbox.requests.filter((request) => request.path === path);
				expect(sent.length).toBeLessThanOrEqual(1);
				if (sent.length === 0) {
					expect(error).toBeDefined();
					return;
				}
				const isKnown = Object.hasOwn(good, name);
				if (mode === 'json') expect(isKnown || name === '__proto__').toBe(true);
				const meant: Record<string, unknown> = { ...good };
				if (isKnown) meant[name] = String(one ?? '').trim();
				if (name === 'action_type') meant[name] = String(meant[name]).toLowerCase();
				if (meant.action_text === '') delete meant.action_text;
				expect(sent[0].body).toEqual({ actions: [meant] });
			},
		);
	});
});

describe('A hostile value in', () => {
	const given = '={{ $json.value }}';
	it.each([
		['loadInFull', { operation: 'get', options: { loadInFull: given } }],
		['sections', { operation: 'digest', options: { sections: given } }],
		['maxLength', { operation: 'digest', options: { maxLength: given } }],
		['recordTypes', { resource: 'record', operation: 'getAll', recordTypes: given }],
		['activityTypes', { resource: 'activity', operation: 'getAll', activityTypes: given }],
	])('%s is understood, or refused with what to do', async (_name, parameters) => {
		await fc.assert(
			fc.asyncProperty(value, async (one) => {
				counted++;
				const items = [{ value: one } as IDataObject];
				const run = await service.run({ ...parameters, caseId: byId(1) }, { items });
				if (run.status !== 'success') expect(failureOf(run).description).toBeTruthy();
				for (const { json } of run.items) expectPlain(json);
			}),
			{ numRuns: RUNS * ITEMS },
		);
	});
});

/** No part of the output has a field __proto__, or another prototype because of one. */
function expectPlain(part: unknown): void {
	if (typeof part !== 'object' || part === null) return;
	expect(Object.keys(part)).not.toContain('__proto__');
	expect((part as { isAdmin?: unknown }).isAdmin).toBeUndefined();
	for (const inner of Object.values(part)) expectPlain(inner);
}

describe('__proto__ in an answer of the service', () => {
	const SPELLINGS = [
		'__proto__',
		'\\u005f_proto__',
		'__prot\\u006F__',
		'\\u005F\\u005fproto\\u005f_',
	];
	const poison = (spelling: string) =>
		`"${spelling}":{"isAdmin":true},"x":{"${spelling}":{"isAdmin":true},"y":[{"${spelling}":null}]}`;
	const dated = '"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"';
	const meta = (spelling: string) => `"meta":{"pages":1,"per_page":50,${poison(spelling)}}`;
	const READS: Array<[string, Record<string, unknown>, string]> = [
		['a raw list', { output: 'raw' }, 'cases'],
		['a simplified list', {}, 'cases'],
		['chosen fields', { output: 'selected', fields: ['name', '__proto__', 'x'] }, 'cases'],
		['a case', { operation: 'get', caseId: byId(1), output: 'raw' }, 'cases'],
		['comments', { resource: 'comment', operation: 'getAll', caseId: byId(1) }, 'comments'],
		['a case as a text', { operation: 'digest', caseId: byId(1) }, 'cases'],
		[
			'activities',
			{ resource: 'activity', operation: 'getAll', caseId: byId(1), output: 'raw' },
			'cases',
		],
		[
			'records',
			{ resource: 'record', operation: 'getAll', caseId: byId(1), output: 'raw' },
			'cases',
		],
		['flat records', { resource: 'record', operation: 'getAll', caseId: byId(1) }, 'cases'],
		['actions of a case', { resource: 'action', operation: 'getAll', caseId: byId(1) }, 'actions'],
		[
			'replaced actions',
			{
				resource: 'action',
				operation: 'replace',
				caseId: byId(1),
				actions: { action: [{ url: 'https://example.com', label: 'A', action_type: 'page' }] },
			},
			'actions',
		],
	];
	const body = (list: string, spelling: string) =>
		`{"case_id":1,"${list}":[{"case_id":1,"id":1,"name":"A","url":"https://example.com","label":"A","action_type":"page","actions":[{"id":1,${poison(spelling)}}],"activities":[{"id":1,${poison(spelling)}}],"records":[{"id":1,${poison(spelling)}}],${dated},${poison(spelling)}}],${meta(spelling)},${poison(spelling)}}`;

	it.each(READS)('gets into no item of %s', async (_what, parameters, list) => {
		for (const spelling of SPELLINGS) {
			service.sandbox.faults.add({
				fault: { kind: 'raw', status: 200, body: body(list, spelling) },
			});
			const run = await service.run(parameters);
			expect(failureOf(run).status).toBe('success');
			expect(run.items).toHaveLength(1);
			for (const { json } of run.items) expectPlain(json);
			counted++;
		}
	});

	it('gets into no error item', async () => {
		for (const spelling of SPELLINGS) {
			const error = `{"error":"No",${poison(spelling)}}`;
			service.sandbox.faults.add({ fault: { kind: 'raw', status: 422, body: error } });
			const run = await service.run({}, { onError: 'continueRegularOutput' });
			expect(run.items[0].json.error).toMatch(/The service says: No/);
			expectPlain(run.items[0].json);
		}
	});

	it('gets into no item of the trigger', async () => {
		for (const spelling of SPELLINGS) {
			const poller = await createPoller({
				type: 'n8n-nodes-cases.casesTrigger',
				parameters: { output: 'raw', options: { startFrom: '2025-01-01T00:00:00Z' } },
				credentials: { casesApi: service.credential() },
			});
			const fault = { kind: 'raw', status: 200, body: body('cases', spelling) } as const;
			service.sandbox.faults.add({ fault });
			const items = (await poller.poll()) ?? [];
			expect(items).toHaveLength(1);
			expectPlain(items[0].json);
			expectPlain(poller.snapshot());
		}
	});
});
