import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { MeasuredRun } from './results';

function readJson(file: string): unknown {
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** The load average of the last 5 minutes. */
export function currentLoad(): number {
	return loadavg()[1];
}

/** The machine and the versions that this run uses. */
export function describeMachine(loadBefore: number): MeasuredRun['machine'] {
	const { dependencies } = readJson(join(__dirname, '../tools/n8n/runtime/package.json')) as {
		dependencies: { n8n: string; node: string };
	};
	const core = readJson(require.resolve('n8n-core/package.json')) as { version: string };
	return {
		cpu: cpus()[0].model.trim(),
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 1e9),
		node: process.version,
		n8n: `${dependencies.n8n} on Node ${dependencies.node}`,
		n8nCore: core.version,
		load: [loadBefore, currentLoad()],
	};
}
