import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from './figures';

/** The results of a full run; all published figures come from them. */
export interface Results {
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

export const RESULTS_FILE = join(__dirname, 'results.json');

export async function readResults(): Promise<Results> {
	return JSON.parse(await readFile(RESULTS_FILE, 'utf8')) as Results;
}
