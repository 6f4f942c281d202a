import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RunWorkflowOptions } from '../tools/engine/run';
import { type Child, serveCalls, startChild } from './rpc';
import { noteSentRequests, type SentRequest } from './sentRequests';

/** A workflow to run in n8n's engine, all of it JSON. */
export type Workflow = Pick<
	RunWorkflowOptions,
	'nodes' | 'connections' | 'credentials' | 'pinData' | 'settings'
>;

/** What one run of a workflow took. Sizes are in bytes. */
export interface RunMeasure {
	ms: number;
	cpuMs: number;
	/** Items of the last node. */
	items: number;
	/** Longest time in which the event loop did nothing else. */
	longestBlockMs: number;
	/** What the process grew by at most. */
	peakRssGrowth: number;
	/** What the execution's data holds in the heap; only with `--expose-gc`. */
	retainedHeap: number;
	requests: SentRequest[];
}

const LOOP_RESOLUTION_MS = 1;

const handlers = {
	run: async (workflow: Workflow): Promise<RunMeasure> => {
		// Loaded here, so that whoever only starts this process doesn't load n8n.
		const { runWorkflow } = await import('../tools/engine/run');
		globalThis.gc?.();
		const heapBefore = process.memoryUsage().heapUsed;
		const rssBefore = process.memoryUsage.rss();
		const endNotes = noteSentRequests();
		const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
		loop.enable();
		const cpuBefore = process.cpuUsage();
		const start = performance.now();
		const { data, error, status } = await runWorkflow(workflow);
		const ms = performance.now() - start;
		const cpu = process.cpuUsage(cpuBefore);
		loop.disable();
		const requests = endNotes();
		if (error || status !== 'success') throw new Error(error?.message ?? status);
		const peak = process.resourceUsage().maxRSS * 1024;
		globalThis.gc?.();
		const heapAfter = process.memoryUsage().heapUsed;
		return {
			ms,
			cpuMs: (cpu.user + cpu.system) / 1000,
			// Read last, so that the data is still held when the heap is measured.
			items: data[workflow.nodes[workflow.nodes.length - 1].name][0].length,
			longestBlockMs: loop.max / 1e6 - LOOP_RESOLUTION_MS,
			peakRssGrowth: peak - rssBefore,
			retainedHeap: heapAfter - heapBefore,
			requests,
		};
	},
};

/** A process with n8n's engine and the built package. */
export type Engine = Child<typeof handlers>;

export function startEngine(): Engine {
	return startChild(__filename, ['--expose-gc']);
}

if (require.main === module) serveCalls(handlers);
