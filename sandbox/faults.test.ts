import { clientOf, storeWith, type Client } from './testSupport';
import type { Fault, FaultRule } from './faults';

let client: Client;

beforeAll(async () => {
	client = await clientOf({ store: storeWith(Array.from({ length: 5 }, () => ({}))) });
});
beforeEach(() => {
	client.sandbox.faults.clear();
	client.sandbox.clearRequests();
});

const CASES = '/api/v2/cases?order=CREATED_ASC';
const BATCH = '/api/v2/cases/1/actions/batch';
const ACTIONS = { actions: [{ url: 'https://a.example/', label: 'a', action_type: 'page' }] };
const list = () => client.send(CASES);
const inject = (...faults: Fault[]) =>
	client.sandbox.faults.add(...faults.map((fault) => ({ fault })));

/** The answer before its body is read. */
const begun = async () =>
	await fetch(client.sandbox.url + CASES, {
		redirect: 'manual',
		headers: { 'content-type': 'application/json', 'x-user-token': client.sandbox.keys.team },
	});

describe('A scripted fault', () => {
	it.each<[Fault, number, Record<string, string | null>, string | RegExp]>([
		[
			{ kind: 'status', status: 429, retryAfter: 3, body: { error: 'slow down' } },
			429,
			{ 'retry-after': '3' },
			'{"error":"slow down"}',
		],
		[
			{ kind: 'status', status: 429, retryAfter: { inSeconds: 90 } },
			429,
			{ 'retry-after': 'Sat, 31 Jan 2026 12:01:30 GMT' },
			'',
		],
		[{ kind: 'status', status: 429, retryAfter: 'soon' }, 429, { 'retry-after': 'soon' }, ''],
		[
			{ kind: 'status', status: 503, body: 'sorry', headers: { 'X-Request-Id': 'r1' } },
			503,
			{ 'x-request-id': 'r1', 'retry-after': null },
			'sorry',
		],
		[{ kind: 'html' }, 200, { 'content-type': 'text/html; charset=utf-8' }, /^<!DOCTYPE html>/],
		[{ kind: 'empty' }, 200, {}, ''],
		[
			{ kind: 'raw', status: 207, headers: { 'content-type': 'x/y' }, body: '[1]' },
			207,
			{ 'content-type': 'x/y' },
			'[1]',
		],
		[
			{ kind: 'redirect', status: 307, to: 'https://b.example/' },
			307,
			{ location: 'https://b.example/' },
			'',
		],
	])('%j replaces one answer', async (fault, status, headers, text) => {
		inject(fault);
		const answer = await list();
		expect(answer.status).toBe(status);
		expect(answer.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
		for (const [name, value] of Object.entries(headers)) {
			expect(answer.headers.get(name)).toBe(value);
		}
		expect((await list()).status).toBe(200);
		expect(client.sandbox.rejected).toEqual([]);
	});

	it('cuts the connection before or in the body', async () => {
		inject({ kind: 'drop' }, { kind: 'reset' });
		await expect(begun()).rejects.toThrow();
		expect(client.sandbox.requests).toMatchObject([{ status: 0 }]);
		const response = await begun();
		expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000);
		await expect(response.text()).rejects.toThrow();
	});

	it('answers with a body that never ends', async () => {
		inject({ kind: 'endless', bytes: 3, everyMs: 1 });
		let length = 0;
		for await (const bytes of (await begun()).body ?? []) {
			length += (bytes as Uint8Array).length;
			if (length > 30) break;
		}
		expect(length).toBeGreaterThan(30);
	});

	it('truncates the JSON under a content-length that fits', async () => {
		const whole = await list();
		inject({ kind: 'truncatedJson' });
		const { text } = await list();
		expect(whole.text.startsWith(text)).toBe(true);
		expect(text.length).toBe(Math.ceil(whole.text.length / 2));
	});

	it.each<[Fault, number]>([
		[{ kind: 'status', status: 502 }, 0],
		[{ kind: 'status', status: 502, applied: true }, 1],
		[{ kind: 'drop' }, 0],
		[{ kind: 'drop', applied: true }, 1],
		[{ kind: 'raw', status: 500, body: '', applied: true }, 1],
		[{ kind: 'reset' }, 1],
		[{ kind: 'truncatedJson' }, 1],
	])('%j leaves %d actions in the store', async (fault, written) => {
		client.sandbox.store.replaceActions(1, []);
		inject(fault);
		await client.put(BATCH, ACTIONS).catch(() => undefined);
		expect(client.sandbox.store.getCase(1).actions()).toHaveLength(written);
	});
});

