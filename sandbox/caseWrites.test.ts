import type { SandboxOptions } from '.';
import { clientOf, NOW, storeWith, type Client, type Reply } from './testSupport';
import type { CaseInput } from './store';

const LATER = '2026-01-31T12:00:05Z';
const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';

/** A service with these cases, in which five seconds have passed since they were made. */
async function serviceWith(cases: CaseInput[], options: SandboxOptions = {}) {
	const clock = { now: NOW };
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	clock.now = LATER;
	const client = await clientOf({ store, grown: ['case-writes', 'teams-and-tags'], ...options });
	const as = (key: keyof Client['sandbox']['keys']) => {
		const send = async (method: string, path: string, body?: unknown): Promise<Reply> =>
			await client.send(`/api/v2${path}`, {
				method,
				headers: { 'content-type': 'application/json', 'x-user-token': client.sandbox.keys[key] },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
		return {
			get: async (path: string) => await send('GET', path),
			post: async (path: string, body: unknown) => await send('POST', path, body),
			put: async (path: string, body: unknown) => await send('PUT', path, body),
			delete: async (path: string) => await send('DELETE', path),
		};
	};
	const log = (caseId: number) =>
		store
			.getCase(caseId)
			.activities()
			.map(({ activity_type, value, user }) => [activity_type, value, user.user_id]);
	return { ...client, store, as, log };
}

describe('Creating cases in the sandbox', () => {
	it('takes all members of the public pages', async () => {
		const { as, store } = await serviceWith([]);
		const { status, json } = await as('tenantOwner').post('/cases', {
			team_id: 1,
			name: 'New',
			description: '**Bold**',
			priority: 'high',
			status: 'open',
			author_email: BRUNO,
			assignee_emails: [ANA],
			tag_names: ['vip', 'new tag'],
			opened_at: '2026-01-01T00:00:00Z',
			metadata: { source: 'siem' },
			closure_conditions: [{ formula: '=COUNT(actions) > 0', name: 'An action' }],
			field_values: { 7: 'x' },
			template_id: 'triage',
		});
		expect([status, json.case_id]).toEqual([200, 1]);
		expect(store.getCase(1)).toMatchObject({
			name: 'New',
			description: '**Bold**',
			priority: 'HIGH',
			status: 'OPEN',
			author: { email: BRUNO },
			assignees: [{ email: ANA }],
			tags: [{ name: 'vip' }, { name: 'new tag' }],
			opened_at: '2026-01-01T00:00:00Z',
			created_at: LATER,
			updated_at: LATER,
			metadata: { source: 'siem' },
			fields: { 7: 'x' },
		});
	});

	it("assigns the key's user where nobody is named, and nobody for an empty list", async () => {
		const { as, store } = await serviceWith([]);
		await as('personal').post('/cases', { team_id: 1, name: 'A' });
		await as('personal').post('/cases', { team_id: 1, name: 'B', assignee_emails: [] });
		expect(store.getCase(1).assignees).toMatchObject([{ user_id: 1 }]);
		expect(store.getCase(2).assignees).toEqual([]);
	});

	it('takes an author of the team only', async () => {
		const { as, log } = await serviceWith([]);
		await as('team').post('/cases', { team_id: 1, name: 'A', author_email: BRUNO });
		await as('team').post('/cases', {
			team_id: 1,
			name: 'B',
			author_email: 'kavya.petrov@example.com',
		});
		expect([log(1), log(2)]).toEqual([[['CREATED', '', 2]], [['CREATED', '', 903]]]);
	});

	it.each<[string, unknown, RegExp]>([
		['a body that is none', [], /^body /],
		['no name', { team_id: 1 }, /^name /],
		['an empty name', { team_id: 1, name: '' }, /^name must not be empty/],
		['no team', { name: 'A' }, /^team_id /],
		['upper case', { team_id: 1, name: 'A', priority: 'HIGH' }, /^priority /],
		['an unknown member', { team_id: 1, name: 'A', colour: 'red' }, /colour/],
		['a date without a time', { team_id: 1, name: 'A', opened_at: '2026-01-01' }, /^opened_at /],
	])('refuses %s as a breach', async (_name, body, message) => {
		const { as, sandbox, store } = await serviceWith([]);
		const { status, json } = await as('tenantOwner').post('/cases', body);
		expect([status, json.error]).toEqual([422, expect.stringMatching(message)]);
		expect([sandbox.rejected.length, store.size]).toEqual([1, 0]);
	});

	it('refuses unknown people, which no client can know', async () => {
		const { as, sandbox, store } = await serviceWith([]);
		const body = { team_id: 1, name: 'A', assignee_emails: ['nobody@example.com'] };
		const { status, json } = await as('tenantOwner').post('/cases', body);
		expect([status, json.error]).toEqual([422, 'assignee_emails has no user nobody@example.com']);
		expect([sandbox.rejected.length, store.size]).toEqual([0, 0]);
	});
});

describe('Editing cases in the sandbox', () => {
	it('changes what the body names, dates it and writes its activities', async () => {
		const { as, store, log } = await serviceWith([{ tags: ['old', 'kept'], assignees: [1] }]);
		const { json } = await as('tenantOwner').put('/cases/1', {
			name: 'Renamed',
			priority: 'low',
			add_tag_names: ['new'],
			remove_tag_names: ['old'],
			add_assignee_emails: [BRUNO],
			remove_assignee_emails: [ANA],
		});
		expect(json).toMatchObject({ case_id: 1, name: 'Renamed', priority: 'LOW', updated_at: LATER });
		expect(store.getCase(1)).toMatchObject({
			tags: [{ name: 'kept' }, { name: 'new' }],
			assignees: [{ email: BRUNO }],
			created_at: NOW,
			status: 'OPEN',
		});
		expect(log(1).slice(1)).toEqual([
			['SEVERITY_UPDATED', 'LOW', 902],
			['TAGS_ADDED', 'new', 902],
			['TAGS_REMOVED', 'old', 902],
			['ASSIGNED', BRUNO, 902],
			['UNASSIGNED', ANA, 902],
		]);
	});

	it('closes and reopens', async () => {
		const { as, store, log } = await serviceWith([{}]);
		const { put } = as('personal');
		await put('/cases/1', { status: 'closed' });
		expect(store.getCase(1)).toMatchObject({
			status: 'CLOSED',
			resolved_at: LATER,
			resolved_by: { user_id: 1 },
		});
		await put('/cases/1', { status: 'open' });
		expect(store.getCase(1)).toMatchObject({
			status: 'OPEN',
			resolved_at: null,
			resolved_by: null,
		});
		expect(log(1).slice(1)).toEqual([
			['STATUS_UPDATED', 'CLOSED', 1],
			['STATUS_UPDATED', 'OPEN', 1],
		]);
	});

	it.each([
		['=NOT(ISBLANK(assignees))', { assignees: [1] }],
		['=COUNT(tags) > 0', { tags: ['a'] }],
		[
			'=COUNT(actions) > 0',
			{ actions: [{ url: 'https://a.example', label: 'a', action_type: 'page' as const }] },
		],
		['=metadata.root_cause <> ""', { metadata: { root_cause: 'x' } }],
		['=SOMETHING(else)', undefined],
	])('lets a case with the condition %s be closed only where it is met', async (formula, met) => {
		const { as, store } = await serviceWith([
			{ closure_conditions: [{ formula, name: 'The condition' }] },
		]);
		const { put } = as('tenantOwner');
		const { status, json } = await put('/cases/1', { status: 'closed', name: 'Renamed' });
		if (met === undefined) return expect(status).toBe(200);
		expect([status, json.error]).toEqual([
			422,
			"status can't be closed: unmet closure conditions: The condition",
		]);
		expect(store.getCase(1)).toMatchObject({ status: 'OPEN', name: 'Case 1' });
		store.updateCase(1, met);
		expect((await put('/cases/1', { status: 'closed' })).status).toBe(200);
	});
});

describe('Comments in the sandbox', () => {
	it('are added by the key or by an author of the team', async () => {
		const { as, store, log } = await serviceWith([{}]);
		const { post } = as('team');
		const { json } = await post('/cases/1/comments', { value: 'Hello' });
		await post('/cases/1/comments', { value: 'Hi', author_email: ANA });
		expect(json).toMatchObject({
			case_id: 1,
			id: store.comments(1)[0].id,
			activity_type: 'COMMENTED',
			value: 'Hello',
			created_at: LATER,
			user: { user_id: 903 },
			reactions: [],
		});
		expect(log(1).slice(1)).toEqual([
			['COMMENTED', 'Hello', 903],
			['COMMENTED', 'Hi', 1],
		]);
	});

	it('are changed and removed by their author or an administrator', async () => {
		const { as, store, log } = await serviceWith([{}]);
		const { id } = store.addComment(1, 'Of somebody', { user_id: 1 });
		const path = `/cases/1/comments/${id}`;
		const others = as('team');
		expect((await others.put(path, { value: 'Mine' })).status).toBe(404);
		expect((await others.delete(path)).status).toBe(404);
		expect((await as('personal').put(path, { value: 'Better' })).json).toMatchObject({ id });
		expect(store.comments(1)).toMatchObject([{ value: 'Better' }]);
		const { status, text } = await as('tenantOwner').delete(path);
		expect([status, text]).toEqual([204, '']);
		expect(log(1).slice(1)).toEqual([['DELETED_COMMENT', '', 902]]);
		expect((await as('tenantOwner').delete(path)).status).toBe(404);
	});
});

describe('Roles', () => {
	it('answer 404 for the cases and teams that a key may not see', async () => {
		const { as, store, sandbox } = await serviceWith([{ team_id: 2 }, {}]);
		const { id } = store.addComment(1, 'Hello');
		const { get, put, post, delete: remove } = as('team');
		const answers = await Promise.all([
			get('/cases/1'),
			put('/cases/1', { name: 'A' }),
			post('/cases/1/comments', { value: 'A' }),
			remove(`/cases/1/comments/${id}`),
			put('/cases/2', { team_id: 2 }),
			post('/cases', { team_id: 2, name: 'A' }),
			post('/cases', { team_id: 99, name: 'A' }),
			put('/cases/99', { name: 'A' }),
		]);
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
		expect(sandbox.rejected).toEqual([]);
		expect([store.size, store.getCase(1).name, store.getCase(2).team.id]).toEqual([2, 'Case 1', 1]);
	});
});

describe('Teams and tags in the sandbox', () => {
	const names = ({ json }: Reply, list: 'teams' | 'tags') =>
		(json as unknown as Record<string, Array<{ name: string }>>)[list].map(({ name }) => name);

	it('are those that the key may see, page by page', async () => {
		const { send, sandbox } = await serviceWith([{ tags: ['a'] }, { team_id: 2, tags: ['b'] }]);
		const as = (key: string, path: string) =>
			send(path, { headers: { 'content-type': 'application/json', 'x-user-token': key } });
		const { team, tenantOwner } = sandbox.keys;
		expect(names(await as(team, '/api/v1/teams'), 'teams')).toEqual(['SOC']);
		expect(names(await as(team, '/api/v1/tags'), 'tags')).toEqual(['a']);
		const page = await as(tenantOwner, '/api/v1/teams?per_page=2&page=2');
		expect(names(page, 'teams')).toEqual(['Fraud', 'Compliance']);
		expect(page.json.meta).toMatchObject({ pages: 3 });
		expect(names(await as(tenantOwner, '/api/v1/tags?team_id=2'), 'tags')).toEqual(['b']);
		expect((await as(team, '/api/v1/tags?team_id=2')).status).toBe(404);
	});

	it('are refused by a service without them, without a breach', async () => {
		const { send, sandbox } = await clientOf({ cases: 1 });
		expect((await send('/api/v1/teams')).status).toBe(404);
		expect(sandbox.rejected).toEqual([]);
	});
});
