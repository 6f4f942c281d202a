import type { RunMeasure, Workflow } from '../engine';
import { formatMegabytes } from '../figures';
import { interleave, medianOf } from '../measure';
import { formatCount, runInNewEngine, type Measurement } from '../setup';
import { casesNodes, engineWorkflow, peerNodes } from '../workflows';

/** What whole and simplified cases take in memory; each run in a process of its own. */
export const memory: Measurement = async ({ cases, rounds, server }) => {
	const getAll = (parameters: object) =>
		engineWorkflow(server, casesNodes({ operation: 'getAll', ...parameters }));
	const warmUp = getAll({ limit: 50 });
	const measure = async (workflow: Workflow): Promise<RunMeasure> =>
		await runInNewEngine(server, workflow, cases, warmUp);

	const { raw, simplified, peers } = await interleave(rounds, {
		raw: async () => await measure(getAll({ returnAll: true, output: 'raw' })),
		simplified: async () => await measure(getAll({ returnAll: true })),
		peers: async () => await measure(engineWorkflow(server, peerNodes(server))),
	});

	const count = formatCount(cases);
	const [peak, simplifiedPeak, peersPeak] = [raw, simplified, peers].map((runs) =>
		medianOf(runs, (run) => run.peakRssGrowth),
	);
	const [heap, simplifiedHeap] = [raw, simplified].map((runs) =>
		medianOf(runs, (run) => run.retainedHeap),
	);
	const whatPeak = `Memory: growth of the process at its peak, ${count} whole cases`;
	return [
		{
			id: 'peakMemory',
			what: whatPeak,
			against: 'HTTP Request with pagination + Split Out',
			measured: peak / peersPeak,
			unit: '×',
			floor: 1,
			goal: 0.8,
			detail: `${formatMegabytes(peak)} : ${formatMegabytes(peersPeak)}; simplified ${formatMegabytes(simplifiedPeak)}`,
			bar: { label: whatPeak, ours: peak, peers: peersPeak, unit: 'bytes' },
		},
		{
			id: 'retainedHeap',
			what: `Heap that ${count} cases hold after the run, Simplified`,
			against: 'the same cases, Raw',
			measured: simplifiedHeap / heap,
			unit: '×',
			floor: 0.25,
			goal: 0.2,
			detail: `${formatMegabytes(simplifiedHeap)} : ${formatMegabytes(heap)}`,
		},
	];
};
