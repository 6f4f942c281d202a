import { parseArgs } from 'node:util';
import { against } from './against';
import { bulkEdit } from './cases/bulkEdit';
import { comments } from './cases/comments';
import { digest } from './cases/digest';
import { filterCheck } from './cases/filterCheck';
import { getById } from './cases/getById';
import { inN8n } from './cases/inN8n';
import { largePages } from './cases/largePages';
import { listRequests } from './cases/listRequests';
import { memory } from './cases/memory';
import { records } from './cases/records';
import { replace } from './cases/replace';
import { returnAll } from './cases/returnAll';
import type { Figure } from './figures';
import { currentLoad, describeMachine } from './machine';
import { readResults, withLater, writeResults, type MeasuredRun } from './results';
import { startServer } from './server';
import { FULL_SIZE, type Measurement } from './setup';
import { resultsTable } from './table';

const USAGE = `Measures the built package against what a user would use instead.

  --quick         a smoke test: 1,000 cases, 2 runs of each; writes no file
  --only <names>  some of the measurements, with commas between them; writes no file by itself
  --update        with --only: puts their figures into the results, in place of earlier ones
  --against <folder>  instead: Return All of this build and of the one in that folder, in turns
  --help`;

const MEASUREMENTS: Record<string, Measurement> = {
	returnAll,
	largePages,
	inN8n,
	getById,
	comments,
	records,
	digest,
	replace,
	filterCheck,
	listRequests,
	memory,
	bulkEdit,
};

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string' },
			against: { type: 'string' },
			update: { type: 'boolean', default: false },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const measurements: typeof MEASUREMENTS =
		values.against === undefined ? MEASUREMENTS : { against: against(values.against) };
	const all = Object.keys(measurements);
	const names = values.only?.split(',') ?? all;
	const unknown = names.filter((name) => !(name in measurements));
	if (unknown.length > 0) {
		throw new Error(`Measurements are ${all.join(', ')}, not ${unknown.join(', ')}`);
	}
	const cases = values.quick ? FULL_SIZE / 20 : FULL_SIZE;
	const rounds = values.quick ? 2 : 5;
	const [server, httpsServer] = await Promise.all([
		startServer({ cases }),
		startServer({ cases, https: true }),
	]);
	const loadBefore = currentLoad();
	const figures: Figure[] = [];
	try {
		for (const name of names) {
			const start = performance.now();
			const scaled = (size: number) => Math.ceil((size * cases) / FULL_SIZE);
			figures.push(...(await measurements[name]({ rounds, cases, server, httpsServer, scaled })));
			console.error(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
		}
	} finally {
		await Promise.all([server.stop(), httpsServer.stop()]);
	}
	const run: MeasuredRun = {
		day: new Date().toISOString().slice(0, 10),
		machine: describeMachine(loadBefore),
		cases,
		rounds,
		figures,
	};
	if (!values.quick && values.against === undefined) {
		if (values.only === undefined) await writeResults(run);
		else if (values.update) await writeResults(withLater(await readResults(), run));
	}
	console.log(await resultsTable(run));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
