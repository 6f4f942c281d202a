import * as http from 'node:http';
import * as https from 'node:https';
import { type Child, serveCalls, startChild } from './rpc';
import { CONCURRENCY, pageRequest } from './setup';

/* Reads pages of cases with nothing but Node, which no n8n node can beat. */

interface Reading {
	url: string;
	key: string;
	pages: number;
	/** Whether connections stay open for further requests; n8n's helper keeps none. */
	keepAlive: boolean;
}

async function readPage(
	{ address, headers }: ReturnType<typeof pageRequest>,
	agent: http.Agent,
): Promise<unknown> {
	const { request } = address.startsWith('https:') ? https : http;
	return await new Promise((resolve, reject) => {
		const sent = request(address, { agent, headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
		});
		sent.on('error', reject);
		sent.end();
	});
}

const handlers = {
	/** Reads pages 1 to `pages`, as many at a time as the nodes do. @returns the time in ms */
	read: async ({ url, key, pages, keepAlive }: Reading): Promise<number> => {
		const { Agent } = url.startsWith('https:') ? https : http;
		const newAgent = () => new Agent({ keepAlive, rejectUnauthorized: false });
		const shared = newAgent();
		let next = 1;
		const worker = async () => {
			while (next <= pages) {
				const page = pageRequest({ url, key }, next++);
				// A new agent for each request, as in n8n's helper, so that no TLS session is resumed.
				await readPage(page, keepAlive ? shared : newAgent());
			}
		};
		const start = performance.now();
		await Promise.all(Array.from({ length: CONCURRENCY }, worker));
		const ms = performance.now() - start;
		shared.destroy();
		return ms;
	},
};

/** A process with Node alone. */
export type NodeAlone = Child<typeof handlers>;

export function startNodeAlone(): NodeAlone {
	return startChild(__filename);
}

if (require.main === module) serveCalls(handlers);
