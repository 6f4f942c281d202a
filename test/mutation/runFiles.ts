import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const tests = join(__dirname, '..');

/**
 * Runs test files in one, so that sources and libraries are loaded once for each mutant. The first failure ends a run, so
 * quick tests come first.
 * @param parts files, and folders with all files in them, by their paths in test/
 */
export function runFiles(...parts: string[]): void {
	const files = parts.flatMap((part) =>
		statSync(join(tests, part)).isDirectory()
			? readdirSync(join(tests, part), { recursive: true, encoding: 'utf8' })
					.filter((name) => name.endsWith('.test.ts'))
					.map((name) => join(part, name))
			: [part],
	);
	describe.each(files)('%s', (file) => {
		jest.requireActual(join(tests, file));
	});
}
