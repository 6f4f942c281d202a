import { mkdir } from 'node:fs/promises';
import {
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	needsOf,
	readExample,
	withCredential,
} from '../tools/n8n/examples';
import { startN8n } from '../tools/n8n/n8n';
import { type N8nApi, OWNER } from '../tools/n8n/n8nApi';
import { installPackage, packTarball } from '../tools/n8n/packageInstall';
import { provideRuntime, runtimes } from '../tools/n8n/runtime';
import { DATA_FOLDER } from './dataFolder';
import { CASES, startKeptSandbox } from './sandbox';

const N8N_PORT = Number(process.env.N8N_PORT ?? 5678);
// The same at each start, because it is in the base URL of the stored credential.
const SANDBOX_PORT = Number(process.env.SANDBOX_PORT ?? 5690);

/** Starts the sandbox and n8n with the built package, and fills n8n on its first start. */
async function main() {
	const runtime = await provideRuntime(runtimes.current);

	console.log('Installing the package into n8n as a community package');
	await mkdir(DATA_FOLDER, { recursive: true });
	await installPackage(await packTarball(DATA_FOLDER), DATA_FOLDER);

	const { sandbox, seedUntil } = await startKeptSandbox(DATA_FOLDER, SANDBOX_PORT);

	try {
		console.log(`Starting n8n ${runtime.version}`);
		const n8n = await startN8n({ runtime, userFolder: DATA_FOLDER, port: N8N_PORT });
		try {
			const examples = await fill(n8n.api, credentialData(sandbox.url, sandbox.keys.tenantOwner));
			console.log(`
  Editor    ${n8n.url}
  Login     ${OWNER.email} / ${OWNER.password}
  Sandbox   ${sandbox.url}  (${CASES} cases from before ${seedUntil.toISOString().slice(0, 10)}, the same at each start)
  Cases     ${sandbox.url}/cases  (the page of a case has its buttons, and they can be pressed)
  Key       ${sandbox.keys.tenantOwner}
  Data      ${DATA_FOLDER}  (wipe with "npm run dev:reset"; n8n.log is in there)

Examples:
${examples.map(({ id, name }) => `  ${n8n.url}/workflow/${id}  ${name}`).join('\n')}

To see a published trigger work, change something and wait for the next poll:
  curl -H accept:text/plain ${sandbox.controlUrl}/cases -d '{"name": "Made by hand", "priority": "CRITICAL"}'
  curl -H accept:text/plain ${sandbox.controlUrl}/cases/${CASES}/comments -d '{"value": "Please look at this"}'
  curl -H accept:text/plain ${sandbox.controlUrl}/cases/${CASES}/close -d '{}'

Start this again after changing the code. Ctrl+C ends everything.
`);
			const code = await Promise.race([interruption(), n8n.process.exited]);
			if (code !== undefined) throw new Error(`n8n stopped unexpectedly with code ${code}`);
			console.log('\nStopping n8n and the sandbox');
		} finally {
			await n8n.process.stop();
		}
	} finally {
		await sandbox.stop();
	}
}

/** Resolves when the user stops this process, e.g. with Ctrl+C. */
async function interruption(): Promise<undefined> {
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => resolve());
		}
	});
}

/**
 * Creates what doesn't exist yet: the owner, the credential, and each example, by name.
 * @returns the examples, each named with what else it needs
 */
async function fill(api: N8nApi, data: ReturnType<typeof credentialData>) {
	const settings = await api.rest<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
		'GET',
		'/settings',
	);
	if (settings.userManagement.showSetupOnFirstLoad) await api.setUpOwner();
	else await api.logIn();

	const credentials = await api.rest<Array<{ id: string; name: string }>>('GET', '/credentials');
	const existing = credentials.find(({ name }) => name === CREDENTIAL_NAME);
	const { id } = existing ?? (await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data));

	const workflows = await api.rest<Array<{ id: string; name: string }>>('GET', '/workflows');
	const examples: Array<{ id: string; name: string }> = [];
	for (const file of EXAMPLE_FILES) {
		const example = withCredential(readExample(file), { id, name: CREDENTIAL_NAME });
		const { id: workflowId } =
			workflows.find(({ name }) => name === example.name) ?? (await api.createWorkflow(example));
		const needs = needsOf(example);
		examples.push({ id: workflowId, name: `${example.name}${needs ? ` (needs ${needs})` : ''}` });
	}
	const imported = examples.filter((example) => workflows.every(({ id }) => id !== example.id));
	if (imported.length > 0) console.log(`Imported ${imported.length} examples`);
	return examples;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
