import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { writeOperationsPage } from './operationsPage';

const ROOT = join(__dirname, '..');
const FILE = join(ROOT, 'docs/operations.md');

/** An instance of the class that n8n would load from a built file. */
function load<T>(path: string): T {
	const className = basename(path).split('.')[0];
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the file is there only after a build
	const module = require(join(ROOT, path)) as Record<string, new () => T>;
	return new module[className]();
}

const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};
const document = writeOperationsPage(
	n8n.nodes.map((path) => load<INodeType>(path).description),
	n8n.credentials.map((path) => load<ICredentialType>(path)),
);
if (!process.argv.includes('--check')) {
	writeFileSync(FILE, document);
	console.log(`Wrote ${relative(process.cwd(), FILE)}`);
} else if (readFileSync(FILE, 'utf8') !== document) {
	console.error('docs/operations.md is out of date. Run "npm run docs" and commit the file.');
	process.exitCode = 1;
}
