import './environment';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialTypes, INodeTypes, KnownNodesAndCredentials } from 'n8n-workflow';

/** Node and credential types, looked up as n8n looks them up. */
export interface LoadedTypes {
	nodeTypes: INodeTypes;
	credentialTypes: ICredentialTypes;
}

/**
 * n8n-nodes-base, of which only the requested types are loaded. n8n's own lazy loader
 * also reads every description, which takes seconds and serves only the editor.
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
 * Loads a node package as n8n does, from the compiled files its package.json lists under `n8n`,
 * and makes the types of n8n-nodes-base known beside it.
 *
 * @param packageDirectory the folder with package.json; this package when left out
 */
export async function loadTypes(packageDirectory = thisPackage): Promise<LoadedTypes> {
	if (packageDirectory === thisPackage && !existsSync(resolve(thisPackage, 'dist'))) {
		throw new Error('There is no dist folder to load nodes from: run "npm run build" first');
	}
	const loaders = [
		new PackageDirectoryLoader(packageDirectory),
		new BuiltInNodesLoader(builtInNodes),
	];
	for (const loader of loaders) await loader.loadAll();
	return { nodeTypes: nodeTypesOf(loaders), credentialTypes: credentialTypesOf(loaders) };
}

let typesOfThisPackage: Promise<LoadedTypes> | undefined;

/** The types of this package as it was last built, loaded once. */
export function builtTypes(): Promise<LoadedTypes> {
	return (typesOfThisPackage ??= loadTypes());
}

/** The version of a node that is added to a workflow now. */
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
