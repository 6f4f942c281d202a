import {
	getCredentialAllowedDomains,
	isDomainAllowed,
	sleep,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type INode,
	type IPollFunctions,
	type NodeApiError,
} from 'n8n-workflow';

import type { ApiAnswer, Client } from '../api/client';
import { parseTenant, type Tenant } from '../api/tenant';
import { ApiFailure, Canceled, InvalidInput } from '../api/failure';
import {
	failureOfAnswer,
	failureOfN8n,
	failureOfNetwork,
	unusableAnswer,
	type Answer,
} from '../api/answerFailures';
import { parseJson } from '../api/json';
import { servedAt } from '../api/page';
import { createGate } from '../api/pool';
import type { ApiRequest } from '../api/requests';
import { waitBeforeRetry } from '../api/retry';

/** Every place of n8n from which the nodes make requests. */
export type RequestContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** How a client sends; the user's Options. */
export interface ClientOptions {
	/** Requests in flight at most. */
	concurrency: number;
	/** Longest silence of the service, in ms. */
	timeout: number;
	maxRetries: number;
	/** Longest total wait of one request that the service asked for, in ms. */
	maxWaitMs: number;
}

export const DEFAULT_CLIENT_OPTIONS: ClientOptions = {
	concurrency: 8,
	timeout: 60_000,
	maxRetries: 4,
	maxWaitMs: 120_000,
};

const CREDENTIAL = 'casesApi';

/** Length of an answer, in characters, from which on reading it takes some ms; a full page of cases has 150,000. */
const LONG_ANSWER = 50_000;

/** Longest part of a pause without a look at whether the user has cancelled, in ms. */
const NAP_MS = 500;

/**
 * Lets a whole run use the credential it has read once; n8n else reads and decrypts it for each request.
 * Without a saved credential n8n is left to read it itself.
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
 * The domains to which the credential's owner limited it. n8n doesn't enforce them for nodes of this style;
 * n8n 1.x doesn't know such a limit.
 * @throws InvalidInput when the service's own address is not among them
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
			'Add the host of the Base URL to the allowed domains of the credential, or correct the Base URL.',
		);
	}
	return allowedDomains;
}

/** Takes the API key out of texts that the service sent: it may repeat the key in an error. */
function redactor({ authHeader }: Tenant): (text: string) => string {
	const key = Object.values(authHeader)[0].replace(/^Bearer /, '');
	const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
	return (text) => forms.reduce((clean, form) => clean.split(form).join('***'), text);
}

/** n8n writes the key into the options it is given, so each try gets new ones. */
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
		// n8n would turn broken JSON into text without an error; text is parsed here instead.
		encoding: 'text',
		returnFullResponse: true,
		// Otherwise n8n sends a request again that was answered with 401.
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key to another origin.
		disableFollowRedirect: true,
		skipSslCertificateValidation: ignoreSslIssues,
		allowedDomains,
	};
}

/** The JSON of a 2xx answer, or the failure that the answer means. */
function readAnswer(
	request: ApiRequest,
	answer: Answer,
	redact: (text: string) => string,
): ApiAnswer | ApiFailure {
	if (answer.status >= 300) return failureOfAnswer(request, answer, redact);
	const unusable: ApiAnswer['unusable'] = (reason) =>
		unusableAnswer(request, answer, reason, redact);
	const body = parseJson(answer.text);
	if (body !== undefined) {
		const { elapsedMs, headers } = answer;
		return { body, servedAt: servedAt(headers.date, elapsedMs), unusable };
	}
	return answer.text.trimStart().startsWith('<')
		? unusable({ message: 'The service answered with a web page instead of data' })
		: unusable({
				message: 'The answer of the service is empty or cut off',
				retryable: true,
			});
}

/** The failure of the last try, telling that there were others. */
function afterTries({ message, details }: ApiFailure, tries: number): ApiFailure {
	if (tries === 1) return new ApiFailure(message, details);
	return new ApiFailure(message, {
		...details,
		description: `${details.description} Tried ${tries} times.`,
	});
}

