import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../.github/workflows');

/** What the workflows on GitHub use, each as the rest of its line. Those of this repository begin with `./`. */
const used = readdirSync(FOLDER)
	.flatMap((file) => [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\buses:\s*(.+)/g)])
	.map(([, action]) => action)
	.filter((action) => !action.startsWith('./'));

const PINNED = /^(?<name>[\w.-]+\/[\w./-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

describe('The workflows on GitHub', () => {
	test('use actions by their commit, with the version as a comment', () => {
		expect(used.length).toBeGreaterThan(3);
		expect(used.filter((action) => !PINNED.test(action))).toEqual([]);
	});

	test('use each action in one version', () => {
		const names = [...new Set(used)].map((action) => PINNED.exec(action)?.groups?.name);

		expect(names.sort()).toEqual([...new Set(names)].sort());
	});
});
