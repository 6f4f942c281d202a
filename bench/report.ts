import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chartOf } from './chart';
import { readResults } from './results';
import { resultsTable } from './table';

/* Writes the results of the last full run, and of later ones, into the documentation. */

const PAGE = join(__dirname, '../docs/performance.md');
const CHART = join(__dirname, '../docs/images/performance.svg');
const BEGIN = '<!-- results: written by npm run bench:report -->';
const END = '<!-- end of results -->';

async function main(): Promise<void> {
	const results = await readResults();
	const page = await readFile(PAGE, 'utf8');
	const [before, rest] = page.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error(`${PAGE} has no place for the results`);
	const table = await resultsTable(results);
	await writeFile(PAGE, `${before}${BEGIN}\n\n${table}\n${END}${after}`);
	await mkdir(dirname(CHART), { recursive: true });
	const runs = [results, ...(results.later ?? [])];
	await writeFile(CHART, chartOf(runs.flatMap(({ figures }) => figures)));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
