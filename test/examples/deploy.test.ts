import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../../package.json';
import runtime from '../../tools/n8n/runtime/package.json';
import { packCopy } from '../support/pack';

const ROOT = join(__dirname, '../..');
/** A pre-release has the files of the release that it is for. */
const RELEASE = manifest.version.replace(/-.*/, '');
const read = (file: string) => readFileSync(join(ROOT, 'examples/deploy', file), 'utf8');
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Compose {
	services: Record<string, { image: string; environment: Record<string, string> }>;
	volumes: Record<string, null>;
}
interface Values {
	config: { extraEnv: Array<{ name: string; value: string }> };
}

const COMPOSE_FILES = ['compose.yaml', 'compose.queue.yaml'];
// Docker Compose merges `<<` as YAML 1.1 has it.
const compose = (file: string) => parse(read(file), { merge: true }) as Compose;
const helm = parse(read('helm-values.yaml')) as Values;

/** The lines for a Compose file that docs/install.md shows. */
const shown = parse(/^```yaml\n([^]*?)^```/m.exec(page('docs/install.md'))?.[1] ?? '') as Compose;

/** The services of a file that run n8n. */
const processesOf = (file: string) =>
	Object.entries(compose(file).services).filter(([, { image }]) => image.includes('n8nio'));

/** The settings of n8n in each file, from each process. */
const SETTINGS: Array<[string, Record<string, string>]> = [
	...COMPOSE_FILES.flatMap((file) =>
		processesOf(file).map(([name, { environment }]): [string, Record<string, string>] => [
			`${name} of ${file}`,
			environment,
		]),
	),
	['docs/install.md', shown.services.n8n.environment],
	[
		'helm-values.yaml',
		Object.fromEntries(helm.config.extraEnv.map(({ name, value }) => [name, value])),
	],
];

/** Settings that n8n reads in modules that aren't development packages here; e2e/registry.test.ts sets them. */
const OF_OTHER_MODULES = ['N8N_REINSTALL_MISSING_PACKAGES', 'N8N_UNVERIFIED_PACKAGES_ENABLED'];

/** The names of the settings that n8n's configuration declares. */
function declaredSettings(): Set<string> {
	const ofEngine = dirname(require.resolve('n8n-core'));
	const folder = dirname(require.resolve('@n8n/config', { paths: [ofEngine] }));
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const sources = files
		.filter((file) => file.endsWith('.js'))
		.map((file) => readFileSync(join(folder, file), 'utf8'));
	const names = [...sources.join('\n').matchAll(/Env\)\('([A-Z0-9_]+)'/g)].map(([, name]) => name);
	return new Set([...names, ...OF_OTHER_MODULES]);
}

describe('The settings of n8n', () => {
	const declared = declaredSettings();

	test.each(SETTINGS)(
		'of %s are known to n8n, and install this version of the package, with a checksum',
		(_file, settings) => {
			expect(declared.size).toBeGreaterThan(100);
			expect(Object.keys(settings).filter((name) => !declared.has(name))).toEqual([]);
			expect(JSON.parse(settings.N8N_COMMUNITY_PACKAGES)).toEqual([
				{ name: manifest.name, version: RELEASE, checksum: expect.any(String) },
			]);
			expect(settings).toMatchObject({
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_REINSTALL_MISSING_PACKAGES: 'true',
				N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
			});
		},
	);

	test('are the same in all processes of queue mode', () => {
		const [main, ...others] = processesOf('compose.queue.yaml').map(([, process]) => process);

		expect(others.length).toBeGreaterThan(0);
		for (const { environment, image } of others) {
			expect(environment).toEqual(main.environment);
			expect(image).toBe(main.image);
		}
	});
});

test('All files that name an image have the version of n8n that the package is tested with', () => {
	const tag = runtime.dependencies.n8n;
	const images = COMPOSE_FILES.flatMap((file) => processesOf(file).map(([, { image }]) => image));

	expect(new Set(images)).toEqual(new Set([`docker.n8n.io/n8nio/n8n:${tag}`]));
	expect(read('Dockerfile')).toContain(`FROM docker.n8n.io/n8nio/n8n:${tag}\n`);
});

test('docs/install.md installs this version of the package', () => {
	const named = [...page('docs/install.md').matchAll(/n8n-nodes-cases[@-](\d+\.\d+\.\d+)/g)];

	expect(new Set(named.map(([, version]) => version))).toEqual(new Set([RELEASE]));
});

test('example.env names every variable that a Compose file requires', () => {
	const required = COMPOSE_FILES.flatMap((file) =>
		[...read(file).matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
	);
	const given = [...read('example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);

	expect([...new Set(required)].sort()).toEqual(given.sort());
});

test.each(COMPOSE_FILES)('%s declares every volume that it uses', (file) => {
	const used = [...read(file).matchAll(/^ +- (\w+):\//gm)].map(([, name]) => name);

	expect(used.length).toBeGreaterThan(0);
	expect(Object.keys(compose(file).volumes).sort()).toEqual(used.sort());
});

test('The Dockerfile unpacks the packed package where n8n loads it', () => {
	const folder = mkdtempSync(join(tmpdir(), 'dockerfile-'));
	// Each instruction as one line, with the file and folders of the image in the temporary folder.
	const instructions = read('Dockerfile')
		.replace(/^#.*\n/gm, '')
		.replace(/\\\n/g, '')
		.replaceAll('/tmp/', `${folder}/`)
		.replaceAll('/home/node', `${folder}/home`)
		.trim()
		.split('\n');
	try {
		expect(instructions.map((line) => line.split(' ')[0])).toEqual(['FROM', 'COPY', 'RUN', 'ENV']);
		const [, copy, run] = instructions;
		const [tarball, target] = copy.split(' ').slice(2);
		packCopy('--pack-destination', target);
		expect(readdirSync(folder)).toEqual([tarball.replace('*', manifest.version)]);
		execFileSync('sh', ['-c', run.replace(/^RUN /, '')]);
		const unpacked = join(folder, 'home/.n8n/nodes/node_modules', manifest.name);
		expect(readdirSync(unpacked)).toEqual(expect.arrayContaining(['dist', 'package.json']));
		expect(readdirSync(join(unpacked, 'dist'))).toContain('nodes');
	} finally {
		rmSync(folder, { recursive: true });
	}
});
