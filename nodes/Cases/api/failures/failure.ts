/** Longest message and description of a failure, in characters. A run of thousands of items may fail at each of them. */
const MAX_MESSAGE = 1000;
const MAX_DESCRIPTION = 4000;

/** Fits a text into a message: on one line, and truncated where it is longer than `max` characters. */
export function shorten(text: string, max: number): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length > max ? `${line.slice(0, max - 3)}…` : line;
}

/** A value from the user can't be used; found before any request. The description says how to solve it. */
export class InvalidInput extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(shorten(message, MAX_MESSAGE));
		this.name = 'InvalidInput';
		this.description = shorten(description, MAX_DESCRIPTION);
	}
}

/** The user has stopped the execution. n8n knows a cancel by the word "canceled" in the message. */
export class Canceled extends Error {
	constructor() {
		super('The execution was canceled');
		this.name = 'Canceled';
	}
}

/** What a failed request says to the user. It never holds headers, so never the key. */
export interface FailureDetails {
	/** How to solve it, with the service's own message if it gave one. */
	description: string;
	/** Status of the answer; undefined when there was none. */
	httpCode?: number;
	/** The service's error body, truncated to a readable length. */
	body?: unknown;
	/** How long the service wants us to wait before the next try, in ms. */
	retryAfterMs?: number;
	/** Whether a retry of the same request may succeed. */
	retryable: boolean;
	/** Whether every other request of the run would fail alike. */
	isOfRun?: boolean;
	/** Of a write: whether the service may have carried it out although it failed. The description then says so. */
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

/** Returns undefined for a failed request, whose answer stays unknown. @throws anything else */
export function unlessFailed(failure: unknown): undefined {
	if (!(failure instanceof ApiFailure)) throw failure;
}

/** Statuses that hit all cases alike: a redirect, the key, a proxy, a limit or a pause of the service. */
const OF_ALL_CASES = /^(3\d\d|401|407|408|425|429|503)$/;

/**
 * Whether a failure can be that of one case, with others fine: it is out of reach, or the service stumbles over it. Where
 * nothing answers, it can't.
 */
export function isOfOneCase({ details: { httpCode, retryable } }: ApiFailure): boolean {
	return httpCode === undefined ? !retryable : !OF_ALL_CASES.test(String(httpCode));
}

function toText(value: unknown): string {
	// JSON has no NaN, and shows an invalid date as null.
	const isInvalidDate = value instanceof Date && Number.isNaN(value.getTime());
	if (typeof value !== 'object' || isInvalidDate) return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		// A value that refers to itself.
		return Object.prototype.toString.call(value);
	}
}

/** Shows a value from the user inside a message: quoted, on one line, at most 60 characters. */
export function quote(value: unknown): string {
	return `"${shorten(toText(value), 60)}"`;
}

/** Names the first entries of a list inside a message: `1, 2, 3 and 97 more`. */
export function nameSome(names: readonly unknown[], max = 5): string {
	const shown = names.slice(0, max).join(', ');
	return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}
