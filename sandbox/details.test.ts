import { clientOf, follow, storeWith, type Client } from './testSupport';

let client: Client;

beforeEach(async () => {
	const groupOf = (record_type_id: number, from: number, to: number) => ({
		record_type_id,
		record_type_name: 'Alert',
		record_type_record_results: Array.from({ length: to - from + 1 }, (_empty, at) => ({
			id: from + at,
			results: [{ id: 100 + from + at, name: 'rule', value: `value-${from + at}` }],
			created_at: '2026-01-01T00:00:00Z',
		})),
	});
	const records = [groupOf(11, 1, 12), groupOf(12, 13, 14)];
	const store = storeWith([
		{ name: 'Main', linked_case_ids: [2], records, tags: ['a'], assignees: [2] },
		{ name: 'Other' },
	]);
	const reactants = [{ user_id: 1, user_name: 'Ana', reacted_at: '2026-01-31T12:00:00Z' }];
	const reactions = [{ emoji: ':eyes:', reactants }];
	for (let number = 1; number <= 22; number++) {
		store.addComment(1, `comment ${number}`, { user_id: 2, reactions });
	}
	client = await clientOf({ store, prefix: '/tenant-a' });
});

/** The case as a list shows it. */
const listed = async () => (await client.send('/api/v2/cases?filters[case_ids][]=1')).json.cases[0];

describe('In lists of the sandbox a case', () => {
	it('has all fields of the API document and no other', async () => {
		const found = await listed();
		expect(Object.keys(found)).toEqual([
			...['case_id', 'name', 'description', 'status', 'priority', 'url', 'metadata', 'author'],
			...['opened_by', 'resolved_by', 'assignees', 'tags', 'activities', 'activities_meta'],
			...['team', 'actions', 'linked_cases', 'closure_conditions', 'opened_at', 'resolved_at'],
			...['created_at', 'updated_at', 'records', 'records_meta'],
		]);
		expect(found.assignees).toEqual([
			{
				...{ user_id: '2', first_name: 'Bruno', last_name: 'Okafor', is_service_account: false },
				email: 'bruno.okafor@example.com',
				avatar_url: 'https://avatars.example.com/2.png',
			},
		]);
		expect(found.tags).toEqual([{ id: 1, name: 'a' }]);
		expect(found.team).toEqual({ id: 1, name: 'SOC' });
		expect(found.linked_cases).toEqual([{ case_id: 2, name: 'Other' }]);
		expect(found.created_at).toBe('2026-01-31T12:00:00Z');
		expect(found.url).toBe(`${client.sandbox.url}/cases/1`);
	});

	it.each([
		['activities', 3],
		['records', 2],
	])('has its first ten %s, and the URL of the rest', async (list, pages) => {
		expect((await listed())[`${list}_meta`]).toMatchObject({
			next_page: `${client.sandbox.url}/api/v2/cases/1/${list}?per_page=10&page=2`,
			...{ pages, count: 10 },
		});
	});
});

it('The URLs in activities_meta and records_meta return the others, also of a type that began before', async () => {
	const page = async (list: string, number: number) =>
		(await client.send(`/api/v2/cases/1/${list}?per_page=10&page=${number}`)).json;
	const { activities } = await page('activities', 3);
	const values = activities.map(({ value }) => value);
	expect(values).toEqual(['comment 20', 'comment 21', 'comment 22']);
	expect(activities[0]).toMatchObject({ activity_type: 'COMMENTED', user: { user_id: '2' } });
	expect(activities[0]).not.toHaveProperty('reactions');
	expect((await page('records', 2)).records).toMatchObject([
		{ record_type_id: 11, record_type_record_results: [{ id: 11 }, { id: 12 }] },
		{ record_type_id: 12, record_type_record_results: [{ id: 13 }, { id: 14 }] },
	]);
});