function cancelSignalOf(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * The failure of a request without an answer. n8n tells the network's code as `httpCode`; without one it was n8n that
 * refused to send, as its protection of internal addresses does.
 */
function failureOfSending(
	request: ApiRequest,
	{ httpCode, message, description }: NodeApiError,
	host: string,
	redact: (text: string) => string,
): ApiFailure {
	if (!httpCode) {
		const advice = redact(description ?? 'The log of n8n tells more.');
		return failureOfN8n(request, redact(message), advice);
	}
	// Of an answer that breaks off, n8n tells the status.
	const networkCode = Number.isNaN(Number(httpCode)) ? httpCode : '';
	return failureOfNetwork(request, networkCode, host);
}

/**
 * Reads the credential once and gives a client for one run.
 * @throws InvalidInput when the credential's fields can't be used, or its owner keeps it from this address
 */
export async function connect(context: RequestContext, options: ClientOptions): Promise<Client> {
	const node = context.getNode();
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const tenant = parseTenant(credential);
	const allowedDomains = allowedDomainsOf(node, credential, tenant.baseUrl);
	const redact = redactor(tenant);
	const { host } = new URL(tenant.baseUrl);
	const cancelSignal = cancelSignalOf(context);
	const enterSlot = createGate(options.concurrency);
	const takeTurn = createGate(1);
	let pausedUntil = 0;

	const refuseIfCanceled = () => {
		if (cancelSignal?.aborted === true) throw new Canceled();
	};

	const waitUntil = async (time: () => number): Promise<void> => {
		for (let left = time() - Date.now(); left > 0; left = time() - Date.now()) {
			refuseIfCanceled();
			await sleep(Math.min(left, NAP_MS));
		}
		refuseIfCanceled();
	};

	const trySending = async (request: ApiRequest): Promise<Answer | ApiFailure> => {
		const startedAt = Date.now();
		try {
			const answer = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				httpOptions(request, tenant, options.timeout, allowedDomains),
				credentialReadOnce(node, credential),
			)) as { statusCode: number; headers: Record<string, unknown>; body: string };
			const receivedAt = Date.now();
			return {
				status: answer.statusCode,
				headers: answer.headers,
				text: answer.body,
				receivedAt,
				elapsedMs: receivedAt - startedAt,
			};
		} catch (error) {
			refuseIfCanceled();
			return failureOfSending(request, error as NodeApiError, host, redact);
		}
	};

	/**
	 * Sends once, in one of the slots. Long answers are read in turns, each in a round of n8n's event loop of its own:
	 * n8n serves its editor and webhooks from that loop, and answers that come together would go on together, so that
	 * their next requests wait for each other again.
	 */
	const sendOnce = async (request: ApiRequest): Promise<ApiAnswer | ApiFailure> => {
		const leaveSlot = await enterSlot();
		let outcome: Answer | ApiFailure;
		let endTurn: (() => void) | undefined;
		try {
			await waitUntil(() => pausedUntil);
			outcome = await trySending(request);
			if (!(outcome instanceof ApiFailure) && outcome.text.length >= LONG_ANSWER) {
				endTurn = await takeTurn();
			}
		} finally {
			leaveSlot();
		}
		if (outcome instanceof ApiFailure) return outcome;
		if (endTurn === undefined) return readAnswer(request, outcome, redact);
		// The request that has just got the slot goes out before this answer is read.
		await sleep(0);
		try {
			return readAnswer(request, outcome, redact);
		} finally {
			endTurn();
		}
	};

	const sendPatiently = async (request: ApiRequest): Promise<ApiAnswer> => {
		let failures = 0;
		let waitedMs = 0;
		for (let tries = 1; ; tries++) {
			const answer = await sendOnce(request);
			if (!(answer instanceof ApiFailure)) return answer;

			const { retryable, retryAfterMs } = answer.details;
			if (retryAfterMs === undefined) failures++;
			const wait = retryable
				? waitBeforeRetry({ failures, retryAfterMs, waitedMs }, options, Math.random())
				: undefined;
			if (wait === undefined) throw afterTries(answer, tries);
			const until = Date.now() + wait;
			if (retryAfterMs === undefined) {
				await waitUntil(() => until);
			} else {
				waitedMs += wait;
				pausedUntil = Math.max(pausedUntil, until);
			}
		}
	};

	return {
		tenant,
		concurrency: options.concurrency,
		send: sendPatiently,
	};
}
