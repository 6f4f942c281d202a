import { Agent, get } from 'node:https';
import { connectControl } from './control';
import { clientOf, startForTest, storeWith } from './testSupport';

describe('startSandbox', () => {
	it('records every request as it came over the wire', async () => {
		const { sandbox, send, put } = await clientOf({ cases: 3, prefix: '/tenant-a' });
		await send(
			'/api/v2/cases?filters[tags][]=a%26b&filters[tags][]=c&filters[metadata][k]=v&page=1',
		);
		await put('/api/v2/cases/1/actions/batch', { actions: [] });
		expect(sandbox.requests).toMatchObject([
			{
				method: 'GET',
				path: '/api/v2/cases',
				queryString: 'filters[tags][]=a%26b&filters[tags][]=c&filters[metadata][k]=v&page=1',
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
		const waiting = send('/api/v2/cases').then(
			() => 'answered',
			() => 'cut',
		);
		while (sandbox.stats.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await sandbox.stop();
		await sandbox.stop();
		expect(await waiting).toBe('cut');
		expect(sandbox.stats).toMatchObject({ inFlight: 0, openSockets: 0 });
	});

	it('serves TLS with a certificate of its own', async () => {
		const { url, certificate, keys, stats } = await startForTest({ https: true, cases: 3 });
		expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
		const statusWith = (agent: Agent) =>
			new Promise<number | undefined | string>((resolve) => {
				get(
					`${url}/api/v2/cases`,
					{ agent, headers: { 'content-type': 'application/json', 'x-user-token': keys.team } },
					(response) => {
						response.resume();
						resolve(response.statusCode);
					},
				).on('error', ({ message }) => resolve(message));
			});
		expect(await statusWith(new Agent({ ca: certificate }))).toBe(200);
		expect(await statusWith(new Agent())).toMatch(/self.signed/);
		expect(stats.maxOpenSockets).toBeGreaterThan(0);
	});

	it.each(['drop', 'reset'] as const)('can %s a TLS connection', async (kind) => {
		const { url, certificate, keys, faults } = await startForTest({ https: true, cases: 3 });
		faults.add({ fault: { kind } });
		const outcome = await new Promise<string>((resolve) => {
			get(
				`${url}/api/v2/cases`,
				{
					agent: new Agent({ ca: certificate }),
					headers: { 'content-type': 'application/json', 'x-user-token': keys.team },
				},
				(response) => {
					response.on('end', () => resolve('whole'));
					response.on('error', () => resolve('cut in the body'));
					response.resume();
				},
			).on('error', () => resolve('no answer'));
		});
		expect(outcome).toBe(kind === 'drop' ? 'no answer' : 'cut in the body');
	});
});

describe('The control API', () => {
	it('reads and changes a sandbox in another process', async () => {
		const sandbox = await startForTest({
			store: storeWith([{ name: 'One' }, { name: 'Two', team_id: 3 }]),
			prefix: '/tenant-a',
		});
		const control = connectControl(sandbox.controlUrl);
		expect(await control.summary()).toEqual({
			url: sandbox.url,
			cases: 2,
			byStatus: { OPEN: 2 },
			byTeam: { SOC: 1, Fraud: 1 },
			visible: { personal: 1, service: 2, tenantOwner: 2, team: 1 },
		});

		const created = await control.createCase({ name: 'Three', tags: ['x'] });
		expect(created).toMatchObject({ case_id: 3, name: 'Three', tags: [{ name: 'x' }] });
		expect(await control.updateCase(3, { priority: 'HIGH' })).toMatchObject({ priority: 'HIGH' });
		expect(await control.closeCase(3)).toMatchObject({ status: 'CLOSED' });
		expect(await control.reopenCase(3)).toMatchObject({ status: 'OPEN', resolved_at: null });
		const commented = await control.addComment(3, 'Hello', { user_id: 2 });
		expect(commented.activities).toMatchObject([{}, { value: 'Hello', user: { user_id: 2 } }]);
		await control.replaceActions(3, [
			{ url: 'https://a.example/', label: 'a', action_type: 'page', action_text: 'Go' },
		]);
		expect((await control.getCase(3)).actions).toMatchObject([{ action_text: 'Go' }]);
		expect((await control.cases()).map(({ name }) => name)).toEqual(['One', 'Two', 'Three']);
		await control.deleteCase(3);
		await expect(control.getCase(3)).rejects.toThrow('no case 3');
		expect(sandbox.store.size).toBe(2);
	});

	it('answers with the case in one line to accept: text/plain', async () => {
		const { controlUrl } = await startForTest({ store: storeWith([{ name: 'One' }]) });
		const post = async (path: string, body: object) => {
			const headers = { accept: 'text/plain' };
			const response = await fetch(controlUrl + path, {
				method: 'POST',
				headers,
				body: JSON.stringify(body),
			});
			return await response.text();
		};
		expect(await post('/cases', { name: 'Two', priority: 'HIGH' })).toBe(
			'Case 2 (OPEN, HIGH): Two, 0 comments\n',
		);
		expect(await post('/cases/2/comments', { value: 'Hello' })).toBe(
			'Case 2 (OPEN, HIGH): Two, 1 comment\n',
		);
		expect(await post('/cases/9/close', {})).toBe('{"error":"The store has no case 9"}');
	});

	it('scripts faults, and does not appear in requests, counters and faults', async () => {
		const { sandbox, send } = await clientOf({ cases: 3 });
		const control = connectControl(sandbox.controlUrl);
		await control.addFaults(
			{ fault: { kind: 'status', status: 500 } },
			{ times: 2, fault: { kind: 'change', mutation: 'deleteCase', args: [1] } },
		);
		await expect(control.addFaults({ fault: { kind: 'nonsense' } } as never)).rejects.toThrow();
		expect((await send('/api/v2/cases')).status).toBe(500);
		expect(sandbox.store.size).toBe(2);
		expect(await control.requests()).toMatchObject([{ path: '/api/v2/cases', status: 500 }]);
		expect(await control.stats()).toMatchObject({ maxInFlight: 1 });
		await control.clearFaults();
		expect((await send('/api/v2/cases')).status).toBe(200);
		await control.clearRequests();
		expect(await control.requests()).toEqual([]);
	});
});
