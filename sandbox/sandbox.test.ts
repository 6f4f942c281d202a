import { Agent, get } from 'node:https';
import { clientOf, startForTest, storeWith } from './testSupport';

describe('startSandbox', () => {
	it('records every request as it came over the wire', async () => {
		const { sandbox, send, put } = await clientOf({ cases: 3, prefix: '/tenant-a' });
		const queryString = 'filters[tags][]=a%26b&filters[tags][]=c&filters[metadata][k]=v&page=1';
		await send(`/api/v2/cases?${queryString}`);
		await put('/api/v2/cases/1/actions/batch', { actions: [] });
		expect(sandbox.requests).toMatchObject([
			{
				method: 'GET',
				path: '/api/v2/cases',
				queryString,
				query: { filters: { tags: ['a&b', 'c'], metadata: { k: 'v' } }, page: '1' },
				headers: { 'content-type': 'application/json' },
				status: 200,
			},
			{
				method: 'PUT',
				path: '/api/v2/cases/1/actions/batch',
				body: { actions: [] },
				status: 200,
				key: 'tenantOwner',
			},
		]);
		const [{ startedAt, endedAt }] = sandbox.requests;
		expect(endedAt).toBeGreaterThan(startedAt);
		sandbox.clearRequests();
		expect(sandbox.requests).toEqual([]);
	});

	it('counts requests in flight and open sockets', async () => {
		const { sandbox, send } = await clientOf({ cases: 3, latencyMs: 50 });
		await Promise.all([1, 2, 3].map(() => send('/api/v2/cases')));
		expect(sandbox.stats).toMatchObject({ inFlight: 0, maxInFlight: 3, maxOpenSockets: 3 });
	});

	it('stops at once with open sockets and waiting answers, and may be stopped twice', async () => {
		const { sandbox, send } = await clientOf({ cases: 1 });
		await send('/api/v2/cases');
		sandbox.faults.add({ fault: { kind: 'latency', ms: 60_000 } });
		const waiting = expect(send('/api/v2/cases')).rejects.toThrow();
		while (sandbox.stats.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await sandbox.stop();
		await sandbox.stop();
		await waiting;
		expect(sandbox.stats).toMatchObject({ inFlight: 0, openSockets: 0 });
	});

	it('serves TLS with a certificate of its own, also under faults', async () => {
		const { url, certificate, keys, faults } = await startForTest({ https: true, cases: 3 });
		const headers = { 'content-type': 'application/json', 'x-user-token': keys.team };
		const outcomeWith = (agent: Agent) =>
			new Promise<string>((resolve) => {
				get(`${url}/api/v2/cases`, { agent, headers }, (response) => {
					response.on('end', () => resolve('whole'));
					response.on('error', () => resolve('cut in the body'));
					response.resume();
				}).on('error', ({ message }) => resolve(message));
			});
		const trusting = () => new Agent({ ca: certificate });
		expect(await outcomeWith(trusting())).toBe('whole');
		expect(await outcomeWith(new Agent())).toMatch(/self.signed/);
		faults.add({ fault: { kind: 'drop' } }, { fault: { kind: 'reset' } });
		expect(await outcomeWith(trusting())).toBe('socket hang up');
		expect(await outcomeWith(trusting())).toBe('cut in the body');
	});
});

it('The control API reads and changes a sandbox, and answers with a case in one line', async () => {
	const store = storeWith([{ name: 'One' }, { name: 'Two', team_id: 3 }]);
	const { url, controlUrl, requests } = await startForTest({ store, prefix: '/tenant-a' });
	const call = async (path: string, body?: object) => {
		const init = body && { method: 'POST', body: JSON.stringify(body) };
		return await (await fetch(controlUrl + path, init)).text();
	};
	expect(JSON.parse(await call('/summary'))).toEqual({
		url,
		cases: 2,
		byStatus: { OPEN: 2 },
		byTeam: { SOC: 1, Fraud: 1 },
		visible: { personal: 1, service: 2, tenantOwner: 2, team: 1 },
	});
	expect(await call('/cases', { name: 'New' })).toBe('Case 3 (OPEN, MEDIUM): New, 0 comments\n');
	expect(await call('/cases/3', { priority: 'HIGH' })).toContain('(OPEN, HIGH)');
	expect(await call('/cases/3/comments', { value: 'Hello' })).toContain('New, 1 comment\n');
	expect(await call('/cases/3/close', {})).toContain('(CLOSED, HIGH)');
	expect(await call('/cases/9/close', {})).toBe('{"error":"The store has no case 9"}');
	expect([await call('/requests'), requests.length]).toEqual(['[]', 0]);
});
