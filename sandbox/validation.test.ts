import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { clientOf, follow, storeWith, type Client } from './testSupport';

let client: Client;

beforeAll(async () => {
	client = await clientOf({ store: storeWith([{}]) });
});

beforeEach(() => client.sandbox.clearRequests());

describe('The strict sandbox', () => {
	it.each<[string, string]>([
		['foo=1', 'foo'],
		['Filters[status]=OPEN', 'Filters[status]'],
		['filters=1', 'filters'],
		['filters[foo]=1', 'filters[foo]'],
		['filters[constructor]=1', 'filters[constructor]'],
		['per_page=51', 'per_page'],
		['per_page=0', 'per_page'],
		['per_page=ten', 'per_page'],
		['per_page=5&per_page=5', 'per_page'],
		['page=0', 'page'],
		['page=', 'page'],
		['page', 'page'],
		['page=1&', "''"],
		['team_id=SOC', 'team_id'],
		['order=created_asc', 'order'],
		['order[]=CREATED_ASC', 'order[]'],
		['filters[status]=open', 'filters[status]'],
		['filters[status][]=OPEN', 'filters[status]'],
		['filters[status]=OPEN&filters[status]=CLOSED', 'filters[status]'],
		['filters[priority]=URGENT', 'filters[priority]'],
		['filters[unassigned]=1', 'filters[unassigned]'],
		['filters[assigned_to_me]=', 'filters[assigned_to_me]'],
		['filters[search]=', 'filters[search]'],
		['filters[tags]=a', 'filters[tags]'],
		['filters[tags][0]=a', 'filters[tags][0]'],
		['filters[tags][]=', 'filters[tags][]'],
		['filters[case_ids][]=x', 'filters[case_ids][]'],
		['filters[case_ids][]=1,2', 'filters[case_ids][]'],
		['filters[assignees][]=a@example.com', 'filters[assignees][]'],
		['filters[metadata]=x', 'filters[metadata]'],
		['filters[metadata][]=x', 'filters[metadata]'],
		['filters[metadata][a]=x&filters[metadata][a]=y', 'filters[metadata][a]'],
		['filters[start_date]=2026-01-01', 'filters[start_date]'],
		['filters[start_date]=2026-01-01T00:00:00', 'filters[start_date]'],
		['filters[start_date]=2026-01-01T00:00:00%2B01:00', 'filters[start_date]'],
		['filters[end_date]=2026-02-30T00:00:00Z', 'filters[end_date]'],
		['filters[updated_at_end_date]=2026-01-01T00:00Z', 'filters[updated_at_end_date]'],
		['filters[search]=%zz', 'filters[search]=%zz'],
	])('refuses the query %s and names the parameter', async (query, name) => {
		const { status, json } = await client.send(`/api/v2/cases?${query}`);
		expect(status).toBe(400);
		expect(json.error).toContain(name);
		expect(client.sandbox.rejected).toMatchObject([{ rejected: json.error, status: 400 }]);
	});

	it('accepts only page and per_page for lists of a case, and only numbers as its ID', async () => {
		for (const list of ['comments', 'activities', 'records', 'actions']) {
			await follow(
				client,
				`GET /cases/1/${list}?per_page=50&page=1 → 200
				GET /cases/1/${list}?order=CREATED_ASC → !400
				GET /cases/1/${list}?filters[status]=OPEN → !400
				GET /cases/1/${list}?per_page=51 → !400`,
			);
		}
		for (const id of ['abc', '0', '1.5', '1%2F2', '%20']) {
			await follow(client, `GET /cases/${id}/comments → !400`);
		}
	});

	it('refuses unknown requests', async () => {
		await follow(
			client,
			`GET /cases/1 → !404
			GET /cases/ → !404
			GET /api/v1/cases → !404
			POST /cases → !404
			HEAD /cases → !404
			DELETE /cases/1/comments → !404
			PUT /cases/1/actions → !404`,
		);
	});
});

describe('The strict sandbox refuses a request', () => {
	const key = () => ({ 'x-user-token': client.sandbox.keys.team });

	it('without content-type application/json, also a GET', async () => {
		const send = async (headers: Record<string, string>, init: RequestInit = {}) =>
			(await client.send('/api/v2/cases', { headers: { ...key(), ...headers }, ...init })).status;
		expect(await send({})).toBe(415);
		expect(await send({ 'content-type': 'text/plain' })).toBe(415);
		expect(await send({ 'content-type': 'application/json; charset=utf-8' })).toBe(200);
		expect(client.sandbox.rejected).toHaveLength(2);
	});

	it('with a longer URL than the longest that is set', async () => {
		const longest = '/api/v2/cases?filters[search]='.length;
		const urlOf = (length: number) =>
			`/api/v2/cases?filters[search]=${'x'.repeat(length - longest)}`;
		expect((await client.send(urlOf(8000))).status).toBe(200);
		expect((await client.send(urlOf(8001))).status).toBe(414);
		expect((await client.send(urlOf(100_000))).status).toBe(414);
		expect(client.sandbox.rejected).toHaveLength(2);
	});

	it('that is a GET with a body', async () => {
		const sent = request(`${client.sandbox.url}/api/v2/cases`, {
			headers: { ...key(), 'content-type': 'application/json', 'content-length': 2 },
		});
		sent.end('{}');
		const [answer] = (await once(sent, 'response')) as [IncomingMessage];
		answer.resume();
		expect(answer.statusCode).toBe(400);
		expect(client.sandbox.rejected).toHaveLength(1);
	});
});
