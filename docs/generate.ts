import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { RESOURCES } from '../nodes/Cases/resources/operations';
import { writeOperationsPage } from './operationsPage';
import { writePreviews } from './previews';

const ROOT = join(__dirname, '..');
const PREVIEWS = 'nodes/Cases/__schema__';
const BUG_FORM = '.github/ISSUE_TEMPLATE/bug_report.yml';

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

/** The form for bug reports, with the names of all operations. */
function writeBugForm(): string {
	const names = Object.values(RESOURCES).flatMap(({ name, operations }) =>
		Object.values(operations).map((one) => `        - '${name}: ${one.name}'\n`),
	);
	return readFileSync(join(ROOT, BUG_FORM), 'utf8').replace(/( +- '.+: .+'\n)+/, names.join(''));
}

/** Writes what follows from the forms and the outputs: the page of operations, the form for bug reports, and previews. */
async function main(isCheck: boolean) {
	const files: Record<string, string> = {
		'docs/operations.md': writeOperationsPage(
			n8n.nodes.map((path) => load<INodeType>(path).description),
			n8n.credentials.map((path) => load<ICredentialType>(path)),
		),
		[BUG_FORM]: writeBugForm(),
	};
	for (const [path, text] of Object.entries(await writePreviews())) {
		files[join(PREVIEWS, path)] = text;
	}
	const there = readdirSync(join(ROOT, PREVIEWS), { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
	const left = there.filter((path) => !(path in files));
	const changed = Object.keys(files).filter((path) => {
		const file = join(ROOT, path);
		return !existsSync(file) || readFileSync(file, 'utf8') !== files[path];
	});
	if (isCheck && changed.length + left.length > 0) {
		const which = [...changed, ...left].join(', ');
		console.error(`Out of date: ${which}. Run "npm run docs" and commit the files.`);
		process.exitCode = 1;
	}
	if (isCheck) return;
	for (const path of left) rmSync(join(ROOT, path));
	for (const path of changed) {
		mkdirSync(dirname(join(ROOT, path)), { recursive: true });
		writeFileSync(join(ROOT, path), files[path]);
		console.log(`Wrote ${path}`);
	}
}

main(process.argv.includes('--check')).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
