import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox, WITH_WRITES } from '../../sandbox';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, credentialData } from './examples';
import { type N8n, startN8n } from './n8n';
import { installPackage, packTarball } from './packageInstall';
import { provideRuntime, type Runtime, runtimes, type RuntimeSource } from './runtime';
import { makeTempFolder } from './tempFolder';

/** A folder for one n8n with the packed package installed in it. */
export interface InstalledFolder {
	runtime: Runtime;
	userFolder: string;
	/** Installs the same package into another user folder. */
	installInto(userFolder: string): Promise<void>;
	remove(): Promise<void>;
}

/** A running n8n with the package, a sandbox, and a stored credential for it. */
export interface Installed extends InstalledFolder, Connected {
	sandbox: Sandbox;
	/** Stops n8n and the sandbox, and removes their files. */
	stop(): Promise<void>;
}

/** Packs the built package and installs it into a new folder for an n8n. */
export async function installedFolder(
	source: RuntimeSource = runtimes.current,
): Promise<InstalledFolder> {
	const runtime = await provideRuntime(source);
	const folder = await makeTempFolder();
	const userFolder = join(folder, 'main');
	const tarball = await packTarball(folder);
	await installPackage(tarball, userFolder);
	return {
		runtime,
		userFolder,
		installInto: async (other) => await installPackage(tarball, other),
		remove: async () => await rm(folder, { recursive: true }),
	};
}

/** A running n8n with a stored credential for a sandbox. */
export interface Connected {
	n8n: N8n;
	credentialId: string;
}

/**
 * Starts a new n8n in a user folder that has the package, and creates its owner and a credential.
 * @param apiKey the sandbox's key for the credential
 * @param env additional settings of n8n
 */
export async function startConnected(
	runtime: Runtime,
	userFolder: string,
	sandbox: Sandbox,
	apiKey: string,
	env: Record<string, string> = {},
): Promise<Connected> {
	const n8n = await startN8n({ runtime, userFolder, env });
	try {
		await n8n.api.setUpOwner();
		const data = credentialData(sandbox.url, apiKey);
		const { id } = await n8n.api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
		return { n8n, credentialId: id };
	} catch (error) {
		await n8n.process.stop();
		throw error;
	}
}

/**
 * Starts everything that a test of the installed package needs.
 * @param env additional settings of n8n
 */
export async function startInstalled(
	sandboxOptions: SandboxOptions = {},
	env: Record<string, string> = {},
): Promise<Installed> {
	const cleanups: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		const folder = await installedFolder();
		cleanups.push(folder.remove);
		const sandbox = await startSandbox({ grown: WITH_WRITES, ...sandboxOptions });
		cleanups.push(async () => await sandbox.stop());
		const { runtime, userFolder } = folder;
		const { tenantOwner } = sandbox.keys;
		const connected = await startConnected(runtime, userFolder, sandbox, tenantOwner, env);
		cleanups.push(async () => await connected.n8n.process.stop());
		return { ...folder, sandbox, ...connected, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
