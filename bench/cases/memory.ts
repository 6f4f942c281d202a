import type { RunMeasure, Workflow } from '../engine';
import { type Figure, formatMegabytes } from '../figures';
import { interleave, medianOf } from '../measure';
import { formatCount, LARGE_PAGE, LATENCY_MS, runInNewEngine, type Measurement } from '../setup';
import { casesNodes, engineWorkflow, PEER, peerNodes } from '../workflows';

/** The memory that whole and simplified cases take; each run has its own process. */
export const memory: Measurement = async ({ cases, rounds, server }) => {
	const getAll = (parameters: object) =>
		engineWorkflow(server, casesNodes({ operation: 'getAll', ...parameters }));
	const warmUp = getAll({ limit: 50 });
	const raw = getAll({ returnAll: true, output: 'raw' });
	const peer = engineWorkflow(server, peerNodes(server));
	const rawLarge = getAll({ returnAll: true, output: 'raw', options: { pageSize: LARGE_PAGE } });
	const peerLarge = engineWorkflow(server, peerNodes(server, LARGE_PAGE));
	const measure = (workflow: Workflow, latencyMs: number) => async (): Promise<RunMeasure> =>
		await runInNewEngine(server, workflow, cases, warmUp, latencyMs);

	const runs = await interleave(rounds, {
		raw: measure(raw, LATENCY_MS),
		simplified: measure(getAll({ returnAll: true }), LATENCY_MS),
		peer: measure(peer, LATENCY_MS),
		rawAtOnce: measure(raw, 0),
		peerAtOnce: measure(peer, 0),
		rawLarge: measure(rawLarge, LATENCY_MS),
		peerLarge: measure(peerLarge, LATENCY_MS),
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
	const largePages = peakFigure(
		'peakMemoryLargePages',
		LATENCY_MS,
		peakOf('rawLarge'),
		peakOf('peerLarge'),
	);
	const peak = peakFigure('peakMemory', LATENCY_MS, ours, peers);
	const [simplifiedHeap, heap] = [heapOf('simplified'), heapOf('raw')];
	return [
		{
			...peak,
			detail: `${peak.detail}; simplified ${formatMegabytes(peakOf('simplified'))}`,
			bar: { label: peak.what, ours, peers, unit: 'bytes' },
		},
		peakFigure('peakMemoryAtOnce', 0, peakOf('rawAtOnce'), peakOf('peerAtOnce')),
		{ ...largePages, what: `${largePages.what}, ${LARGE_PAGE} cases a page` },
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
