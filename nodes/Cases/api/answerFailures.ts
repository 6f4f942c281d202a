import { ApiFailure } from './failure';
import { parseJson } from './json';
import { isRetryableStatus, parseRetryAfter } from './retry';
import { describeRequest, type ApiRequest } from './requests';

/** An answer as it came over the wire. */
export interface Answer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	text: string;
	/** When it arrived, by the local clock, in ms since the epoch. */
	receivedAt: number;
	/** Time from sending to the end of the answer. */
	elapsedMs: number;
}

const MAX_BODY_LENGTH = 2000;

const REMEDIES: Record<number, [message: string, remedy: string]> = {
	400: [
		'The service rejected the request',
		'Check the values of the fields against what the service says.',
	],
	401: [
		'The service refused the API key',
		'Open the Cases API credential: check that the key is current and complete, and that Authentication is set to what the service expects.',
	],
	403: [
		'The API key is not allowed to do this',
		'Use a key whose owner may do it, or ask a tenant owner for the permission.',
	],
	404: [
		'Not found, or the API key has no access to it',
		'The service answers both alike. Check the ID and the Base URL, and whether the key may see it: a team key sees the cases of its team only.',
	],
	413: ['The request is too large for the service', 'Send fewer or shorter values.'],
	414: [
		'The filters are too long for the service',
		'Shorten them, or split them over several items.',
	],
	422: [
		'The service rejected the values',
		'Check the values of the fields against what the service says.',
	],
	429: [
		'The service asks to slow down',
		'Run the workflow less often, or lower Concurrency under Options.',
	],
};

/** The first message in an error body. The API promises no shape for it. */
export function errorMessageOf(body: unknown): string | undefined {
	if (typeof body === 'string') {
		const text = body.trim();
		return text === '' || text.startsWith('<') ? undefined : text.slice(0, 300);
	}
	if (Array.isArray(body)) {
		const messages = body.map(errorMessageOf).filter((message) => message !== undefined);
		return messages.length === 0 ? undefined : messages.join('; ').slice(0, 300);
	}
	if (typeof body !== 'object' || body === null) return undefined;
	const { error, message, errors, detail } = body as Record<string, unknown>;
	for (const candidate of [error, message, errors, detail]) {
		const found = errorMessageOf(candidate);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** An error body without the key. It is serialized again before the key is removed, so that no JSON escape hides it. */
function parseBody(text: string, redact: (text: string) => string): unknown {
	const parsed = parseJson(text);
	const clean = redact(parsed === undefined ? text : JSON.stringify(parsed));
	return clean.length > MAX_BODY_LENGTH
		? clean.slice(0, MAX_BODY_LENGTH)
		: (parseJson(clean) ?? clean);
}

/** The wait in ms that the answer asks for before the next try; only 429 and 503 may ask. */
function retryAfterOf({ status, headers, receivedAt }: Answer): number | undefined {
	return status === 429 || status === 503
		? parseRetryAfter(headers['retry-after'], headers.date, receivedAt)
		: undefined;
}

/**
 * The failure that an answer with a status other than 2xx means to the user.
 * @param redact takes the API key out of a text that the service sent
 */
export function failureOfAnswer(
	request: ApiRequest,
	answer: Answer,
	redact: (text: string) => string,
): ApiFailure {
	const { status } = answer;
	if (status >= 300 && status < 400) return redirectFailure(request, answer, redact);
	const body = parseBody(answer.text, redact);
	const [message, remedy] = REMEDIES[status] ?? [
		status >= 500 ? 'The service failed to answer' : 'The service rejected the request',
		status >= 500
			? 'Try again later. If it goes on, tell those who run the service.'
			: 'Check the values of the fields against what the service says.',
	];
	const said = errorMessageOf(body);
	return new ApiFailure(`${message} (${status})`, {
		description: [
			said === undefined ? '' : `The service says: ${said}`,
			remedy,
			`Request: ${describeRequest(request)}`,
		]
			.filter((part) => part !== '')
			.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
			.join(' '),
		httpCode: status,
		body,
		retryAfterMs: retryAfterOf(answer),
		retryable: isRetryableStatus(status),
	});
}

function redirectFailure(
	request: ApiRequest,
	{ status, headers }: Answer,
	redact: (text: string) => string,
): ApiFailure {
	const location = redact(String(headers.location ?? '')).split('?')[0];
	return new ApiFailure(`The service redirects elsewhere (${status})`, {
		description: `It points to ${location || 'no address'}. Redirects are not followed, so that the key reaches no other place. If that is your service, enter its address as Base URL in the credential. Request: ${describeRequest(request)}.`,
		httpCode: status,
		retryable: false,
	});
}

const ADDRESS_REMEDY =
	"Check that the Base URL of the credential is the address of the Cases service, not of its web pages or a proxy's login.";

/** What is wrong with an answer, and how to solve it; by default, to check the address. */
export interface UnusableAnswer {
	message: string;
	remedy?: string;
	retryable?: boolean;
}

/** A 2xx answer that holds no usable data. */
export function unusableAnswer(
	request: ApiRequest,
	answer: Answer,
	{ message, remedy = ADDRESS_REMEDY, retryable = false }: UnusableAnswer,
	redact: (text: string) => string,
): ApiFailure {
	return new ApiFailure(message, {
		description: `${remedy} Request: ${describeRequest(request)}, status ${answer.status}.`,
		httpCode: answer.status,
		body: parseBody(answer.text, redact),
		retryable,
	});
}
