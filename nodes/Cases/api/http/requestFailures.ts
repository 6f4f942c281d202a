import { parseJson } from '../json';
import { describeRequest, isDocumented, isWrite, subjectOf, type ApiRequest } from './requests';
import { parseRetryAfter } from './retry';
import { errorMessageOf } from '../failures/errorMessage';
import { ApiFailure, beginningOf, shorten, type FailureDetails } from '../failures/failure';
import { LOWER_PAGE_SIZE, noSuchRequest, remedyOf, type Remedy } from '../failures/failureTable';

/** An answer as it came over the wire. */
export interface RawAnswer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Decodes the body, and frees its bytes, so it can be called only once. */
	text: () => string;
	/** Time from sending the request to the end of the answer. */
	elapsedMs: number;
}

/** Takes the API key out of a text that the service sent. */
export type Redact = (text: string) => string;

const MAX_BODY_LENGTH = 2000;

/**
 * Reads an error body, and takes the API key out of it.
 * @param content parsed JSON, because escapes in its text could hide the key; or a text that isn't JSON
 * @returns `said`: the service's message; `body`: what n8n shows of the body
 */
export function readErrorBody(content: unknown, redact: Redact): { said?: string; body: unknown } {
	const clean = redact(typeof content === 'string' ? content : JSON.stringify(content));
	const body = parseJson(clean) ?? clean;
	return {
		said: errorMessageOf(body),
		body: clean.length > MAX_BODY_LENGTH ? beginningOf(clean, MAX_BODY_LENGTH) : body,
	};
}

/** Joins texts, adds missing full stops, and leaves out empty texts. */
function sentences(...texts: string[]): string {
	return texts
		.filter((text) => text !== '')
		.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
		.join(' ');
}

/** Makes the failure of a request. @param how follows the request in the description, such as `, status 200` */
export function failureOf(
	request: ApiRequest,
	{ message, remedy, retryable = false, isOfRun, isUnsent = false }: Remedy,
	details: Pick<FailureDetails, 'httpCode' | 'body' | 'retryAfterMs'> = {},
	how = '',
): ApiFailure {
	return new ApiFailure(message, {
		...details,
		description: sentences(remedy, `Request: ${describeRequest(request)}${how}`),
		retryable,
		isOfRun,
		mayHaveBeenDone: (isWrite(request) && !isUnsent) || undefined,
	});
}

/** Makes the failure for an answer whose status is not 2xx. */
export function failureOfAnswer(
	request: ApiRequest,
	answer: RawAnswer,
	redact: Redact,
): ApiFailure {
	const { status, headers } = answer;
	const found = remedyOf(status);
	const text = answer.text();
	const { said = '', body } = readErrorBody(parseJson(text) ?? text, redact);
	const isRedirect = status < 400;
	const location = shorten(redact(String(headers.location ?? '')).split('?')[0], 200);
	const isPutOff = status === 429 || status === 503;
	const retryAfterMs = isPutOff ? parseRetryAfter(headers['retry-after'], headers.date) : undefined;
	const isUnknown = (status === 404 || status === 405) && !isDocumented(request);
	const { team_id: team } = request.body ?? {};
	const subject = subjectOf(request.path) ?? (team === undefined ? '' : `Team ${String(team)}`);
	const isNamed = status === 404 && subject !== '';
	const message = isNamed ? `${subject} ${found.message.replace('Not', 'not')}` : found.message;
	const words = {
		...found,
		message: `${message} (${status})`,
		remedy: sentences(
			said && `The service says: ${said}`,
			isRedirect && location !== '' ? `It points to ${location}` : '',
			retryAfterMs === undefined
				? ''
				: `The service asks for a wait of ${Math.ceil(retryAfterMs / 1000)} s`,
			/\bper_page\b/.test(said) ? LOWER_PAGE_SIZE : found.remedy,
			isUnknown ? noSuchRequest(request.path) : '',
		),
		// A 5xx may come from a gateway, while the service behind it carries the write out. A redirect may follow a write
		// that was carried out, and point to what was written.
		isUnsent: !isRedirect && (!found.retryable || status === 429 || retryAfterMs !== undefined),
	};
	return failureOf(request, words, { httpCode: status, body, retryAfterMs });
}

/**
 * Makes the failure for a request without a complete answer.
 * @param code Node's code of the network error, such as `ECONNRESET`; empty when there is none
 * @param host the service's host and port
 * @param status the status of an answer that began but didn't end
 */
export function failureOfNetwork(
	request: ApiRequest,
	code: string,
	host: string,
	status?: number,
): ApiFailure {
	const found = remedyOf(code);
	const words = {
		...found,
		message: found.message.replace('HOST', host),
		isUnsent: found.isUnsent && status === undefined,
	};
	const httpCode = isWrite(request) ? status : undefined;
	return failureOf(request, words, { httpCode }, code === '' ? '' : ` (${code})`);
}
