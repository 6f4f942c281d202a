import { clientOf, storeWith, type Client } from './testSupport';
import type { KeyKind } from './auth';

const CONTENT = { 'content-type': 'application/json' };
let client: Client;

beforeAll(async () => {
	// One case in each team.
	client = await clientOf({ store: storeWith([1, 2, 3, 4, 5].map((team_id) => ({ team_id }))) });
});
beforeEach(() => client.sandbox.clearRequests());

it.each<[KeyKind, number[]]>([
	['personal', [1, 2]],
	['service', [1, 2, 3, 4, 5]],
	['tenantOwner', [1, 2, 3, 4, 5]],
	['team', [1]],
])('The sandbox shows a %s key the cases %j', async (kind, expected) => {
	const { json } = await client.as(kind)('GET', '/cases?order=CREATED_ASC');
	expect(json.cases.map(({ case_id }) => case_id)).toEqual(expected);
	expect(client.sandbox.requests[0].key).toBe(kind);
});

const TEAM_KEY = 'sandbox-team-key-not-a-secret';

it.each<[Record<string, string>, number, boolean]>([
	[{ 'X-User-Token': TEAM_KEY }, 200, false],
	[{ authorization: `Bearer ${TEAM_KEY}` }, 200, false],
	[{ 'x-user-token': 'unknown' }, 401, false],
	[{ authorization: 'Bearer unknown' }, 401, false],
	[{ 'x-user-token': TEAM_KEY, authorization: `Bearer ${TEAM_KEY}` }, 401, true],
	[{}, 401, true],
	[{ 'x-user-token': '' }, 401, true],
	[{ authorization: TEAM_KEY }, 401, true],
	[{ authorization: `bearer ${TEAM_KEY}` }, 401, true],
	[{ authorization: `Bearer  ${TEAM_KEY}` }, 401, true],
	[{ authorization: 'Bearer ' }, 401, true],
])('The sandbox answers the headers %j with %i; breach: %s', async (headers, status, isBreach) => {
	const answer = await client.send('/api/v2/cases', { headers: { ...CONTENT, ...headers } });
	expect([answer.status, client.sandbox.rejected.length]).toEqual([status, Number(isBreach)]);
});
