import { clientOf, storeWith, type Client } from './testSupport';

const results = [{ id: 2, name: 'rule', value: 'rule-1' }];
const records = [
	{
		record_type_id: 11,
		record_type_name: 'Alert',
		record_type_record_results: [{ id: 1, results, created_at: '2026-01-01T00:00:00Z' }],
	},
];

let client: Client;

beforeAll(async () => {
	const store = storeWith([
		{
			name: 'Phishing mail',
			priority: 'LOW',
			tags: ['a', 'b'],
			assignees: [1],
			metadata: { source: 'siem', region: 'emea' },
			records,
			created_at: '2026-01-10T00:00:00Z',
			updated_at: '2026-01-20T00:00:00Z',
		},
		{
			name: 'Malware',
			description: 'After a PHISHING mail',
			priority: 'CRITICAL',
			status: 'CLOSED',
			tags: ['a', 'vip, finance'],
			assignees: [2, 3],
			author: 2,
			metadata: { source: 'siem', region: 'apac' },
			created_at: '2026-01-12T00:00:00Z',
			resolved_at: '2026-01-15T10:00:00Z',
			updated_at: '2026-01-31T00:00:00Z',
		},
		{
			name: 'Laptop',
			priority: 'INFO',
			team_id: 2,
			tags: ['r&d', '🔥'],
			author: 5,
			created_at: '2026-01-31T09:00:00Z',
			updated_at: '2026-01-31T10:00:00Z',
			opened_at: null,
			opened_by: null,
		},
		{
			name: 'Card testing',
			priority: 'HIGH',
			status: 'CLOSED',
			team_id: 3,
			tags: ['b'],
			metadata: { source: 'api', 'cost center': 'CC & 1' },
			records,
			assignees: [8],
			created_at: '2026-01-12T00:00:00Z',
			opened_at: '2026-01-12T00:05:00Z',
			resolved_at: '2026-01-31T11:00:00Z',
			updated_at: '2026-01-31T11:00:00Z',
		},
	]);
	client = await clientOf({ store });
});

describe('GET /api/v2/cases in the sandbox filters by', () => {
	it.each<[string, string, number[]]>([
		['and_tags: all of them', 'filters[and_tags][]=a&filters[and_tags][]=b', [1]],
		['tags: like and_tags', 'filters[tags][]=a&filters[tags][]=b', [1]],
		['tags: a comma is part of the tag', 'filters[tags][]=vip, finance', [2]],
		[
			'tags: encoded text',
			`filters[tags][]=r%26d&filters[tags][]=${encodeURIComponent('🔥')}`,
			[3],
		],
		['tags: names are exact', 'filters[tags][]=A', []],
		['or_tags: any of them', 'filters[or_tags][]=r%26d&filters[or_tags][]=b', [1, 3, 4]],
		[
			'excluded_tags: none of them',
			'filters[excluded_tags][]=b&filters[excluded_tags][]=r%26d',
			[2],
		],
		['assigned_to_me: true, as the owner', 'filters[assigned_to_me]=true', []],
		['assigned_to_me: false restricts nothing', 'filters[assigned_to_me]=false', [1, 2, 3, 4]],
		['unassigned: true', 'filters[unassigned]=true', [3]],
		['unassigned: false restricts nothing', 'filters[unassigned]=false', [1, 2, 3, 4]],
		['assignees: any of them', 'filters[assignees][]=1&filters[assignees][]=3', [1, 2]],
		['assignee_emails', 'filters[assignee_emails][]=hiro.castellanos@example.com', [4]],
		['author_emails', 'filters[author_emails][]=bruno.okafor@example.com', [2]],
		['case_ids', 'filters[case_ids][]=4&filters[case_ids][]=1&filters[case_ids][]=99', [1, 4]],
		['metadata: all pairs', 'filters[metadata][source]=siem&filters[metadata][region]=apac', [2]],
		['metadata: encoded', 'filters[metadata][cost center]=CC %26 1', [4]],
		['metadata: no inherited keys', 'filters[metadata][__proto__]=x', []],
		['priority', 'filters[priority]=CRITICAL', [2]],
		['status', 'filters[status]=CLOSED', [2, 4]],
		['records: any value', 'filters[records][]=rule-1&filters[records][]=rule-2', [1, 4]],
		['search: name and description', 'filters[search]=phishing', [1, 2]],
		['search: id', 'filters[search]=3', [3]],
		['start_date: end is the start of today', 'filters[start_date]=2026-01-12T00:00:00Z', [2, 4]],
		['end_date', 'filters[end_date]=2026-01-10T00:00:00Z', [1]],
		[
			'start_date and end_date, both inclusive',
			'filters[start_date]=2026-01-10T00:00:00Z&filters[end_date]=2026-01-12T00:00:00Z',
			[1, 2, 4],
		],
		['resolved_at_start_date', 'filters[resolved_at_start_date]=2026-01-15T10:00:00Z', [2]],
		[
			'resolved_at_end_date: unresolved cases never match',
			'filters[resolved_at_end_date]=2026-01-31T11:00:00Z',
			[2, 4],
		],
		[
			'updated_at_start_date: end is the start of today, inclusive',
			'filters[updated_at_start_date]=2026-01-20T00:00:00Z',
			[1, 2],
		],
		[
			'updated_at both ends, inclusive',
			'filters[updated_at_start_date]=2026-01-31T10:00:00Z&filters[updated_at_end_date]=2026-01-31T11:00:00Z',
			[3, 4],
		],
		['filters are combined with AND', 'filters[status]=CLOSED&filters[tags][]=a', [2]],
		['team_id', 'team_id=3', [4]],
	])('%s', async (_name, query, expected) => {
		expect(await client.ids(`${query}&order=CREATED_ASC`)).toEqual(
			[...expected].sort((a, b) => [1, 2, 4, 3].indexOf(a) - [1, 2, 4, 3].indexOf(b)),
		);
	});

	it('assigned_to_me with the user of a personal key', async () => {
		const { sandbox, send } = client;
		const { json } = await send('/api/v2/cases?filters[assigned_to_me]=true', {
			headers: { 'content-type': 'application/json', 'x-user-token': sandbox.keys.personal },
		});
		expect(json.cases.map(({ case_id }) => case_id)).toEqual([1]);
	});
});

