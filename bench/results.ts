import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './figures';

/** What a run of the bench measured, and on what. */
export interface MeasuredRun {
	/** As `2026-01-31`. */
	day?: string;
	machine: {
		cpu: string;
		cores: number;
		memoryGb: number;
		/** The Node version of the engine; n8n itself has its own. */
		node: string;
		n8n: string;
		n8nCore: string;
		/** The load average of 5 minutes, before and after all runs. */
		load: [number, number];
	};
	cases: number;
	rounds: number;
	figures: Figure[];
}

/** The last full run, and what was measured again since; all published figures come from them. */
export interface Results extends MeasuredRun {
	later?: MeasuredRun[];
}

/** The results with a later run of some measurements, whose figures replace earlier ones of the same names. */
export function withLater({ later = [], ...full }: Results, run: MeasuredRun): Results {
	const ids = run.figures.map(({ id }) => id);
	const withoutThese = <T extends MeasuredRun>(earlier: T): T => ({
		...earlier,
		figures: earlier.figures.filter(({ id }) => !ids.includes(id)),
	});
	const others = later.map(withoutThese).filter(({ figures }) => figures.length > 0);
	return { ...withoutThese(full), later: [...others, run] };
}

const RESULTS_FILE = join(__dirname, 'results.json');

export async function readResults(): Promise<Results> {
	return JSON.parse(await readFile(RESULTS_FILE, 'utf8')) as Results;
}

export async function writeResults(results: Results): Promise<void> {
	await writeFile(RESULTS_FILE, `${JSON.stringify(results, null, '\t')}\n`);
}
