import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { n8nCli } from '../tools/n8n/n8nCli';
import { makeTempFolder } from '../tools/n8n/tempFolder';

const RUN = { data: { resultData: { runData: {} } } };
const FAILED_RUN = { data: { resultData: { runData: {}, error: { message: 'No access' } } } };

const CRASH = "process.kill(process.pid, 'SIGSEGV')";

let folder: string;
beforeEach(async () => {
	folder = await makeTempFolder();
});
afterEach(async () => await rm(folder, { recursive: true }));

/** The command line of a program that prints some text and ends, in place of n8n. */
async function cliOf(output: string, end: string) {
	const n8n = join(folder, 'n8n.js');
	await writeFile(n8n, `console.log(${JSON.stringify(output)}); ${end};`);
	return n8nCli({ version: '2.0.0', node: process.execPath, n8n, env: {} }, folder);
}

const printed = (run: object) => `Initializing\n${JSON.stringify(run, null, 2)}`;

describe('The command line of n8n', () => {
	let warnings: jest.SpyInstance;
	beforeEach(() => {
		warnings = jest.spyOn(console, 'warn').mockImplementation();
	});
	afterEach(() => warnings.mockRestore());

	test('returns the printed run', async () => {
		const cli = await cliOf(printed(RUN), '');

		expect(await cli.execute('1')).toEqual(RUN);
		expect(warnings).not.toHaveBeenCalled();
	});

	test('returns a run that was printed whole before a crash, with a warning', async () => {
		const cli = await cliOf(printed(RUN), CRASH);

		expect(await cli.execute('1')).toEqual(RUN);
		expect(warnings.mock.calls).toEqual([['n8n execute crashed with code 139 after its work']]);
	});

	test.each([
		['a run printed in part before a crash', printed(RUN).slice(0, -1), CRASH, 139],
		['no run', 'Initializing', '', 0],
		['a failed run before a crash', printed(FAILED_RUN), CRASH, 139],
		['a run before the exit code 1', printed(RUN), 'process.exitCode = 1', 1],
		['a run before the exit code 255', printed(RUN), 'process.exitCode = 255', 255],
	])('refuses %s', async (_what, output, end, code) => {
		const cli = await cliOf(output, end);

		await expect(cli.execute('1')).rejects.toThrow(
			`n8n execute --id=1 --rawOutput ended with code ${code}`,
		);
	});

	test('accepts an import that n8n reported before a crash, and no other', async () => {
		const workflow = { id: '1', name: 'Empty', nodes: [], connections: {} };

		await (await cliOf('Successfully imported 1 workflow.', CRASH)).importWorkflow(workflow);
		await expect((await cliOf('Importing', CRASH)).importWorkflow(workflow)).rejects.toThrow('139');
	});
});
