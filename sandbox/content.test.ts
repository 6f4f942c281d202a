import { WITH_WRITES, type GrownTrait } from './grown';
import { clientOf, follow, NOW, storeWith } from './testSupport';

/** A service with cases 1 and 2 of team 1 and case 3 of team 2, made five seconds ago; other IDs begin at 100. */
async function world(grown = WITH_WRITES) {
	const clock = { now: NOW };
	const cases = [{ name: 'Main' }, { name: 'Other' }, { team_id: 2 }];
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	store.reserveIds(99);
	clock.now = '2026-01-31T12:00:05Z';
	return { store, client: await clientOf({ store, grown }) };
}

const times = (count: number, text: string) => Array(count).fill(text).join(',');
const LONG = `{"description":"${'x'.repeat(100)}"}`;
const BATCH = `{"tasks":[${times(25, LONG)}]}`;
const IDS = Array.from({ length: 51 }, (_empty, at) => at + 2).join(',');
const ALL = '"case_ids":[1,2,3]';
const RECORD = '/api/v2/records/104/cases';
const VALUES =
	'[{"field_id":1100,"value":"rule-1"},{"field_id":1103,"value":"2026-01-31T19:08:15-04:00"}]';
const RESULTS = '[{"value":"rule-1"},{"value":"2026-01-31 19:08:15"}]';

