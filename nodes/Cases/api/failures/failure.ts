/** Limits of a failure's texts, in characters, because a run may keep a failure for each of thousands of items. */
const MAX_MESSAGE = 1000;
const MAX_DESCRIPTION = 4000;

/** The first `max` characters of a text. Characters of two halves, such as emoji, stay whole. */
export const beginningOf = (text: string, max: number): string =>
	text.length > max ? [...text.slice(0, 2 * max)].slice(0, max).join('') : text;

/** Half of a character, and NUL. APIs of models refuse a request with either. */
const BROKEN = /[\p{Surrogate}\0]/gu;

/** Puts a text on one line, without broken characters, and truncates it where it is longer than `max` characters. */
export function shorten(text: string, max: number): string {
	const line = text.replace(/\s+/g, ' ').replace(BROKEN, '\ufffd');
	return beginningOf(line, max) === line ? line : `${beginningOf(line, max - 3)}…`;
}

/** A value from the user that can't be used. The description says how to solve the problem. */
export class InvalidInput extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(shorten(message, MAX_MESSAGE));
		this.name = 'InvalidInput';
		this.description = shorten(description, MAX_DESCRIPTION);
	}
}

/** The user has stopped the execution. n8n recognizes a cancel by the word "canceled" in the message. */
export class Canceled extends Error {
	constructor() {
		super('The execution was canceled');
		this.name = 'Canceled';
	}
}

/** What the user sees of a failed request. Headers are left out, because they have the API key. */
export interface FailureDetails {
	/** How to solve the problem, with the service's own message where there is one. */
	description: string;
	/** Status of the answer; undefined when there was none. */
	httpCode?: number;
	/** The service's error body, truncated to a readable length. */
	body?: unknown;
	/** How long the service asks to wait before a retry, in ms. */
	retryAfterMs?: number;
	/** Whether a retry of the same request may succeed. */
	retryable: boolean;
	/** Whether every other request of the run would fail in the same way. */
	isOfRun?: boolean;
	/** Whether the failed request is a write that the service may have carried out nevertheless. */
	mayHaveBeenDone?: boolean;
}

/** A request of the Cases API that ended without a usable answer. */
export class ApiFailure extends Error {
	readonly details: FailureDetails;

	constructor(message: string, details: FailureDetails) {
		super(shorten(message, MAX_MESSAGE));
		this.name = 'ApiFailure';
		this.details = { ...details, description: shorten(details.description, MAX_DESCRIPTION) };
	}

	get description(): string {
		return this.details.description;
	}

	/** The same failure with a further sentence in its description, and with other details. */
	adding(sentence: string, changed: Partial<FailureDetails> = {}): ApiFailure {
		const description = [this.details.description, sentence].join(' ').trim();
		return new ApiFailure(this.message, { ...this.details, ...changed, description });
	}
}

/** For `catch`: makes the result of a failed request undefined. @throws every error that is not an ApiFailure */
export function unlessFailed(failure: unknown): undefined {
	if (!(failure instanceof ApiFailure)) throw failure;
}

/** For `then` and `catch`: returns the failure of a request. @throws every error that is not an ApiFailure */
export function asFailure(failure: unknown): ApiFailure {
	if (failure instanceof ApiFailure) return failure;
	throw failure;
}

/** Whether the service answered 404: nothing is there, or the key has no access to it. */
export const isNotThere = (failure: unknown): failure is ApiFailure =>
	failure instanceof ApiFailure && failure.details.httpCode === 404;

/** Statuses that don't depend on the case: redirects, a refused key, a proxy, rate limits, a service that is down. */
const OF_ALL_CASES = /^(3\d\d|401|407|408|425|429|503)$/;

/**
 * Whether a failure may concern one case only, while the same request works for other cases. A retryable failure without a
 * status, such as a lost connection, concerns all cases.
 */
export function isOfOneCase({ details: { httpCode, retryable } }: ApiFailure): boolean {
	return httpCode === undefined ? !retryable : !OF_ALL_CASES.test(String(httpCode));
}

function toText(value: unknown): string {
	// JSON would show an invalid date as null.
	const isInvalidDate = value instanceof Date && Number.isNaN(value.getTime());
	if (typeof value !== 'object' || isInvalidDate) return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		// The value refers to itself.
		return Object.prototype.toString.call(value);
	}
}

/** Shows a value from the user inside a message: quoted, on one line, at most 60 characters. */
export function quote(value: unknown): string {
	return `"${shorten(toText(value), 60)}"`;
}

/** Names the first entries of a list, for a message: `1, 2, 3 and 97 more`. */
export function nameSome(names: readonly unknown[], max = 5): string {
	const shown = names.slice(0, max).join(', ');
	return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