describe('A fault that changes part of the answer', () => {
	it('leaves out meta, or the list, until cleared', async () => {
		inject({ kind: 'metaMissing' });
		expect(Object.keys((await list()).json)).toEqual(['cases']);
		inject({ kind: 'listMissing' });
		expect((await list()).json).toEqual({});
		client.sandbox.faults.clear();
		expect(Object.keys((await list()).json)).toEqual(['cases', 'meta']);
	});

	it('overrides meta, limits pages, ignores filters', async () => {
		inject({ kind: 'meta', patch: { pages: 'many', extra: 1 } });
		inject({ kind: 'clampPageSize', to: 2 });
		inject({ kind: 'ignoreFilters', filters: ['case_ids'] });
		const { cases, meta } = (await client.send(`${CASES}&filters[case_ids][]=2&page=3`)).json;
		expect(cases.map(({ case_id }) => case_id)).toEqual([5]);
		expect(meta).toMatchObject({ pages: 'many', extra: 1, per_page: 2, next_page: null });
	});

	it('delays the answer', async () => {
		inject({ kind: 'latency', ms: 60 });
		await list();
		const [{ startedAt, endedAt = 0 }] = client.sandbox.requests;
		expect(endedAt - startedAt).toBeGreaterThan(50);
	});
});

const boom = { kind: 'status', status: 500 } as const;
const page2 = `${CASES}&page=2`;
const comments = '/api/v2/cases/1/comments';

it.each<[string, FaultRule[], string[], number[]]>([
	['path', [{ match: { path: '/comments$' }, fault: boom }], [CASES, comments], [200, 500]],
	['method', [{ match: { method: 'put' }, fault: boom }], [CASES], [200]],
	['page', [{ match: { page: 2 }, fault: boom }], [CASES, page2, page2], [200, 500, 200]],
	['nth', [{ match: { nth: 2 }, fault: boom }], Array(4).fill(CASES), [200, 500, 200, 200]],
	['every', [{ match: { everyNth: 2 }, fault: boom }], Array(4).fill(CASES), [200, 500, 200, 500]],
	['times', [{ times: 2, fault: boom }], Array(3).fill(CASES), [500, 500, 200]],
	[
		'turns',
		[{ fault: boom }, { fault: { kind: 'status', status: 503 } }],
		Array(3).fill(CASES),
		[500, 503, 200],
	],
	['right requests', [{ fault: boom }], ['/api/v2/cases?foo=1', CASES], [400, 500]],
])('A fault matches by %s', async (_name, rules, paths, expected) => {
	client.sandbox.faults.add(...rules);
	const statuses: number[] = [];
	for (const path of paths) statuses.push((await client.send(path)).status);
	expect(statuses).toEqual(expected);
});

it('A change happens just before the answer', async () => {
	client.sandbox.faults.add({
		match: { page: 2 },
		fault: { kind: 'change', run: (store) => store.deleteCase(1) },
	});
	const page = (number: number) => client.ids(`order=CREATED_ASC&per_page=2&page=${number}`);
	expect(await page(1)).toEqual([1, 2]);
	// Case 3 moved to the first page: the reader never sees it.
	expect(await page(2)).toEqual([4, 5]);
});

it('The rate limit answers 429 with Retry-After when it is exceeded', async () => {
	const limited = await clientOf({ store: storeWith([{}]), rateLimit: { perSecond: 2 } });
	const answers = await Promise.all([1, 2, 3, 4].map(() => limited.send(CASES)));
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(2);
	expect(refused[0].headers.get('retry-after')).toBe('1');
	expect(limited.sandbox.rejected).toEqual([]);
});
