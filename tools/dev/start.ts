import { mkdir } from 'node:fs/promises';
import { startN8n } from '../n8n/n8n';
import { N8nApi, OWNER } from '../n8n/n8nApi';
import { installPackage, packTarball } from '../n8n/packageInstall';
import { isFree } from '../n8n/processes';
import { provideRuntime, runtimes } from '../n8n/runtime';
import type { Sandbox } from '../../sandbox';
import { DATA_FOLDER } from './dataFolder';
import { CREDENTIAL_NAMES, fill } from './fill';
import { CASES, startKeptSandbox } from './sandbox';

const N8N_PORT = Number(process.env.N8N_PORT ?? 5678);
// The same at each start, because it is in the base URL of the stored credential.
const SANDBOX_PORT = Number(process.env.SANDBOX_PORT ?? 5690);

/** An n8n that runs already; it has the package. */
const N8N_URL = process.env.N8N_URL?.replace(/\/$/, '');

const HELP = `
npm run dev starts n8n with this package, a local service with made-up cases, and the recipes.
The first start installs n8n: some minutes and 2 GB.

Environment variables:
  N8N_PORT         Port of n8n, by default 5678
  SANDBOX_PORT     Port of the local service, by default 5690
  DEV_DATA_FOLDER  Folder of n8n's data, by default .n8n-dev; "npm run dev:reset" removes it
  N8N_URL          An n8n that runs already and has the package. It is used instead,
                   with the login N8N_EMAIL and N8N_PASSWORD
`;

/** An n8n with the examples, until it is stopped. */
interface Editor {
	api: N8nApi;
	login: string;
	/** Resolves when it ends by itself. */
	exited?: Promise<unknown>;
	stop(): Promise<void>;
}

/** Starts an n8n of its own with the built package. */
async function startEditor(): Promise<Editor> {
	const runtime = await provideRuntime(runtimes.current);
	console.log('Installing the package into n8n as a community package');
	await installPackage(await packTarball(DATA_FOLDER), DATA_FOLDER);
	console.log(`Starting n8n ${runtime.version}`);
	const n8n = await startN8n({ runtime, userFolder: DATA_FOLDER, port: N8N_PORT });
	await n8n.api.setUpOrLogIn();
	return {
		api: n8n.api,
		login: `${OWNER.email} / ${OWNER.password}`,
		exited: n8n.process.exited,
		stop: async () => await n8n.process.stop(),
	};
}

/** Signs in to an n8n that runs already. @throws Error if it lacks the package */
async function joinEditor(url: string): Promise<Editor> {
	const { N8N_EMAIL: email, N8N_PASSWORD: password } = process.env;
	if (!email || !password) throw new Error('Set N8N_EMAIL and N8N_PASSWORD to a login of this n8n');
	const api = new N8nApi(url);
	await api.logIn({ email, password }).catch((cause: unknown) => {
		throw new Error(`Could not sign in to ${url} as ${email}: check the three variables`, {
			cause,
		});
	});
	const types = await api.nodeTypes();
	if (!types.some(({ name }) => name === 'n8n-nodes-cases.cases')) {
		throw new Error(`${url} lacks the package. docs/install.md says how to install it.`);
	}
	return { api, login: email, stop: async () => {} };
}

/** @throws Error that names the variable for another port, if this one is taken */
async function requireFree(port: number, variable: string) {
	if (await isFree(port)) return;
	throw new Error(`Port ${port} is taken. Set ${variable} to another one, e.g. ${port + 1}.`);
}

/** Starts the sandbox, and n8n if no other is named, and fills n8n with what it lacks. */
async function main() {
	if (process.argv.includes('--help')) {
		console.log(HELP);
		return;
	}
	if (!N8N_URL) await requireFree(N8N_PORT, 'N8N_PORT');
	await requireFree(SANDBOX_PORT, 'SANDBOX_PORT');
	await mkdir(DATA_FOLDER, { recursive: true });
	const editor = N8N_URL ? await joinEditor(N8N_URL) : await startEditor();
	try {
		const { sandbox, seedUntil } = await startKeptSandbox(DATA_FOLDER, SANDBOX_PORT);
		try {
			const examples = await fill(editor.api, sandbox);
			console.log(introduction(editor, sandbox, seedUntil, examples));
			const ended = await Promise.race([interruption(), ...(editor.exited ? [editor.exited] : [])]);
			if (ended !== undefined) throw new Error(`n8n stopped unexpectedly with code ${ended}`);
			console.log('\nStopping');
		} finally {
			await sandbox.stop();
		}
	} finally {
		await editor.stop();
	}
}

const introduction = (
	{ api: { url }, login }: Editor,
	sandbox: Sandbox,
	seedUntil: Date,
	examples: Array<{ id: string; name: string }>,
) => `
  Editor    ${url}
  Login     ${login}
  Service   ${sandbox.url}  (${CASES} cases from before ${seedUntil.toISOString().slice(0, 10)}, the same at each start)
  Cases     ${sandbox.url}/cases  (the page of a case has its buttons, and they can be pressed)
  Key       ${sandbox.keys.tenantOwner}
  Credentials in n8n: ${CREDENTIAL_NAMES.join(', ')}
  Data      ${DATA_FOLDER}  (wipe with "npm run dev:reset"; n8n.log is in there)

Recipes:
${examples.map(({ id, name }) => `  ${url}/workflow/${id}  ${name}`).join('\n')}

To see a trigger work, publish it, wait until its button says Published, change something, and wait for the next poll:
  curl -H accept:text/plain ${sandbox.controlUrl}/cases -d '{"name": "Made by hand", "priority": "CRITICAL", "tags": ["phishing"]}'
  curl -H accept:text/plain ${sandbox.controlUrl}/cases/${CASES}/comments -d '{"value": "Please look at this"}'
  curl -H accept:text/plain ${sandbox.controlUrl}/cases/${CASES}/close -d '{}'

Start this again after changing the code. Ctrl+C ends everything.
`;

/** Resolves when the user stops this process, e.g. with Ctrl+C. */
async function interruption(): Promise<undefined> {
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => resolve());
		}
	});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
