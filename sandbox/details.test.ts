import { clientOf, storeWith, type Client } from './testSupport';

let client: Client;

beforeEach(async () => {
	const records = [
		{ id: 11, name: 'Alert', from: 1, to: 12 },
		{ id: 12, name: 'Host', from: 13, to: 14 },
	].map(({ id, name, from, to }) => ({
		record_type_id: id,
		record_type_name: name,
		record_type_record_results: Array.from({ length: to - from + 1 }, (_empty, at) => ({
			id: from + at,
			results: [{ id: 100 + from + at, name: 'rule', value: `value-${from + at}` }],
			created_at: '2026-01-01T00:00:00Z',
		})),
	}));
	const store = storeWith([
		{ name: 'Main', linked_case_ids: [2], records, tags: ['a'], assignees: [2] },
		{ name: 'Other' },
	]);
	for (let number = 1; number <= 22; number++) {
		store.addComment(1, `comment ${number}`, {
			user_id: 2,
			reactions: [
				{
					emoji: ':eyes:',
					reactants: [{ user_id: 1, user_name: 'Ana', reacted_at: '2026-01-31T12:00:00Z' }],
				},
			],
		});
	}
	client = await clientOf({ store, prefix: '/tenant-a' });
});

describe('In lists of the sandbox a case', () => {
	it('has all fields of the API document and no other', async () => {
		const { json } = await client.send('/api/v2/cases?filters[case_ids][]=1');
		const [found] = json.cases;
		expect(Object.keys(found)).toEqual([
			...['case_id', 'name', 'description', 'status', 'priority', 'url', 'metadata', 'author'],
			...['opened_by', 'resolved_by', 'assignees', 'tags', 'activities', 'activities_meta'],
			...['team', 'actions', 'linked_cases', 'closure_conditions', 'opened_at', 'resolved_at'],
			...['created_at', 'updated_at', 'records', 'records_meta'],
		]);
		expect(found.assignees).toEqual([
			{
				user_id: '2',
				first_name: 'Bruno',
				last_name: 'Okafor',
				email: 'bruno.okafor@example.com',
				avatar_url: 'https://avatars.example.com/2.png',
				is_service_account: false,
			},
		]);
		expect(found.tags).toEqual([{ id: 1, name: 'a' }]);
		expect(found.team).toEqual({ id: 1, name: 'SOC' });
		expect(found.linked_cases).toEqual([{ case_id: 2, name: 'Other' }]);
		expect(found.created_at).toBe('2026-01-31T12:00:00Z');
		expect(found.url).toBe(`${client.sandbox.url}/cases/1`);
	});

	it('shows the new name of a linked case after a change', async () => {
		await client.send('/api/v2/cases');
		client.sandbox.store.updateCase(2, { name: 'Renamed' });
		const { json } = await client.send('/api/v2/cases?filters[case_ids][]=1');
		expect(json.cases[0].linked_cases).toEqual([{ case_id: 2, name: 'Renamed' }]);
	});

	it('has its first ten activities and records, and the URLs of the rest', async () => {
		const { json } = await client.send('/api/v2/cases?filters[case_ids][]=1');
		const [found] = json.cases;
		expect(found.activities).toHaveLength(10);
		expect(found.activities_meta).toMatchObject({
			next_page: `${client.sandbox.url}/api/v2/cases/1/activities?per_page=10&page=2`,
			pages: 3,
			count: 10,
		});
		expect(found.records_meta).toMatchObject({
			next_page: `${client.sandbox.url}/api/v2/cases/1/records?per_page=10&page=2`,
			pages: 2,
			count: 10,
		});
	});
});

describe('The URLs in activities_meta and records_meta', () => {
	it('return the other activities of the case', async () => {
		const { json } = await client.send('/api/v2/cases/1/activities?per_page=10&page=3');
		expect(json.activities.map(({ value }) => value)).toEqual([
			'comment 20',
			'comment 21',
			'comment 22',
		]);
		expect(json.activities[0]).toMatchObject({
			activity_type: 'COMMENTED',
			user: { user_id: '2' },
		});
		expect(json.activities[0]).not.toHaveProperty('reactions');
	});

	it('return the other records, also those of a type that began on the page before', async () => {
		const { json } = await client.send('/api/v2/cases/1/records?per_page=10&page=2');
		const entryIds = json.records.map((group) =>
			(group.record_type_record_results as Array<{ id: number }>).map(({ id }) => id),
		);
		expect(entryIds).toEqual([
			[11, 12],
			[13, 14],
		]);
		expect(json.meta).toMatchObject({ count: 4, next_page: null });
	});
});