describe('GET /api/v2/cases in the sandbox orders by', () => {
	it.each([
		['RECENTLY_EDITED', [4, 3, 2, 1]],
		['LEAST_RECENTLY_EDITED', [1, 2, 3, 4]],
		['PRIORITY_ASC', [3, 1, 4, 2]],
		['PRIORITY_DESC', [2, 4, 1, 3]],
		// Case 3 was never opened: last either way.
		['OPENED_ASC', [1, 2, 4, 3]],
		['OPENED_DESC', [4, 2, 1, 3]],
		// Cases 2 and 4 came into being together: by id either way.
		['CREATED_ASC', [1, 2, 4, 3]],
		['CREATED_DESC', [3, 2, 4, 1]],
	])('%s', async (order, expected) => {
		expect(await client.ids(`order=${order}`)).toEqual(expected);
	});
});

describe('A page of GET /api/v2/cases in the sandbox', () => {
	it('is described in meta, with absolute URLs that keep the query', async () => {
		const { json } = await client.send(
			'/api/v2/cases?page=2&filters%5Btags%5D%5B%5D=a&order=CREATED_ASC&per_page=1',
		);
		const url = (page: number) =>
			`${client.sandbox.url}/api/v2/cases?filters%5Btags%5D%5B%5D=a&order=CREATED_ASC&per_page=1&page=${page}`;
		expect(json.cases.map(({ case_id }) => case_id)).toEqual([2]);
		expect(json.meta).toEqual({
			current_page: url(2),
			previous_page: url(1),
			next_page: null,
			per_page: 1,
			pages: 2,
			count: 1,
		});
	});

	it('has 20 cases by default, and none beyond the last one or when no case matches', async () => {
		const metaOf = async (query: string) => (await client.send(`/api/v2/cases?${query}`)).json.meta;
		expect(await metaOf('page=1')).toMatchObject({ per_page: 20, pages: 1, next_page: null });
		expect(await metaOf('per_page=2&page=9')).toMatchObject({ pages: 2, count: 0 });
		expect(await metaOf('filters[search]=nothing')).toMatchObject({ pages: 1, count: 0 });
	});
});

it('The sandbox reads a missing end date as the end of today when set to', async () => {
	const generous = await clientOf({ store: client.sandbox.store, defaultEnd: 'endOfToday' });
	expect(
		await generous.ids('filters[updated_at_start_date]=2026-01-31T10:00:00Z&order=CREATED_ASC'),
	).toEqual([4, 3]);
});

it.each([
	['indices', 'filters[tags][0]=a&filters[tags][1]=b', 'filters[tags][1]=a'],
	['repeat', 'filters[tags]=a&filters[tags]=b', 'filters[tags][]=a'],
	['comma', 'filters[tags]=a,b', 'filters[tags]=a&filters[tags]=b'],
	['brackets', 'filters[tags][]=a&filters[tags][]=b', 'filters[tags]=a'],
] as const)('The sandbox reads arrays as %s', async (arrayFormat, right, wrong) => {
	const { ids, send } = await clientOf({ store: client.sandbox.store, arrayFormat });
	expect(await ids(right)).toEqual([1]);
	expect((await send(`/api/v2/cases?${wrong}`)).status).toBe(400);
});
