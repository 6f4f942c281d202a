import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { baseEnvironment, runProcess } from './processes';
import { removeLeftovers } from './tempFolder';

/** An n8n that can be installed. */
export interface RuntimeSource {
	/** Absolute or relative to this file; its package.json and lockfile name n8n and its Node. */
	folder: string;
	nodeMajor: string;
	/** The approximate disk space of an installation. */
	size: string;
	env: Readonly<Record<string, string>>;
	/** Another version of n8n than the folder's; it is installed without a lockfile. */
	version?: string;
}

/** The n8n versions that the package is tried in. */
export const runtimes = {
	/** The newest n8n tested, on Node 24. `N8N_VERSION=2.42.0 npm run test:e2e` tries another. */
	current: {
		folder: 'runtime',
		nodeMajor: '24',
		size: '2.1 GB',
		env: {},
		version: process.env.N8N_VERSION || undefined,
	},
	/** The oldest n8n tested, on Node 20. */
	oldest: {
		folder: 'runtime-1x',
		nodeMajor: '20',
		size: '2.1 GB',
		env: { N8N_EXPRESSION_ENGINE: 'legacy' },
	},
} as const satisfies Record<string, RuntimeSource>;

/** An installed n8n and the Node it runs on, as absolute paths. */
export interface Runtime {
	version: string;
	node: string;
	n8n: string;
	/** Environment variables that this version needs. */
	env: Readonly<Record<string, string>>;
}

/** The folder with all installed n8n versions, outside the repository because they are large. */
const cacheFolder = () =>
	join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-cases');

/**
 * Returns an installed n8n. If the cache has none with this lockfile, installs it first.
 * @param report is called with a line of text from time to time during the installation
 */
export async function provideRuntime(
	runtime: RuntimeSource,
	report: (line: string) => void = console.log,
): Promise<Runtime> {
	const { folder, nodeMajor, size, env } = runtime;
	const source = resolve(__dirname, folder);
	const lockfile = await readFile(join(source, 'package-lock.json'));
	const manifest = await readManifest(source);
	const version = runtime.version ?? manifest.dependencies.n8n;
	const hash = createHash('sha256')
		.update(lockfile)
		.update(runtime.version ?? '')
		.digest('hex')
		.slice(0, 12);
	const cache = cacheFolder();
	const target = join(cache, `n8n-${hash}`);

	if (!existsSync(target)) {
		report(`Installing n8n ${version} into ${target}: once, ${size}, some minutes.`);
		await install(source, runtime.version, cache, target, report);
		report(`n8n ${version} is installed.`);
	}
	return {
		version,
		env,
		n8n: join(target, 'node_modules/n8n/bin/n8n'),
		node:
			process.versions.node.split('.')[0] === nodeMajor
				? process.execPath
				: join(target, 'node_modules/.bin/node'),
	};
}

/** Installs into another folder and renames it at the end, so that the target is always complete. */
async function install(
	source: string,
	version: string | undefined,
	cache: string,
	target: string,
	report: (line: string) => void,
) {
	await mkdir(cache, { recursive: true });
	await removeLeftovers(cache, /\.partial-(\d+)$/);
	const partial = `${target}.partial-${process.pid}`;
	try {
		await mkdir(partial, { recursive: true });
		await cp(source, partial, { recursive: true });
		if (version !== undefined) await replaceVersion(partial, version);
		report('  1/2 downloading the packages');
		await npm(['install', '--no-audit', '--no-fund'], partial, report);
		report('  2/2 building native modules');
		await npm(['rebuild', '--ignore-scripts=false', 'node', 'sqlite3'], partial, report);
		await rename(partial, target).catch((error: unknown) => {
			// Another process may have finished the same install first.
			if (!existsSync(target)) throw error;
		});
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}

interface Manifest {
	dependencies: { n8n: string };
}

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

async function replaceVersion(folder: string, version: string) {
	const manifest = await readManifest(folder);
	manifest.dependencies.n8n = version;
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await rm(join(folder, 'package-lock.json'));
}

async function npm(args: string[], cwd: string, report: (line: string) => void) {
	const start = Date.now();
	const heartbeat = setInterval(
		() => report(`      … ${Math.round((Date.now() - start) / 1000)} s`),
		20_000,
	);
	try {
		await runProcess({ name: `npm ${args[0]}`, command: 'npm', args, cwd, env: npmEnvironment() });
	} finally {
		clearInterval(heartbeat);
	}
}

/** npm needs the user's settings, such as a registry or a proxy, but not those of the outer `npm run`. */
function npmEnvironment(): Record<string, string> {
	return { ...baseEnvironment(), HOME: homedir(), ...nodeHeaders(), ...npmUserConfig() };
}

/** Lets the compiler use Node's own headers, if they are installed, instead of downloading them. */
function nodeHeaders(): Record<string, string> {
	const prefix = dirname(dirname(process.execPath));
	return existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
}

function npmUserConfig(): Record<string, string> {
	const names = [
		'npm_config_registry',
		'NPM_CONFIG_REGISTRY',
		'npm_config_userconfig',
		'npm_config_cafile',
		'NODE_EXTRA_CA_CERTS',
	];
	return Object.fromEntries(
		names.flatMap((name) => {
			const value = process.env[name];
			return value ? [[name, value]] : [];
		}),
	);
}
