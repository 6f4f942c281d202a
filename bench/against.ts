import { resolve } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { startEngine, type Engine, type RunMeasure } from './engine';
import { formatMegabytes, formatMs, type Figure } from './figures';
import { interleave, medianOf } from './measure';
import {
	CONCURRENCY,
	LARGE_PAGE,
	LATENCY_MS,
	PAGE_SIZE,
	runChecked,
	type Measurement,
} from './setup';
import { casesNodes, engineWorkflow } from './workflows';

interface Read {
	what: string;
	parameters?: IDataObject;
	isHttps?: boolean;
}

const READS: Read[] = [
	{ what: `${PAGE_SIZE} cases a page, ${CONCURRENCY} at a time` },
	{ what: `${PAGE_SIZE} cases a page, over HTTPS`, isHttps: true },
	{ what: `${PAGE_SIZE} cases a page, 16 at a time`, parameters: { options: { concurrency: 16 } } },
	{ what: `${LARGE_PAGE} cases a page`, parameters: { options: { pageSize: LARGE_PAGE } } },
];
const RAW_READS: Read[] = [
	{ what: `${PAGE_SIZE} cases a page, Raw`, parameters: { output: 'raw' } },
	{
		what: `${LARGE_PAGE} cases a page, Raw`,
		parameters: { output: 'raw', options: { pageSize: LARGE_PAGE } },
	},
];

type Quantity = [what: string, of: (run: RunMeasure) => number, format: (value: number) => string];

const SPEED: Quantity[] = [
	['time', ({ ms }) => ms, formatMs],
	['longest block', ({ longestBlockMs }) => longestBlockMs, formatMs],
	['CPU', ({ cpuMs }) => cpuMs, formatMs],
];
const PEAK: Quantity[] = [['peak memory', (run) => run.peakRssGrowth, formatMegabytes]];

/** Compares Return All of this build with that of the build in another folder of the repository, in turns. */
export const against =
	(folder: string): Measurement =>
	async ({ cases, rounds, server, httpsServer }) => {
		const start = { ours: () => startEngine(), theirs: () => startEngine(resolve(folder)) };
		const read = async (engine: Engine, { parameters, isHttps }: Read, limit?: number) => {
			const target = isHttps ? httpsServer : server;
			await target.reset({ latencyMs: LATENCY_MS });
			const amount = limit === undefined ? { returnAll: true } : { limit };
			const nodes = casesNodes({ operation: 'getAll', ...amount, ...parameters });
			return await runChecked(engine, engineWorkflow(target, nodes), limit ?? cases);
		};
		const compare = async (
			what: string,
			quantities: Quantity[],
			run: (name: keyof typeof start) => Promise<RunMeasure>,
		): Promise<Figure[]> => {
			const runs = await interleave(rounds, {
				ours: async () => await run('ours'),
				theirs: async () => await run('theirs'),
			});
			return quantities.map(([name, of, format]) => {
				const [ours, theirs] = [medianOf(runs.ours, of), medianOf(runs.theirs, of)];
				return {
					id: `against.${what}.${name}`,
					what: `Return All, ${what}: ${name}`,
					against: folder,
					measured: ours / theirs,
					unit: '×',
					detail: `${format(ours)} : ${format(theirs)}`,
				};
			});
		};

		const figures: Figure[] = [];
		const engines = { ours: start.ours(), theirs: start.theirs() };
		try {
			for (const each of READS) {
				const run = async (name: keyof typeof start) => await read(engines[name], each);
				figures.push(...(await compare(each.what, SPEED, run)));
			}
		} finally {
			await Promise.all([engines.ours.stop(), engines.theirs.stop()]);
		}
		for (const each of RAW_READS) {
			// In a process of its own, because the peak of a process never falls.
			const run = async (name: keyof typeof start) => {
				const engine = start[name]();
				const warmUp = read(engine, each, 1);
				return await warmUp.then(async () => await read(engine, each)).finally(engine.stop);
			};
			figures.push(...(await compare(each.what, PEAK, run)));
		}
		return figures;
	};
