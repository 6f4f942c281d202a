import { clientOf } from './testSupport';

it('The sandbox stops at once with open sockets and waiting answers, and may be stopped twice', async () => {
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
