import { errorMessageOf } from './errorMessage';
import { ApiFailure, shorten } from './failure';
import { remedyOf, type Remedy } from './failureTable';
import { isTooDeep, parseJson } from '../http/json';
import { describeWait, parseRetryAfter } from '../http/retry';
import {
	CASES_PATH,
	describeRequest,
	isBatchUpdate,
	isWrite,
	type ApiRequest,
} from '../http/requests';

/** An answer as it came over the wire. */
export interface Answer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	/** Length of the body. */
	bytes: number;
	/** Decodes the body, which takes some ms where it is long, and lets go of its bytes: it works once. */
	text: () => string;
	/** When it arrived, by the local clock, in ms since the epoch. */
	receivedAt: number;
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

const MAX_BODY_LENGTH = 2000;

/** What of a request may not be found. The list of cases has no ID that could be wrong. */
function toCheck(request: ApiRequest): string {
	const { method, path, body = {} } = request;
	if (method === 'PUT' && isOfActions(request)) {
		return 'whether somebody has deleted the action meanwhile, which another run creates again';
	}
	if (path.split('?')[0] === CASES_PATH) {
		if (method === 'POST') return "'Team'";
		return `'Base URL' in the credential${/[?&]team_id=/.test(path) ? ", the filter 'Team'" : ''}`;
	}
	return `the case ID${'team_id' in body ? ", 'Team'" : ''}`;
}

/** A request for single actions, which the API document doesn't have. */
const isOfActions = ({ path }: ApiRequest) => /\/actions(?=[/?]|$)(?!\/batch$)/.test(path);

/** The requests of the API document; every service has them. */
const isDocumented = (request: ApiRequest) =>
	isBatchUpdate(request.path) || (request.method === 'GET' && !isOfActions(request));

/** The service answers 404 also for what the key has no access to, and for a request that it doesn't have. */
function notFoundRemedy(request: ApiRequest): Remedy {
	const isCaseList = request.method === 'GET' && request.path.split('?')[0] === CASES_PATH;
	const other = isDocumented(request)
		? ''
		: ' If these are right, the service may have no such request: older versions have none.';
	return {
		message: `${isCaseList ? 'List of cases not' : 'Not'} found, or the API key has no access to it`,
		remedy: `The service gives the same answer for both. Check ${toCheck(request)}, and what the key can see: a team key sees only its team's cases.${other}`,
	};
}

interface ErrorBody {
	/** What the service says in it; undefined where it says nothing. */
	said?: string;
	/** The parsed body, or its text; truncated to a readable length. */
	body: unknown;
}

/** Reads an error body without the key. It is serialized again first, so that no JSON escape hides the key. */
function readErrorBody(content: Content, redact: (text: string) => string): ErrorBody {
	const clean = redact('json' in content ? JSON.stringify(content.json) : content.text);
	const body = parseJson(clean) ?? clean;
	return {
		said: errorMessageOf(body),
		body: clean.length > MAX_BODY_LENGTH ? clean.slice(0, MAX_BODY_LENGTH) : body,
	};
}

/** The wait in ms that the answer asks for before the next try; only 429 and 503 may ask. */
function retryAfterOf({ status, headers, receivedAt }: Answer): number | undefined {
	return status === 429 || status === 503
		? parseRetryAfter(headers['retry-after'], headers.date, receivedAt)
		: undefined;
}

/** Makes sentences of texts; those that are empty are left out. */
function sentences(...texts: string[]): string {
	return texts
		.filter((text) => text !== '')
		.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
		.join(' ');
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
	const known = status === 404 ? notFoundRemedy(request) : remedyOf(status);
	const { message, retryable = false, isOfRun } = known;
	const isMissing = (status === 404 || status === 405) && isOfActions(request);
	const remedy = `${known.remedy}${isMissing ? ' Replace All sets all actions of a case.' : ''}`;
	const { said, body } = readErrorBody(contentOf(answer.text()), redact);
	const retryAfterMs = retryAfterOf(answer);
	// The service says that it did nothing yet.
	const isPutOff = status === 429 || retryAfterMs !== undefined;
	return new ApiFailure(`${message} (${status})`, {
		description: sentences(
			said === undefined ? '' : `The service says: ${said}`,
			retryAfterMs === undefined ? '' : `It asks to wait ${describeWait(retryAfterMs)}`,
			remedy,
			`Request: ${describeRequest(request)}`,
		),
		httpCode: status,
		body,
		retryAfterMs,
		retryable,
		...(isOfRun ? { isOfRun } : {}),
		// A refusal rules it out: a gateway may give up on a write that the service behind it carries out.
		...(isWrite(request) && retryable && !isPutOff ? { mayHaveBeenDone: true } : {}),
	});
}

function redirectFailure(
	request: ApiRequest,
	{ status, headers }: Answer,
	redact: (text: string) => string,
): ApiFailure {
	const details = {
		httpCode: status,
		retryable: false,
		isOfRun: !isWrite(request),
		// Some services redirect after a write, to what it wrote.
		...(isWrite(request) ? { mayHaveBeenDone: true } : {}),
	};
	const requested = `Request: ${describeRequest(request)}`;
	if (status === 304) {
		return new ApiFailure('The answer has no data, only "not modified" (304)', {
			...details,
			description: sentences(
				'It came from a cache between n8n and the service. Check the proxy',
				requested,
			),
		});
	}
	const location = shorten(redact(String(headers.location ?? '')).split('?')[0], 200);
	return new ApiFailure(`The service redirects to another address (${status})`, {
		...details,
		description: sentences(
			location === ''
				? "Check 'Base URL' in the credential"
				: `It points to ${location}. If that is your tenant, enter this address as 'Base URL' in the credential`,
			"Redirects are not followed, so that the API key isn't sent elsewhere",
			requested,
		),
	});
}

const ADDRESS_REMEDY =
	"Check that 'Base URL' in the credential is the address of your tenant, not of a login page or another service.";

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
	{ message, remedy = ADDRESS_REMEDY, retryable = false, isSaid = false }: UnusableAnswer,
	redact: (text: string) => string,
): ApiFailure {
	return new ApiFailure(message, {
		description: `${remedy} Request: ${describeRequest(request)}, status ${status}.`,
		httpCode: status,
		body: readErrorBody(content, redact).body,
		retryable,
		...(isSaid ? { isSaid } : {}),
		// The service said that it succeeded.
		...(isWrite(request) ? { mayHaveBeenDone: true } : {}),
	});
}

/** The failure of an answer that is too large to be read. It is given up while it comes in. */
export function answerTooLarge(request: ApiRequest, maxBytes: number): ApiFailure {
	return new ApiFailure(`The service's answer has more than ${maxBytes / 1024 / 1024} MB`, {
		description: `Lower 'Page Size' under 'Options'. If it is low already, check 'Base URL' in the credential. Request: ${describeRequest(request)}.`,
		retryable: false,
		...(isWrite(request) ? { mayHaveBeenDone: true } : {}),
	});
}
