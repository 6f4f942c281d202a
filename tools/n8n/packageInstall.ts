import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment, runProcess } from './processes';

const REPOSITORY = join(__dirname, '../..');
const PACKAGE = 'n8n-nodes-cases';

/**
 * Packs the tarball that would be published into an existing folder. Needs a built `dist/`.
 * @returns its absolute path
 */
export async function packTarball(folder: string): Promise<string> {
	await runProcess({
		name: 'npm pack',
		command: 'npm',
		args: ['pack', '--pack-destination', folder],
		cwd: REPOSITORY,
		env: { ...baseEnvironment(), HOME: homedir() },
	});
	const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
		version: string;
	};
	return join(folder, `${PACKAGE}-${version}.tgz`);
}

/**
 * Unpacks the tarball where n8n installs community packages, and replaces an earlier version.
 * @param userFolder the `N8N_USER_FOLDER` of the n8n that loads the package at its next start
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	await unpackTarball(tarball, join(userFolder, '.n8n/nodes/node_modules', PACKAGE));
}

/** Unpacks a package into a folder, which is emptied before. */
export async function unpackTarball(tarball: string, folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await runProcess({
		name: 'tar',
		command: 'tar',
		args: ['-xzf', tarball, '-C', folder, '--strip-components=1'],
		env: baseEnvironment(),
	});
}
