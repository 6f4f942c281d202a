/** Something the user gave can't be used; found before any request. The description says how to solve it. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InvalidInput';
	}
}

/** The user has stopped the execution. n8n knows a cancel by the word "canceled" in the message. */
export class Canceled extends Error {
	constructor() {
		super('The execution was canceled');
		this.name = 'Canceled';
	}
}

/** What a failed request tells the user. It never holds headers, so never the key. */
export interface FailureDetails {
	/** How to solve it, with the service's own message if it gave one. */
	description: string;
	/** Status of the answer; undefined when there was none. */
	httpCode?: number;
	/** The service's error body as it came, cut to a readable length. */
	body?: unknown;
	/** What the service asked to wait before the next try, in ms. */
	retryAfterMs?: number;
	/** Whether the same request may succeed when it is sent again. */
	retryable: boolean;
}

/** A request of the Cases API that ended without a usable answer. */
export class ApiFailure extends Error {
	constructor(
		message: string,
		readonly details: FailureDetails,
	) {
		super(message);
		this.name = 'ApiFailure';
	}
}

function toText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		// A value that refers to itself, or a BigInt.
		return typeof value === 'bigint' ? String(value) : Object.prototype.toString.call(value);
	}
}

/** Shows a value from the user inside a message: quoted, on one line, at most 60 characters. */
export function quote(value: unknown): string {
	const text = typeof value === 'string' ? value : toText(value);
	const line = text.replace(/\s+/g, ' ');
	return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}
