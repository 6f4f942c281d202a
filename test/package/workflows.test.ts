import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../.github/workflows');

const texts = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));

/** What the workflows on GitHub use, each as the rest of its line. Those of this repository begin with `./`. */
const used = texts
	.flatMap((text) => [...text.matchAll(/\buses:\s*(.+)/g)])
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

	test('install what the lockfile says', () => {
		const installs = texts.flatMap((text) => text.match(/\bnpm (?:ci|i|install)\b/g) ?? []);
		expect(installs.length).toBeGreaterThan(3);
		expect(new Set(installs)).toEqual(new Set(['npm ci']));
	});
});

test('CI on GitHub and .ci/run check a change by the same command', () => {
	const check = /^\s*(?:- run: )?npm run check$/m;
	expect(readFileSync(join(FOLDER, 'ci.yml'), 'utf8')).toMatch(check);
	expect(readFileSync(join(FOLDER, '../../.ci/run'), 'utf8')).toMatch(check);
});

test('Only .ci/run fails for reasons of taste', () => {
	const strict = /^export TASTE=fail$/m;
	expect(readFileSync(join(FOLDER, '../../.ci/run'), 'utf8')).toMatch(strict);
	expect(texts.filter((text) => text.includes('TASTE'))).toEqual([]);
});
