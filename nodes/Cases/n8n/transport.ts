import {
	assertCredentialAllowsUrl,
	sleep,
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type NodeApiError,
} from 'n8n-workflow';

import type { Client, Log } from '../api/http/client';
import { InvalidInput, shorten, type ApiFailure } from '../api/failures/failure';
import { BAD_CREDENTIAL, MAX_ANSWER_MB, TOO_LARGE } from '../api/failures/failureTable';
import {
	failureOf,
	failureOfNetwork,
	type RawAnswer,
	type Redact,
} from '../api/http/requestFailures';
import { createPool, type Gate } from '../api/pool';
import { readAnswer } from '../api/http/readAnswer';
import type { ApiRequest } from '../api/http/requests';
import { createSender, type Clock, type SenderParts } from '../api/http/sender';
import { createRedactor, parseTenant, type Tenant } from '../api/http/tenant';
import { nameFilter } from '../fields/filters/filters';
import type { SendingOptions } from '../fields/options';
import { redactorOf, redactors } from './errors';
import { createLog } from './log';

const CREDENTIAL = 'casesApi';

interface Sharing {
	maxWaitMs?: number;
	slotsOf?: (baseUrl: string) => Gate;
	onPause?: SenderParts['onPause'];
}

/**
 * Reads the credential once and creates a client for one run.
 * @param maxWaitMs longest total wait of a request that the service puts off, in ms
 * @param slotsOf gives the slots of the tenant with a Base URL, where several runs share them
 * @param itemCount how many input items the run has, if it has any
 * @throws InvalidInput for a field that can't be used; n8n's own error when the credential doesn't allow the Base URL
 */
export async function createClient(
	context: IAllExecuteFunctions,
	{ timeout, maxWaitMs = 120_000, slotsOf, onPause, ...limits }: SendingOptions & Sharing,
	itemCount = 1,
): Promise<Client & { log: Log }> {
	const credential = await readCredential(context, itemCount);
	const tenant = parseTenant(credential);
	// For a node without declarative routing, n8n itself doesn't check the allowed domains of a credential. n8n 1 has none.
	assertCredentialAllowsUrl?.({
		node: context.getNode(),
		credentialData: credential,
		url: tenant.baseUrl,
		// With this entry, None keeps the credential out of the HTTP Request node only.
		pinnedUrl: undefined,
	});
	const redact = createRedactor(tenant);
	redactors.set(context, redact);
	const log = createLog(context);
	// Polls and the lists of the editor can't be canceled.
	const cancel =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const clock = clockOf(cancel);
	return {
		tenant,
		...createPool(limits.concurrency),
		log,
		nameFilter,
		now: clock.now,
		send: createSender({
			attempt: createAttempt(context, credential, tenant, timeout, cancel),
			readAnswer: (request, answer) => readAnswer(request, answer, redact),
			turn: nextTurn,
			clock,
			limits: { ...limits, maxWaitMs },
			enterSlot: slotsOf?.(tenant.baseUrl),
			onPause,
			log,
		}),
	};
}

/** @throws InvalidInput where the credential may be another for each of several items */
async function readCredential(
	context: IAllExecuteFunctions,
	itemCount: number,
): Promise<ICredentialDataDecryptedObject> {
	const read = async (item: number) =>
		await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, item);
	const credential = await read(0);
	if (itemCount < 2) return credential;
	// Behind the last item, an expression that reads an item fails or has another value.
	const behind = await read(itemCount).catch((): ICredentialDataDecryptedObject => ({}));
	const isSame = ['baseUrl', 'apiKey'].every((name) => behind[name] === credential[name]);
	if (!isSame) throw new InvalidInput(...BAD_CREDENTIAL.ofItems);
	return credential;
}

/** An answer of n8n's helper, which returns it when the headers have come. Its body is a stream of Node. */
interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & {
		map: (use: (chunk: Uint8Array) => Uint8Array) => AsyncIterable<Uint8Array>;
	};
}

/** The options of n8n's helper for one attempt. n8n writes the key into them, so each attempt needs new ones. */
const optionsOf = (
	{ method, path, body, sink }: ApiRequest,
	{ baseUrl, ignoreSslIssues }: Tenant,
	timeout: number,
): IHttpRequestOptions => ({
	method,
	url: `${baseUrl}${path}`,
	headers: {
		'content-type': 'application/json',
		// The length of a file that is compressed on the way would say nothing about the file.
		...(sink === undefined
			? { accept: 'application/json' }
			: { accept: '*/*', 'accept-encoding': 'identity' }),
	},
	body,
	// Only limits the time until the headers come. The deadline of the attempt also limits the time for the body.
	timeout,
	// Otherwise n8n reads the whole body, however long it is, and turns broken JSON into text without an error.
	encoding: 'stream',
	returnFullResponse: true,
	// Otherwise n8n retries a request that was answered with 401.
	ignoreHttpStatusErrors: true,
	// A redirect would carry the key to another origin.
	disableFollowRedirect: true,
	skipSslCertificateValidation: ignoreSslIssues,
});

