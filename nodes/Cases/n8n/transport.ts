import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	sleep,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type IPollFunctions,
	type IWebhookFunctions,
	type NodeApiError,
} from 'n8n-workflow';

import type { Client, Log } from '../api/http/client';
import { InvalidInput, shorten, type ApiFailure } from '../api/failures/failure';
import { MAX_ANSWER_MB, TOO_LARGE } from '../api/failures/failureTable';
import {
	failureOf,
	failureOfNetwork,
	type RawAnswer,
	type Redact,
} from '../api/failures/requestFailures';
import { createPool } from '../api/pool';
import { readAnswer } from '../api/http/readAnswer';
import type { ApiRequest } from '../api/http/requests';
import { createSender, type Clock } from '../api/http/sender';
import { createRedactor, parseTenant, type Tenant } from '../api/http/tenant';
import { nameFilter } from '../fields/filters/filters';
import type { SendingOptions } from '../fields/options';
import { createLog } from './log';
import { rememberRedactor } from './errors';

/** Every context of n8n from which the nodes send requests. */
export type RequestContext =
	| IExecuteFunctions
	| IHookFunctions
	| IPollFunctions
	| ILoadOptionsFunctions
	| IWebhookFunctions;

/** Longest total wait of a request because the service asks for it, in ms. */
const MAX_WAIT_MS = 120_000;

const CREDENTIAL = 'casesApi';

/**
 * Reads the credential once and creates a client for one run.
 * @param maxWaitMs longest total wait of a request because the service asks for it
 * @throws InvalidInput when the credential's fields can't be used, or when it may not be used with its Base URL
 */
export async function createClient(
	context: RequestContext,
	{ timeout, ...limits }: SendingOptions,
	maxWaitMs = MAX_WAIT_MS,
): Promise<Client & { log: Log }> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const tenant = parseTenant(credential);
	const redact = createRedactor(tenant);
	rememberRedactor(context, redact);
	const log = createLog(context);
	const clock = clockOf(context);
	return {
		tenant,
		...createPool(limits.concurrency),
		log,
		nameFilter,
		now: clock.now,
		send: createSender({
			attempt: createAttempt(context, credential, tenant, timeout, redact),
			readAnswer: (request, answer) => readAnswer(request, answer, redact),
			clock,
			limits: { ...limits, maxWaitMs },
			log,
		}),
	};
}

/**
 * Creates the function that sends a request once, through n8n's helper, and reads its answer.
 * @param timeout longest time of the whole request, in ms
 * @throws InvalidInput when the credential may not be used with its Base URL
 */
function createAttempt(
	context: RequestContext,
	credential: ICredentialDataDecryptedObject,
	tenant: Tenant,
	timeout: number,
	redact: Redact,
): (request: ApiRequest) => Promise<RawAnswer | ApiFailure> {
	const node = context.getNode();
	const allowedDomains = allowedDomainsOf(node, credential, tenant.baseUrl);
	const { host } = new URL(tenant.baseUrl);
	return async (request) => {
		const startedAt = Date.now();
		const deadline = AbortSignal.timeout(timeout);
		let answer: HttpAnswer | undefined;
		try {
			answer = (await context.helpers.httpRequestWithAuthentication.call(
				withDeadline(context, deadline),
				CREDENTIAL,
				httpOptions(request, tenant, timeout, allowedDomains),
				credentialReadOnce(node, credential),
			)) as HttpAnswer;
			const chunks = await readBody(answer);
			if (chunks === undefined) return failureOf(request, TOO_LARGE);
			return {
				status: answer.statusCode,
				headers: answer.headers,
				text: () => new TextDecoder().decode(Buffer.concat(chunks.splice(0))),
				elapsedMs: Date.now() - startedAt,
			};
		} catch (error) {
			const { code, httpCode } = error as FailedRequest;
			// Before the answer, n8n puts Node's code of a network error into `httpCode`.
			const cause = deadline.aborted ? 'ETIMEDOUT' : answer === undefined ? httpCode : code;
			// Without a cause n8n itself refused to send the request, as its protection of internal addresses does.
			return cause || answer !== undefined
				? failureOfNetwork(request, cause ?? '', host, answer?.statusCode)
				: refusedByN8n(request, error as FailedRequest, redact);
		}
	};
}

