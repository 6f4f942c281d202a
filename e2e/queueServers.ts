import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { baseEnvironment, freePorts, runProcess, startProcess } from '../tools/n8n/processes';
import { makeTempFolder } from '../tools/n8n/tempFolder';

/** A new, empty PostgreSQL and Redis. */
export interface QueueServers {
	/** The settings with which n8n uses them for queue mode. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

const DATABASE_USER = 'n8n';
const POSTGRES_FOLDERS = '/usr/lib/postgresql';

/**
 * Starts PostgreSQL and Redis on free ports, with files in a temporary folder that `stop` removes.
 * @throws Error that names the Debian package to install if a server is missing
 */
export async function startQueueServers(): Promise<QueueServers> {
	const [databasePort, redisPort] = await freePorts(2);
	const folder = await makeTempFolder();
	const postgres = await startPostgres(folder, databasePort);
	const redis = startProcess({
		name: 'redis-server',
		command: findProgram('redis-server', [], 'redis-server'),
		args: ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
		env: baseEnvironment(),
	});
	await redis.waitForLine(/Ready to accept connections/);
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(databasePort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: DATABASE_USER,
			DB_POSTGRESDB_PASSWORD: 'not checked',
			// On a busy machine, fifty clicks at once wait for one of a process's two connections for longer than 20 s.
			DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
		},
		stop: async () => {
			await Promise.all([postgres.stop(), redis.stop()]);
			await rm(folder, { recursive: true });
		},
	};
}

async function startPostgres(folder: string, port: number) {
	const versions = existsSync(POSTGRES_FOLDERS) ? readdirSync(POSTGRES_FOLDERS) : [];
	const folders = versions.map((version) => join(POSTGRES_FOLDERS, version, 'bin'));
	const data = join(folder, 'data');
	const account = await databaseAccount(folder);
	const command = (program: string, args: string[]) => {
		const path = findProgram(program, folders, 'postgresql');
		return {
			name: program,
			command: account.prefix[0] ?? path,
			args: [...account.prefix.slice(1), ...(account.prefix.length > 0 ? [path] : []), ...args],
			cwd: folder,
			env: baseEnvironment(),
		};
	};
	const user = ['--username', DATABASE_USER, '--auth', 'trust'];
	const locale = ['--no-locale', '--encoding', 'UTF8']; // the locale in LANG may not be installed
	await runProcess(command('initdb', ['-D', data, ...user, ...locale, '--no-sync']));
	const settings = [`unix_socket_directories=${folder}`, 'fsync=off'].flatMap((set) => ['-c', set]);
	const server = startProcess({
		...command('postgres', ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings]),
		stopSignal: 'SIGINT', // SIGTERM would wait for open connections
	});
	await server.waitForLine(/ready to accept connections/);
	return server;
}

/** PostgreSQL refuses to run as root: there it runs as the account of its Debian package. */
async function databaseAccount(folder: string): Promise<{ prefix: string[] }> {
	if (process.getuid?.() !== 0) return { prefix: [] };
	const [uid, gid] = ['-u', '-g'].map((flag) =>
		Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
	);
	await chown(folder, uid, gid);
	return { prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] };
}

function findProgram(program: string, moreFolders: string[], debianPackage: string): string {
	const folders = [...moreFolders, ...(process.env.PATH ?? '').split(delimiter)];
	const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
	if (found === undefined) {
		throw new Error(`${program} is missing: install the Debian package ${debianPackage}`);
	}
	return found;
}
