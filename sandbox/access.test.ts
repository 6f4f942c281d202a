import { clientOf, storeWith, type Client } from './testSupport';
import type { KeyKind } from './auth';

const CONTENT = { 'content-type': 'application/json' };
let client: Client;

beforeAll(async () => {
	// One case in each team.
	client = await clientOf({ store: storeWith([1, 2, 3, 4, 5].map((team_id) => ({ team_id }))) });
});

beforeEach(() => client.sandbox.clearRequests());

const withKey = (kind: KeyKind, path: string, init: RequestInit = {}) =>
	client.send(path, {
		headers: { ...CONTENT, 'x-user-token': client.sandbox.keys[kind] },
		...init,
	});

describe('Access in the sandbox', () => {
	it.each<[KeyKind, number[]]>([
		['personal', [1, 2]],
		['service', [1, 2, 3, 4, 5]],
		['tenantOwner', [1, 2, 3, 4, 5]],
		['team', [1]],
	])('shows a %s key the cases %j', async (kind, expected) => {
		const { json } = await withKey(kind, '/api/v2/cases?order=CREATED_ASC');
		expect(json.cases.map(({ case_id }) => case_id)).toEqual(expected);
		expect(client.sandbox.requests[0].key).toBe(kind);
	});

	it('answers 404 for hidden cases and for missing ones alike', async () => {
		const actions = { method: 'PUT', body: '{"actions":[]}' };
		const answers = await Promise.all([
			withKey('team', '/api/v2/cases/2/comments'),
			withKey('team', '/api/v2/cases/2/activities'),
			withKey('team', '/api/v2/cases/2/records'),
			withKey('team', '/api/v2/cases/2/actions/batch', actions),
			withKey('team', '/api/v2/cases?team_id=2'),
			withKey('tenantOwner', '/api/v2/cases/99/comments'),
			withKey('tenantOwner', '/api/v2/cases/99/actions/batch', actions),
			withKey('tenantOwner', '/api/v2/cases?team_id=99'),
		]);
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		// These requests are right by the document.
		expect(client.sandbox.rejected).toEqual([]);
	});

	it('leaves hidden cases out of case_ids', async () => {
		const { json } = await withKey(
			'team',
			'/api/v2/cases?filters[case_ids][]=1&filters[case_ids][]=2',
		);
		expect(json.cases.map(({ case_id }) => case_id)).toEqual([1]);
	});

	it('lets no key change a case that it may not see', async () => {
		const before = client.sandbox.store.getCase(2);
		await withKey('team', '/api/v2/cases/2/actions/batch', {
			method: 'PUT',
			body: '{"actions":[]}',
		});
		expect(client.sandbox.store.getCase(2)).toBe(before);
	});
});

describe('Authentication in the sandbox', () => {
	const status = async (headers: Record<string, string>) =>
		(await client.send('/api/v2/cases', { headers: { ...CONTENT, ...headers } })).status;
	const rejections = () => client.sandbox.rejected.length;

	it('accepts X-User-Token and Authorization: Bearer', async () => {
		const { team } = client.sandbox.keys;
		expect(await status({ 'X-User-Token': team })).toBe(200);
		expect(await status({ authorization: `Bearer ${team}` })).toBe(200);
		expect(rejections()).toBe(0);
	});

	it('rejects both, none, an empty one and other schemes as breaches of the document', async () => {
		const { team } = client.sandbox.keys;
		expect(await status({ 'x-user-token': team, authorization: `Bearer ${team}` })).toBe(401);
		expect(await status({})).toBe(401);
		expect(await status({ 'x-user-token': '' })).toBe(401);
		expect(await status({ authorization: team })).toBe(401);
		expect(await status({ authorization: `bearer ${team}` })).toBe(401);
		expect(await status({ authorization: `Bearer  ${team}` })).toBe(401);
		expect(await status({ authorization: 'Bearer ' })).toBe(401);
		expect(rejections()).toBe(7);
	});

	it('answers 401 to an unknown key, which is not a breach', async () => {
		expect(await status({ 'x-user-token': 'unknown' })).toBe(401);
		expect(await status({ authorization: 'Bearer unknown' })).toBe(401);
		expect(rejections()).toBe(0);
	});
});