/** What n8n's helper throws. */
type FailedRequest = NodeApiError & { code?: string };

function refusedByN8n(
	request: ApiRequest,
	{ message, description }: FailedRequest,
	redact: Redact,
): ApiFailure {
	return failureOf(request, {
		message: `n8n did not send the request: ${shorten(redact(message), 300)}`,
		remedy: shorten(redact(description ?? "See n8n's log for details."), 500),
		isUnsent: true,
		isOfRun: true,
	});
}

/** Reads the body of an answer. @returns undefined where it is too large */
async function readBody({ body }: HttpAnswer): Promise<Uint8Array[] | undefined> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	// Leaving the loop early closes the connection.
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_MB * 1024 * 1024) return undefined;
		chunks.push(chunk);
	}
	return chunks;
}

/** An answer of n8n's helper, of which only the headers have come. */
interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array>;
}

/**
 * The context, as n8n's helper sees it, with a deadline besides the user's cancel. In an execution the helper takes
 * only the cancel signal of its context. Its own `timeout` ends with the headers, so that a body could come in
 * byte by byte without end.
 */
function withDeadline<T extends RequestContext>(context: T, deadline: AbortSignal): T {
	const cancel = cancelSignalOf(context);
	const signal = cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as T;
}

/** n8n writes the key into the options it gets, so each attempt needs new ones. */
function httpOptions(
	{ method, path, body }: ApiRequest,
	{ baseUrl, ignoreSslIssues }: Tenant,
	timeout: number,
	allowedDomains: string | undefined,
): IHttpRequestOptions {
	return {
		method,
		url: `${baseUrl}${path}`,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body,
		timeout,
		// Otherwise n8n reads the whole body, however long it is, and turns broken JSON into text without an error.
		encoding: 'stream',
		returnFullResponse: true,
		// Otherwise n8n retries a request that was answered with 401.
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key to another origin.
		disableFollowRedirect: true,
		skipSslCertificateValidation: ignoreSslIssues,
		allowedDomains,
	};
}

/**
 * The options that let n8n's helper use the credential that was read once. Without them n8n reads and decrypts it for
 * each request. It can't be passed on without an ID, which only a saved credential has.
 */
function credentialReadOnce(
	node: INode,
	data: ICredentialDataDecryptedObject,
): { credentialsDecrypted: ICredentialsDecrypted } | undefined {
	const saved = node.credentials?.[CREDENTIAL];
	if (!saved?.id) return undefined;
	return { credentialsDecrypted: { id: saved.id, name: saved.name, type: CREDENTIAL, data } };
}

/**
 * The domains with which the credential may be used, if its owner has limited them. n8n doesn't enforce the limit for
 * this kind of node; n8n 1.x has none.
 * @throws InvalidInput when the Base URL is not on one of these domains
 */
function allowedDomainsOf(
	node: INode,
	credentialData: ICredentialDataDecryptedObject,
	url: string,
): string | undefined {
	if (typeof getCredentialAllowedDomains !== 'function') return undefined;
	const allowedDomains = getCredentialAllowedDomains({
		node,
		credentialData,
		credentialOwnedSurface: true,
	});
	if (allowedDomains !== undefined && !isDomainAllowed({ url, allowedDomains })) {
		throw new InvalidInput(
			`The credential may only be used with ${allowedDomains}, but its Base URL is ${url}`,
			"In the credential, add the host to 'Allowed Domains', or correct 'Base URL'.",
		);
	}
	return allowedDomains;
}

/** The real clock, and n8n's signal that the user has canceled the execution. */
function clockOf(context: RequestContext): Clock {
	const cancelSignal = cancelSignalOf(context);
	const canceled = new Promise<void>((resolve) => {
		cancelSignal?.addEventListener('abort', () => resolve());
	});
	return {
		now: () => Date.now(),
		sleep: async (ms) => await Promise.race([sleep(ms), canceled]),
		random: Math.random,
		isCanceled: () => cancelSignal?.aborted === true,
	};
}

/** The signal that the user has canceled the execution. Polls and the lists of the editor have none. */
function cancelSignalOf(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
