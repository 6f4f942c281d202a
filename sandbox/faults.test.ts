import { clientOf, NOW, storeWith, type Client } from './testSupport';
import type { Fault } from './faults';

let client: Client;

beforeEach(async () => {
	client = await clientOf({ store: storeWith(Array.from({ length: 5 }, () => ({}))) });
});

const CASES = '/api/v2/cases?order=CREATED_ASC';
const list = () => client.send(CASES);
const failure = (sent: Promise<unknown>) =>
	sent.then(
		() => 'answered',
		() => 'failed',
	);
const inject = (fault: Fault) => client.sandbox.faults.add({ fault });
const ACTIONS = { actions: [{ url: 'https://a.example/', label: 'a', action_type: 'page' }] };

describe('A scripted fault', () => {
	it.each<[string, { retryAfter?: number | string | { inSeconds: number } }, string | null]>([
		['seconds', { retryAfter: 3 }, '3'],
		['an HTTP date', { retryAfter: { inSeconds: 90 } }, 'Sat, 31 Jan 2026 12:01:30 GMT'],
		['raw text', { retryAfter: 'soon' }, 'soon'],
		['a negative number', { retryAfter: -1 }, '-1'],
		['nothing', {}, null],
	])('answers 429 once with Retry-After: %s', async (_name, retry, expected) => {
		inject({ kind: 'status', status: 429, body: { error: 'slow down' }, ...retry });
		const { status, headers, json } = await list();
		expect([status, headers.get('retry-after')]).toEqual([429, expected]);
		expect(json.error).toBe('slow down');
		expect((await list()).status).toBe(200);
		expect(client.sandbox.rejected).toEqual([]);
	});

	it.each([500, 502, 503, 504, 403, 409])(
		'answers status %d with text and headers',
		async (status) => {
			inject({ kind: 'status', status, body: 'sorry', headers: { 'X-Request-Id': 'r1' } });
			const answer = await list();
			expect([answer.status, answer.text]).toEqual([status, 'sorry']);
			expect(answer.headers.get('x-request-id')).toBe('r1');
		},
	);

	it('drops the connection before the answer', async () => {
		inject({ kind: 'drop' });
		expect(await failure(list())).toBe('failed');
		expect(client.sandbox.requests).toMatchObject([{ status: 0 }]);
		expect((await list()).status).toBe(200);
	});

	it('cuts the connection in the middle of the body', async () => {
		inject({ kind: 'reset' });
		const response = await fetch(client.sandbox.url + CASES, {
			headers: { 'content-type': 'application/json', 'x-user-token': client.sandbox.keys.team },
		});
		expect(response.status).toBe(200);
		expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000);
		expect(await failure(response.text())).toBe('failed');
	});

	it('answers with a body that never ends', async () => {
		inject({ kind: 'endless', bytes: 3, everyMs: 1 });
		const response = await fetch(client.sandbox.url + CASES, {
			headers: { 'content-type': 'application/json', 'x-user-token': client.sandbox.keys.team },
		});
		let length = 0;
		for await (const bytes of response.body ?? []) {
			length += (bytes as Uint8Array).length;
			if (length > 30) break;
		}
		expect(response.status).toBe(200);
		expect(length).toBeGreaterThan(30);
	});

	it('truncates the JSON under a content-length that fits', async () => {
		const whole = await list();
		inject({ kind: 'truncatedJson' });
		const { status, text, json } = await list();
		expect(status).toBe(200);
		expect(json).toBeUndefined();
		expect(whole.text.startsWith(text)).toBe(true);
		expect(text.length).toBe(Math.ceil(whole.text.length / 2));
	});

	it('answers an HTML page, nothing, or anything', async () => {
		inject({ kind: 'html' });
		inject({ kind: 'empty' });
		inject({ kind: 'raw', status: 207, headers: { 'content-type': 'x/y' }, body: '[1]' });
		const html = await list();
		expect([html.status, html.headers.get('content-type')]).toEqual([
			200,
			'text/html; charset=utf-8',
		]);
		expect(html.text).toMatch(/^<!DOCTYPE html>/);
		const empty = await list();
		expect([empty.status, empty.text]).toEqual([200, '']);
		const raw = await list();
		expect([raw.status, raw.headers.get('content-type'), raw.text]).toEqual([207, 'x/y', '[1]']);
	});

	it.each([301, 302, 303, 307, 308] as const)('redirects with %d', async (status) => {
		inject({ kind: 'redirect', status, to: 'https://elsewhere.example/api/v2/cases' });
		const answer = await list();
		expect(answer.status).toBe(status);
		expect(answer.headers.get('location')).toBe('https://elsewhere.example/api/v2/cases');
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
		inject(fault);
		await failure(client.put('/api/v2/cases/1/actions/batch', ACTIONS));
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

	it('overrides keys of meta', async () => {
		inject({ kind: 'meta', patch: { pages: 'many', next_page: null, extra: 1 } });
		const { meta } = (await list()).json;
		expect(meta).toMatchObject({
			pages: 'many',
			next_page: null,
			extra: 1,
			per_page: 20,
			count: 5,
		});
	});

	it('clamps the page size of every list', async () => {
		inject({ kind: 'clampPageSize', to: 2 });
		const { json } = await client.send(`${CASES}&per_page=50&page=3`);
		expect(json.cases.map(({ case_id }) => case_id)).toEqual([5]);
		expect(json.meta).toMatchObject({ per_page: 2, pages: 3, next_page: null });
		expect((await client.send('/api/v2/cases/1/comments?per_page=9')).json.meta.per_page).toBe(2);
		expect((await client.send('/api/v2/cases/1/comments?per_page=1')).json.meta.per_page).toBe(1);
	});

	it('ignores filters', async () => {
		inject({ kind: 'ignoreFilters', filters: ['case_ids'] });
		expect(await client.ids('filters[case_ids][]=2&order=CREATED_ASC')).toEqual([1, 2, 3, 4, 5]);
		expect(await client.ids('filters[case_ids][]=2&filters[search]=4')).toEqual([4]);
	});

	it('delays the answer', async () => {
		inject({ kind: 'latency', ms: 60 });
		await list();
		const [{ startedAt, endedAt = 0 }] = client.sandbox.requests;
		expect(endedAt - startedAt).toBeGreaterThan(50);
	});
});

describe('The match of a fault', () => {
	const statuses = async (paths: string[]) => {
		const seen: number[] = [];
		for (const path of paths) seen.push((await client.send(path)).status);
		return seen;
	};
	const boom: Fault = { kind: 'status', status: 500 };

	it('is by method and path', async () => {
		client.sandbox.faults.add({ match: { method: 'put' }, fault: boom });
		client.sandbox.faults.add({ match: { path: '^/api/v2/cases/\\d+/comments$' }, fault: boom });
		expect(await statuses(['/api/v2/cases', '/api/v2/cases/1/comments'])).toEqual([200, 500]);
		expect((await client.put('/api/v2/cases/1/actions/batch', ACTIONS)).status).toBe(500);
	});

	it('is by the requested page', async () => {
		client.sandbox.faults.add({ match: { page: 2 }, fault: boom });
		expect(await statuses([CASES, `${CASES}&page=2`, `${CASES}&page=2`])).toEqual([200, 500, 200]);
	});

	it('is by count: the nth, every nth, a number of times', async () => {
		const many = [CASES, CASES, CASES, CASES, CASES, CASES];
		client.sandbox.faults.add({ match: { nth: 2 }, fault: boom });
		expect(await statuses(many)).toEqual([200, 500, 200, 200, 200, 200]);
		client.sandbox.faults.clear();
		client.sandbox.faults.add({ match: { everyNth: 2 }, fault: boom });
		expect(await statuses(many)).toEqual([200, 500, 200, 500, 200, 500]);
		client.sandbox.faults.clear();
		client.sandbox.faults.add({ times: 3, fault: boom });
		expect(await statuses(many)).toEqual([500, 500, 500, 200, 200, 200]);
	});

	it('uses rules one after the other', async () => {
		client.sandbox.faults.add({ fault: boom }, { fault: { kind: 'status', status: 503 } });
		expect(await statuses([CASES, CASES, CASES])).toEqual([500, 503, 200]);
	});

	it('leaves out requests that are refused anyway', async () => {
		client.sandbox.faults.add({ fault: boom });
		expect(await statuses(['/api/v2/cases?foo=1', CASES])).toEqual([400, 500]);
	});
});

describe('A change between two requests', () => {
	it('runs a callback or a mutation of the store just before the answer', async () => {
		client.sandbox.faults.add(
			{
				match: { page: 2 },
				fault: { kind: 'change', run: (store) => store.deleteCase(1) },
			},
			{
				match: { page: 3 },
				fault: { kind: 'change', mutation: 'createCase', args: [{ name: 'New' }] },
			},
		);
		const page = (number: number) => client.ids(`order=CREATED_ASC&per_page=2&page=${number}`);
		expect(await page(1)).toEqual([1, 2]);
		// Case 3 moved to the first page: the reader never sees it.
		expect(await page(2)).toEqual([4, 5]);
		expect(await page(3)).toEqual([6]);
		expect(await page(2)).toEqual([4, 5]);
	});
});

describe('The rate limit of the sandbox', () => {
	it('answers 429 with Retry-After when it is exceeded', async () => {
		const limited = await clientOf({
			store: client.sandbox.store,
			rateLimit: { perSecond: 2 },
		});
		const answers = await Promise.all([1, 2, 3, 4].map(() => limited.send(CASES)));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(2);
		expect(refused[0].headers.get('retry-after')).toBe('1');
		expect(limited.sandbox.rejected).toEqual([]);
	});
});

it("The sandbox answers with the Date of the store's clock", async () => {
	expect((await list()).headers.get('date')).toBe(new Date(NOW).toUTCString());
});
