import type { ApiFailure } from '../failures/failure';
import { NOT_THE_TENANT, UNREADABLE, type Remedy } from '../failures/failureTable';
import {
	failureOf,
	failureOfAnswer,
	readErrorBody,
	type RawAnswer,
	type Redact,
} from './requestFailures';
import { parseJson } from '../json';
import { isWrite, type ApiRequest } from './requests';

/** An answer with a status of success, as JSON. */
export interface ApiAnswer {
	/** Undefined where the service answered a write without a body, as with 204. */
	body: unknown;
	/** When the service began to answer, by its own clock, in ms since the epoch; undefined without a Date header. */
	servedAt?: number;
	/** Makes the failure to throw when the body is not what was requested. The default remedy is to check the address. */
	unusable: (reason: Partial<Remedy> & { message: string }) => ApiFailure;
}

/**
 * Computes when the service began to answer, by its own clock: its Date header minus the time that the answer took. The
 * result is rounded down to seconds, so that no edit made during the answer has an earlier date.
 * @returns ms since the epoch; undefined without a readable Date header
 */
export function servedAt(date: unknown, elapsedMs: number): number | undefined {
	const time = Math.floor((Date.parse(String(date)) - elapsedMs) / 1000) * 1000;
	return Number.isNaN(time) ? undefined : time;
}

/** Reads the JSON of an answer. @returns the answer, or a failure where its status or its body is unusable */
export function readAnswer(
	request: ApiRequest,
	answer: RawAnswer,
	redact: Redact,
): ApiAnswer | ApiFailure {
	const { status, headers, elapsedMs } = answer;
	if (status >= 300) return failureOfAnswer(request, answer, redact);
	const text = answer.text();
	const body = parseJson(text);
	const content = body ?? text;
	const unusable: ApiAnswer['unusable'] = (reason) => {
		const details = { httpCode: status, body: readErrorBody(content, redact).body };
		const words = { remedy: NOT_THE_TENANT, ...reason };
		return failureOf(request, words, details, `, status ${status}`);
	};
	// A write that succeeded may be answered without a body. A sink has taken the body.
	const needsBody = !isWrite(request) && request.sink === undefined;
	if (body !== undefined || (!needsBody && text.trim() === '')) {
		return { body, servedAt: servedAt(headers.date, elapsedMs), unusable };
	}
	return text.trimStart().startsWith('<')
		? unusable({ message: 'The service answered with a web page instead of data' })
		: unusable(UNREADABLE);
}