/** Creates the function that sends a request once, through n8n's helper. @param timeout of the whole request, in ms */
function createAttempt(
	context: IAllExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	tenant: Tenant,
	timeout: number,
	cancel: AbortSignal | undefined,
): (request: ApiRequest) => Promise<RawAnswer | ApiFailure> {
	const { host } = new URL(tenant.baseUrl);
	const saved = context.getNode().credentials?.[CREDENTIAL];
	// Otherwise n8n reads and decrypts the credential for each request. Only a saved credential, which has an ID, can be passed.
	const credentialReadOnce = saved?.id
		? { credentialsDecrypted: { ...saved, id: saved.id, type: CREDENTIAL, data: credential } }
		: undefined;
	return async (request) => {
		const { sink } = request;
		const startedAt = Date.now();
		let answer: HttpAnswer | undefined;
		let bytesTaken = 0;
		// In an execution n8n's helper takes only the cancel signal of its context, so it gets a context with both signals.
		const deadline = sink ? idleSignal(timeout, () => bytesTaken) : AbortSignal.timeout(timeout);
		const signal = cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
		const helperContext = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IAllExecuteFunctions;
		try {
			answer = (await context.helpers.httpRequestWithAuthentication.call(
				helperContext,
				CREDENTIAL,
				optionsOf(request, tenant, timeout),
				credentialReadOnce,
			)) as HttpAnswer;
			const isTaken = sink !== undefined && answer.statusCode < 300;
			if (isTaken) {
				// Another stream of Node, because n8n's store in memory takes nothing else.
				const counted = answer.body.map((chunk) => {
					bytesTaken += chunk.length;
					return chunk;
				});
				await sink(counted, answer.headers);
			}
			const chunks = isTaken ? [] : await readBody(answer);
			if (chunks === undefined) return failureOf(request, TOO_LARGE);
			return {
				status: answer.statusCode,
				headers: answer.headers,
				text: () => new TextDecoder().decode(Buffer.concat(chunks.splice(0))),
				elapsedMs: Date.now() - startedAt,
			};
		} catch (error) {
			const { code, httpCode } = error as NodeApiError & { code?: string };
			// Until an answer has come, n8n puts Node's code of a network error into `httpCode`.
			const cause = deadline.aborted ? 'ETIMEDOUT' : answer === undefined ? httpCode : code;
			return cause || answer !== undefined
				? failureOfNetwork(request, cause ?? '', host, answer?.statusCode)
				: failureOfN8n(request, error as NodeApiError, redactorOf(context));
		}
	};
}

/** The failure without a cause: n8n itself has refused to send the request, for example to an internal address. */
const failureOfN8n = (request: ApiRequest, error: NodeApiError, redact: Redact): ApiFailure =>
	failureOf(request, {
		message: `n8n did not send the request: ${shorten(redact(error.message), 300)}`,
		remedy: shorten(redact(error.description ?? "See n8n's log for details."), 500),
		isUnsent: true,
		isOfRun: true,
		// A proxy that closes the connection leaves no cause either.
		retryable: true,
	});

/** A signal that fires once an answer has had no byte for so long, in ms. */
function idleSignal(timeout: number, bytesTaken: () => number): AbortSignal {
	const idle = new AbortController();
	const watch = (before: number) => {
		AbortSignal.timeout(timeout).addEventListener('abort', () => {
			if (bytesTaken() === before) idle.abort();
			else watch(bytesTaken());
		});
	};
	watch(0);
	return idle.signal;
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

const nextTurn: SenderParts['turn'] = async () => {
	await sleep(0);
	// A timer that is due when the work at hand ends fires in the same turn. The second one starts after that work.
	await sleep(0);
};

/** The real clock. `sleep` ends early if the user cancels the execution. */
function clockOf(cancel: AbortSignal | undefined): Clock {
	const canceled = new Promise<void>((resolve) => {
		cancel?.addEventListener('abort', () => resolve());
	});
	return {
		now: () => Date.now(),
		sleep: async (ms) => await Promise.race([sleep(ms), canceled]),
		random: Math.random,
		isCanceled: () => cancel?.aborted === true,
	};
}
