import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './figures';

/** All that a full run found out; everything that is published is made from it. */
export interface Results {
	machine: {
		cpu: string;
		cores: number;
		memoryGb: number;
		/** That of the engine; n8n itself brings its own. */
		node: string;
		n8n: string;
		n8nCore: string;
		/** Processes that wanted to run, on average over 5 minutes, before and after all runs. */
		load: [number, number];
	};
	cases: number;
	rounds: number;
	figures: Figure[];
}

export const RESULTS_FILE = join(__dirname, 'results.json');

export async function readResults(): Promise<Results> {
	return JSON.parse(await readFile(RESULTS_FILE, 'utf8')) as Results;
}
