import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { builtTypes } from '../../tools/engine/load';
import { packCopy } from '../support/pack';
import { read } from './sources';

const root = resolve(__dirname, '../..');
const manifest = JSON.parse(read('package.json')) as {
	name: string;
	license: string;
	keywords: string[];
	n8n: { n8nNodesApiVersion: number; strict: boolean; nodes: string[]; credentials: string[] };
};

interface Packed {
	files: Array<{ path: string; size: number }>;
	size: number;
}

let packed: Packed;
beforeAll(() => {
	[packed] = JSON.parse(packCopy('--dry-run', '--json')) as Packed[];
});
const paths = () => packed.files.map(({ path }) => path);

describe('The published package', () => {
	it('holds dist, README, LICENSE and package.json, nothing else', () => {
		const others = paths().filter((path) => !path.startsWith('dist/'));
		expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
	});

	it('holds only code, JSON and icons of the nodes and the credential', () => {
		const known = /^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/;
		const inDist = paths().filter((path) => path.startsWith('dist/'));
		expect(inDist.filter((path) => !known.test(path) || /\.test\./.test(path))).toEqual([]);
	});

	it('is at most 150 KB', () => {
		expect(packed.size).toBeLessThanOrEqual(150 * 1024);
	});

	it('names no folder of the machine that built it', () => {
		const places = /\/work\/|\/tmp\/|\/home\/|\/root\//;
		const found = paths().filter((path) => places.test(read(path)));
		expect(found).toEqual([]);
	});
});

describe('package.json', () => {
	it('stops npm publish, which would build nothing before', () => {
		const folder = mkdtempSync(join(tmpdir(), 'publish-'));
		const nowhere = '//127.0.0.1:9/';
		const options = [`--registry=http:${nowhere}`, `--${nowhere}:_authToken=any`];
		try {
			writeFileSync(join(folder, 'package.json'), read('package.json'));
			const { status, stderr } = spawnSync(
				'npm',
				['publish', '--tag=any', '--fetch-retries=0', ...options],
				{
					cwd: folder,
					encoding: 'utf8',
				},
			);
			expect(status).toBe(1);
			expect(stderr).toContain('EPRIVATE');
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('is found as a community node, and by the name of the service whose API the nodes speak', () => {
		expect(manifest.name).toBe('n8n-nodes-cases');
		expect(manifest.keywords).toEqual(
			expect.arrayContaining(['n8n-community-node-package', 'tines']),
		);
		expect(manifest.license).toBe('MIT');
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
	});
});

describe('What n8n loads', () => {
	const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];

	test.each(files)('%s is published and has a class named as the file', (file) => {
		expect(paths()).toContain(file);
		const name = /([^/]+?)\.[^/]*$/.exec(file)?.[1] ?? '';
		const loaded = createRequire(__filename)(join(root, file)) as Record<string, new () => unknown>;
		expect(typeof loaded[name]).toBe('function');
		expect(new loaded[name]()).toBeInstanceOf(loaded[name]);
	});

	it('includes every compiled node and credential', () => {
		const compiled = paths().filter((path) => /\.(node|credentials)\.js$/.test(path));
		expect(compiled.sort()).toEqual([...files].sort());
	});

	test.each(manifest.n8n.nodes)('%s has a codex that n8n reads', (file) => {
		const path = file.replace(/\.js$/, '.json');
		expect(paths()).toContain(path);
		const codex = JSON.parse(read(path)) as Record<string, unknown>;
		expect(codex).toMatchObject({
			node: expect.stringMatching(/^n8n-nodes-cases\./),
			categories: expect.arrayContaining([expect.any(String)]),
			// Without resources n8n ignores the file.
			resources: {
				credentialDocumentation: [{ url: expect.stringMatching(/^https:\/\/www\.tines\.com\//) }],
			},
		});
	});

	it('has its own icons for light and dark in the package', async () => {
		await builtTypes();
		for (const file of files) {
			const code = read(file);
			const icons = [...code.matchAll(/file:([^'"]+\.svg)/g)].map(([, path]) =>
				join(dirname(file), path),
			);
			expect(new Set(icons).size).toBe(2);
			for (const icon of icons) {
				expect(paths()).toContain(icon);
				expect(read(icon)).toMatch(/<svg[\s>]/);
			}
		}
	});
});

describe('The compiled code', () => {
	it('requires nothing but n8n-workflow and its own files', () => {
		const required = paths()
			.filter((path) => path.endsWith('.js'))
			.flatMap((path) => [...read(path).matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name))
			.filter((name) => !name.startsWith('.'));
		expect([...new Set(required)]).toEqual(['n8n-workflow']);
	});

	it('has a source for every file', () => {
		const stale = paths()
			.filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
			.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
			.filter((source) => !statSync(join(root, source), { throwIfNoEntry: false })?.isFile());
		expect(stale).toEqual([]);
	});
});

test('Every output preview is published; docs:check says which there are', () => {
	const folder = 'dist/nodes/Cases/__schema__/v1.0.0';
	const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
	const previews = files.filter((file) => file.endsWith('.json'));
	expect(previews.length).toBeGreaterThan(10);
	expect(paths()).toEqual(expect.arrayContaining(previews.map((file) => join(folder, file))));
});
