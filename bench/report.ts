import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartOf } from './chart';
import { readResults } from './results';
import { peersTable, resultsTable } from './table';

/* Writes the results of the last full run, and of later ones, into the documentation. */

const DOCS = join(__dirname, '../docs');
const BEGIN = '<!-- results: written by npm run bench:report -->';
const END = '<!-- end of results -->';

/** Puts a text where a page has its place for results. */
async function writeInto(name: string, text: string): Promise<void> {
	const path = join(DOCS, name);
	const [before, rest] = (await readFile(path, 'utf8')).split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error(`${path} has no place for the results`);
	await writeFile(path, `${before}${BEGIN}\n\n${text}\n${END}${after}`);
}

async function main(): Promise<void> {
	const results = await readResults();
	await writeInto('performance.md', await peersTable(results));
	await writeInto('decisions/bench.md', await resultsTable(results));
	const runs = [results, ...(results.later ?? [])];
	const chart = chartOf(runs.flatMap(({ figures }) => figures));
	await writeFile(join(DOCS, 'images/performance.svg'), chart);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
