import './environment';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialTypes, INodeTypes, KnownNodesAndCredentials } from 'n8n-workflow';

/** Node and credential types, found by name as in n8n. */
export interface LoadedTypes {
	nodeTypes: INodeTypes;
	credentialTypes: ICredentialTypes;
}

/**
 * Loads only the requested types of n8n-nodes-base. n8n's own lazy loader also reads every
 * description, which takes seconds and is needed only by the editor.
 */
class BuiltInNodesLoader extends PackageDirectoryLoader {
	async loadAll() {
		this.known = {
			nodes: await this.readJSON<KnownNodesAndCredentials['nodes']>('dist/known/nodes.json'),
			credentials: await this.readJSON<KnownNodesAndCredentials['credentials']>(
				'dist/known/credentials.json',
			),
		};
		this.isLazyLoaded = true;
	}
}

const builtInNodes = dirname(require.resolve('n8n-nodes-base/package.json'));
const thisPackage = resolve(__dirname, '../..');

/**
 * Loads a node package as n8n does, from the compiled files that its package.json lists under `n8n`,
 * and n8n-nodes-base.
 *
 * @param packageDirectory the folder with package.json; default: this package
 */
export async function loadTypes(packageDirectory = thisPackage): Promise<LoadedTypes> {
	const loaders = [
		new PackageDirectoryLoader(packageDirectory),
		new BuiltInNodesLoader(builtInNodes),
	];
	for (const loader of loaders) await loader.loadAll();
	return { nodeTypes: nodeTypesOf(loaders), credentialTypes: credentialTypesOf(loaders) };
}

let typesOfThisPackage: Promise<LoadedTypes> | undefined;

/** The types of this package's last build, loaded once. @throws where the build is older than its sources */
export function builtTypes(): Promise<LoadedTypes> {
	if (typesOfThisPackage === undefined) requireNewBuild();
	return (typesOfThisPackage ??= loadTypes());
}

/** @throws where a package has no build, or one that is older than its sources. Their code would not be what runs. */
export function requireNewBuild(packageDirectory = thisPackage): void {
	const timesIn = (folder: string, ending = '') =>
		readdirSync(join(packageDirectory, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
			.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs);
	const folders = readdirSync(packageDirectory);
	const sources = ['nodes', 'credentials', 'icons'].filter((folder) => folders.includes(folder));
	// What is copied into dist keeps its time.
	const built = folders.includes('dist') ? timesIn('dist', '.js') : [];
	const newestSource = Math.max(...sources.flatMap((folder) => timesIn(folder)));
	if (built.length > 0 && Math.min(...built) > newestSource) return;
	const what = built.length > 0 ? 'dist is older than its sources' : 'There is no dist';
	throw new Error(`${what}: run "npm run build" first`);
}

/** The version that a node gets when it is added to a workflow. */
export function newestVersion(nodeTypes: INodeTypes, type: string): number {
	const { defaultVersion, version } = nodeTypes.getByNameAndVersion(type).description;
	return defaultVersion ?? [version].flat().at(-1) ?? 1;
}

function nodeTypesOf(loaders: PackageDirectoryLoader[]): INodeTypes {
	const getByName = (fullName: string) => {
		const [packageName, name] = fullName.split('.');
		const loader = loaders.find((candidate) => candidate.packageName === packageName);
		if (!loader) throw new Error(`No package with the node type "${fullName}" is loaded`);
		return loader.getNode(name).type;
	};
	return {
		getByName,
		getByNameAndVersion: (fullName, version) =>
			NodeHelpers.getVersionedNodeType(getByName(fullName), version),
		getKnownTypes: () => ({}),
	};
}

function credentialTypesOf(loaders: PackageDirectoryLoader[]): ICredentialTypes {
	const owner = (name: string) => loaders.find(({ known }) => name in known.credentials);
	const known = (name: string) => owner(name)?.known.credentials[name];
	const getParentTypes = (name: string): string[] =>
		(known(name)?.extends ?? []).flatMap((parent) => [parent, ...getParentTypes(parent)]);
	return {
		recognizes: (name) => owner(name) !== undefined,
		getByName: (name) => {
			const loader = owner(name);
			if (!loader) throw new Error(`No package with the credential type "${name}" is loaded`);
			return loader.getCredential(name).type;
		},
		getSupportedNodes: (name) => known(name)?.supportedNodes ?? [],
		getParentTypes,
	};
}
