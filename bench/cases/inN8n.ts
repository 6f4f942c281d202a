import { formatMs } from '../figures';
import { startN8nUnderTest } from '../inN8n';
import { interleave, medianOf } from '../measure';
import { formatCount, type Measurement } from '../setup';
import { casesNodes, credentialsFor, PEER, peerNodes } from '../workflows';

/** Return All and the peer in a real n8n, which also saves each execution in its database. */
export const inN8n: Measurement = async ({ cases, rounds, server }) => {
	const n8n = await startN8nUnderTest();
	try {
		await n8n.storeCredentials(credentialsFor(server));
		const getAll = { operation: 'getAll', returnAll: true };
		await n8n.storeWorkflow('benchOurs', casesNodes(getAll));
		await n8n.storeWorkflow('benchRaw', casesNodes({ ...getAll, output: 'raw' }));
		await n8n.storeWorkflow('benchPeer', peerNodes(server));
		await n8n.storeWorkflow('benchEmpty', []);
		const execute = async (id: string) => {
			await server.reset({ latencyMs: 0 });
			const took = await n8n.execute(id);
			const { requests } = await server.traffic();
			if (id !== 'benchEmpty' && requests.length < cases / 50) {
				throw new Error(`${id} made only ${requests.length} requests`);
			}
			return took;
		};
		const { ours, raw, peers, empty } = await interleave(rounds, {
			ours: async () => await execute('benchOurs'),
			raw: async () => await execute('benchRaw'),
			peers: async () => await execute('benchPeer'),
			empty: async () => await execute('benchEmpty'),
		});

		const what = `Return All, ${formatCount(cases)} cases at 0 ms in n8n itself (CLI, SQLite)`;
		const against = PEER;
		const figuresFor = (quantity: 'ms' | 'cpuMs') => {
			const [node, rawNode, peer, start] = [ours, raw, peers, empty].map((runs) =>
				medianOf(runs, (run) => run[quantity]),
			);
			// n8n's own start is the same for all and not a part of running a workflow.
			const [net, netRaw, netPeer] = [node, rawNode, peer].map((total) =>
				Math.max(1, total - start),
			);
			return {
				net,
				netRaw,
				netPeer,
				detail: `${formatMs(net)} : ${formatMs(netPeer)}, without the ${formatMs(start)} of n8n's start`,
			};
		};
		const time = figuresFor('ms');
		const cpu = figuresFor('cpuMs');
		return [
			{
				id: 'inN8nTime',
				what: `${what}: time`,
				against,
				measured: time.netPeer / time.net,
				unit: '× faster',
				floor: 2,
				goal: 3,
				better: 'higher',
				detail: time.detail,
				bar: { label: what, ours: time.net, peers: time.netPeer, unit: 'ms' },
			},
			{
				id: 'inN8nCpu',
				what: `${what}: CPU`,
				against,
				measured: cpu.net / cpu.netPeer,
				unit: '×',
				floor: 0.5,
				goal: 0.35,
				detail: cpu.detail,
			},
			{
				id: 'inN8nRawTime',
				what: `The same with Output: Raw, so that both return whole cases: time`,
				against,
				measured: time.netPeer / time.netRaw,
				unit: '× faster',
				better: 'higher',
				detail: `${formatMs(time.netRaw)} : ${formatMs(time.netPeer)}`,
			},
			{
				id: 'inN8nRawCpu',
				what: `The same with Output: Raw: CPU`,
				against,
				measured: cpu.netRaw / cpu.netPeer,
				unit: '×',
				detail: `${formatMs(cpu.netRaw)} : ${formatMs(cpu.netPeer)}`,
			},
		];
	} finally {
		await n8n.remove();
	}
};
