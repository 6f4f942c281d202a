import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { IDataObject, IWorkflowBase } from 'n8n-workflow';
import { startSandbox, WITH_WRITES } from '../../sandbox';
import type { Sandbox } from '../../sandbox';
import type { WorkflowRun } from '../engine/run';
import { actionChanges, actionsByCase } from './actionChanges';
import { ALL_EXAMPLE_FILES, EXAMPLE_FILES, readWorkflow, runExample } from '../engine/examples';
import { needsOf } from '../n8n/examples';
import { counted, tableOf } from './tables';

const CASES = 300;

/** Runs the workflow files, by default all in examples/, each with a sandbox of its own. */
async function main(workflowFiles: string[]) {
	const files = workflowFiles.length > 0 ? workflowFiles : examples();
	if (files.length === 0) throw new Error('There are no workflows in examples/');
	console.log(
		`Runs ${counted(files.length, 'workflow')} in n8n's engine, each with its own local Case service and ${CASES} made-up cases.`,
	);
	for (const file of files) {
		const failure = await showExample(file).catch((error: Error) => error.message);
		if (failure === undefined) continue;
		console.error(`✗ ${basename(file)}: ${failure}`);
		process.exitCode = 1;
	}
	if (workflowFiles.length === 0) console.log(`\n${othersWithReason()}`);
	console.log(
		"\nNext: npm run dev opens these workflows in n8n's editor. README.md says how to install the nodes.",
	);
}

/** The workflows in examples/, in the order of the recipes. */
function examples(): string[] {
	const recipes = readFileSync(resolve(__dirname, '../../docs/recipes.md'), 'utf8');
	const placeOf = (file: string) => recipes.indexOf(`/examples/${basename(file)})`);
	return [...EXAMPLE_FILES].sort((a, b) => placeOf(a) - placeOf(b));
}

function othersWithReason(): string {
	const others = ALL_EXAMPLE_FILES.filter((file) => !EXAMPLE_FILES.includes(file));
	const lines = others.map(
		(file) => `  ${relative(process.cwd(), file)} needs ${needsOf(readWorkflow(file))}`,
	);
	return ['Not run here:', ...lines].join('\n');
}

/** Runs a workflow and prints what it returned and changed. @returns the reason if it failed */
async function showExample(file: string): Promise<string | undefined> {
	const workflow = readWorkflow(file);
	console.log(`\n━━ ${workflow.name} (${relative(process.cwd(), file)})\n`);
	if (workflow.nodes.some(({ type }) => type.endsWith('.casesTrigger'))) {
		console.log(
			'The trigger runs as with Fetch Test Event: it shows recent examples as if they had just happened.\n',
		);
	}
	const sandbox = await startSandbox({ cases: CASES, grown: WITH_WRITES });
	try {
		const actionsBefore = actionsByCase(sandbox.store);
		const run = await runExample(workflow, sandbox);
		const results = resultsOf(workflow, run);
		const changes = actionChanges(actionsBefore, actionsByCase(sandbox.store));
		printRun(results, run, sandbox);
		if (changes.length > 0) {
			printTable(`${counted(changes.length, 'case')} with changed actions`, changes);
		}
		return failureOf(results, run, sandbox);
	} finally {
		await sandbox.stop();
	}
}

interface NodeResult {
	node: string;
	items: IDataObject[];
}

/** The output of the nodes that no other node follows. */
function resultsOf({ nodes, connections }: IWorkflowBase, { data }: WorkflowRun): NodeResult[] {
	const isLast = (name: string) => !connections[name]?.main?.some((targets) => targets?.length);
	return nodes
		.filter(({ name }) => isLast(name) && data[name])
		.map(({ name }) => ({ node: name, items: data[name].flat().map(({ json }) => json) }));
}

function printRun(results: NodeResult[], { hints }: WorkflowRun, { requests }: Sandbox) {
	for (const { node, items } of results) {
		printTable(`${node}: ${counted(items.length, 'item')}`, items);
	}
	for (const [node, nodeHints] of Object.entries(hints)) {
		for (const { message } of nodeHints) console.log(`Hint of ${node}: ${message}`);
	}
	const sent = new Map<string, number>();
	for (const { method } of requests) sent.set(method, (sent.get(method) ?? 0) + 1);
	console.log(
		`Requests: ${Array.from(sent, ([method, count]) => `${count} ${method}`).join(', ')}`,
	);
}

function printTable(title: string, rows: IDataObject[]) {
	console.log(title);
	if (rows.length > 0) console.log(tableOf(rows));
}

function failureOf(
	results: NodeResult[],
	{ status, error }: WorkflowRun,
	{ rejected }: Sandbox,
): string | undefined {
	if (status !== 'success') return `${status}: ${error?.message}`;
	if (results.every(({ items }) => items.length === 0)) return 'it returned nothing';
	if (rejected.length > 0) {
		return `the service got a request that its API doesn't allow: ${rejected[0].rejected}`;
	}
	return undefined;
}

main(process.argv.slice(2)).catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
