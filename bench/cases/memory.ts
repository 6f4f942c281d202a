import type { RunMeasure, Workflow } from '../engine';
import { type Figure, formatMegabytes } from '../figures';
import { interleave, medianOf } from '../measure';
import { formatCount, LATENCY_MS, runInNewEngine, type Measurement } from '../setup';
import { casesNodes, engineWorkflow, PEER, peerNodes } from '../workflows';

/** The memory that whole and simplified cases take; each run has its own process. */
export const memory: Measurement = async ({ cases, rounds, server }) => {
	const getAll = (parameters: object) =>
		engineWorkflow(server, casesNodes({ operation: 'getAll', ...parameters }));
	const warmUp = getAll({ limit: 50 });
	const raw = getAll({ returnAll: true, output: 'raw' });
	const peer = engineWorkflow(server, peerNodes(server));
	const measure = (workflow: Workflow, latencyMs: number) => async (): Promise<RunMeasure> =>
		await runInNewEngine(server, workflow, cases, warmUp, latencyMs);

	const runs = await interleave(rounds, {
		raw: measure(raw, LATENCY_MS),
		simplified: measure(getAll({ returnAll: true }), LATENCY_MS),
		peer: measure(peer, LATENCY_MS),
		rawAtOnce: measure(raw, 0),
		peerAtOnce: measure(peer, 0),
	});

	const count = formatCount(cases);
	const peakOf = (name: keyof typeof runs) => medianOf(runs[name], (run) => run.peakRssGrowth);
	const heapOf = (name: keyof typeof runs) => medianOf(runs[name], (run) => run.retainedHeap);
	const peakFigure = (id: string, latencyMs: number, ours: number, peers: number): Figure => ({
		id,
		what: `Memory: growth of the process at its peak, ${count} whole cases at ${latencyMs} ms a request`,
		against: PEER,
		measured: ours / peers,
		unit: '×',
		floor: 1,
		goal: 0.8,
		detail: `${formatMegabytes(ours)} : ${formatMegabytes(peers)}`,
	});
	const [ours, peers] = [peakOf('raw'), peakOf('peer')];
	const peak = peakFigure('peakMemory', LATENCY_MS, ours, peers);
	const [simplifiedHeap, heap] = [heapOf('simplified'), heapOf('raw')];
	return [
		{
			...peak,
			detail: `${peak.detail}; simplified ${formatMegabytes(peakOf('simplified'))}`,
			bar: { label: peak.what, ours, peers, unit: 'bytes' },
		},
		peakFigure('peakMemoryAtOnce', 0, peakOf('rawAtOnce'), peakOf('peerAtOnce')),
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
