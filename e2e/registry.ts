import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';
import { selfSignedCertificate } from '../sandbox/certificate';
import { packTarball, unpackTarball } from '../tools/n8n/packageInstall';
import { baseEnvironment, runProcess } from '../tools/n8n/processes';
import { makeTempFolder } from '../tools/n8n/tempFolder';

/** The registry that n8n installs from; n8n takes another one only with an enterprise licence. */
const HOST = 'registry.npmjs.org';

/**
 * A local npm registry that is empty at first. An n8n with its environment takes it for npm's own, and
 * reaches no other host over HTTPS. It knows what `npm publish`, `npm pack`, `npm view` and n8n request.
 */
export interface Registry {
	/** The environment of an n8n that installs from this registry. */
	env: Record<string, string>;
	/** The published tarballs that were downloaded, as `n8n-nodes-cases-1.0.0.tgz`. */
	readonly downloads: readonly string[];
	/** Publishes the built package as this version, with npm. @returns the checksum of the tarball */
	publish(version: string): Promise<string>;
	stop(): Promise<void>;
}

/** What `npm publish` sends. */
interface Publication {
	name: string;
	'dist-tags': Record<string, string>;
	versions: Record<string, Manifest>;
	_attachments: Record<string, { data: string }>;
}

type Manifest = IDataObject & { dist: { tarball: string; integrity: string } };

export async function startRegistry(): Promise<Registry> {
	const folder = await makeTempFolder();
	const packages = new Map<string, Publication>();
	const downloads: string[] = [];
	const sockets = new Set<Duplex>();

	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const [name, ...rest] = decodeURIComponent(request.url!.slice(1)).split('/');
		if (request.method === 'PUT') {
			const publication = (await json(request)) as Publication;
			packages.set(name, merged(packages.get(name), publication));
			return response.writeHead(201).end('{}');
		}
		const found = packages.get(name);
		const file = rest[0] === '-' ? rest[1] : undefined;
		if (file !== undefined && found?._attachments[file]) {
			downloads.push(file);
			return response.end(Buffer.from(found._attachments[file].data, 'base64'));
		}
		const version = found?.['dist-tags'][rest[0]] ?? rest[0];
		const body = version === undefined ? found : found?.versions[version];
		response.setHeader('content-type', 'application/json');
		return response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? { error: 'not found' }));
	};
	const listener = (request: IncomingMessage, response: ServerResponse) =>
		void answer(request, response).catch((error: unknown) => response.destroy(error as Error));

	const certificate = await selfSignedCertificate(HOST);
	const secure = createSecureServer(certificate, listener);
	// The same port is the registry for npm publish, and the proxy behind which n8n finds npm's host.
	const server = createServer(listener).on('connect', ({ url }, socket: Duplex, head: Buffer) => {
		sockets.add(socket.on('error', () => socket.destroy()));
		if (url !== `${HOST}:443`) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		if (head.length > 0) socket.unshift(head);
		secure.emit('connection', socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const local = `localhost:${(server.address() as AddressInfo).port}`;
	const authority = join(folder, 'authority.pem');
	await writeFile(authority, certificate.cert);

	const publish = async (version: string) => {
		const content = join(folder, version);
		await unpackAs(version, content);
		await runProcess({
			name: 'npm publish',
			command: 'npm',
			// npm publishes to no registry without a key; this one doesn't check it.
			args: [
				'publish',
				'--ignore-scripts',
				content,
				`--registry=http://${local}/`,
				`--//${local}/:_authToken=any`,
			],
			cwd: folder,
			env: { ...baseEnvironment(), HOME: homedir() },
		});
		const [{ versions }] = packages.values();
		return versions[version].dist.integrity;
	};

	return {
		env: {
			HTTPS_PROXY: `http://${local}`,
			NODE_EXTRA_CA_CERTS: authority,
			// For npm, which ignores Node's setting where it has its own.
			npm_config_cafile: authority,
			npm_config_fetch_retries: '0',
		},
		downloads,
		publish,
		stop: async () => {
			for (const socket of sockets) socket.destroy();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await rm(folder, { recursive: true });
		},
	};
}

/** A package with one more version, whose tarball is at npm's own address. */
function merged(before: Publication | undefined, published: Publication): Publication {
	const versions = Object.entries(published.versions).map(([version, manifest]) => {
		const tarball = `https://${HOST}/${published.name}/-/${published.name}-${version}.tgz`;
		return [version, { ...manifest, dist: { ...manifest.dist, tarball } }] as const;
	});
	return {
		...published,
		versions: { ...before?.versions, ...Object.fromEntries(versions) },
		_attachments: { ...before?._attachments, ...published._attachments },
	};
}

/** Unpacks the built package into a folder, under another version. */
async function unpackAs(version: string, folder: string): Promise<void> {
	await unpackTarball(await packTarball(join(folder, '..')), folder);
	const path = join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(path, 'utf8')) as IDataObject;
	await writeFile(path, JSON.stringify({ ...manifest, version, private: undefined }));
}
