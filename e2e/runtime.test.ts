import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideRuntime, runtimes, type RuntimeSource } from '../tools/n8n/runtime';
import { makeTempFolder } from '../tools/n8n/tempFolder';

describe('An n8n that is not installed yet', () => {
	let folder: string;
	let source: RuntimeSource;
	const cacheHome = process.env.XDG_CACHE_HOME;

	beforeEach(async () => {
		folder = await makeTempFolder();
		source = { folder: join(folder, 'source'), nodeMajor: '0', size: 'a few bytes', env: {} };
		process.env.XDG_CACHE_HOME = join(folder, 'cache');
		await writeManifest('n8n', { name: 'n8n', version: '1.0.0' });
		await writeManifest('.', { name: 'source', dependencies: { n8n: 'file:n8n' } });
		await writeFile(join(source.folder, 'package-lock.json'), '{}');
	});

	afterEach(async () => {
		if (cacheHome === undefined) delete process.env.XDG_CACHE_HOME;
		else process.env.XDG_CACHE_HOME = cacheHome;
		await rm(folder, { recursive: true });
	});

	test('is installed into the cache once for each lockfile, with a message', async () => {
		const lines: string[] = [];
		const provide = async () => await provideRuntime(source, (line) => lines.push(line));

		const first = await provide();
		expect(first.n8n.startsWith(join(folder, 'cache/n8n-nodes-cases/n8n-'))).toBe(true);
		expect(await readdir(join(first.n8n, '../..'))).toContain('package.json');
		expect(lines.join('\n')).toMatch(/Installing[^]*downloading[^]*building[^]*is installed/);

		const told = lines.length;
		expect(await provide()).toEqual(first);
		expect(lines).toHaveLength(told);

		await writeFile(join(source.folder, 'package-lock.json'), '{ }');
		expect((await provide()).n8n).not.toBe(first.n8n);
		expect(await readdir(join(folder, 'cache/n8n-nodes-cases'))).toHaveLength(2);
	});

	test('is installed in another version than its lockfile has', async () => {
		await writeManifest('../other', { name: 'n8n', version: '2.0.0' });
		const other = `file:${join(folder, 'other')}`;

		const { n8n, version } = await provideRuntime({ ...source, version: other }, () => undefined);

		expect(version).toBe(other);
		const installed = await readFile(join(n8n, '../../package.json'), 'utf8');
		expect(JSON.parse(installed)).toMatchObject({ version: '2.0.0' });
	});

	test('leaves nothing half installed when its installation fails', async () => {
		await writeManifest('.', { name: 'source', dependencies: { n8n: 'file:missing/no.tgz' } });

		await expect(provideRuntime(source, () => undefined)).rejects.toThrow(/npm install/);

		expect(await readdir(join(folder, 'cache/n8n-nodes-cases'))).toEqual([]);
	});

	async function writeManifest(path: string, manifest: object) {
		await mkdir(join(source.folder, path), { recursive: true });
		await writeFile(join(source.folder, path, 'package.json'), JSON.stringify(manifest));
	}
});

test('The newest n8n runs on the Node that it is tested with', async () => {
	const { node } = await provideRuntime(runtimes.current);

	const version = execFileSync(node, ['--version'], { encoding: 'utf8' });

	expect(version.split('.')[0]).toBe(`v${runtimes.current.nodeMajor}`);
});