it.each([
	[
		'Tasks are made in batches, changed, and deleted with an answer',
		`POST /cases/1/tasks/batch {"tasks":[{"description":"A"},{"description":"B"},{"description":"C"}]} → 201 {"tasks":[{"id":100,"assignees":[],"completed":false},{"id":101},{}]}
		PUT /cases/1/tasks/101 {"completed":true,"assignee_emails":["ana.lindqvist@example.com"]} → 200 {"task":{"description":"B","completed":true,"assignees":[{"id":"1"}]}}
		PUT /cases/1/tasks/101 {"assignee_emails":[]} → 200 {"task":{"assignees":[]}}
		DELETE /cases/1/tasks/100 → 200 {"destroyed_id":"100"}
		DELETE /cases/1/tasks/100 → 404
		GET /cases/1/tasks → 200 {"tasks":[{"completed":true,"created_at":"2026-01-31T12:00:05Z"},{}]}
		GET /cases/1/tasks?per_page=1&page=2 → 200 {"tasks":[{"description":"C"}]}
		GET /cases/1/activities → 200 {"activities":[{"activity_type":"CREATED"}]}
		POST /cases/1/tasks/batch {"tasks":[{"description":""}]} → !422
		POST /cases/1/tasks/batch {"tasks":[{"description":"A","completed":true}]} → !422
		GET /cases/1/tasks?per_page=51 → !400`,
	],
	[
		'Tasks come with a new case; who is given twice is assigned once',
		`POST /cases {"team_id":1,"name":"A","assignee_emails":["${times(2, 'ana.lindqvist@example.com').replace(',', '","')}"],"tasks":[{"description":"A"}]} → 200 {"assignees":[{"user_id":"1"}]}
		GET /cases/4/tasks → 200 {"tasks":[{"description":"A"}]}`,
	],
	[
		'A case has 50 tasks at most, 25 in a batch, of 100 characters, for people of its team',
		`POST /cases/1/tasks/batch {"tasks":[${LONG.replace('x', 'xx')}]} → 422 too long (maximum is 100 characters)
		POST /cases/1/tasks/batch {"tasks":[{"description":"A","assignee_emails":["kavya.petrov@example.com"]}]} → 422 not a member of SOC
		POST /cases/1/tasks/batch {"tasks":[${times(26, LONG)}]} → !422
		POST /cases/1/tasks/batch ${BATCH} → 201
		POST /cases/1/tasks/batch ${BATCH} → 201
		POST /cases/1/tasks/batch {"tasks":[{"description":"A"}]} → 422 more than 50 tasks`,
	],
	[
		'Links are seen from both sides, made again without harm, and end with a case',
		`POST /cases/1/linked_cases/batch {"ids":["2"]} → 201 {"name":"Main","linked_cases":[{"case_id":2,"name":"Other"}]}
		POST /cases/1/linked_cases/batch {"ids":[3,2]} → 201 {"linked_cases":[{"case_id":3},{"case_id":2}]}
		GET /cases/2/linked_cases → 200 {"case_id":2,"name":"Other","linked_cases":[{"case_id":1}]}
		GET /cases/1 → 200 {"linked_cases":[{"case_id":2,"name":"Other"},{"case_id":3}]}
		POST /cases/1/linked_cases/batch {"ids":[1]} → 422 itself
		POST /cases/1/linked_cases/batch {"ids":[2,99]} → 404
		DELETE /cases/2/linked_cases/1 → 204
		DELETE /cases/2/linked_cases/1 → 404
		GET /cases/1/activities → 200 {"activities":[{},{"activity_type":"LINKED_CASE_ADDED"},{},{"activity_type":"LINKED_CASE_REMOVED"}]}
		DELETE /cases/3 → 204
		DELETE /cases/3 → 404
		GET /cases/3/tasks → 404
		GET /cases/1/linked_cases → 200 {"linked_cases":[]}
		DELETE /cases/1 {} → !400
		POST /cases/1/linked_cases/batch {"ids":["two"]} → !422
		POST /cases/1/linked_cases/batch {"ids":[${IDS}]} → !422`,
	],
	[
		'A record lives by itself: made once, linked to cases and from them again and again',
		`POST /api/v1/records {"record_type_id":11,"field_values":[{"field_id":1104,"value":"odd"}]} → 422 verdict can't be odd
		POST /api/v1/records {"record_type_id":11,"field_values":[],"case_ids":[99]} → 404
		POST /api/v1/records {"record_type_id":11,"field_values":[],"case_ids":[1,2,3,4,5,6]} → !422
		GET /cases/1/records → 200 {"records":[]}
		POST /api/v1/records {"record_type_id":11,"field_values":${VALUES},"case_ids":[1]} → 201 {"id":102,"records":[{"field_id":"1100"},{}],"case_ids":[1]}
		POST /api/v1/records {"record_type_id":13,"field_values":[]} → 201 {"id":104}
		GET /cases/1/records → 200 {"records":[{"record_type_id":11,"record_type_record_results":[{"id":102,"results":${RESULTS}}]}]}
		POST ${RECORD} {"case_id":2} → 204
		POST ${RECORD} {"case_id":2} → 204
		GET /cases/2/records → 200 {"records":[{"record_type_record_results":[{"id":104}]}]}
		DELETE ${RECORD}/2 → 204
		DELETE ${RECORD}/2 → 204
		GET /cases/2/activities → 200 {"activities":[{},{"activity_type":"RECORD_RESULT_SET_ADDED"},{"activity_type":"RECORD_RESULT_SET_REMOVED"}]}
		POST /api/v2/records/7/cases {"case_id":1} → 404 {"error":{"type":"not_found"}}
		team: POST ${RECORD} {"case_id":1} → 403 {"error":{"type":"forbidden"}}
		team: POST /api/v2/records/102/cases {"case_id":3} → 404
		POST ${RECORD} {"case_id":1,"id":1} → !400 {"error":{"type":"bad_request"}}
		POST ${RECORD}?x=1 {"case_id":1} → !400
		DELETE ${RECORD}/1 {} → !400
		GET /api/v1/record_types?team_id=2 → 200 {"record_types":[{"id":13,"record_fields":[{"id":1300},{}]}]}`,
	],
	[
		'A comment is changed and deleted by its author or an administrator',
		`POST /cases/1/comments {"value":"Helo"} → 200 {"id":100}
		team: PUT /cases/1/comments/100 {"value":"Hello"} → 404
		PUT /cases/1/comments/100 {"value":"Hello"} → 200 {"case_id":1,"value":"Hello"}
		PUT /cases/1/comments/99 {"value":"Hello"} → 404
		GET /cases/1/comments → 200 {"comments":[{"value":"Hello"}]}
		personal: POST /cases/1/comments {"value":"Mine"} → 200 {"id":101}
		team: DELETE /cases/1/comments/101 → 404
		personal: DELETE /cases/1/comments/101 → 204
		DELETE /cases/1/comments/100 → 204
		DELETE /cases/1/comments/100 → 404
		GET /cases/1/comments → 200 {"comments":[]}
		GET /cases/1/activities → 200 {"activities":[{},{},{"activity_type":"DELETED_COMMENT"}]}`,
	],
	[
		'Metadata is added, changed and removed by key',
		`PUT /cases/1/metadata {"metadata":{"a":"1","b":"2"}} → 200
		PUT /cases/1/metadata {"metadata":{"b":"3"}} → 200 {"case_id":1,"metadata":{"b":"3"}}
		DELETE /cases/1/metadata {"metadata":["a","z"]} → 204
		GET /cases/1 → 200 "metadata":{"b":"3"},
		GET /cases/1/activities?per_page=1&page=4 → 200 {"activities":[{"activity_type":"METADATA_UPDATED"}]}
		PUT /cases/1/metadata {"metadata":{"a":1}} → !422
		DELETE /cases/1/metadata → !422`,
	],
	[
		'Fields take what they allow, in many cases at once, and only where a case has them',
		`POST /cases/bulk/fields {${ALL},"fields":[{"input_id":32,"value":"benign"}]} → 200 {"cases":[]}
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":32,"value":"odd","upsert":true}]} → 422 Verdict can't be odd
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":33,"value":"x1","upsert":true}]} → 422
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":34,"value":"x","upsert":true}]} → 422
		POST /cases/bulk/fields {"case_ids":[1,99],"fields":[{"input_id":32,"value":"benign","upsert":true}]} → 404
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":32,"value":"benign|malicious","upsert":true}]} → 200 {"cases":[{"case_id":1,"fields":[{"value":"benign|malicious"}]},{"case_id":2}]}
		POST /cases/bulk/fields {"case_ids":[2],"fields":[{"input_id":32,"value":"benign"}]} → 200 {"cases":[{"case_id":2}]}
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":37,"value":"Kim","upsert":true}]} → 200
		GET /cases/2/fields → 200 {"case_id":2,"fields":[{"value":"benign","case_input":{"id":32,"key":"verdict"}},{"value":"Kim"}]}
		team: GET /cases/2/fields → 200 {"fields":[{"value":"benign"},{"value":"••••••"}]}
		team: GET /cases/2 → 200 {"fields":[{"value":"benign"},{"value":"••••••"}]}
		GET /cases/2/activities → 200 {"activities":[{},{"activity_type":"FIELD_UPDATED"},{},{}]}
		GET /api/v1/case_inputs?team_id=1&per_page=1 → 200 {"case_inputs":[{"id":31,"team":{"name":"SOC"}}]}
		POST /cases/bulk/fields {"case_ids":[${IDS}],"fields":[]} → !422
		POST /cases/bulk/fields {${ALL},"fields":[{"input_id":34,"value":1}]} → !422`,
	],
	[
		'Sub-statuses and templates belong to a team, and a sub-status to a status',
		`GET /api/v1/case_sub_statuses?team_id=1 → 200 {"case_sub_statuses":[{"default":true},{},{},{"id":13,"parent_status":"CLOSED","team":{"id":1}}]}
		GET /api/v1/case_templates?team_id=1 → 200 {"case_templates":[{"id":8,"name":"Triage"}]}
		POST /cases {"team_id":1,"name":"A","sub_status_id":13} → 422 sub_status_id 13 can't be chosen
		POST /cases {"team_id":2,"name":"A","sub_status_id":11} → 422
		POST /cases {"team_id":2,"name":"A","template_id":8} → 422 template_id 8
		POST /cases {"team_id":1,"name":"A","template_id":8,"sub_status_id":11,"field_values":{"31":"x","41":"y"}} → 200 {"tags":[{"name":"triage"}],"sub_status":{"id":11},"fields":[{"value":"x"}]}
		GET /cases/4/tasks?per_page=1 → 200 {"meta":{"pages":3}}
		PUT /cases/4 {"sub_status_id":13} → 422
		PUT /cases/4 {"sub_status_id":13,"status":"closed"} → 200 {"sub_status":{"id":13}}
		PUT /cases/4 {"status":"open"} → 200 {"sub_status":{"name":"New"}}
		GET /api/v1/case_sub_statuses → !422
		GET /api/v1/case_templates?team_id=1&per_page=101 → !400`,
	],
	[
		'A file is an entry of the log: attached, described, and deleted by who attached it',
		`POST /cases/1/files {"filename":"a.png","file_contents":"AP8="} → 201 {"case_id":1,"id":100,"activity_type":"FILE_ATTACHED"}
		POST /cases/1/files {"filename":"b","file_contents":"","value":"None","author_email":"ana.lindqvist@example.com"} → 201 {"activity_type":"FILE_ATTACHED_AND_COMMENTED","user":{"user_id":"1"}}
		GET /cases/1/files → 200 {"case_id":1,"files":[{"id":100,"reactions":[]},{"value":"None"}]}
		GET /cases/1/files/100 → 200 {"id":100,"file":{"filename":"a.png"}}
		GET /cases/1/files/100/info → 200 {"sizeinbytes":2,"content_type":"image/png"}
		GET /cases/1/files/101/info → 200 {"sizeinbytes":0,"content_type":"application/octet-stream"}
		team: DELETE /cases/1/files/101 → 404
		DELETE /cases/1/files/101 → 204
		GET /cases/1/files/101/download → 404
		GET /cases/1/activities → 200 {"activities":[{},{"file":{"filename":"a.png"}},{"activity_type":"FILE_DELETED"}]}
		POST /cases/1/files {"filename":"a","file_contents":"data:,x"} → !422`,
	],
])('%s', async (_name, script) => {
	const { client, store } = await world();
	await follow(client, script);
	expect(store.getCase(1).updated_at).toBe(NOW);
});

