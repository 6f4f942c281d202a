import { clientOf } from './testSupport';

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
				key: 'tenantOwner',
			},
		]);
		const [{ startedAt, endedAt }] = sandbox.requests;
		expect(endedAt).toBeGreaterThan(startedAt);
		sandbox.clearRequests();
		expect(sandbox.requests).toEqual([]);
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
		while (sandbox.stats.openSockets > 0) await new Promise((resolve) => setImmediate(resolve));
		expect(sandbox.stats.inFlight).toBe(0);
	});
});
