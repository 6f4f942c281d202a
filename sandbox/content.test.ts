import type { KeyKind } from './auth';
import type { Fault } from './faults';
import { WITH_WRITES } from './grown';
import { clientOf, NOW, storeWith } from './testSupport';

/** A request with the key of the tenant's owner, its status, and what its answer must match. */
type Step = [request: string, body: unknown, status: number, answer?: unknown, key?: KeyKind];

const ANA = { user_id: 1, email: 'ana.lindqvist@example.com' };
const KAVYA = 'kavya.petrov@example.com';
const LATER = '2026-01-31T12:00:05Z';
const task = (description: string) => ({ description });
const link = { case_id: 2, name: 'Other' };

/** Sends the requests one after another to a service with three cases: of team 1, again, and of team 2. */
async function follow(steps: Step[], grown = WITH_WRITES) {
	const clock = { now: NOW };
	const cases = [{ name: 'Main' }, { name: 'Other' }, { team_id: 2 }];
	const store = storeWith(cases, { now: () => new Date(clock.now), logsEdits: true });
	store.reserveIds(99);
	clock.now = LATER;
	const { sandbox, as } = await clientOf({ store, grown });
	for (const [request, body, status, answer, key = 'tenantOwner'] of steps) {
		const [method, path] = request.split(' ');
		const reply = await as(key)(method, path, body);
		expect([request, reply.status, reply.text]).toEqual([request, status, expect.anything()]);
		if (answer instanceof RegExp) expect(reply.text).toMatch(answer);
		else if (answer) expect(reply.json).toMatchObject(answer);
	}
	const { case_id, updated_at } = store.getCase(1);
	expect([case_id, updated_at]).toEqual([1, NOW]);
	return { sandbox, store, as, log: () => store.getCase(1).activities().slice(1) };
}

