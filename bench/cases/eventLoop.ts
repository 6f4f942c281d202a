import { formatMs } from '../figures';
import { interleave, medianOf } from '../measure';
import { formatCount, LATENCY_MS, runChecked, withEngines, type Measurement } from '../setup';
import { casesNodes, engineWorkflow, peerNodes } from '../workflows';

/** How long n8n's editor has to wait while cases come in: n8n serves it from the same loop. */
export const eventLoop: Measurement = async ({ cases, rounds, server }) => {
	const nodes = casesNodes({ operation: 'getAll', returnAll: true });
	const { ours, theirs } = await withEngines(['ours', 'theirs'], async (engines) => {
		const longestBlock = async (name: keyof typeof engines, contender: typeof nodes) => {
			await server.reset({ latencyMs: LATENCY_MS });
			return await runChecked(engines[name], engineWorkflow(server, contender), cases);
		};
		return await interleave(rounds, {
			ours: async () => await longestBlock('ours', nodes),
			theirs: async () => await longestBlock('theirs', peerNodes(server)),
		});
	});
	const [blocks, peerBlocks] = [ours, theirs].map((runs) => runs.map((run) => run.longestBlockMs));
	const measured = medianOf(blocks, (ms) => ms);
	return [
		{
			id: 'eventLoop',
			what: `Longest block of the event loop while ${formatCount(cases)} cases come in`,
			against: 'none',
			measured,
			unit: ' ms',
			floor: 50,
			goal: 20,
			detail: `${formatMs(Math.min(...blocks))} in the best run; HTTP Request + Split Out ${formatMs(medianOf(peerBlocks, (ms) => ms))}`,
		},
	];
};
