import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import * as qs from 'qs';
import { ACCESS, authenticate } from './auth';
import { dateHeader, merged } from './deviations';
import { ROUTES } from './endpoints';
import { ApiError } from './errors';
import { faultyAnswer, isCarriedOut, JSON_TYPE, type Answer, type FaultScript } from './faults';
import type { Traits } from './grown';
import type { RecordedRequest, Recorder } from './recorder';
import { Reply, type Endpoint, type EndpointRequest } from './requests';
import type { Service } from './service';

/** What the HTTP server needs; `service.baseUrl` is set once the port is known. */
export interface ServerContext {
	service: Service;
	faults: FaultScript;
	recorder: Recorder;
	prefix: string;
	/** How many requests may pass in any second. */
	perSecond: number;
	/** When those of the last second passed, in milliseconds of a clock that never goes back. */
	passedAt: number[];
	tls?: { key: string; cert: string };
	/** Ends the delay of waiting answers. */
	stopped: AbortSignal;
}

declare module 'fastify' {
	interface FastifyRequest {
		record: RecordedRequest | null;
	}
}

const MAX_HEADER_BYTES = 1024 * 1024;
const BODY_LIMIT = 100 * 1024 * 1024;
/** The longest path and query, in characters. */
const MAX_URL_LENGTH = 8000;

/** Builds the HTTP server; the endpoints themselves are in endpoints.ts. */
export function buildServer(context: ServerContext): FastifyInstance {
	const { recorder, prefix } = context;
	const app = fastify({
		bodyLimit: BODY_LIMIT,
		routerOptions: {
			maxParamLength: MAX_HEADER_BYTES,
			// params.ts reads the query string itself: this parser would hide what is malformed.
			querystringParser: () => ({}),
		},
		http: { maxHeaderSize: MAX_HEADER_BYTES },
		https: context.tls ? { ...context.tls, maxHeaderSize: MAX_HEADER_BYTES } : null,
	} as FastifyServerOptions);

	recorder.watchSockets(app.server);
	app.decorateRequest('record', null);
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', async (request, reply) => {
		const { store, deviations } = context.service;
		const date = dateHeader(deviations, store.now());
		// Node would set a date of its own.
		if (date === undefined) reply.raw.sendDate = false;
		else reply.header('date', date);
		if (request.routeOptions.config.isForPeople) return;
		record(context, request, reply);
	});

	for (const { method, path, endpoint } of ROUTES) {
		app.route({
			method,
			url: prefix + path,
			exposeHeadRoute: false,
			handler: async (request, reply) =>
				send(context, reply, await answer(context, request, endpoint)),
		});
	}
	app.setNotFoundHandler((request, reply) => {
		const path = request.record?.path ?? request.url;
		refuse(context, request, reply, ApiError.breach(404, `There is no ${request.method} ${path}`));
	});
	app.setErrorHandler((error, request, reply) => {
		refuse(context, request, reply, error instanceof ApiError ? error : fromFastify(error));
	});
	return app;
}

async function answer(
	context: ServerContext,
	request: FastifyRequest,
	endpoint: Endpoint,
): Promise<Answer> {
	const { service } = context;
	const { record } = request;
	if (!record) throw new Error('A request to the API was not recorded');
	checkEnvelope(request);
	const key = authenticate(request.headers);
	record.key = key;
	const ids = request.params as EndpointRequest['ids'];
	const { queryString, method, path } = record;
	record.body = readBody(request);
	const call = endpoint(service, { ids, queryString, body: record.body });

	const { perSecond, passedAt } = context;
	const second = performance.now() - 1000;
	while (passedAt[0] <= second) passedAt.shift();
	if (passedAt.length >= perSecond) {
		const refusal = errorAnswer(service.traits, new ApiError(429, 'Too many requests'));
		const retryAfter = Math.ceil((passedAt[0] - second) / 1000);
		return { ...refusal, headers: { ...refusal.headers, 'retry-after': String(retryAfter) } };
	}
	passedAt.push(second + 1000);

	const plan = context.faults.plan({ method, path, page: call.page });
	if (plan.latencyMs > 0) await pause(context, plan.latencyMs);
	for (const change of plan.changes) await change(service.store);
	const { replacedBy } = plan;
	if (replacedBy && !isCarriedOut(replacedBy)) {
		return faultyAnswer(replacedBy, { status: 200, headers: {}, body: '' });
	}
	const deviations = merged([service.deviations, plan.deviations]);
	const given = call.run({ ...service, deviations }, ACCESS[key]);
	const { status, body, headers } = given instanceof Reply ? given : new Reply(200, given ?? {});
	const regular: Answer = given
		? {
				status,
				headers: { 'content-type': JSON_TYPE, ...headers },
				body: body instanceof Buffer ? body : JSON.stringify(body),
			}
		: { status: 204, headers: {}, body: '' };
	return replacedBy ? faultyAnswer(replacedBy, regular) : regular;
}

