import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'n8n-nodes-cases-';

/**
 * Creates an empty folder, which the caller removes. Also removes the folders of earlier processes
 * that were killed before they could.
 */
export async function makeTempFolder(): Promise<string> {
	await removeLeftovers(tmpdir(), new RegExp(`^${PREFIX}(\\d+)-`));
	return await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/**
 * Removes the entries of a folder whose names have the id of a process that no longer runs.
 * @param pattern matches their names and captures the process id
 */
export async function removeLeftovers(folder: string, pattern: RegExp): Promise<void> {
	for (const entry of await readdir(folder)) {
		const pid = pattern.exec(entry)?.[1];
		if (pid !== undefined && !isAlive(Number(pid))) {
			await rm(join(folder, entry), { recursive: true, force: true });
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