it('Tasks are listed, made one by one and in batches, changed, and deleted with an answer', async () => {
	const { log } = await follow([
		['POST /cases/1/tasks', task('A'), 201, { task: { id: 100, assignees: [], completed: false } }],
		['POST /cases/1/tasks/batch', { tasks: [task('B'), task('C')] }, 201, { tasks: [{}, {}] }],
		[
			'PUT /cases/1/tasks/101',
			{ completed: true, assignee_emails: [ANA.email] },
			200,
			{ task: { description: 'B', completed: true, assignees: [{ id: '1', email: ANA.email }] } },
		],
		['PUT /cases/1/tasks/101', { assignee_emails: [] }, 200, { task: { assignees: [] } }],
		['GET /cases/1/tasks/101', undefined, 200, { task: { completed: true, created_at: LATER } }],
		['DELETE /cases/1/tasks/100', undefined, 200, /^\{"destroyed_id":"100"\}$/],
		['DELETE /cases/1/tasks/100', undefined, 404],
		['GET /cases/1/tasks?per_page=1&page=2', undefined, 200, /^\{"tasks":\[\{"description":"C"/],
	]);
	expect(log()).toEqual([]);
});

it('Tasks come with a new case, and may be a condition of closing it', async () => {
	const closure_conditions = [{ formula: '=AND(tasks.completed)', name: 'All is done' }];
	const assignee_emails = [ANA.email, ANA.email];
	const given = {
		team_id: 1,
		name: 'New',
		assignee_emails,
		tasks: [task('A')],
		closure_conditions,
	};
	await follow([
		// Who is given twice is assigned once.
		['POST /cases', given, 200, { case_id: 4, assignees: [{ user_id: '1' }] }],
		['PUT /cases/4', { status: 'closed' }, 422, /All is done/],
		['PUT /cases/4/tasks/100', { completed: true }, 200],
		['PUT /cases/4', { status: 'closed' }, 200],
	]);
});

it('A case has 50 tasks at most, of 100 characters, for people of its team', async () => {
	const batch = { tasks: Array(25).fill(task('x'.repeat(100))) };
	const { sandbox, store } = await follow([
		['POST /cases/1/tasks', task('x'.repeat(101)), 422, /too long \(maximum is 100 characters/],
		['POST /cases/1/tasks', { ...task('A'), assignee_emails: [KAVYA] }, 422, /not a member of SOC/],
		['POST /cases/1/tasks/batch', batch, 201],
		['POST /cases/1/tasks/batch', batch, 201],
		['POST /cases/1/tasks', task('A'), 422, /more than 50 tasks/],
	]);
	expect([store.getCase(1).tasks().length, sandbox.rejected]).toEqual([50, []]);
});

it('Links are seen from both sides, made again without harm, and removed once', async () => {
	const { log, store } = await follow([
		['POST /cases/1/linked_cases', { id: '2' }, 201, { name: 'Main', linked_case: link }],
		['POST /cases/1/linked_cases/batch', { ids: [3, 2] }, 201, { linked_cases: [{}, link] }],
		['GET /cases/2/linked_cases', undefined, 200, { linked_cases: [{ case_id: 1 }] }],
		['GET /cases/1', undefined, 200, { linked_cases: [link, { case_id: 3 }] }],
		['POST /cases/1/linked_cases', { id: 1 }, 422, /itself/],
		['POST /cases/1/linked_cases/batch', { ids: [2, 99] }, 404],
		['DELETE /cases/2/linked_cases/1', undefined, 204],
		['DELETE /cases/2/linked_cases/1', undefined, 404],
		['DELETE /cases/3', undefined, 204],
		['DELETE /cases/3', undefined, 404],
		['GET /cases/3/tasks', undefined, 404],
		['GET /cases/1/linked_cases', undefined, 200, { linked_cases: [] }],
	]);
	const added = ['LINKED_CASE_ADDED', 'LINKED_CASE_ADDED', 'LINKED_CASE_REMOVED'];
	expect(log().map(({ activity_type }) => activity_type)).toEqual(added);
	expect(store.getCase(2).activities()).toHaveLength(3);
});

it('A record lives by itself: made once, linked to cases and from them again and again', async () => {
	const RECORD = '/api/v2/records/103/cases';
	const field_values = [
		{ field_id: 1100, value: 'rule-1' },
		{ field_id: 1103, value: '2026-01-31T19:08:15-04:00' },
		{ field_id: 1104, value: 'benign' },
	];
	const given = { record_type_id: 11, field_values, case_ids: [1] };
	const results = [{ value: 'rule-1' }, { value: '2026-01-31 19:08:15' }, { value: 'benign' }];
	const records = [{ record_type_id: 11, record_type_record_results: [{ id: 103, results }] }];
	const wrong = { ...given, field_values: [{ field_id: 1104, value: 'odd' }] };
	const { log, sandbox } = await follow([
		['POST /api/v1/records', wrong, 422, /verdict can't be odd/],
		['POST /api/v1/records', { ...given, case_ids: [99] }, 404],
		['POST /api/v1/records', given, 201, { id: 103, records: [{ field_id: '1100' }, {}, {}] }],
		['GET /cases/1/records', undefined, 200, { records }],
		[`POST ${RECORD}`, { case_id: 2 }, 204],
		[`POST ${RECORD}`, { case_id: 2 }, 204],
		[`DELETE ${RECORD}/1`, undefined, 204],
		[`DELETE ${RECORD}/1`, undefined, 204],
		['GET /cases/1/records', undefined, 200, { records: [] }],
		['GET /cases/2/records', undefined, 200, { records }],
		['POST /api/v2/records/7/cases', { case_id: 1 }, 404, { error: { type: 'not_found' } }],
		[`POST ${RECORD}`, { case_id: 3 }, 404, undefined, 'team'],
		['GET /api/v1/record_types?team_id=2', undefined, 200, { record_types: [{ id: 13 }] }],
		['GET /api/v1/record_types/13', undefined, 404, undefined, 'team'],
		['POST /api/v1/records', { record_type_id: 13, field_values: [] }, 201, { id: 107 }],
		['POST /api/v2/records/107/cases', { case_id: 1 }, 403, /"forbidden"/, 'team'],
	]);
	const types = ['RECORD_RESULT_SET_ADDED', 'RECORD_RESULT_SET_REMOVED'];
	expect(log().map(({ activity_type }) => activity_type)).toEqual(types);
	expect(sandbox.rejected).toEqual([]);
});

it('A comment gets another text from its author or an administrator', async () => {
	const { store } = await follow([
		['POST /cases/1/comments', { value: 'Helo' }, 200, { id: 100 }],
		['PUT /cases/1/comments/100', { value: 'Hello' }, 404, undefined, 'team'],
		['PUT /cases/1/comments/100', { value: 'Hello' }, 200, { case_id: 1, value: 'Hello' }],
		['PUT /cases/1/comments/99', { value: 'Hello' }, 404],
	]);
	expect(store.comments(1).map(({ value }) => value)).toEqual(['Hello']);
});

it('Metadata is added, changed and removed by key, 100 keys at most', async () => {
	const keys = (count: number) => Object.fromEntries(ids.slice(0, count).map((id) => [id, 'x']));
	const { log } = await follow([
		['PUT /cases/1/metadata', { metadata: { a: '1', b: '2' } }, 200],
		['PUT /cases/1/metadata', { metadata: { b: '3' } }, 200, { metadata: { b: '3' } }],
		['DELETE /cases/1/metadata', { metadata: ['a', 'z'] }, 204],
		['GET /cases/1/metadata', undefined, 200, /^\{"case_id":1,"metadata":\{"b":"3"\}\}$/],
		['PUT /cases/1/metadata', { metadata: keys(100) }, 422, /100 keys/],
		['PUT /cases/1/metadata', { metadata: keys(99) }, 200],
	]);
	expect(log().map(({ activity_type }) => activity_type)).toEqual(
		Array(4).fill('METADATA_UPDATED'),
	);
});

it('Fields take what they allow, in many cases at once, and only where a case has them', async () => {
	const set = (input_id: number, value: string, upsert = true) => ({ input_id, value, upsert });
	const bulk = (...fields: object[]) => ({ case_ids: [1, 2, 3], fields });
	const both = [1, 2].map((case_id) => ({ case_id, fields: [{ value: 'benign|malicious' }] }));
	const shown = { value: 'benign', case_input: { id: 32, key: 'verdict', name: 'Verdict' } };
	const BULK = 'POST /cases/bulk/fields';
	const { log, sandbox } = await follow([
		[BULK, bulk(set(32, 'benign', false)), 200, { cases: [] }],
		[BULK, bulk(set(32, 'odd')), 422, /Verdict can't be odd/],
		[BULK, bulk(set(33, 'x1')), 422],
		[BULK, bulk(set(34, 'much')), 422],
		[BULK, bulk(set(32, 'benign|malicious')), 200, { cases: both }],
		[BULK, { case_ids: [2], fields: [set(32, 'benign', false)] }, 200, { cases: [{ case_id: 2 }] }],
		[BULK, { case_ids: [1, 99], fields: [set(32, 'benign')] }, 404],
		[BULK, { case_ids: [1], fields: [set(37, 'Kim')] }, 404, undefined, 'team'],
		[BULK, bulk(set(37, 'Kim')), 200],
		['GET /cases/2/fields', undefined, 200, { case_id: 2, fields: [shown, { value: 'Kim' }] }],
		['GET /cases/2/fields', undefined, 200, { fields: [shown, { value: '••••••' }] }, 'team'],
		['GET /cases/2', undefined, 200, { fields: [shown, { value: '••••••' }] }, 'team'],
		['GET /api/v1/case_inputs?team_id=1&per_page=1', undefined, 200, { case_inputs: [{ id: 31 }] }],
	]);
	expect(log().map(({ value }) => value)).toEqual([
		'[[32,"benign|malicious"]]',
		'[[32,"benign|malicious"],[37,"Kim"]]',
	]);
	expect(sandbox.rejected).toEqual([]);
});

it('Sub-statuses and templates belong to a team, and a sub-status to a status', async () => {
	const STATUSES = '/api/v1/case_sub_statuses?team_id=1&parent_status=CLOSED';
	const field_values = { 31: 'fin-lt-1', 41: 'of another team' };
	const made = {
		tags: [{ name: 'triage' }],
		sub_status: { id: 11 },
		fields: [{ value: 'fin-lt-1' }],
	};
	const { log } = await follow([
		[`GET ${STATUSES}`, undefined, 200, { case_sub_statuses: [{ default: true }, { id: 13 }] }],
		[`GET ${STATUSES}&search=FALSE`, undefined, 200, { case_sub_statuses: [{ team: { id: 1 } }] }],
		['PUT /cases/4', { status: 'closed' }, 404],
		['POST /cases', { team_id: 1, name: 'A', sub_status_id: 13 }, 422, /is not an OPEN status/],
		['POST /cases', { team_id: 2, name: 'A', sub_status_id: 11 }, 422],
		['POST /cases', { team_id: 2, name: 'A', template_id: 8 }, 422, /not a template of team 2/],
		[
			'POST /cases',
			{ team_id: 1, name: 'A', template_id: 8, sub_status_id: 11, field_values },
			200,
			made,
		],
		['GET /cases/4/tasks?per_page=1', undefined, 200, { meta: { pages: 3 } }],
		['PUT /cases/4', { sub_status_id: 13 }, 422],
		['PUT /cases/4', { sub_status_id: 13, status: 'closed' }, 200, { sub_status: { id: 13 } }],
		['PUT /cases/4', { status: 'open' }, 200, { sub_status: { name: 'New' } }],
		['GET /api/v1/case_templates?team_id=1', undefined, 200, { case_templates: [{ id: 8 }] }],
	]);
	expect(log()).toEqual([]);
});

it('A file is an entry of the log: attached, described, downloaded as it was, deleted', async () => {
	const bytes = Buffer.from([0, 255, 137, 80, 10]);
	const png = { filename: 'Größe "1".png', file_contents: bytes.toString('base64') };
	const empty = { filename: 'a', file_contents: '', value: 'None', author_email: ANA.email };
	const commented = { activity_type: 'FILE_ATTACHED_AND_COMMENTED', user: { user_id: '1' } };
	const FILES = '/cases/1/files';
	const { as, log, sandbox } = await follow([
		[`POST ${FILES}`, png, 201, { case_id: 1, id: 100, activity_type: 'FILE_ATTACHED' }],
		[`POST ${FILES}`, empty, 201, commented],
		[`GET ${FILES}`, undefined, 200, { files: [{ id: 100, reactions: [] }, { value: 'None' }] }],
		[`GET ${FILES}/100`, undefined, 200, { id: 100, file: { filename: png.filename } }],
		['GET /cases/1/activities', undefined, 200, { activities: [{}, { file: {} }, { id: 101 }] }],
		[`GET ${FILES}/100/info`, undefined, 200, { sizeinbytes: 5, content_type: 'image/png' }],
		[`DELETE ${FILES}/101`, undefined, 404, undefined, 'team'],
		[`DELETE ${FILES}/101`, undefined, 204],
		[`GET ${FILES}/101/info`, undefined, 404],
	]);
	expect(log().map((one) => one.activity_type)).toEqual(['FILE_ATTACHED', 'FILE_DELETED']);
	const download = async () => await as('team')('GET', `${FILES}/100/download`);
	const { headers, bytes: same } = await download();
	expect(same).toEqual(bytes);
	expect(headers.get('content-type')).toBe('image/png');
	expect(headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''Gr%C3%B6/);
	const faults: Array<[Fault, number]> = [
		[{ kind: 'truncatedJson' }, 3],
		[{ kind: 'lengthened', bytes: 2 }, 7],
		[{ kind: 'slow', pieces: 3, everyMs: 1 }, 5],
	];
	for (const [fault, length] of faults) {
		sandbox.faults.add({ fault });
		const answer = await download();
		const stated = answer.headers.get('content-length');
		expect([answer.bytes.length, stated]).toEqual([length, String(length)]);
		expect(answer.bytes.subarray(0, 3)).toEqual(bytes.subarray(0, 3));
	}
});

const ids = Array.from({ length: 100 }, (_empty, at) => at + 2);
it.each<[number, string, unknown]>([
	[422, 'POST /cases/1/tasks', { description: '' }],
	[422, 'POST /cases/1/tasks', { ...task('A'), completed: true }],
	[422, 'POST /cases/1/tasks/batch', { tasks: Array(26).fill(task('A')) }],
	[400, 'GET /cases/1/tasks?per_page=51', undefined],
	[422, 'POST /cases/1/linked_cases', { id: 'two' }],
	[422, 'POST /cases/1/linked_cases/batch', { ids }],
	[
		422,
		'POST /api/v1/records',
		{ record_type_id: 11, field_values: [], case_ids: [1, 2, 3, 4, 5, 6] },
	],
	[400, 'POST /api/v2/records/1/cases', { case_id: 1, record_id: 1 }],
	[400, 'POST /api/v2/records/1/cases?x=1', { case_id: 1 }],
	[400, 'DELETE /api/v2/records/1/cases/1', {}],
	[400, 'DELETE /cases/1', {}],
	[422, 'PUT /cases/1/metadata', { metadata: { a: 1 } }],
	[422, 'DELETE /cases/1/metadata', undefined],
	[422, 'POST /cases/bulk/fields', { case_ids: ids, fields: [] }],
	[422, 'POST /cases/bulk/fields', { case_ids: [1], fields: [{ input_id: 31, value: 1 }] }],
	[422, 'POST /cases/1/files', { filename: 'a', file_contents: 'data:,x' }],
	[422, 'GET /api/v1/case_sub_statuses', undefined],
	[400, 'GET /api/v1/case_templates?team_id=1&per_page=101', undefined],
])('A breach is answered with %i: %s', async (status, request, body) => {
	const shape = request.includes('v2/records') ? { error: { type: 'bad_request' } } : undefined;
	const { sandbox } = await follow([[request, body, status, shape]]);
	expect(sandbox.rejected).toHaveLength(1);
});

it('An older service has no tasks, and no requests from the side of a record', async () => {
	const older = WITH_WRITES.filter((trait) => trait !== 'newer-requests');
	const { sandbox } = await follow(
		[
			[
				'GET /cases/1/tasks',
				undefined,
				404,
				{ error: 'There is no GET /api/v2/cases/:caseId/tasks' },
			],
			['POST /cases/bulk/fields', {}, 404],
			['POST /api/v2/records/1/cases', {}, 404],
			['GET /api/v1/case_sub_statuses', undefined, 404],
			['GET /cases/1', undefined, 200, /^((?!"fields"|sub_status).)*$/],
			['GET /cases/1/linked_cases', undefined, 200],
		],
		older,
	);
	expect(sandbox.rejected).toEqual([]);
});
