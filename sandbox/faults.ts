import { merged, type Deviations } from './deviations';
import type { CaseStore } from './store';

/** Whether a write is carried out even though its answer is replaced. Default false. */
interface Applied {
	applied?: boolean;
}

/** A fault that replaces the answer. */
export type ReplacingFault =
	| ({
			kind: 'status';
			status: number;
			/** Seconds, a raw header value, or an HTTP date this many seconds after the service's current time. */
			retryAfter?: number | string | { inSeconds: number };
			headers?: Record<string, string>;
			/** A text is sent unchanged, anything else as JSON. */
			body?: string | object;
	  } & Applied)
	| { kind: 'redirect'; status: number; to: string }
	/** Closes the connection without a byte. */
	| ({ kind: 'drop' } & Applied)
	/** Half of the body under the full content-length, then the connection ends. */
	| { kind: 'reset' }
	/** Half of the body, with a content-length that fits. */
	| { kind: 'truncatedJson' }
	| { kind: 'html' }
	| { kind: 'empty' }
	/** A body that never ends: this many spaces, again and again. */
	| { kind: 'endless'; bytes: number; everyMs: number }
	| ({ kind: 'raw'; status: number; headers?: Record<string, string>; body: string } & Applied);

/** A fault that is a deviation of the service for some requests. */
type DeviatingFault =
	| { kind: 'metaMissing' }
	| { kind: 'meta'; patch: Record<string, unknown> }
	| { kind: 'clampPageSize'; to: number }
	| { kind: 'listMissing' }
	| { kind: 'ignoreFilters'; filters: string[] };

export type Fault =
	| ReplacingFault
	| DeviatingFault
	| { kind: 'latency'; ms: number }
	/** Changes the store before the request is handled. */
	| { kind: 'change'; run: (store: CaseStore) => void | Promise<void> };

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
		/** Every nth matching request. */
		everyNth?: number;
	};
	/**
	 * How often the fault happens. By default latency, a deviation and a rule with `everyNth` stay until cleared; a
	 * fault that replaces the answer and a change happen once.
	 */
	times?: number;
	fault: Fault;
}

/** All faults that happen to one request. */
export interface FaultPlan {
	latencyMs: number;
	changes: Array<(store: CaseStore) => void | Promise<void>>;
	deviations: Deviations;
	/** The fault of the first rule that replaces the answer. */
	replacedBy?: ReplacingFault;
}

function deviationsOf(fault: Fault): Deviations | undefined {
	switch (fault.kind) {
		case 'metaMissing':
			return { list: { noMeta: true } };
		case 'meta':
			return { list: { meta: fault.patch } };
		case 'clampPageSize':
			return { list: { largestPage: fault.to } };
		case 'listMissing':
			return { list: { noRows: true } };
		case 'ignoreFilters':
			return { filters: { ignored: fault.filters } };
		default:
			return undefined;
	}
}

const isReplacing = (fault: Fault): fault is ReplacingFault =>
	fault.kind !== 'change' && fault.kind !== 'latency' && deviationsOf(fault) === undefined;

/** The list of scripted faults of one sandbox. */
export class FaultScript {
	private rules: Array<{ rule: FaultRule; seen: number; remaining: number }> = [];

	add(...rules: FaultRule[]): void {
		for (const rule of rules) {
			const { fault, match } = rule;
			const isOnce = fault.kind === 'change' || isReplacing(fault);
			const stays = !isOnce || match?.everyNth !== undefined;
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
			const isTurn =
				(match.nth === undefined || entry.seen === match.nth) &&
				(match.everyNth === undefined || entry.seen % match.everyNth === 0);
			// An answer can be replaced only once: a later rule applies to the next request.
			if (!isTurn || entry.remaining === 0 || (plan.replacedBy && isReplacing(fault))) continue;
			entry.remaining--;
			addTo(plan, fault);
		}
		return plan;
	}
}

function addTo(plan: FaultPlan, fault: Fault): void {
	if (fault.kind === 'latency') plan.latencyMs += fault.ms;
	else if (fault.kind === 'change') plan.changes.push(fault.run);
	else if (isReplacing(fault)) plan.replacedBy = fault;
	else plan.deviations = merged([plan.deviations, deviationsOf(fault) ?? {}]);
}
