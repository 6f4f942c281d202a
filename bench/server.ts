import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../sandbox';
import { selfSignedCertificate } from '../sandbox/certificate';
import { type RecordedRequest, Recorder } from '../sandbox/recorder';
import { addRecords } from './records';
import { type Child, serveCalls, startChild } from './rpc';

/*
 * The service for the measurements, in a process of its own. It caches the sandbox's answers as bytes,
 * because the sandbox takes longer for a page than the client, and the measurements would be of the
 * sandbox.
 */

export interface ServerOptions {
	cases: number;
	https?: boolean;
	/** Default: a few, as the sandbox makes them. */
	recordsPerCase?: number;
}

/** How the server answers from now on. */
export interface Behaviour {
	/** The time for each answer, in ms. */
	latencyMs: number;
}

/** What the server saw since it was last reset. Times are in ms of one clock. */
export interface Traffic {
	requests: Array<Pick<RecordedRequest, 'method' | 'path' | 'status' | 'startedAt' | 'endedAt'>>;
	maxInFlight: number;
	maxOpenSockets: number;
}

export interface Server {
	url: string;
	key: string;
	/** Forgets the traffic so far. */
	reset(behaviour: Behaviour): Promise<void>;
	/** @throws Error if a request broke the API document's rules: the measurement is then invalid */
	traffic(): Promise<Traffic>;
	stop(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
	const child: Child<ReturnType<typeof createHandlers>> = startChild(__filename);
	const { url, key } = await child.calls.start(options);
	return {
		url,
		key,
		reset: child.calls.reset,
		traffic: async () => await child.calls.traffic(undefined),
		stop: child.stop,
	};
}

interface CachedAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** Forwards requests to the sandbox, and caches the answers of reads until the next write. */
function createCachedAnswers(sandbox: Sandbox) {
	const cache = new Map<string, CachedAnswer>();
	return async (request: IncomingMessage): Promise<CachedAnswer> => {
		const { method = 'GET', url = '', headers } = request;
		const cached = method === 'GET' ? cache.get(url) : undefined;
		if (cached) return cached;
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const response = await fetch(sandbox.url + url, {
			method,
			headers: {
				'content-type': headers['content-type'] ?? '',
				'x-user-token': String(headers['x-user-token']),
			},
			...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
		});
		const answer: CachedAnswer = {
			status: response.status,
			headers: { 'content-type': response.headers.get('content-type') ?? '' },
			body: Buffer.from(await response.arrayBuffer()),
		};
		if (method === 'GET') cache.set(url, answer);
		else cache.clear();
		return answer;
	};
}

function createHandlers() {
	const recorder = new Recorder();
	let behaviour: Behaviour = { latencyMs: 0 };
	let sandbox: Sandbox;

	const answerWith = (answerOf: ReturnType<typeof createCachedAnswers>) => {
		return async (request: IncomingMessage, response: ServerResponse) => {
			const { method = '', url = '' } = request;
			const [path, queryString = ''] = url.split('?');
			const { headers } = request;
			const record: RecordedRequest = {
				method,
				path,
				queryString,
				query: {},
				headers,
				startedAt: performance.now(),
			};
			recorder.begin(record);
			const { latencyMs } = behaviour;
			const [answer] = await Promise.all([
				answerOf(request),
				latencyMs > 0 ? sleep(latencyMs) : undefined,
			]);
			recorder.end(record, answer.status);
			response.writeHead(answer.status, {
				...answer.headers,
				'content-length': answer.body.length,
			});
			response.end(answer.body);
		};
	};

	return {
		start: async ({ cases, https, recordsPerCase }: ServerOptions) => {
			// Above 50 cases a page only for what asks for it; all others stay within the API document.
			sandbox = await startSandbox({ cases, grown: ['page-size'] });
			if (recordsPerCase !== undefined) addRecords(sandbox.store, recordsPerCase);
			const answer = answerWith(createCachedAnswers(sandbox));
			const server = https
				? createTlsServer(await selfSignedCertificate(), answer)
				: createServer(answer);
			recorder.watchSockets(server);
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			return {
				url: `${https ? 'https' : 'http'}://127.0.0.1:${port}`,
				key: sandbox.keys.tenantOwner,
			};
		},
		reset: (next: Behaviour) => {
			recorder.clear();
			sandbox.clearRequests();
			behaviour = next;
		},
		traffic: (): Traffic => {
			const [refused] = sandbox.rejected;
			if (refused) throw new Error(`The service refused ${refused.path}: ${refused.rejected}`);
			const { maxInFlight, maxOpenSockets } = recorder.stats;
			return {
				requests: recorder.requests.map(({ method, path, status, startedAt, endedAt }) => ({
					method,
					path,
					status,
					startedAt,
					endedAt,
				})),
				maxInFlight,
				maxOpenSockets,
			};
		},
	};
}

if (require.main === module) serveCalls(createHandlers());
