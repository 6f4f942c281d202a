import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How to start a process that must never outlive this one. */
export interface ProcessOptions {
	/** The name in error messages. */
	name: string;
	command: string;
	args?: string[];
	cwd?: string;
	/** The whole environment of the process; it inherits nothing, see {@link baseEnvironment}. */
	env: Record<string, string>;
	/** The signal that stops the process. Default `SIGTERM`. */
	stopSignal?: NodeJS.Signals;
	/** A file that the output is appended to. */
	logFile?: string;
}

/** A started process with its process group. */
export interface RunningProcess {
	/** Every line of stdout and stderr so far. */
	readonly lines: readonly string[];
	/** Resolves with the exit code (128 + n after signal n) once the whole group is gone. */
	readonly exited: Promise<number>;
	/**
	 * Resolves with the first matching line, past or future.
	 * @throws Error if the process ends before, or hangs
	 */
	waitForLine(pattern: RegExp): Promise<string>;
	/** Stops the process, kills its group after ten seconds, and waits until it is gone. */
	stop(): Promise<void>;
	/** Sends SIGINT to the whole group, as Ctrl+C does, and waits until it is gone. */
	interrupt(): Promise<void>;
	/** Kills the whole group with SIGKILL, as in a crash, and waits until it is gone. */
	kill(): Promise<void>;
}

/** How long anything is awaited, in ms: much longer than it takes on a busy machine, so that only what hangs ends by it. */
export const PATIENCE_MS = 180_000;

const LEASH = join(__dirname, 'leash.js');
const INHERITED = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/**
 * The part of this process's environment that child processes get. It has none of the `N8N_*`, `DB_*`
 * or `QUEUE_*` settings, which would change what is tested.
 */
export function baseEnvironment(): Record<string, string> {
	return Object.fromEntries(
		INHERITED.flatMap((name) => {
			const value = process.env[name];
			return value === undefined ? [] : [[name, value]];
		}),
	);
}

/** Starts a process in a group of its own, which ends at the latest when this process ends. */
export function startProcess(options: ProcessOptions): RunningProcess {
	const { name, command, args = [], cwd, env, stopSignal = 'SIGTERM', logFile } = options;
	const leash = fork(LEASH, [stopSignal, command, ...args], {
		cwd,
		env,
		execArgv: [],
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const lines = collectLines(leash, logFile);
	const exited = new Promise<number>((resolve) => {
		leash.on('close', (code) => resolve(code ?? 1));
	});
	const send = async (message: string) => {
		if (leash.connected) leash.send(message);
		await exited;
	};

	return {
		lines: lines.all,
		exited,
		stop: async () => await send('stop'),
		interrupt: async () => await send('SIGINT'),
		kill: async () => await send('SIGKILL'),
		waitForLine: async (pattern) =>
			await new Promise((resolve, reject) => {
				const settle = (finish: () => void) => {
					clearTimeout(timer);
					lines.listeners.delete(check);
					finish();
				};
				const fail = (reason: string) =>
					settle(() => reject(new Error(`${name} ${reason}\n${lines.all.slice(-40).join('\n')}`)));
				const check = (line: string) => {
					if (pattern.test(line)) settle(() => resolve(line));
				};
				const timer = setTimeout(
					() => fail(`did not print ${String(pattern)} within ${PATIENCE_MS / 1000} s`),
					PATIENCE_MS,
				);
				lines.listeners.add(check);
				lines.all.forEach(check);
				void exited.then((code) => fail(`ended with code ${code} before ${String(pattern)}`));
			}),
	};
}

function collectLines(child: ChildProcess, logFile?: string) {
	const all: string[] = [];
	const listeners = new Set<(line: string) => void>();
	const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream! }).on('line', (line) => {
			all.push(line);
			log?.write(`${line}\n`);
			[...listeners].forEach((listener) => listener(line));
		});
	}
	child.on('close', () => log?.end());
	return { all, listeners };
}

/** Runs a process to its end. @throws Error with its last lines if its exit code isn't 0 */
export async function runProcess(options: ProcessOptions): Promise<readonly string[]> {
	const running = startProcess(options);
	const code = await running.exited;
	if (code !== 0) {
		const end = running.lines.slice(-40).join('\n');
		throw new Error(`${options.name} ended with code ${code}\n${end}`);
	}
	return running.lines;
}

// Below the system's ephemeral ports, so that no outgoing connection takes a port before it is used.
const FIRST_PORT = 20_000;
const PORTS_OF_PROCESS = 250;

/** Some seconds pass until a server listens on its port, so each process has ports of its own and none twice. */
const firstPort = FIRST_PORT + (process.pid % 48) * PORTS_OF_PROCESS;
const chosenPorts = new Set<number>();

/** Finds different free TCP ports, at random: those of an earlier run may be taken still. */
export async function freePorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	while (ports.length < count) {
		const port = firstPort + Math.floor(Math.random() * PORTS_OF_PROCESS);
		if (chosenPorts.has(port) || !(await isFree(port))) continue;
		chosenPorts.add(port);
		ports.push(port);
	}
	return ports;
}

/** Whether no program of this machine listens on the port. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.on('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/**
 * Calls `check` a few times a second until it returns a value.
 * @param what what it waits for, for the error message
 * @throws Error where that hangs
 */
export async function waitFor<T>(
	what: string,
	check: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
	const end = Date.now() + PATIENCE_MS;
	for (;;) {
		const value = await check();
		if (value !== undefined) return value;
		if (Date.now() > end) throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}
