import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyKind } from './auth';
import { WITH_WRITES } from './grown';
import type { CaseInput } from './store';
import { clientOf, NOW, storeWith, type Reply } from './testSupport';

const LATER = '2026-01-31T12:00:05Z';
const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';

/** A service with these cases, in which five seconds have passed since they were made. */
async function serviceWith(cases: CaseInput[]) {
	const clock = { now: NOW };
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	clock.now = LATER;
	const client = await clientOf({ store, grown: WITH_WRITES });
	const { sandbox } = client;
	const send =
		(key: KeyKind) =>
		async (method: string, path: string, body?: unknown): Promise<Reply> =>
			await client.send(path.startsWith('/api') ? path : `/api/v2${path}`, {
				method,
				headers: { 'content-type': 'application/json', 'x-user-token': sandbox.keys[key] },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
	const log = (caseId: number) =>
		store
			.getCase(caseId)
			.activities()
			.slice(1)
			.map(({ activity_type, value, user }) => [activity_type, value, user.user_id]);
	return { sandbox, store, as: send, owner: send('tenantOwner'), log };
}

describe('Creating cases in the sandbox', () => {
	it('takes all members of the public pages', async () => {
		const { owner, store } = await serviceWith([]);
		const { status, json } = await owner('POST', '/cases', {
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

	it("falls back to the key's user as assignee, and as author where one isn't in the team", async () => {
		const { as, store } = await serviceWith([]);
		const post = as('personal');
		const author_email = 'kavya.petrov@example.com';
		await post('POST', '/cases', { team_id: 1, name: 'A', author_email });
		await post('POST', '/cases', { team_id: 1, name: 'B', assignee_emails: [] });
		expect(store.getCase(1)).toMatchObject({ assignees: [{ user_id: 1 }], author: { user_id: 1 } });
		expect(store.getCase(2).assignees).toEqual([]);
	});
});

const ACTION = { url: 'https://b.example/', label: 'Look', action_type: 'page' };

it.each<[string, string, unknown, RegExp]>([
	['POST', '/cases', [], /^body /],
	['POST', '/cases', { team_id: 1 }, /^name /],
	['POST', '/cases', { team_id: 1, name: '' }, /^name must not be empty/],
	['POST', '/cases', { name: 'A' }, /^team_id /],
	['POST', '/cases', { team_id: 1, name: 'A', priority: 'HIGH' }, /^priority /],
	['POST', '/cases', { team_id: 1, name: 'A', colour: 'red' }, /colour/],
	['POST', '/cases', { team_id: 1, name: 'A', opened_at: '2026-01-01' }, /^opened_at /],
	['POST', '/cases/1/actions', { ...ACTION, id: 7 }, /id/],
	['POST', '/cases/1/actions', { label: 'x' }, /^url /],
	['PUT', '/cases/1/actions/1', { url: 'b.example' }, /^url /],
	['POST', '/cases/1/comments', { value: '' }, /^value /],
	['POST', '/api/v1/case_webhooks', { team_id: 1 }, /^url /],
	[
		'POST',
		'/api/v1/case_webhooks',
		{ team_id: 1, url: 'https://a.example', notifications: ['WINGS'] },
		/^notifications/,
	],
])('%s %s refuses %j as a breach', async (method, path, body, message) => {
	const { owner, sandbox, store } = await serviceWith([{}]);
	const before = store.version;
	const { status, json } = await owner(method, path, body);
	expect([status, json.error]).toEqual([422, expect.stringMatching(message)]);
	expect([sandbox.rejected.length, store.version]).toEqual([1, before]);
});

it('People whom the tenant does not have are refused, which no client can know', async () => {
	const { owner, sandbox, store } = await serviceWith([]);
	const body = { team_id: 1, name: 'A', assignee_emails: ['nobody@example.com'] };
	const { status, json } = await owner('POST', '/cases', body);
	expect([status, json.error]).toEqual([422, 'assignee_emails has no user nobody@example.com']);
	expect([sandbox.rejected.length, store.size]).toEqual([0, 0]);
});

describe('Editing cases in the sandbox', () => {
	it('changes what the body names, dates it and writes its activities', async () => {
		const { owner, store, log } = await serviceWith([{ tags: ['old', 'kept'], assignees: [1] }]);
		const { json } = await owner('PUT', '/cases/1', {
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
		expect(log(1)).toEqual([
			['SEVERITY_UPDATED', 'LOW', 902],
			['TAGS_ADDED', 'new', 902],
			['TAGS_REMOVED', 'old', 902],
			['ASSIGNED', BRUNO, 902],
			['UNASSIGNED', ANA, 902],
		]);
	});

	it('closes and reopens', async () => {
		const { as, store, log } = await serviceWith([{}]);
		const send = as('personal');
		await send('PUT', '/cases/1', { status: 'closed' });
		const closed = { status: 'CLOSED', resolved_at: LATER, resolved_by: { user_id: 1 } };
		expect(store.getCase(1)).toMatchObject(closed);
		await send('PUT', '/cases/1', { status: 'open' });
		const open = { status: 'OPEN', resolved_at: null, resolved_by: null };
		expect(store.getCase(1)).toMatchObject(open);
		expect(log(1)).toEqual([
			['STATUS_UPDATED', 'CLOSED', 1],
			['STATUS_UPDATED', 'OPEN', 1],
		]);
	});

	it.each<[string, CaseInput]>([
		['=NOT(ISBLANK(assignees))', { assignees: [1] }],
		['=COUNT(tags) > 0', { tags: ['a'] }],
		['=metadata.root_cause <> ""', { metadata: { root_cause: 'x' } }],
	])('closes a case with the condition %s only where it is met', async (formula, met) => {
		const closure_conditions = [{ formula, name: 'The condition' }];
		const { owner, store } = await serviceWith([{ closure_conditions }]);
		const close = () => owner('PUT', '/cases/1', { status: 'closed', name: 'Renamed' });
		const { status, json } = await close();
		const message = "status can't be closed: unmet closure conditions: The condition";
		expect([status, json.error]).toEqual([422, message]);
		expect(store.getCase(1)).toMatchObject({ status: 'OPEN', name: 'Case 1' });
		store.updateCase(1, met);
		expect((await close()).status).toBe(200);
	});
});

describe('Comments in the sandbox', () => {
	it('are added by the key or by an author of the team', async () => {
		const { as, store, log } = await serviceWith([{}]);
		const { json } = await as('team')('POST', '/cases/1/comments', { value: 'Hello' });
		await as('team')('POST', '/cases/1/comments', { value: 'Hi', author_email: ANA });
		expect(json).toMatchObject({
			case_id: 1,
			id: store.comments(1)[0].id,
			activity_type: 'COMMENTED',
			value: 'Hello',
			created_at: LATER,
			user: { user_id: 903 },
			reactions: [],
		});
		expect(log(1)).toEqual([
			['COMMENTED', 'Hello', 903],
			['COMMENTED', 'Hi', 1],
		]);
	});

	it('are changed and removed by their author or an administrator', async () => {
		const { as, owner, store, log } = await serviceWith([{}]);
		const { id } = store.addComment(1, 'Of somebody', { user_id: 1 });
		const path = `/cases/1/comments/${id}`;
		expect((await as('team')('PUT', path, { value: 'Mine' })).status).toBe(404);
		expect((await as('team')('DELETE', path)).status).toBe(404);
		expect((await as('personal')('PUT', path, { value: 'Better' })).json).toMatchObject({ id });
		expect(store.comments(1)).toMatchObject([{ value: 'Better' }]);
		const { status, text } = await owner('DELETE', path);
		expect([status, text]).toEqual([204, '']);
		expect(log(1)).toEqual([['DELETED_COMMENT', '', 902]]);
		expect((await owner('DELETE', path)).status).toBe(404);
	});
});

it('Single actions are listed, created, updated and deleted, and others stay', async () => {
	const { owner, store } = await serviceWith([{}]);
	const run = { url: 'https://a.example/run', label: 'Run', action_type: 'webhook' as const };
	const { id } = store.addAction(1, run);
	const path = '/cases/1/actions';
	expect((await owner('GET', `${path}?per_page=1`)).json).toMatchObject({
		case_id: 1,
		actions: [{ id, ...run, action_text: null, query_params: {}, page_emoji: null }],
		meta: { pages: 1, per_page: 1 },
	});
	const given = { ...ACTION, action_text: 'Open', query_params: { host: 'h1' } };
	expect((await owner('POST', path, given)).json).toMatchObject({ ...given, case_id: 1 });
	expect((await owner('PUT', `${path}/${id}`, { label: 'Now' })).json).toMatchObject({ id });
	expect(store.getCase(1).actions()).toMatchObject([{ ...run, label: 'Now' }, given]);
	const { status, text } = await owner('DELETE', `${path}/${id}`);
	expect([status, text]).toEqual([204, '']);
	expect(store.getCase(1).actions()).toMatchObject([given]);
	expect((await owner('DELETE', `${path}/${id}`)).status).toBe(404);
	expect((await owner('PUT', `${path}/${id}`, { label: 'x' })).status).toBe(404);
});

it('A key gets 404 for the cases and teams that it may not see', async () => {
	const { as, store, sandbox } = await serviceWith([{ team_id: 2 }, {}]);
	const { id } = store.addComment(1, 'Hello');
	const send = as('team');
	const answers = await Promise.all([
		send('GET', '/cases/1'),
		send('PUT', '/cases/1', { name: 'A' }),
		send('POST', '/cases/1/comments', { value: 'A' }),
		send('DELETE', `/cases/1/comments/${id}`),
		send('POST', '/cases/1/actions', ACTION),
		send('PUT', '/cases/2', { team_id: 2 }),
		send('POST', '/cases', { team_id: 2, name: 'A' }),
		send('POST', '/cases', { team_id: 99, name: 'A' }),
		send('PUT', '/cases/99', { name: 'A' }),
		send('POST', '/api/v1/case_webhooks', { team_id: 2, url: 'https://a.example' }),
		send('GET', '/api/v1/tags?team_id=2'),
	]);
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
	expect(sandbox.rejected).toEqual([]);
	expect([store.size, store.getCase(1).name, store.getCase(2).team.id]).toEqual([2, 'Case 1', 1]);
});

it('Teams and tags are those that the key may see, page by page', async () => {
	const { as, owner } = await serviceWith([{ tags: ['a'] }, { team_id: 2, tags: ['b'] }]);
	const names = ({ json }: Reply, list: 'teams' | 'tags') =>
		(json as unknown as Record<string, Array<{ name: string }>>)[list].map(({ name }) => name);
	expect(names(await as('team')('GET', '/api/v1/teams'), 'teams')).toEqual(['SOC']);
	expect(names(await as('team')('GET', '/api/v1/tags'), 'tags')).toEqual(['a']);
	const page = await owner('GET', '/api/v1/teams?per_page=2&page=2');
	expect(names(page, 'teams')).toEqual(['Fraud', 'Compliance']);
	expect(page.json.meta).toMatchObject({ pages: 3 });
	expect(names(await owner('GET', '/api/v1/tags?team_id=2'), 'tags')).toEqual(['b']);
});

describe('The webhooks of a team', () => {
	const PATH = '/api/v1/case_webhooks';
	const HOOK = { team_id: 1, url: 'https://n8n.example/webhook/1', name: 'One' };

	it('can be created, five at most, listed, read, changed and deleted', async () => {
		const { owner } = await serviceWith([]);
		const { webhook } = (await owner('POST', PATH, HOOK)).json as unknown as {
			webhook: { id: number };
		};
		expect(webhook).toEqual({
			id: expect.any(Number) as number,
			name: 'One',
			url: HOOK.url,
			version_number: 2,
			notifications: ['ALL'],
			team: { id: 1, name: 'SOC' },
		});
		await owner('PUT', `${PATH}/${webhook.id}`, { notifications: ['CREATED'] });
		const changed = { ...webhook, notifications: ['CREATED'] };
		expect((await owner('GET', `${PATH}/${webhook.id}`)).json).toEqual({ webhook: changed });
		expect((await owner('GET', `${PATH}?team_id=1`)).json).toMatchObject({ webhooks: [changed] });
		expect((await owner('GET', `${PATH}?team_id=2`)).json).toMatchObject({ webhooks: [] });
		for (let count = 1; count < 5; count++) await owner('POST', PATH, HOOK);
		expect((await owner('POST', PATH, HOOK)).status).toBe(422);
		expect((await owner('DELETE', `${PATH}/${webhook.id}`)).status).toBe(204);
		expect((await owner('DELETE', `${PATH}/${webhook.id}`)).status).toBe(404);
	});

	it('get each change that they want, once', async () => {
		const received: unknown[] = [];
		const server = createServer((request, response) => {
			request.on('data', (chunk: Buffer) => received.push(JSON.parse(chunk.toString())));
			request.on('end', () => response.end());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const { sandbox, store, owner } = await serviceWith([]);
		const notifications = ['CREATED', 'STATUS_UPDATED', 'COMMENTED'];
		await owner('POST', PATH, { ...HOOK, url: `http://127.0.0.1:${port}`, notifications });
		store.createCase({ case_id: 7 });
		store.createCase({ team_id: 2 });
		store.updateCase(7, { priority: 'HIGH' });
		store.closeCase(7);
		const { id } = store.addComment(7, 'Hello');
		while (sandbox.deliveries.some(({ status }) => status === undefined)) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		server.close();
		const created_at = '2026-01-31T12:00:05.000Z';
		const of = { id: 7, url: `${sandbox.url}/cases/7` };
		expect(received).toMatchObject([
			{
				activity: { activity_type: 'created', value: '7', created_at, user: { id: 1 } },
				case: { ...of, status: 'open', priority: 'MEDIUM' },
				version: 2,
			},
			{
				activity: { activity_type: 'status_updated', value: 'closed' },
				case: { ...of, status: 'closed' },
			},
			{ activity: { id, activity_type: 'commented', value: 'Hello' }, case: of },
		]);
	});
});

it('A service that has not grown has none of the newer requests', async () => {
	const { sandbox, send } = await clientOf({ cases: 1 });
	for (const path of ['/api/v1/teams', '/api/v1/tags', '/api/v1/case_webhooks']) {
		expect((await send(path)).status).toBe(404);
	}
	expect(sandbox.rejected).toEqual([]);
	expect((await send('/api/v2/cases/1')).status).toBe(404);
	expect(sandbox.rejected).toHaveLength(1);
});
