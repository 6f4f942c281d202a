import { basename, dirname, join } from 'node:path';
import { filesIn, read } from './sources';
import { expectTasteful } from './taste';

// Where code lives, and what it may import. "House rules" in CONTRIBUTING gives the reasons.

const NODES = 'nodes/Cases';
const FOLDERS = 'nodes credentials sandbox tools test e2e bench docs'.split(' ');
const EVERYTHING = FOLDERS.flatMap(filesIn);

interface Import {
	from: string;
	/** A path from the root of the repository, or the name of a package. */
	target: string;
	isPackage: boolean;
	/** Whether it is gone once TypeScript is compiled. */
	isType: boolean;
}

/** What a file imports, exports from another file or requires. */
function importsOf(from: string): Import[] {
	const source = read(from);
	const statements = [
		...source.matchAll(/^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s+)?['"]([^'"]+)['"]/gm),
		...source.matchAll(/\b(?:import|require)\(()()\s*['"]([^'"]+)['"]/g),
	];
	return statements.map(([, type, names, name]) => {
		const isPackage = !name.startsWith('.');
		const target = isPackage ? name : join(dirname(from), name);
		const areTypes = /^\{(\s*type\s[^,]+,?)+\s*\}$/.test(names ?? '');
		return { from, target, isPackage, isType: Boolean(type) || areTypes };
	});
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const codeIn = (...folders: string[]) =>
	EVERYTHING.filter((path) => /\.[cm]?[jt]s$/.test(path)).filter((path) =>
		folders.some((folder) => isIn(path, folder)),
	);
const importsIn = (...folders: string[]) => codeIn(...folders).flatMap(importsOf);
const shown = (imports: Import[]) => imports.map(({ from, target }) => `${from} imports ${target}`);

const room = (name: string) => `${NODES}/${name}`;
/** Imports of code in a room that lead to none of the rooms, packages aside. */
function outside(name: string, ...allowed: string[]): string[] {
	const found = importsIn(room(name));
	expect(found).not.toEqual([]);
	const isOutside = ({ target }: Import) =>
		![name, ...allowed].some((one) => isIn(target, room(one)));
	return shown(found.filter(({ target }) => target.includes('/')).filter(isOutside));
}
const packagesOf = (imports: Import[]) => imports.filter(({ target }) => !target.includes('/'));
const atRunTime = (imports: Import[]) => imports.filter(({ isType }) => !isType);

describe('A room', () => {
	test.each([
		['api', []],
		['fields', ['api']],
		['n8n', ['api', 'fields/filters', 'fields/options', 'fields/form']],
		['resources', ['api', 'fields', 'n8n']],
		['trigger', ['api', 'fields', 'n8n']],
		['trigger/changes', ['api']],
		['methods', ['api', 'fields', 'n8n']],
		['webhookTrigger', ['api', 'fields', 'n8n', 'trigger']],
	])('%s imports of the rooms, besides itself, only %j', (name, allowed) => {
		expect(outside(name, ...allowed)).toEqual([]);
	});

	test.each(['api', 'fields', 'trigger/changes'])(
		'%s imports nothing from n8n that runs, and api nothing at all',
		(name) => {
			const imported = packagesOf(importsIn(room(name)));
			expect(shown(name === 'api' ? imported : atRunTime(imported))).toEqual([]);
		},
	);
});

test('The node files import only from rooms and n8n-workflow', () => {
	const files = codeIn(NODES).filter((path) => dirname(path) === NODES);
	expect(files.map((path) => basename(path)).sort()).toEqual([
		'Cases.node.ts',
		'CasesTrigger.node.ts',
		'CasesWebhookTrigger.node.ts',
	]);
	const names = ['api', 'fields', 'n8n', 'resources', 'trigger', 'webhookTrigger', 'methods'];
	const rooms = names.map(room);
	const others = files
		.flatMap(importsOf)
		.filter(({ target }) => target !== 'n8n-workflow' && !rooms.some((one) => isIn(target, one)));
	expect(shown(others)).toEqual([]);
});

test('The sandbox imports nothing from the nodes, so that both can’t share a mistake', () => {
	const found = importsIn('sandbox').filter(({ target }) => isIn(target, 'nodes'));
	expect(shown(found)).toEqual([]);
});

const FILES = codeIn(...FOLDERS);
const fileOf = (target: string) =>
	FILES.find((path) =>
		[target, `${target}.ts`, `${target}.js`, `${target}/index.ts`].includes(path),
	);

test('No imports go in a circle, types included', () => {
	let left = new Map(
		FILES.map((path) => [path, importsOf(path).map(({ target }) => fileOf(target))] as const),
	);
	expect([...left.values()].flat().filter(Boolean).length).toBeGreaterThan(FILES.length);
	// A file that imports none of those left, or that none of them imports, is on no circle.
	for (let before = Infinity; left.size < before; ) {
		before = left.size;
		const used = new Set([...left.values()].flat());
		const isLeft = (path = '') => left.has(path);
		left = new Map([...left].filter(([path, imported]) => used.has(path) && imported.some(isLeft)));
	}
	expect([...left.keys()]).toEqual([]);
});

describe('What is published', () => {
	const published = codeIn('nodes', 'credentials').filter((path) => path.endsWith('.ts'));
	/** For clarity, not a race: a new rule takes the place of an old one. */
	const MOST_LINES = 11_850;
	const MOST_FILES = 140;

	test(`has at most ${MOST_FILES} files and ${MOST_LINES} lines`, () => {
		const lines = published.flatMap((path) => read(path).trimEnd().split('\n'));
		const counts = [
			{ count: published.length, most: MOST_FILES, what: 'files' },
			{ count: lines.length, most: MOST_LINES, what: 'lines' },
		];
		expectTasteful(
			counts
				.filter(({ count, most }) => count > most)
				.map(
					({ count, most, what }) =>
						`${count} ${what} of TypeScript are published, at most ${most}`,
				),
		);
	});

	test('has at most a dozen files in a folder', () => {
		const folders = [...new Set(published.map(dirname))];
		const sizeOf = (folder: string) => published.filter((path) => dirname(path) === folder).length;
		const crowded = folders.filter((folder) => sizeOf(folder) > 12);
		expectTasteful(crowded.map((folder) => `${folder} has ${sizeOf(folder)} files`));
	});

	test('is read in chains of at most six files of a folder', () => {
		const chains = new Map<string, string[]>();
		/** The longest chain of imports within the folder of a file that begins with it. */
		const chainOf = (path: string): string[] => {
			const known = chains.get(path);
			if (known !== undefined) return known;
			const next = importsOf(path)
				.map(({ target }) => fileOf(target))
				.filter((file) => file !== undefined)
				.filter((file) => dirname(file) === dirname(path))
				.map(chainOf)
				.reduce((longest, one) => (one.length > longest.length ? one : longest), []);
			chains.set(path, [path, ...next]);
			return [path, ...next];
		};
		const all = published.map(chainOf);
		expect(Math.max(...all.map((chain) => chain.length))).toBeGreaterThan(2);
		expectTasteful(all.filter((chain) => chain.length > 6).map((chain) => chain.join(' → ')));
	});
});

test.each([
	['tools', ['bench', 'e2e', 'test']],
	['tools/engine', ['tools/dev', 'tools/demo']],
	['tools/n8n', ['tools/dev', 'tools/demo']],
	['bench', ['e2e', 'test']],
])('%s/ imports nothing from %j', (folder, forbidden) => {
	const found = importsIn(folder);
	expect(found).not.toEqual([]);
	expect(
		shown(found.filter(({ target }) => forbidden.some((other) => isIn(target, other)))),
	).toEqual([]);
});

test('Every imported package is declared in package.json', () => {
	const configurations = 'gulpfile.js jest.config.js eslint.config.mjs eslint.dev.config.mjs';
	const packages = [...importsIn(...FOLDERS), ...configurations.split(' ').flatMap(importsOf)]
		.filter(({ isPackage, target }) => isPackage && !target.startsWith('node:'))
		.map(({ target, ...rest }) => ({ ...rest, target: /^(@[^/]+\/)?[^/]+/.exec(target)![0] }));
	const { devDependencies } = JSON.parse(read('package.json')) as {
		devDependencies: Record<string, string>;
	};
	expect(packages.length).toBeGreaterThan(100);
	expect(shown(packages.filter(({ target }) => !(target in devDependencies)))).toEqual([]);
});

test('Code files are named in camelCase', () => {
	const published = /\.(node|credentials)\.[jt]s$/;
	const camelCase = /^[a-z][a-zA-Z0-9]*(\.property|\.config)?(\.test)?(\.d)?\.m?[jt]s$/;
	const names = EVERYTHING.filter((path) => /\.m?[jt]s$/.test(path) && !published.test(path));
	expect(names.filter((path) => !camelCase.test(basename(path)))).toEqual([]);
});
