import { ApiFailure } from './failure';
import { parseJson } from './json';
import { isRetryableStatus, parseRetryAfter } from './retry';
import { CASES_PATH, describeRequest, type ApiRequest } from './requests';

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

type Remedy = [message: string, remedy: string];

const REJECTED: Remedy = [
	'The service rejected the request',
	"Check the values in this node's fields.",
];

const FAILED: Remedy = [
	'The service failed to answer',
	"Try again later. If it keeps happening, contact the service's administrator.",
];

const REMEDIES: Record<number, Remedy> = {
	401: [
		'The service refused the API key',
		"Open the Cases API credential and check that the key is complete and current. If it is, change 'Authentication' to the other entry.",
	],
	403: [
		'The API key is not allowed to do this',
		'Use a key that has the permission, or ask a tenant owner for it.',
	],
	413: ['The request is too large for the service', 'Send fewer or shorter values.'],
	414: [
		'The filters are too long for the service',
		'Shorten them, or split them over several input items.',
	],
	422: ['The service rejected the values', "Check the values in this node's fields."],
	429: [
		'Rate limit reached',
		"Run the workflow less often, or lower 'Concurrency' under 'Options'.",
	],
};

/** The service answers 404 also for what the key has no access to. The list of cases has no ID that could be wrong. */
function notFoundRemedy({ path }: ApiRequest): Remedy {
	const isCaseList = path.split('?')[0] === CASES_PATH;
	const toCheck = isCaseList
		? `'Base URL' in the credential${/[?&]team_id=/.test(path) ? ", the filter 'Team'" : ''}`
		: 'the case ID';
	return [
		`${isCaseList ? 'List of cases not' : 'Not'} found, or the API key has no access to it`,
		`The service gives the same answer for both. Check ${toCheck}, and what the key can see: a team key sees only its team's cases.`,
	];
}

function remedyOf(request: ApiRequest, status: number): Remedy {
	if (status === 404) return notFoundRemedy(request);
	return REMEDIES[status] ?? (status >= 500 ? FAILED : REJECTED);
}

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
	const [message, remedy] = remedyOf(request, status);
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
	const advice =
		location === ''
			? "Check 'Base URL' in the credential."
			: `It points to ${location}. If that is your tenant, enter this address as 'Base URL' in the credential.`;
	return new ApiFailure(`The service redirects to another address (${status})`, {
		description: `${advice} Redirects are not followed, so that the API key isn't sent elsewhere. Request: ${describeRequest(request)}.`,
		httpCode: status,
		retryable: false,
	});
}

const ADDRESS_REMEDY =
	"Check that 'Base URL' in the credential is the address of your tenant, not of a login page or another service.";

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
