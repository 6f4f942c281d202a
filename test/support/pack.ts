import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Never packed, and large. */
const LEFT_OUT = new Set(['.git', '.n8n-dev', '.stryker-tmp', 'node_modules', 'reports']);

/**
 * Runs `npm pack` in a copy without `node_modules`: there npm would first read the manifests of two thousand packages.
 * @returns what it prints
 */
export function packCopy(...options: string[]): string {
	const copy = mkdtempSync(join(tmpdir(), 'pack-'));
	try {
		cpSync(ROOT, copy, {
			recursive: true,
			filter: (path) => !LEFT_OUT.has(relative(ROOT, path)),
		});
		return execFileSync('npm', ['pack', '--ignore-scripts', ...options], {
			cwd: copy,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
	} finally {
		rmSync(copy, { recursive: true });
	}
}
