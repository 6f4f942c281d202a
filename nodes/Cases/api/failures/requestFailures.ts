import { isTooDeep, parseJson } from '../http/json';
import { describeRequest, isDocumented, isWrite, type ApiRequest } from '../http/requests';
import { describeWait, parseRetryAfter } from '../http/retry';
import { errorMessageOf } from './errorMessage';
import { ApiFailure, shorten, type FailureDetails } from './failure';
import { NO_SUCH_REQUEST, NOT_THE_TENANT, remedyOf, SMALLER_PAGES } from './failureTable';

/** An answer as it came over the wire. */
export interface Answer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Decodes the body, which takes some ms where it is long, and lets go of its bytes: it works once. */
	text: () => string;
	/** Time from sending to the end of the answer. */
	elapsedMs: number;
}

/** What the body of an answer holds: JSON, or text that is not JSON or is nested too deeply to be written again. */
export type Content = { json: unknown } | { text: string };

/** Reads the text of a body. */
export function contentOf(text: string): Content {
	const json = parseJson(text);
	return json === undefined || isTooDeep(json) ? { text } : { json };
}

/** Takes the API key out of a text that the service sent. */
type Redact = (text: string) => string;

const MAX_BODY_LENGTH = 2000;

/** Reads an error body without the key. It is serialized again first, so that no JSON escape hides the key. */
function readErrorBody(content: Content, redact: Redact): { said?: string; body: unknown } {
	const clean = redact('json' in content ? JSON.stringify(content.json) : content.text);
	const body = parseJson(clean) ?? clean;
	return {
		said: errorMessageOf(body),
		body: clean.length > MAX_BODY_LENGTH ? clean.slice(0, MAX_BODY_LENGTH) : body,
	};
}

/**
 * @param sentences what to say about it, from the first on; empty ones are left out
 * @param how stands behind the request
 */
function failed(
	request: ApiRequest,
	message: string,
	sentences: string[],
	details: Omit<FailureDetails, 'description'>,
	how = '',
): ApiFailure {
	const description = [...sentences, `Request: ${describeRequest(request)}${how}`]
		.filter((text) => text !== '')
		.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
		.join(' ');
	const mayHaveBeenDone = (isWrite(request) && details.mayHaveBeenDone) || undefined;
	return new ApiFailure(message, { ...details, description, mayHaveBeenDone });
}

/** The failure that an answer with a status other than 2xx means to the user. */
export function failureOfAnswer(request: ApiRequest, answer: Answer, redact: Redact): ApiFailure {
	const { status, headers } = answer;
	const { message, remedy, retryable = false, isOfRun } = remedyOf(status);
	const { said, body } = readErrorBody(contentOf(answer.text()), redact);
	const isRedirect = status < 400;
	const location = shorten(redact(String(headers.location ?? '')).split('?')[0], 200);
	const mayAskToWait = status === 429 || status === 503;
	const retryAfterMs = mayAskToWait
		? parseRetryAfter(headers['retry-after'], headers.date)
		: undefined;
	const isUnknown = (status === 404 || status === 405) && !isDocumented(request);
	return failed(
		request,
		`${message} (${status})`,
		[
			said === undefined ? '' : `The service says: ${said}`,
			isRedirect && location !== '' ? `It points to ${location}` : '',
			retryAfterMs === undefined ? '' : `It asks to wait ${describeWait(retryAfterMs)}`,
			remedy,
			isUnknown ? NO_SUCH_REQUEST : '',
		],
		{
			httpCode: status,
			body,
			retryAfterMs,
			retryable,
			isOfRun,
			// Not where the service says that it did nothing yet, nor after a refusal. A gateway may give up on a write that the
			// service behind it carries out, and some services redirect after a write, to what it wrote.
			mayHaveBeenDone: isRedirect || (retryable && status !== 429 && retryAfterMs === undefined),
		},
	);
}

/**
 * The failure that a request without a complete answer means to the user.
 * @param code Node's code of the network error, such as `ECONNRESET`; empty when there is none
 * @param host the service's host and port
 * @param status of an answer that began and didn't end
 */
export function failureOfNetwork(
	request: ApiRequest,
	code: string,
	host: string,
	status?: number,
): ApiFailure {
	const { message, remedy, retryable = false, isUnsent, isOfRun } = remedyOf(code);
	const details = {
		retryable,
		isOfRun,
		httpCode: isWrite(request) && !isUnsent ? status : undefined,
		mayHaveBeenDone: !isUnsent,
	};
	const how = code === '' ? '' : ` (${code})`;
	return failed(request, message.replace('HOST', host), [remedy], details, how);
}

/** The failure of a request that n8n refused to send, in n8n's own words. */
export function failureOfN8n(request: ApiRequest, message: string, advice: string): ApiFailure {
	return failed(
		request,
		`n8n did not send the request: ${shorten(message, 300)}`,
		[shorten(advice, 500)],
		{ retryable: false, isOfRun: true },
	);
}

/** What is wrong with an answer, and how to solve it; by default, to check the address. */
export interface UnusableAnswer {
	message: string;
	remedy?: string;
	retryable?: boolean;
	isSaid?: boolean;
}

/** A 2xx answer that holds no usable data. */
export function unusableAnswer(
	request: ApiRequest,
	status: number,
	content: Content,
	{ message, remedy = NOT_THE_TENANT, retryable = false, isSaid }: UnusableAnswer,
	redact: Redact,
): ApiFailure {
	const { body } = readErrorBody(content, redact);
	// The service said that it succeeded.
	const details = { httpCode: status, body, retryable, isSaid, mayHaveBeenDone: true };
	return failed(request, message, [remedy], details, `, status ${status}`);
}

/** The failure of an answer that is too large to be read. It is given up while it comes in. */
export function answerTooLarge(request: ApiRequest, maxBytes: number): ApiFailure {
	return failed(
		request,
		`The service's answer has more than ${maxBytes / 1024 / 1024} MB`,
		[SMALLER_PAGES],
		{ retryable: false, mayHaveBeenDone: true },
	);
}
