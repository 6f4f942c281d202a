import { WITH_WRITES } from './grown';
import type { CaseInput } from './store';
import { clientOf, follow, NOW, storeWith } from './testSupport';

const LATER = '2026-01-31T12:00:05Z';
const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';
const WEBHOOKS = '/api/v1/case_webhooks';
const ACTION = '{"url":"https://b.example/","label":"Look","action_type":"page"}';
const HOOK = '{"team_id":1,"url":"https://n8n.example/webhook/1"}';

/** A service with these cases, in which five seconds have passed since they were made. */
async function serviceWith(...cases: CaseInput[]) {
	const clock = { now: NOW };
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	clock.now = LATER;
	return { store, client: await clientOf({ store, grown: WITH_WRITES }) };
}

it('Bodies that are not right are refused, and change nothing', async () => {
	const formula = '=NOT(ISBLANK(assignees))';
	const closure_conditions = [{ formula, name: 'Somebody is assigned' }];
	const { client, store } = await serviceWith({ closure_conditions });
	const before = store.version;
	await follow(
		client,
		`POST /cases [] → !422 "body
		POST /cases {"team_id":1} → !422 "name
		POST /cases {"team_id":1,"name":""} → !422 "name must not be empty
		POST /cases {"name":"A"} → !422 "team_id
		POST /cases {"team_id":1,"name":"A","priority":"HIGH"} → !422 "priority
		POST /cases {"team_id":1,"name":"A","colour":"red"} → !422 colour
		POST /cases {"team_id":1,"name":"A","opened_at":"2026-01-01"} → !422 "opened_at
		POST /cases/1/actions {"url":"https://b.example/","label":"x","action_type":"page","id":7} → !422 id
		POST /cases/1/actions {"label":"x"} → !422 "url
		PUT /cases/1/actions/1 {"url":"b.example"} → !422 "url
		POST /cases/1/comments {"value":""} → !422 "value
		POST ${WEBHOOKS} {"team_id":1} → !422 "url
		POST ${WEBHOOKS} {"team_id":1,"url":"https://b.example/","notifications":["WINGS"]} → !422 "notifications
		POST /cases {"team_id":1,"name":"A","assignee_emails":["x@example.com"]} → 422 x@
		PUT /cases/1 {"status":"closed","name":"Renamed"} → 422 conditions: Somebody`,
	);
	expect(store.version).toBe(before);
});

it('Writes of cases are dated, log what they change, and name who wrote', async () => {
	const { client, store } = await serviceWith({ tags: ['old', 'kept'], assignees: [1] });
	// Who isn't in the team isn't the author: the key's user is.
	await follow(
		client,
		`personal: POST /cases {"team_id":1,"name":"A","author_email":"kavya.petrov@example.com"} → 200 {"assignees":[{"user_id":"1"}],"author":{"user_id":"1"},"created_at":"${LATER}"}
		personal: PUT /cases/1 {"priority":"low","status":"closed","add_tag_names":["new"],"remove_tag_names":["old"],"add_assignee_emails":["${BRUNO}"],"remove_assignee_emails":["${ANA}"]} → 200 {"priority":"LOW","updated_at":"${LATER}","resolved_at":"${LATER}"}
		personal: POST /cases/1/comments {"value":"Hello"} → 200 {"case_id":1,"activity_type":"COMMENTED","created_at":"${LATER}"}`,
	);
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

it('A key gets 404 for the cases and teams that it may not see, and no lists of them', async () => {
	const { client, store } = await serviceWith({ team_id: 2, tags: ['b'] }, { tags: ['a'] });
	const { id } = store.addComment(1, 'Hello');
	await follow(
		client,
		`team: GET /cases/1/comments → 404
		team: GET /cases/1/activities → 404
		team: GET /cases/1/records → 404
		team: GET /cases?team_id=2 → 404
		team: GET /cases?team_id=99 → 404
		GET /cases/99/comments → 404
		GET /cases?team_id=99 → 404
		team: PUT /cases/1/actions/batch {"actions":[]} → 404 {"error":"Not found"}
		PUT /cases/99/actions/batch {"actions":[]} → 404 {"error":"Not found"}
		team: GET /cases/1 → 404
		team: PUT /cases/1 {"name":"A"} → 404
		team: POST /cases/1/comments {"value":"A"} → 404
		team: DELETE /cases/1/comments/${id} → 404
		team: POST /cases/1/actions ${ACTION} → 404
		team: PUT /cases/2/actions/99 ${ACTION} → 404
		team: DELETE /cases/2/actions/99 → 404
		team: PUT /cases/2 {"team_id":2} → 404
		team: POST /cases {"team_id":2,"name":"A"} → 404
		team: PUT /cases/99 {"name":"A"} → 404
		team: POST ${WEBHOOKS} ${HOOK.replace('1', '2')} → 404
		team: DELETE ${WEBHOOKS}/99 → 404
		team: GET /api/v1/tags?team_id=2 → 404
		team: GET /api/v1/teams → 200 {"teams":[{"name":"SOC"}]}
		team: GET /api/v1/tags → 200 {"tags":[{"name":"a"}]}`,
	);
	expect([store.size, store.getCase(1).name, store.getCase(2).team.id]).toEqual([2, 'Case 1', 1]);
});

it('A team has five webhooks at most, which get what they want in version 2.0', async () => {
	const { client, store } = await serviceWith();
	const { sandbox } = client;
	// Nothing listens there.
	await follow(
		client,
		`POST ${WEBHOOKS} {"team_id":1,"url":"http://127.0.0.1:9/","notifications":["STATUS_UPDATED"]} → 200 {"webhook":{"version_number":2,"team":{"id":1,"name":"SOC"}}}`,
	);
	for (const team_id of [1, 2]) store.closeCase(store.createCase({ team_id }).case_id);
	expect(sandbox.deliveries.map(({ body }) => body)).toMatchObject([
		{
			activity: { activity_type: 'status_updated', value: 'closed', user: { id: 1 } },
			case: { id: 1, status: 'closed', url: `${sandbox.url}/cases/1` },
			version: 2,
		},
	]);
	expect(sandbox.deliveries[0].body.activity.created_at).toBe('2026-01-31T12:00:05.000Z');
	const more = Array(4).fill(`POST ${WEBHOOKS} ${HOOK} → 200`).join('\n');
	await follow(client, `${more}\nPOST ${WEBHOOKS} ${HOOK} → 422`);
});
