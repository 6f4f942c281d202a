import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { INodeTypes } from 'n8n-workflow';
import { EXAMPLE_FILES, readWorkflow, runExample } from './engine/examples';
import { startSandbox } from '../sandbox';
import { type LoadedTypes, loadTypes } from './engine/load';

/**
 * Compares this build with that of another checkout, for a change that must change nothing a user sees:
 * the forms of all nodes, and the requests, hints and outputs of every example.
 *
 * Usage: npm run build, the same in the other checkout, then npx tsx tools/compareBuilds.ts <other checkout>
 */
async function main(other: string) {
	const builds = [resolve(other), resolve(__dirname, '..')];
	const [before, after] = await Promise.all(
		builds.map(async (folder) => await seenWith(await loadTypes(folder), nodesOf(folder))),
	);
	let differences = 0;
	for (const [what, seen] of Object.entries(after)) {
		const found = differencesOf(before[what], seen, '');
		differences += found.length;
		console.log(`${found.length === 0 ? '=' : '≠'} ${what}`);
		for (const line of found.slice(0, 20)) console.log(`    ${line}`);
	}
	console.log(differences === 0 ? 'Both are the same.' : `${differences} differences.`);
	process.exitCode = differences === 0 ? 0 : 1;
}

/** The names of the nodes of a checkout, by its package.json. */
function nodesOf(folder: string): string[] {
	const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[] };
	};
	return n8n.nodes.map((path) => basename(path, '.node.js').replace(/^C/, 'c'));
}

/** What users of a build see, as plain data by name. */
async function seenWith(types: LoadedTypes, nodes: string[]): Promise<Record<string, unknown>> {
	const seen: Record<string, unknown> = {};
	for (const node of nodes) {
		seen[`form of ${node}`] = JSON.parse(JSON.stringify(descriptionOf(types.nodeTypes, node)));
	}
	for (const file of EXAMPLE_FILES) {
		const workflow = readWorkflow(file);
		const sandbox = await startSandbox({ cases: 300, now: () => new Date('2026-02-01T00:00:00Z') });
		const { status, data, hints } = await runExample(workflow, sandbox, types);
		const requests = sandbox.requests.map(({ method, path, query, body }) =>
			JSON.stringify({ method, path, query, body }),
		);
		await sandbox.stop();
		const ours = workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-cases.'));
		const outputs = Object.fromEntries(ours.map(({ name }) => [name, data[name]]));
		const text = JSON.stringify({ status, outputs, hints, requests: requests.sort() });
		seen[`example ${workflow.name}`] = JSON.parse(text.replaceAll(sandbox.url, 'https://tenant'));
	}
	return seen;
}

/** The description of a node, with its fields by their names and where they show: their order may differ. */
function descriptionOf(nodeTypes: INodeTypes, node: string) {
	const { description } = nodeTypes.getByNameAndVersion(`n8n-nodes-cases.${node}`);
	const fields = description.properties.map((field) => [
		`${field.name} ${JSON.stringify(field.displayOptions?.show ?? {})}`,
		field,
	]);
	return { ...description, properties: Object.fromEntries(fields) as unknown };
}

/** One line for each place in which two values differ. */
function differencesOf(before: unknown, after: unknown, place: string): string[] {
	if (isDeepStrictEqual(before, after)) return [];
	if (!isObject(before) || !isObject(after)) {
		return [`${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
	}
	const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...keys].flatMap((key) => differencesOf(before[key], after[key], join(place, key)));
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

main(process.argv[2]).catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
