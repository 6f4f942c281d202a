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
	/** Makes sizes smaller for a quick run: the given one at full size. */
	scaled: (size: number) => number;
}

/** A measurement: one or more rows of the table. */
export type Measurement = (setup: Setup) => Promise<Figure[]>;

/** Time that a request takes at the server, in ms, where a measurement has one. */
export const LATENCY_MS = 50;
export const PAGE_SIZE = 50;
/** The node's default. */
export const CONCURRENCY = 8;

export const FULL_SIZE = 20_000;

/** The least time, in ms, in which so many requests can be answered. */
export function limitMs(requests: number): number {
	return Math.ceil(requests / CONCURRENCY) * LATENCY_MS;
}

/**
 * What a figure says that compares the time of so many requests with the least time.
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

/** The request for a page of cases, as a Return All sends it, with nothing of n8n. */
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

/** Runs a workflow and checks that it gave as many items as it should. */
export async function runChecked(
	engine: Engine,
	workflow: Workflow,
	items: number,
): Promise<RunMeasure> {
	const run = await engine.calls.run(workflow);
	if (run.items === items) return run;
	throw new Error(`A workflow gave ${run.items} items instead of ${items}`);
}

/** Lends engines of their own to a measurement. */
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

/** Runs a workflow in an engine that has so far only run a small one, which loads what is needed. */
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
