import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment, runProcess } from './processes';

const REPOSITORY = join(__dirname, '../..');
const PACKAGE = 'n8n-nodes-cases';

/**
 * Makes the tarball that would be published, in an existing folder. Needs a built `dist/`.
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
 * Puts the packed package where n8n puts an installed community package, replacing what is there.
 * @param userFolder the `N8N_USER_FOLDER` of the n8n that is to load it at its next start
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const target = join(userFolder, '.n8n/nodes/node_modules', PACKAGE);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	await runProcess({
		name: 'tar',
		command: 'tar',
		args: ['-xzf', tarball, '-C', target, '--strip-components=1'],
		env: baseEnvironment(),
	});
}