it('GET /api/v2/cases/<case_id>/comments returns 20 a page, the oldest first, with numbers as user IDs', async () => {
	const { json } = await client.send('/api/v2/cases/1/comments');
	expect(Object.keys(json)).toEqual(['case_id', 'comments', 'meta']);
	expect(Object.keys(json.comments[0]).sort().join(' ')).toBe(
		'activity_type created_at id reactions user value',
	);
	expect(json.comments[0]).toMatchObject({
		...{ activity_type: 'COMMENTED', value: 'comment 1', user: { user_id: 2 } },
		reactions: [{ emoji: ':eyes:', reactants: [{ user_id: 1 }] }],
	});
	expect(json).toMatchObject({ case_id: 1, meta: { pages: 2, per_page: 20, count: 20 } });
	const other = await clientOf({ store: client.sandbox.store, commentsOrder: 'newest' });
	const newest = await other.send('/api/v2/cases/1/comments?per_page=1');
	expect(newest.json.comments[0].value).toBe('comment 22');
});

describe('PUT /api/v2/cases/<case_id>/actions/batch', () => {
	const PATH = '/api/v2/cases/1/actions/batch';

	it('replaces all actions and returns the new ones with all fields', async () => {
		const url = 'https://stories.example.com/webhook/isolate-host?case=1';
		await client.put(PATH, { actions: [{ url, label: 'Old', action_type: 'webhook' }] });
		const { status, json } = await client.put(PATH, {
			actions: [
				{ url, label: 'Isolate', action_type: 'webhook', action_text: 'Go' },
				{ url: 'http://a.example/x', label: 'Page', action_type: 'page' },
			],
		});
		expect(status).toBe(200);
		expect(json.case_id).toBe(1);
		expect(Object.keys(json.actions[0]).sort().join(' ')).toBe(
			'action_text action_type created_at id label story_emoji story_name updated_at url',
		);
		expect(json.actions).toMatchObject([
			{ label: 'Isolate', story_name: 'Isolate host', story_emoji: '🛡️', action_text: 'Go' },
			{ label: 'Page', story_name: null, story_emoji: null, action_text: null },
		]);
		expect((await listed()).actions).toEqual(
			json.actions.map(({ id, url, label, action_type }) => ({ id, url, label, action_type })),
		);
	});

	it('refuses what is not right, and changes nothing', async () => {
		const before = client.sandbox.store.getCase(1);
		const good = '"url":"https://a.example/","label":"a","action_type":"page"';
		await follow(
			client,
			`PUT /cases/1/actions/batch {"actions":[{${good},"url":"/x"}]} → !422 actions.0.url
			PUT /cases/1/actions/batch {"actions":[{${good},"url":"ftp://a.example/"}]} → !422 actions.0.url
			PUT /cases/1/actions/batch {"actions":[{${good},"label":" "}]} → !422 actions.0.label
			PUT /cases/1/actions/batch {"actions":[{"url":"https://a.example/"}]} → !422 actions.0.label
			PUT /cases/1/actions/batch {"actions":[{${good},"action_type":"PAGE"}]} → !422 actions.0.action_type
			PUT /cases/1/actions/batch {"actions":[{${good},"action_text":""}]} → !422 actions.0.action_text
			PUT /cases/1/actions/batch {"actions":[{${good},"action_text":null}]} → !422 actions.0.action_text
			PUT /cases/1/actions/batch {"actions":[{${good},"id":1}]} → !422 actions.0
			PUT /cases/1/actions/batch {} → !422 actions
			PUT /cases/1/actions/batch {"actions":[],"force":true} → !422 force
			PUT /cases/1/actions/batch [] → !422 body
			PUT /cases/1/actions/batch → !422 body
			PUT /cases/1/actions/batch?x=1 {"actions":[]} → !400 ?x=1`,
		);
		const broken = await client.send(PATH, { method: 'PUT', body: '{' });
		expect([broken.status, broken.json.error]).toEqual([400, expect.stringContaining('body')]);
		expect(client.sandbox.store.getCase(1)).toBe(before);
	});
});