describe('GET /api/v2/cases/<case_id>/comments', () => {
	it('returns 20 comments a page, the oldest first, with numbers as user IDs', async () => {
		const { json } = await client.send('/api/v2/cases/1/comments');
		expect(Object.keys(json)).toEqual(['case_id', 'comments', 'meta']);
		expect(json.case_id).toBe(1);
		expect(json.comments).toHaveLength(20);
		expect(Object.keys(json.comments[0]).sort().join(' ')).toBe(
			'activity_type created_at id reactions user value',
		);
		expect(json.comments[0]).toMatchObject({
			activity_type: 'COMMENTED',
			value: 'comment 1',
			user: { user_id: 2 },
			reactions: [{ emoji: ':eyes:', reactants: [{ user_id: 1 }] }],
		});
		expect(json.meta).toMatchObject({ pages: 2, per_page: 20, count: 20 });
	});

	it('returns the page that is requested', async () => {
		const { json } = await client.send('/api/v2/cases/1/comments?per_page=5&page=5');
		expect(json.comments.map(({ value }) => value)).toEqual(['comment 21', 'comment 22']);
	});

	it('returns the newest comment first if that option is set', async () => {
		const { store } = client.sandbox;
		const other = await clientOf({ store, commentsOrder: 'newest' });
		const { json } = await other.send('/api/v2/cases/1/comments?per_page=1');
		expect(json.comments[0].value).toBe('comment 22');
	});
});

describe('PUT /api/v2/cases/<case_id>/actions/batch', () => {
	const path = '/api/v2/cases/1/actions/batch';

	it('replaces all actions and returns the new ones with all fields', async () => {
		const url = 'https://stories.example.com/webhook/isolate-host?case=1';
		await client.put(path, { actions: [{ url, label: 'Old', action_type: 'webhook' }] });
		const { status, json } = await client.put(path, {
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
		const list = await client.send('/api/v2/cases?filters[case_ids][]=1');
		expect(list.json.cases[0].actions).toEqual(
			json.actions.map(({ id, url, label, action_type }) => ({ id, url, label, action_type })),
		);
	});

	it('removes all actions if the list is empty', async () => {
		const { status, json } = await client.put(path, { actions: [] });
		expect(status).toBe(200);
		expect(json).toEqual({ case_id: 1, actions: [] });
	});

	const good = { url: 'https://a.example/', label: 'a', action_type: 'page' };
	it.each<[string, number, unknown, string]>([
		['a relative url', 422, { actions: [{ ...good, url: '/x' }] }, 'actions.0.url'],
		['another scheme', 422, { actions: [{ ...good, url: 'ftp://a.example/' }] }, 'actions.0.url'],
		['an empty label', 422, { actions: [{ ...good, label: ' ' }] }, 'actions.0.label'],
		['no label', 422, { actions: [{ ...good, label: undefined }] }, 'actions.0.label'],
		['a type', 422, { actions: [{ ...good, action_type: 'PAGE' }] }, 'actions.0.action_type'],
		['an empty text', 422, { actions: [{ ...good, action_text: '' }] }, 'actions.0.action_text'],
		['a text of null', 422, { actions: [{ ...good, action_text: null }] }, 'actions.0.action_text'],
		['an unknown field', 422, { actions: [{ ...good, id: 1 }] }, 'actions.0'],
		['no actions', 422, {}, 'actions'],
		['other fields', 422, { actions: [], force: true }, 'force'],
		['a list', 422, [], 'body'],
		['no body', 422, undefined, 'body'],
		['what is not JSON', 400, '{', 'body'],
	])('refuses %s with %i and changes nothing', async (_name, status, body, field) => {
		const before = client.sandbox.store.getCase(1);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const answer = await client.send(path, { method: 'PUT', body: text });
		expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(field)]);
		expect(client.sandbox.store.getCase(1)).toBe(before);
		expect(client.sandbox.rejected).toHaveLength(1);
	});

	it('refuses a query', async () => {
		expect((await client.put(`${path}?x=1`, { actions: [] })).status).toBe(400);
	});
});
