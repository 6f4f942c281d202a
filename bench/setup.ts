import { startEngine, type Engine, type RunMeasure, type Workflow } from './engine';
import { type Figure, formatMs } from './figures';
import type { Server } from './server';

/** What every measurement gets. */
export interface Setup {
	/** Counted runs of each contender. */
	rounds: number;
	/** Cases that the server has; the full size is 20,000. */
	cases: number;
	server: Server;
	/** The same service with TLS. */
	httpsServer: Server;
	/** Scales a size down for a quick run; in a full run it returns the size unchanged. */
	scaled: (size: number) => number;
}

/** A measurement: one or more rows of the table. */
export type Measurement = (setup: Setup) => Promise<Figure[]>;

/** The latency of the server, in ms, in measurements with latency. */
export const LATENCY_MS = 50;
export const PAGE_SIZE = 50;
/** Cases on a page of a newer service. */
export const LARGE_PAGE = 500;
/** The node's default. */
export const CONCURRENCY = 8;

export const FULL_SIZE = 20_000;

/** The least time, in ms, in which this many requests can be answered. */
function limitMs(requests: number): number {
	return Math.ceil(requests / CONCURRENCY) * LATENCY_MS;
}

/**
 * The fields of a figure that compares the time of requests with the least possible time.
 * @param of what the requests are for, e.g. ` pages`
 */
export function againstLimit(
	ms: number,
	requests: number,
	of = '',
): Pick<Figure, 'against' | 'measured' | 'unit' | 'detail'> {
	const limit = limitMs(requests);
	return {
		against: `ceil(${requests}${of} / ${CONCURRENCY}) × ${LATENCY_MS} ms`,
		measured: ms / limit,
		unit: '×',
		detail: `${formatMs(ms)} : ${formatMs(limit)}`,
	};
}

/** The request for a page of cases as Return All sends it, for clients without n8n. */
export function pageRequest(
	{ url, key }: Pick<Server, 'url' | 'key'>,
	page: number,
): { address: string; headers: Record<string, string> } {
	return {
		address: `${url}/api/v2/cases?per_page=${PAGE_SIZE}&order=CREATED_ASC&page=${page}`,
		headers: { 'content-type': 'application/json', 'x-user-token': key },
	};
}

export function formatCount(count: number): string {
	return count.toLocaleString('en');
}

/** Runs a workflow and checks the number of its items. */
export async function runChecked(
	engine: Engine,
	workflow: Workflow,
	items: number,
): Promise<RunMeasure> {
	const run = await engine.calls.run(workflow);
	if (run.items === items) return run;
	throw new Error(`A workflow returned ${run.items} items instead of ${items}`);
}

/** Starts engines for a measurement and stops them after it. */
export async function withEngines<Name extends string, T>(
	names: Name[],
	use: (engines: Record<Name, Engine>) => Promise<T>,
): Promise<T> {
	const engines = Object.fromEntries(names.map((name) => [name, startEngine()]));
	try {
		return await use(engines as Record<Name, Engine>);
	} finally {
		await Promise.all(Object.values(engines).map(async (engine) => await engine.stop()));
	}
}

/** Runs a workflow in a new engine, after a small one that loads all code. */
export async function runInNewEngine(
	server: Server,
	workflow: Workflow,
	items: number,
	warmUp: Workflow,
	latencyMs = 0,
): Promise<RunMeasure> {
	return await withEngines(['only'], async ({ only }) => {
		await server.reset({ latencyMs });
		await only.calls.run(warmUp);
		return await runChecked(only, workflow, items);
	});
}
