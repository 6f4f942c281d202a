import { formatMs } from '../figures';
import { interleave, medianOf } from '../measure';
import {
	formatCount,
	LARGE_PAGE,
	LATENCY_MS,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { casesNodes, engineWorkflow, PEER, peerNodes } from '../workflows';

/** Return All with the largest pages of a newer service, against the peer with small and with the same pages. */
export const largePages: Measurement = async ({ cases, rounds, server }) => {
	const nodes = casesNodes({
		operation: 'getAll',
		returnAll: true,
		options: { pageSize: LARGE_PAGE },
	});
	const runs = await withEngines(['ours', 'smallPeers', 'largePeers'], async (engines) => {
		const run = async (name: keyof typeof engines, of: typeof nodes) => {
			await server.reset({ latencyMs: LATENCY_MS });
			return await runChecked(engines[name], engineWorkflow(server, of), cases);
		};
		return await interleave(rounds, {
			ours: async () => await run('ours', nodes),
			smallPeers: async () => await run('smallPeers', peerNodes(server)),
			largePeers: async () => await run('largePeers', peerNodes(server, LARGE_PAGE)),
		});
	});

	const what = `Return All, ${formatCount(cases)} cases at ${LATENCY_MS} ms, Page Size ${LARGE_PAGE}`;
	const [ms, smallMs, largeMs] = [runs.ours, runs.smallPeers, runs.largePeers].map((each) =>
		medianOf(each, (run) => run.ms),
	);
	const block = medianOf(runs.ours, (run) => run.longestBlockMs);
	const peerBlock = medianOf(runs.largePeers, (run) => run.longestBlockMs);
	return [
		{
			id: 'largePagesSmallPeer',
			what,
			against: `${PEER}, 50 cases a page`,
			measured: smallMs / ms,
			unit: '× faster',
			// Parsing takes most of the time: the same build took 2.5 to 2.8 s on different days of a shared machine.
			floor: 8.5,
			goal: 16,
			better: 'higher',
			detail: `${formatMs(ms)} : ${formatMs(smallMs)}`,
		},
		{
			id: 'largePagesPeer',
			what,
			against: `${PEER}, ${LARGE_PAGE} cases a page`,
			measured: largeMs / ms,
			unit: '× faster',
			floor: 1.5,
			goal: 3,
			better: 'higher',
			detail: `${formatMs(ms)} : ${formatMs(largeMs)}`,
		},
		{
			id: 'largePagesBlock',
			what: `Longest block of the event loop with Page Size ${LARGE_PAGE}`,
			against: 'none; n8n serves its editor from the same loop',
			measured: block,
			unit: ' ms',
			// On two cores, a full garbage collection between answers of 1.5 MB alone can take 100 ms.
			floor: 150,
			goal: 40,
			detail: `HTTP Request + Split Out ${formatMs(peerBlock)}`,
		},
	];
};
