import { clientOf, storeWith, type Client } from './testSupport';

let client: Client;

beforeAll(async () => {
	const store = storeWith([
		{
			name: 'Phishing mail',
			tags: ['vip, finance'],
			assignees: [1],
			metadata: { source: 'siem', 'cost center': 'CC & 1' },
			created_at: '2026-01-10T00:00:00Z',
			updated_at: '2026-01-20T00:00:00Z',
		},
		{
			name: 'Malware',
			description: 'After a PHISHING mail',
			status: 'CLOSED',
			tags: ['r&d', '🔥'],
			created_at: '2026-01-12T00:00:00Z',
			resolved_at: '2026-01-15T10:00:00Z',
			updated_at: '2026-01-31T00:00:00Z',
		},
		{
			name: 'Laptop',
			created_at: '2026-01-31T09:00:00Z',
			updated_at: '2026-01-31T10:00:00Z',
			opened_at: null,
		},
	]);
	client = await clientOf({ store });
});

const EMOJI = encodeURIComponent('🔥');

// That each filter and order is right is seen by the tests of Get Many.
it.each<[string, number[], string]>([
	['filters[tags][]=vip, finance', [1], 'a comma is part of a tag'],
	[`filters[tags][]=r%26d&filters[tags][]=${EMOJI}`, [2], 'texts are decoded'],
	['filters[tags][]=VIP, finance', [], 'names of tags are exact'],
	['filters[assigned_to_me]=false', [1, 2, 3], 'false restricts nothing'],
	['filters[unassigned]=false', [1, 2, 3], 'false restricts nothing'],
	[
		'filters[metadata][source]=siem&filters[metadata][cost center]=CC %26 1',
		[1],
		'all pairs match',
	],
	['filters[metadata][source]=siem&filters[metadata][region]=emea', [], 'all pairs match'],
	['filters[metadata][__proto__]=x', [], 'no key is inherited'],
	['filters[search]=phishing', [1, 2], 'name and description are searched'],
	['filters[search]=3', [3], 'the id is searched'],
	['filters[start_date]=2026-01-12T00:00:00Z', [2], 'the end is the start of today'],
	['filters[updated_at_start_date]=2026-01-20T00:00:00Z', [1, 2], 'both ends are inclusive'],
	['filters[end_date]=2026-01-10T00:00:00.000Z', [1], 'the end is inclusive'],
	['filters[resolved_at_end_date]=2027-01-01T00:00:00Z', [2], 'unresolved cases never match'],
	['filters[status]=OPEN&filters[search]=mail&team_id=1', [1], 'filters are combined with AND'],
	['order=OPENED_ASC', [1, 2, 3], 'unopened cases come last'],
	['order=OPENED_DESC', [2, 1, 3], 'unopened cases come last'],
])('GET /api/v2/cases?%s finds %j: %s', async (query, expected) => {
	const isOrdered = query.startsWith('order');
	expect(await client.ids(isOrdered ? query : `${query}&order=CREATED_ASC`)).toEqual(expected);
});

it('assigned_to_me means the user of a personal key', async () => {
	const { json } = await client.as('personal')('GET', '/cases?filters[assigned_to_me]=true');
	expect(json.cases.map(({ case_id }) => case_id)).toEqual([1]);
});

it('A page of cases is described in meta, with absolute URLs that keep the query', async () => {
	const query = 'filters%5Bstatus%5D=OPEN&order=CREATED_ASC&per_page=1';
	const { json } = await client.send(`/api/v2/cases?page=2&${query}`);
	const url = (page: number) => `${client.sandbox.url}/api/v2/cases?${query}&page=${page}`;
	expect(json.cases.map(({ case_id }) => case_id)).toEqual([3]);
	expect(json.meta).toEqual({
		...{ current_page: url(2), previous_page: url(1), next_page: null },
		...{ per_page: 1, pages: 2, count: 1 },
	});
});

it('A page has 20 cases by default, and none beyond the last one or when no case matches', async () => {
	const metaOf = async (query: string) => (await client.send(`/api/v2/cases?${query}`)).json.meta;
	expect(await metaOf('page=1')).toMatchObject({ per_page: 20, pages: 1, next_page: null });
	expect(await metaOf('per_page=2&page=9')).toMatchObject({ pages: 2, count: 0 });
	expect(await metaOf('filters[search]=nothing')).toMatchObject({ pages: 1, count: 0 });
});

it('The sandbox reads a missing end date as the end of today when set to', async () => {
	const { ids } = await clientOf({ store: client.sandbox.store, defaultEnd: 'endOfToday' });
	expect(await ids('filters[updated_at_start_date]=2026-01-31T10:00:00Z')).toEqual([3]);
});

it.each([
	['indices', 'filters[tags][0]=r%26d&filters[tags][1]=', 'filters[tags][1]=a'],
	['repeat', 'filters[tags]=r%26d&filters[tags]=', 'filters[tags][]=a'],
	['comma', 'filters[tags]=r%26d,', 'filters[tags]=a&filters[tags]=b'],
	['brackets', 'filters[tags][]=r%26d&filters[tags][]=', 'filters[tags]=a'],
] as const)('The sandbox reads arrays as %s', async (arrayFormat, right, wrong) => {
	const { ids, send } = await clientOf({ store: client.sandbox.store, arrayFormat });
	expect(await ids(right + EMOJI)).toEqual([2]);
	expect((await send(`/api/v2/cases?${wrong}`)).status).toBe(400);
});