it('A download is the bytes of the file', async () => {
	const { client, store } = await world();
	const bytes = Buffer.from([0, 255, 137, 80, 10]);
	const file = { filename: 'a.png', bytes };
	const { id } = store.addActivity(1, 'FILE_ATTACHED', { file });
	const answer = await client.send(`/api/v2/cases/1/files/${id}/download`);
	expect(answer.bytes).toEqual(bytes);
	expect(answer.headers.get('content-type')).toBe('image/png');
});

it.each<[string, GrownTrait[], string]>([
	[
		'of the newer requests',
		WITH_WRITES.filter((trait) => trait !== 'newer-requests'),
		`GET /cases/1/tasks → 404 There is no GET
		POST /cases/bulk/fields {} → 404
		POST /api/v2/records/1/cases {} → 404
		GET /api/v1/case_sub_statuses → 404
		GET /cases/1/linked_cases → 200`,
	],
	[
		'that the document lacks',
		[],
		`GET /api/v1/teams → 404
		GET /api/v1/tags → 404
		GET /api/v1/case_webhooks → 404
		GET /cases/1 → !404`,
	],
])('An older service has none %s', async (_which, grown, script) => {
	const { client } = await world(grown);
	await follow(client, script);
	expect((await client.send('/api/v2/cases')).text).not.toMatch(/"fields"|sub_status/);
});
