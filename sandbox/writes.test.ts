import { WITH_WRITES } from './grown';
import type { CaseInput } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

const LATER = '2026-01-31T12:00:05Z';
const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';
const WEBHOOKS = '/api/v1/case_webhooks';

/** A service with these cases, in which five seconds have passed since they were made. */
async function serviceWith(...cases: CaseInput[]) {
	const clock = { now: NOW };
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	clock.now = LATER;
	const { sandbox, as } = await clientOf({ store, grown: WITH_WRITES });
	return { sandbox, store, as, owner: as('tenantOwner') };
}

const ACTION = { url: 'https://b.example/', label: 'Look', action_type: 'page' };
const HOOK = { team_id: 1, url: 'https://n8n.example/webhook/1' };

it.each<[string, string, unknown, RegExp, isBreach?: boolean]>([
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
	['POST', WEBHOOKS, { team_id: 1 }, /^url /],
	['POST', WEBHOOKS, { ...HOOK, notifications: ['WINGS'] }, /^notifications/],
	// No client can know whom the tenant has, nor whether a case may be closed.
	['POST', '/cases', { team_id: 1, name: 'A', assignee_emails: ['x@example.com'] }, /x@/, false],
	['PUT', '/cases/1', { status: 'closed', name: 'Renamed' }, /conditions: Somebody/, false],
])('%s %s refuses %j', async (method, path, body, message, isBreach = true) => {
	const formula = '=NOT(ISBLANK(assignees))';
	const closure_conditions = [{ formula, name: 'Somebody is assigned' }];
	const { owner, sandbox, store } = await serviceWith({ closure_conditions });
	const before = store.version;
	const { status, json } = await owner(method, path, body);
	expect([status, json.error]).toEqual([422, expect.stringMatching(message)]);
	expect([sandbox.rejected.length, store.version]).toEqual([Number(isBreach), before]);
});

it('Writes of cases are dated, log what they change, and name who wrote', async () => {
	const { as, store } = await serviceWith({ tags: ['old', 'kept'], assignees: [1] });
	const send = as('personal');
	// Not in the team: the key's user is the author.
	const author_email = 'kavya.petrov@example.com';
	await send('POST', '/cases', { team_id: 1, name: 'A', author_email });
	const ana = { user_id: 1 };
	expect(store.getCase(2)).toMatchObject({ assignees: [ana], author: ana, created_at: LATER });
	const { json } = await send('PUT', '/cases/1', {
		priority: 'low',
		add_tag_names: ['new'],
		remove_tag_names: ['old'],
		add_assignee_emails: [BRUNO],
		remove_assignee_emails: [ANA],
		status: 'closed',
	});
	expect(json).toMatchObject({ priority: 'LOW', updated_at: LATER, resolved_at: LATER });
	const { json: comment } = await send('POST', '/cases/1/comments', { value: 'Hello' });
	expect(comment).toMatchObject({ case_id: 1, activity_type: 'COMMENTED', created_at: LATER });
	const log = store.getCase(1).activities().slice(1);
	expect(log.map((one) => [one.activity_type, one.value, one.user.user_id])).toEqual([
		['STATUS_UPDATED', 'CLOSED', 1],
		['SEVERITY_UPDATED', 'LOW', 1],
		['TAGS_ADDED', 'new', 1],
		['TAGS_REMOVED', 'old', 1],
		['ASSIGNED', BRUNO, 1],
		['UNASSIGNED', ANA, 1],
		['COMMENTED', 'Hello', 1],
	]);
});

it('A comment is deleted by its author or an administrator, once', async () => {
	const { as, owner, store } = await serviceWith({});
	const path = () => `/cases/1/comments/${store.addComment(1, 'Hello', { user_id: 1 }).id}`;
	expect((await as('team')('DELETE', path())).status).toBe(404);
	expect((await as('personal')('DELETE', path())).status).toBe(204);
	const last = path();
	const { status, text } = await owner('DELETE', last);
	expect([status, text, (await owner('DELETE', last)).status]).toEqual([204, '', 404]);
	expect(store.comments(1)).toHaveLength(1);
	expect(store.getCase(1).activities().at(-1)?.activity_type).toBe('DELETED_COMMENT');
});

it('A key gets 404 for the cases and teams that it may not see, and no lists of them', async () => {
	const { as, store, sandbox } = await serviceWith({ team_id: 2, tags: ['b'] }, { tags: ['a'] });
	const { id } = store.addComment(1, 'Hello');
	const send = as('team');
	const answers = await Promise.all([
		send('GET', '/cases/1'),
		send('PUT', '/cases/1', { name: 'A' }),
		send('POST', '/cases/1/comments', { value: 'A' }),
		send('DELETE', `/cases/1/comments/${id}`),
		send('POST', '/cases/1/actions', ACTION),
		send('PUT', '/cases/2/actions/99', ACTION),
		send('DELETE', '/cases/2/actions/99'),
		send('PUT', '/cases/2', { team_id: 2 }),
		send('POST', '/cases', { team_id: 2, name: 'A' }),
		send('PUT', '/cases/99', { name: 'A' }),
		send('POST', WEBHOOKS, { ...HOOK, team_id: 2 }),
		send('DELETE', `${WEBHOOKS}/99`),
		send('GET', '/api/v1/tags?team_id=2'),
	]);
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
	expect(sandbox.rejected).toEqual([]);
	expect([store.size, store.getCase(1).name, store.getCase(2).team.id]).toEqual([2, 'Case 1', 1]);
	expect((await send('GET', '/api/v1/teams')).json).toMatchObject({ teams: [{ name: 'SOC' }] });
	expect((await send('GET', '/api/v1/tags')).json).toMatchObject({ tags: [{ name: 'a' }] });
});

it('A team has five webhooks at most, which get what they want in version 2.0', async () => {
	const { owner, sandbox, store } = await serviceWith();
	const notifications = ['STATUS_UPDATED'];
	// Nothing listens there.
	const url = 'http://127.0.0.1:9/webhook';
	const hook = (await owner('POST', WEBHOOKS, { team_id: 1, url, notifications })).json;
	expect(hook).toMatchObject({ webhook: { version_number: 2, team: { id: 1, name: 'SOC' } } });
	for (const team_id of [1, 2]) store.closeCase(store.createCase({ team_id }).case_id);
	expect(sandbox.deliveries.map(({ body }) => body)).toMatchObject([
		{
			activity: { activity_type: 'status_updated', value: 'closed', user: { id: 1 } },
			case: { id: 1, status: 'closed', url: `${sandbox.url}/cases/1` },
			version: 2,
		},
	]);
	expect(sandbox.deliveries[0].body.activity.created_at).toBe('2026-01-31T12:00:05.000Z');
	for (let count = 1; count < 5; count++) await owner('POST', WEBHOOKS, HOOK);
	expect((await owner('POST', WEBHOOKS, HOOK)).status).toBe(422);
});

it('A service that has not grown has none of the newer requests', async () => {
	const { sandbox, send } = await clientOf({ cases: 1 });
	for (const path of ['/api/v1/teams', '/api/v1/tags', WEBHOOKS]) {
		expect((await send(path)).status).toBe(404);
	}
	expect(sandbox.rejected).toEqual([]);
	expect((await send('/api/v2/cases/1')).status).toBe(404);
	expect(sandbox.rejected).toHaveLength(1);
});
