import { clientOf, storeWith, type Client } from './testSupport';
import type { Deviations } from './deviations';
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
const list = () => client.send(CASES);
const inject = (...faults: Fault[]) =>
	client.sandbox.faults.add(...faults.map((fault) => ({ fault })));

// The tests of the transport see what each fault does to an answer.
it('A fault replaces one answer, and no request counts as a breach', async () => {
	const body = { error: 'slow down' };
	inject({ kind: 'status', status: 429, retryAfter: 90, body });
	const { status, headers, json } = await list();
	expect([status, json]).toEqual([429, body]);
	expect(headers.get('retry-after')).toBe('90');
	expect((await list()).status).toBe(200);
	expect(client.sandbox.rejected).toEqual([]);
});

it.each<[Fault, number]>([
	[{ kind: 'status', status: 502 }, 0],
	[{ kind: 'status', status: 502, applied: true }, 1],
	[{ kind: 'drop' }, 0],
	[{ kind: 'drop', applied: true }, 1],
	[{ kind: 'redirect', status: 302, to: '/' }, 0],
	[{ kind: 'raw', status: 500, body: '' }, 0],
	[{ kind: 'reset' }, 1],
	[{ kind: 'truncatedJson' }, 1],
	[{ kind: 'html' }, 1],
])('Under the fault %j a write leaves %d actions in the store', async (fault, written) => {
	client.sandbox.store.replaceActions(1, []);
	inject(fault);
	const actions = [{ url: 'https://a.example/', label: 'a', action_type: 'page' }];
	await client.put('/api/v2/cases/1/actions/batch', { actions }).catch(() => undefined);
	expect(client.sandbox.store.getCase(1).actions()).toHaveLength(written);
});

it('Faults that change part of an answer add up, and stay until they are cleared', async () => {
	const deviate = (deviations: Deviations) => inject({ kind: 'deviate', deviations });
	deviate({ list: { meta: { pages: 'many', extra: 1 } } });
	deviate({ list: { largestPage: 2 } });
	deviate({ filters: { ignored: ['case_ids'] } });
	for (let count = 0; count < 2; count++) {
		const { cases, meta } = (await client.send(`${CASES}&filters[case_ids][]=2&page=3`)).json;
		expect(cases.map(({ case_id }) => case_id)).toEqual([5]);
		expect(meta).toMatchObject({ pages: 'many', extra: 1, per_page: 2, next_page: null });
	}
	deviate({ list: { noMeta: true } });
	expect(Object.keys((await list()).json)).toEqual(['cases']);
	client.sandbox.faults.clear();
	expect(Object.keys((await list()).json)).toEqual(['cases', 'meta']);
});

const boom = { kind: 'status', status: 500 } as const;
const page2 = `${CASES}&page=2`;
const comments = '/api/v2/cases/1/comments';

it.each<[string, FaultRule[], string[], number[]]>([
	['path', [{ match: { path: '/comments$' }, fault: boom }], [CASES, comments], [200, 500]],
	['method', [{ match: { method: 'put' }, fault: boom }], [CASES], [200]],
	['page', [{ match: { page: 2 }, fault: boom }], [CASES, page2, page2], [200, 500, 200]],
	['nth', [{ match: { nth: 2 }, fault: boom }], Array(4).fill(CASES), [200, 500, 200, 200]],
	['times', [{ times: 2, fault: boom }], Array(3).fill(CASES), [500, 500, 200]],
	[
		'turns',
		[{ fault: boom }, { fault: { ...boom, status: 503 } }],
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
