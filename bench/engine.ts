import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RunWorkflowOptions } from '../tools/engine/run';
import { type Child, serveCalls, startChild } from './rpc';

/** A workflow to run in n8n's engine; all of it is JSON. */
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
	/** The longest time for which the event loop was blocked. */
	longestBlockMs: number;
	/** The growth of the process at its peak. */
	peakRssGrowth: number;
	/** The heap that the execution's data takes; needs `--expose-gc`. */
	retainedHeap: number;
}

const LOOP_RESOLUTION_MS = 1;

const handlers = {
	run: async (workflow: Workflow): Promise<RunMeasure> => {
		// Loaded here, so that importing this file to start the process doesn't load n8n.
		const { runWorkflow } = await import('../tools/engine/run');
		globalThis.gc?.();
		const heapBefore = process.memoryUsage().heapUsed;
		const rssBefore = process.memoryUsage.rss();
		const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
		loop.enable();
		const cpuBefore = process.cpuUsage();
		const start = performance.now();
		const { data, error, status } = await runWorkflow(workflow);
		const ms = performance.now() - start;
		const cpu = process.cpuUsage(cpuBefore);
		loop.disable();
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
		};
	},
};

/** A process with n8n's engine and the built package. */
export type Engine = Child<typeof handlers>;

/** @param folder of the repository whose build runs; default: this one */
export function startEngine(folder = join(__dirname, '..')): Engine {
	return startChild(join(folder, 'bench/engine.ts'), ['--expose-gc']);
}

if (require.main === module) serveCalls(handlers);
