import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { selfSignedCertificate } from '../sandbox/certificate';

/** Services with fixed addresses, run on this machine under their own names. */
export interface OtherEnds {
	/** The settings with which n8n reaches them, and nothing else outside this machine. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

/**
 * Starts an HTTPS server for each host, and a proxy that leads to them.
 * @param folder for the file with their certificates
 */
export async function startOtherEnds(
	hosts: Record<string, (app: FastifyInstance) => void>,
	folder: string,
): Promise<OtherEnds> {
	const apps: FastifyInstance[] = [];
	const certificates: string[] = [];
	const ports = new Map<string, number>();
	for (const [host, addRoutes] of Object.entries(hosts)) {
		const https = await selfSignedCertificate(host);
		const app = fastify({ https }) as unknown as FastifyInstance;
		addRoutes(app);
		await app.listen({ host: '127.0.0.1', port: 0 });
		ports.set(host, (app.server.address() as AddressInfo).port);
		apps.push(app);
		certificates.push(https.cert);
	}
	const certificateFile = join(folder, 'otherEnds.pem');
	await writeFile(certificateFile, certificates.join('\n'));
	const proxy = await startProxy(ports);
	return {
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: certificateFile,
		},
		stop: async () => {
			await proxy.stop();
			await Promise.all(apps.map(async (app) => await app.close()));
		},
	};
}

/** A proxy that knows these hosts only. @param ports where each of them listens here */
async function startProxy(ports: ReadonlyMap<string, number>) {
	const server = createServer((_request, response) => response.writeHead(502).end());
	const tunnels = new Set<Duplex>();
	server.on('connect', ({ url = '' }, client) => {
		tunnels.add(client);
		const port = ports.get(url.split(':')[0]);
		client.on('error', () => client.destroy());
		if (port === undefined) {
			client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			return;
		}
		const target = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.pipe(client).pipe(target);
		});
		target.on('error', () => client.destroy());
		client.on('close', () => target.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const stop = async () => {
		for (const tunnel of tunnels) tunnel.destroy();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${port}`, stop };
}

/** A message of a chat. */
interface ChatMessage {
	channel: string;
	text: string;
	edits: number;
}

/** The two requests of Slack that post and edit messages. @param messages by their timestamps */
export const slack = (messages: Map<string, ChatMessage>) => (app: FastifyInstance) => {
	app.post<{ Body: { channel: string; text: string } }>('/api/chat.postMessage', ({ body }) => {
		const ts = `1700000000.${String(messages.size + 1).padStart(6, '0')}`;
		messages.set(ts, { ...body, edits: 0 });
		return { ok: true, channel: 'C012AB3CD', ts, message: { text: body.text, ts } };
	});
	app.post<{ Body: { channel: string; ts: string; text: string } }>(
		'/api/chat.update',
		({ body }) => {
			const message = messages.get(body.ts);
			if (message === undefined || body.channel !== 'C012AB3CD') {
				return { ok: false, error: 'message_not_found' };
			}
			Object.assign(message, { text: body.text, edits: message.edits + 1 });
			return { ok: true, channel: body.channel, ts: body.ts, text: body.text };
		},
	);
};

/** The fields of a Jira issue that a recipe sets. */
interface Issue {
	project: { id: string };
	issuetype: { id: string };
	summary: string;
	description: string;
	labels: string[];
}

/** Searches Jira by one label, and makes issues. @param issues the fields of each, by key */
export const jira = (issues: Map<string, Issue>) => (app: FastifyInstance) => {
	app.post<{ Body: { jql: string } }>('/rest/api/2/search/jql', ({ body }) => {
		const label = /^labels = "([^"]+)"$/.exec(body.jql)?.[1];
		if (label === undefined) throw new Error(`Not understood here: ${body.jql}`);
		const found = [...issues].filter(([, { labels }]) => labels.includes(label));
		return { issues: found.map(([key, fields]) => ({ id: key, key, fields })), isLast: true };
	});
	app.get('/rest/api/2/issuetype', () => [{ id: '10001', name: 'Task', subtask: false }]);
	app.post<{ Body: { fields: Issue } }>('/rest/api/2/issue', ({ body }) => {
		if (!Array.isArray(body.fields.labels)) throw new Error('Labels are a list');
		const key = `SEC-${issues.size + 1}`;
		issues.set(key, body.fields);
		return { id: key, key };
	});
};

/** AbuseIPDB's check of an address. @param scores of the known addresses; another one is refused */
export const abuseIpDb =
	(scores: ReadonlyMap<string, number>, key: string) => (app: FastifyInstance) => {
		app.get<{ Querystring: { ipAddress: string } }>(
			'/api/v2/check',
			async ({ query, headers }, reply) => {
				if (headers.key !== key) return await reply.code(401).send({ errors: [] });
				const abuseConfidenceScore = scores.get(query.ipAddress);
				if (abuseConfidenceScore === undefined) return await reply.code(422).send({ errors: [] });
				return { data: { ...query, abuseConfidenceScore, totalReports: 3 } };
			},
		);
	};
