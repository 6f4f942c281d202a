import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { N8nApi } from './n8nApi';
import { baseEnvironment, freePorts, type RunningProcess, startProcess } from './processes';
import type { Runtime } from './runtime';

/** A started n8n main process. */
export interface N8n {
	url: string;
	api: N8nApi;
	process: RunningProcess;
}

export interface N8nOptions {
	runtime: Runtime;
	/** `N8N_USER_FOLDER`; n8n creates `.n8n` in it. */
	userFolder: string;
	/** Default: a free one. */
	port?: number;
	/** Additional settings of n8n, e.g. for queue mode. */
	env?: Record<string, string>;
}

/** How many executions a worker of {@link startWorker} runs at a time. */
export const WORKER_CONCURRENCY = 5;

/** The environment of every n8n process: all files, even of its home folder, are in the user folder. */
export function n8nEnvironment(userFolder: string, brokerPort: number): Record<string, string> {
	return {
		...baseEnvironment(),
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: 'localhost',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		// n8n pings its database. A ping that waits behind many requests on a busy machine for 5 s would end in 503 for all.
		DB_PING_TIMEOUT_MS: '120000',
	};
}

/** Starts n8n and waits until its editor and API are available. The caller stops `process`. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { runtime, userFolder, env = {} } = options;
	const [freePort, brokerPort] = await freePorts(2);
	const port = options.port ?? freePort;
	await mkdir(userFolder, { recursive: true });
	const process = startProcess({
		name: 'n8n',
		command: runtime.node,
		args: [runtime.n8n, 'start'],
		cwd: userFolder,
		env: {
			...n8nEnvironment(userFolder, brokerPort),
			N8N_PORT: String(port),
			...runtime.env,
			...env,
		},
		logFile: join(userFolder, 'n8n.log'),
	});
	try {
		await process.waitForLine(/Editor is now accessible via/);
	} catch (error) {
		await process.stop();
		throw error;
	}
	const url = `http://localhost:${port}`;
	return { url, process, api: new N8nApi(url) };
}

/** Starts a queue worker and waits until it takes jobs. The caller stops it. */
export async function startWorker(options: Omit<N8nOptions, 'port'>): Promise<RunningProcess> {
	const [healthPort] = await freePorts(1);
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(healthPort),
	};
	const env = { ...health, ...options.env };
	return await startQueueProcess(
		['worker', `--concurrency=${WORKER_CONCURRENCY}`],
		/n8n worker is now ready/,
		{ ...options, env },
	);
}

/** Starts a webhook processor and waits until it listens. The caller stops `process`. */
export async function startWebhookProcessor(
	options: Omit<N8nOptions, 'port'>,
): Promise<Pick<N8n, 'api' | 'process'>> {
	const [port] = await freePorts(1);
	const env = { ...options.env, N8N_PORT: String(port) };
	const process = await startQueueProcess(['webhook'], /Webhook listener waiting for requests/, {
		...options,
		env,
	});
	return { api: new N8nApi(`http://localhost:${port}`), process };
}

/** Starts a process of queue mode in addition to the main one. */
async function startQueueProcess(args: string[], ready: RegExp, options: Omit<N8nOptions, 'port'>) {
	const { runtime, userFolder, env = {} } = options;
	const [brokerPort] = await freePorts(1);
	await mkdir(userFolder, { recursive: true });
	const started = startProcess({
		name: `n8n ${args[0]}`,
		command: runtime.node,
		args: [runtime.n8n, ...args],
		cwd: userFolder,
		env: { ...n8nEnvironment(userFolder, brokerPort), ...runtime.env, ...env },
		logFile: join(userFolder, 'n8n.log'),
	});
	try {
		await started.waitForLine(ready);
	} catch (error) {
		await started.stop();
		throw error;
	}
	return started;
}
