import { join } from 'node:path';
import {
	baseEnvironment,
	type RunningProcess,
	startProcess,
	waitFor,
} from '../tools/n8n/processes';

/** A process that ends for no signal but SIGKILL, starts a child, and prints its id. */
const STUBBORN = `
	const { spawn } = require('node:child_process');
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
	const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
	console.log('child', child.pid);
`;

/** A program that starts {@link STUBBORN} as the tests start n8n. */
const STARTER = `
	const { startProcess } = require(${JSON.stringify(join(__dirname, '../tools/n8n/processes.ts'))});
	startProcess({
		name: 'stubborn',
		command: process.execPath,
		args: ['-e', ${JSON.stringify(STUBBORN)}],
		env: { PATH: process.env.PATH },
	}).waitForLine(/child/).then((line) => console.log(line));
`;

const env = baseEnvironment();

async function childOf(running: RunningProcess): Promise<number> {
	return Number((await running.waitForLine(/^child \d+/)).split(' ')[1]);
}

async function expectGone(pid: number): Promise<void> {
	await waitFor(`process ${pid} to end`, () => (isAlive(pid) ? undefined : true));
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

describe('A process that ignores all signals but SIGKILL, and its child,', () => {
	test('end when they are stopped', async () => {
		const args = ['-e', STUBBORN];
		const running = startProcess({ name: 'stubborn', command: process.execPath, args, env });
		const child = await childOf(running);

		await running.stop();

		await expectGone(child);
	});

	test('end when the program that started them is killed', async () => {
		const command = join(__dirname, '../node_modules/.bin/tsx');
		const starter = startProcess({ name: 'starter', command, args: ['-e', STARTER], env });
		const child = await childOf(starter);

		await starter.kill();

		await expectGone(child);
	});
});
