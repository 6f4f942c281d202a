import { exec, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CREDENTIAL_NAMES, openNeedsOf } from '../tools/dev/fill';
import { CREDENTIAL_TYPE, EXAMPLE_FILES, readExample } from '../tools/n8n/examples';
import { N8nApi, OWNER } from '../tools/n8n/n8nApi';
import { baseEnvironment, freePorts, runProcess, startProcess } from '../tools/n8n/processes';
import { makeTempFolder } from '../tools/n8n/tempFolder';
import { CASES_NODE } from '../tools/n8n/workflows';

const REPOSITORY = join(__dirname, '..');

let folder: string;
let env: Record<string, string>;
let api: N8nApi;

beforeAll(async () => {
	folder = await makeTempFolder();
	const [n8nPort, sandboxPort] = await freePorts(2);
	env = {
		...baseEnvironment(),
		HOME: homedir(),
		...(process.env.XDG_CACHE_HOME && { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME }),
		DEV_DATA_FOLDER: join(folder, 'data'),
		N8N_PORT: String(n8nPort),
		SANDBOX_PORT: String(sandboxPort),
	};
	api = new N8nApi(`http://localhost:${n8nPort}`);
});

afterAll(async () => await rm(folder, { recursive: true }));

/** What `npm run dev` runs once the package is built. */
const devScript = (script: string) => ({
	name: script,
	command: join(REPOSITORY, 'node_modules/.bin/tsx'),
	args: [join(REPOSITORY, 'tools/dev', script)],
	cwd: REPOSITORY,
	env,
});

/** Starts it, checks what is there, and presses Ctrl+C. @returns all that it printed */
async function startAndInterrupt(): Promise<string> {
	const dev = startProcess(devScript('start.ts'));
	try {
		await dev.waitForLine(/Ctrl\+C ends everything/);
		await api.logIn();
		await expectAllThere();
		await expectAddresses(dev.lines);
		await expectShortAnswers(dev.lines);
	} finally {
		await dev.interrupt();
	}
	expect(await dev.exited).toBe(0);
	await expect(fetch(api.url)).rejects.toThrow('fetch failed');
	await expect(fetch(`http://127.0.0.1:${env.SANDBOX_PORT}`)).rejects.toThrow('fetch failed');
	return dev.lines.join('\n');
}

/** The package, both credentials, which work, and each example once. */
async function expectAllThere() {
	const types = (await api.nodeTypes()).map(({ name }) => name);
	expect(types).toContain(CASES_NODE);
	const credentials = await api.rest<Array<{ id: string; name: string }>>('GET', '/credentials');
	const names = credentials.map(({ name }) => name).sort();
	expect(names).toEqual(CREDENTIAL_NAMES);
	for (const { id } of credentials) {
		const { data } = await api.rest<{ data: object }>('GET', `/credentials/${id}?includeData=true`);
		expect((await api.testCredential(CREDENTIAL_TYPE, { ...data }, id)).status).toBe('OK');
	}
	const workflows = await api.rest<Array<{ name: string }>>('GET', '/workflows');
	expect(workflows.map(({ name }) => name).sort()).toEqual(
		EXAMPLE_FILES.map((file) => readExample(file).name).sort(),
	);
}

/** Each workflow with its address, and with what else it needs. */
async function expectAddresses(lines: readonly string[]) {
	const workflows = await api.rest<Array<{ id: string; name: string }>>('GET', '/workflows');
	const files = EXAMPLE_FILES.map(readExample);
	for (const { id, name } of workflows) {
		const needs = openNeedsOf(files.find((file) => file.name === name)!);
		const said = needs === undefined ? '' : ` (needs ${needs})`;
		expect(lines).toContain(`  ${api.url}/workflow/${id}  ${name}${said}`);
	}
	expect(lines.filter((line) => line.includes(' (needs '))).not.toEqual([]);
}

/** The commands that are printed for changing a case work, and each prints one short line. */
async function expectShortAnswers(lines: readonly string[]) {
	const commands = lines.filter((line) => line.startsWith('  curl '));
	expect(commands).toHaveLength(3);
	for (const command of commands) {
		const { stdout } = await promisify(exec)(`${command} --silent --show-error --fail`);
		expect(stdout).toMatch(/^Case \d+ \(\w+, \w+\): .{1,60}, comments: \d+\n$/);
	}
}

test('npm run dev fills n8n, prints the login, ends with Ctrl+C, continues later, and can be reset', async () => {
	const first = await startAndInterrupt();
	expect(first).toContain(`Editor    ${api.url}`);
	expect(first).toContain(`Login     ${OWNER.email} / ${OWNER.password}`);
	expect(first).toMatch(/Imported \d+ recipes/);
	expect(first).toContain(`Credentials in n8n: ${CREDENTIAL_NAMES.join(', ')}`);

	const second = await startAndInterrupt();
	expect(second).not.toMatch(/Imported/);

	await runProcess(devScript('reset.ts'));
	expect(existsSync(env.DEV_DATA_FOLDER)).toBe(false);
});

test('npm run dev -- --help says which variables it reads, and starts nothing', async () => {
	const { command, args } = devScript('start.ts');
	const { stdout } = await promisify(execFile)(command, [...args, '--help'], { env });
	for (const name of ['N8N_PORT', 'SANDBOX_PORT', 'DEV_DATA_FOLDER', 'N8N_URL', 'N8N_EMAIL']) {
		expect(stdout).toContain(name);
	}
	expect(existsSync(env.DEV_DATA_FOLDER)).toBe(false);
});

test.each(['N8N_PORT', 'SANDBOX_PORT'])('npm run dev names %s if it is taken', async (variable) => {
	const server = createServer().listen(Number(env[variable]), '127.0.0.1');
	try {
		await once(server, 'listening');
		const { command, args } = devScript('start.ts');
		await expect(promisify(execFile)(command, args, { env })).rejects.toMatchObject({
			code: 1,
			stderr: expect.stringContaining(`is taken. Set ${variable} to another one`),
		});
		expect(existsSync(env.DEV_DATA_FOLDER)).toBe(false);
	} finally {
		server.close();
	}
});
