import {
	contentOf,
	failureOfAnswer,
	unusableAnswer,
	type Answer,
	type UnusableAnswer,
} from '../failures/requestFailures';
import type { ApiFailure } from '../failures/failure';
import { servedAt } from './page';
import { errorMessageOf } from '../failures/errorMessage';
import { isObject, parseJson } from './json';
import { isWrite, type ApiRequest } from './requests';

/** A usable answer: its JSON body, and when it came. */
export interface ApiAnswer {
	/** Undefined where the service answered a write without one, as with 204. */
	body: unknown;
	/** When the service began to answer, by its own clock, in ms since the epoch; undefined without a Date header. */
	servedAt?: number;
	/** The error that an answer with a status of success speaks of, if any. */
	saidError?: string;
	/** The failure to throw when the body is not what was requested. */
	unusable: (reason: UnusableAnswer) => ApiFailure;
}

/** Some services answer with success and say in the body what they didn't do. */
function saidErrorOf(body: unknown, redact: (text: string) => string): string | undefined {
	if (!isObject(body)) return undefined;
	const { error, errors } = body;
	if (error === undefined && errors === undefined) return undefined;
	return errorMessageOf(parseJson(redact(JSON.stringify({ error, errors }))));
}

/**
 * Reads the JSON of a 2xx answer.
 * @param redact takes the API key out of a text that the service sent
 * @returns the answer, or the failure that it means
 */
export function readAnswer(
	request: ApiRequest,
	answer: Answer,
	redact: (text: string) => string,
): ApiAnswer | ApiFailure {
	const { status, headers, elapsedMs } = answer;
	if (status >= 300) return failureOfAnswer(request, answer, redact);
	const text = answer.text();
	const content = contentOf(text);
	const unusable: ApiAnswer['unusable'] = (reason) =>
		unusableAnswer(request, status, content, reason, redact);
	const body = 'json' in content ? content.json : undefined;
	// A write that succeeded may be answered without a body.
	if (body !== undefined || (isWrite(request) && text.trim() === '')) {
		return {
			body,
			servedAt: servedAt(headers.date, elapsedMs),
			saidError: saidErrorOf(body, redact),
			unusable,
		};
	}
	return text.trimStart().startsWith('<')
		? unusable({ message: 'The service answered with a web page instead of data' })
		: unusable({
				message: "The service's answer is empty, incomplete or nested too deeply",
				remedy:
					"Try again. If it keeps happening, check 'Base URL' in the credential and any proxy between n8n and the service.",
				retryable: true,
			});
}
