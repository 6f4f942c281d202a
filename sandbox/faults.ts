import { merged, type Deviations } from './deviations';
import type { CaseStore } from './store';

interface ScriptedAnswer {
	status: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON. */
	body?: string | object;
	/** Seconds, or another value of the header. */
	retryAfter?: number | string;
}

/** A fault that replaces the answer. */
export type ReplacingFault = {
	/**
	 * Whether a write is carried out even though its answer is replaced. Default: under `reset`, `truncatedJson`,
	 * `html`, `empty` and `endless`.
	 */
	applied?: boolean;
} & (
	| ({ kind: 'status' } & ScriptedAnswer)
	| ({ kind: 'raw' } & ScriptedAnswer)
	| { kind: 'redirect'; status: number; to: string }
	/** Closes the connection without a byte. */
	| { kind: 'drop' }
	/** Half of the body under the full content-length, then the connection ends. */
	| { kind: 'reset' }
	/** Half of the body, with a content-length that fits. */
	| { kind: 'truncatedJson' }
	/** The body and more bytes, with a content-length that fits. */
	| { kind: 'lengthened'; bytes: number }
	/** The body in pieces, with a pause after each. */
	| { kind: 'slow'; pieces: number; everyMs: number }
	| { kind: 'html' }
	| { kind: 'empty' }
	/** A body that never ends: this many spaces, again and again. */
	| { kind: 'endless'; bytes: number; everyMs: number }
);

type Change = (store: CaseStore) => void | Promise<void>;

export type Fault =
	| ReplacingFault
	/** Deviations of the service, for some requests. */
	| { kind: 'deviate'; deviations: Deviations }
	| { kind: 'latency'; ms: number }
	/** Changes the store before the request is handled. */
	| { kind: 'change'; run: Change };

export interface FaultRule {
	/** Default: every valid request to the API. */
	match?: {
		method?: string;
		/** Regular expression for the path without prefix and query string. */
		path?: string;
		/** The requested page; 1 without a page parameter. */
		page?: number;
		/** Only the nth matching request since the rule was added; the first is 1. */
		nth?: number;
	};
	/** How often the fault happens. By default latency and deviations stay until cleared, and others happen once. */
	times?: number;
	fault: Fault;
}

/** All faults that happen to one request; the first that replaces the answer does so. */
interface FaultPlan {
	latencyMs: number;
	changes: Change[];
	deviations: Deviations;
	replacedBy?: ReplacingFault;
}

/** The list of scripted faults of one sandbox. */
export class FaultScript {
	private rules: Array<{ rule: FaultRule; seen: number; remaining: number }> = [];

	add(...rules: FaultRule[]): void {
		for (const rule of rules) {
			const stays = rule.fault.kind === 'latency' || rule.fault.kind === 'deviate';
			this.rules.push({ rule, seen: 0, remaining: rule.times ?? (stays ? Infinity : 1) });
		}
	}

	clear(): void {
		this.rules = [];
	}

	/** The faults that happen to this request; counts it for `nth` and `times`. */
	plan(request: { method: string; path: string; page: number }): FaultPlan {
		const plan: FaultPlan = { latencyMs: 0, changes: [], deviations: {} };
		for (const entry of this.rules) {
			const { match = {}, fault } = entry.rule;
			const { method = request.method, path = '', page = request.page } = match;
			const isMatch =
				method.toUpperCase() === request.method &&
				new RegExp(path).test(request.path) &&
				page === request.page;
			if (!isMatch) continue;
			entry.seen++;
			const isTurn = match.nth === undefined || entry.seen === match.nth;
			if (isTurn && entry.remaining > 0 && addTo(plan, fault)) entry.remaining--;
		}
		return plan;
	}
}

/** @returns false for a second fault that replaces the answer: it happens to the next request */
function addTo(plan: FaultPlan, fault: Fault): boolean {
	if (fault.kind === 'latency') plan.latencyMs += fault.ms;
	else if (fault.kind === 'change') plan.changes.push(fault.run);
	else if (fault.kind === 'deviate') plan.deviations = merged([plan.deviations, fault.deviations]);
	else if (plan.replacedBy) return false;
	else plan.replacedBy = fault;
	return true;
}

/** An answer ready to be sent; `cut` says where the connection is cut, if it is. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
	cut?: 'beforeAnswer' | 'midBody';
	/** Instead of the body: pieces, with pauses between them. */
	paced?: { pieces: Iterable<Buffer>; everyMs: number };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_PAGE = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

/** Whether a request is carried out even though this fault replaces its answer. */
export const isCarriedOut = ({ kind, applied }: ReplacingFault): boolean =>
	applied ?? !['status', 'raw', 'redirect', 'drop'].includes(kind);

/**
 * The answer that a fault puts in place of the regular one.
 *
 * @param regular empty if the request wasn't carried out
 */
export function faultyAnswer(fault: ReplacingFault, regular: Answer): Answer {
	const bytes = Buffer.from(regular.body as string);
	switch (fault.kind) {
		case 'status':
		case 'raw': {
			const { status, headers, body = '', retryAfter } = fault;
			const isText = typeof body === 'string';
			return {
				status,
				headers: {
					...(!isText && { 'content-type': JSON_TYPE }),
					...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
					...headers,
				},
				body: isText ? body : JSON.stringify(body),
			};
		}
		case 'redirect':
			return { status: fault.status, headers: { location: fault.to }, body: '' };
		case 'drop':
			return { ...regular, cut: 'beforeAnswer' };
		case 'reset':
			return { ...regular, cut: 'midBody' };
		case 'truncatedJson':
			return { ...regular, body: regular.body.slice(0, Math.ceil(regular.body.length / 2)) };
		case 'lengthened':
			return { ...regular, body: Buffer.concat([bytes, Buffer.alloc(fault.bytes)]) };
		case 'slow': {
			const headers = { ...regular.headers, 'content-length': String(bytes.length) };
			const pieces = piecesOf(bytes, Math.ceil(bytes.length / fault.pieces));
			return { ...regular, headers, paced: { pieces, everyMs: fault.everyMs } };
		}
		case 'html':
			return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML_PAGE };
		case 'empty':
			return { status: 200, headers: { 'content-type': JSON_TYPE }, body: '' };
		case 'endless':
			return { ...regular, paced: { ...fault, pieces: forever(Buffer.alloc(fault.bytes, ' ')) } };
	}
}

function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function* forever(bytes: Buffer): Generator<Buffer> {
	while (true) yield bytes;
}