/** Checks the rules for every request, on any path. @throws ApiError a breach */
function checkEnvelope(request: FastifyRequest): void {
	if (request.url.length > MAX_URL_LENGTH) {
		throw ApiError.breach(414, `The URL has more than ${MAX_URL_LENGTH} characters`);
	}
	if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
		throw ApiError.breach(415, 'The content-type must be application/json');
	}
	// Fastify doesn't read the body of a GET.
	const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
	if (request.method === 'GET' && (length !== '0' || encoding !== undefined)) {
		throw ApiError.breach(400, 'A GET request takes no body');
	}
}

function readBody(request: FastifyRequest): unknown {
	if (typeof request.body !== 'string' || request.body === '') return undefined;
	try {
		return JSON.parse(request.body) as unknown;
	} catch {
		throw ApiError.breach(400, 'The body is not JSON');
	}
}

function record(context: ServerContext, request: FastifyRequest, reply: FastifyReply): void {
	const { recorder, prefix, service } = context;
	const [path] = request.url.split('?', 1);
	const queryString = request.url.slice(path.length + 1);
	const recorded: RecordedRequest = {
		method: request.method,
		path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
		queryString,
		query: qs.parse(queryString, {
			comma: service.dialect.arrayFormat === 'comma',
			arrayLimit: 10_000,
			parameterLimit: 10_000,
		}),
		headers: request.headers,
		startedAt: performance.now(),
	};
	request.record = recorded;
	recorder.begin(recorded);
	reply.raw.once('close', () =>
		recorder.end(recorded, reply.raw.headersSent ? reply.raw.statusCode : 0),
	);
}

function refuse(
	{ service }: ServerContext,
	request: FastifyRequest,
	reply: FastifyReply,
	error: ApiError,
): void {
	if (request.record) {
		request.record.body ??= request.body;
		if (error.isBreach) request.record.rejected = error.message;
	}
	const { status, headers, body } = errorAnswer(service.traits, error, request.record?.path);
	reply.code(status).headers(headers).send(body);
}

/** The types of errors of the newer requests for records, which answer 400 in place of 422. */
const NEWER_ERRORS: Readonly<Record<number, string>> = { 400: 'bad_request', 403: 'forbidden' };

function errorAnswer(traits: Traits, { status, message }: ApiError, path = ''): Answer {
	const answerOf = (code: number, error: object) => ({
		...{ status: code, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(error) },
	});
	if (path.startsWith('/api/v2/records/') && traits.has('newer-requests')) {
		const code = status === 422 ? 400 : status;
		const field = code === 400 ? message.split(' ', 1)[0] : undefined;
		return answerOf(code, { error: { type: NEWER_ERRORS[code] ?? 'not_found', message, field } });
	}
	const errors = [{ message: 'The request failed', details: message }];
	return answerOf(status, traits.has('further-fields') ? { errors } : { error: message });
}

/** Fastify's own refusals, such as a body that is too large, are breaches, too. */
function fromFastify(error: unknown): ApiError {
	const { statusCode = 500, message } = error as { statusCode?: number; message: string };
	return new ApiError(statusCode, message, statusCode < 500);
}

function send(context: ServerContext, reply: FastifyReply, answer: Answer): FastifyReply {
	const { status, headers, body, cut, paced } = answer;
	if (paced) {
		return reply
			.code(status)
			.headers(headers)
			.send(Readable.from(inTime(context, paced)));
	}
	if (!cut) return reply.code(status).headers(headers).send(body);
	reply.hijack();
	const { raw } = reply;
	const end = () => raw.socket?.destroy();
	if (cut === 'beforeAnswer') {
		end();
		return reply;
	}
	const bytes = Buffer.from(body as string);
	raw.writeHead(status, { 'content-type': JSON_TYPE, ...headers, 'content-length': bytes.length });
	raw.write(bytes.subarray(0, bytes.length >> 1), end);
	return reply;
}

/** Yields pieces of a body until the sandbox stops; before that the client has to break off an endless one. */
async function* inTime(
	context: ServerContext,
	{ pieces, everyMs }: NonNullable<Answer['paced']>,
): AsyncGenerator<Buffer> {
	for (const piece of pieces) {
		if (context.stopped.aborted) return;
		yield piece;
		if (everyMs > 0) await pause(context, everyMs);
	}
}

async function pause({ stopped }: ServerContext, ms: number): Promise<void> {
	// When the sandbox stops, the connection is gone and nobody reads the answer.
	await sleep(ms, undefined, { signal: stopped }).catch(() => undefined);
}
