import { z } from 'zod';
import type { CaseStore } from './store';

/** The changes of the store that a rule can name; each takes the arguments of the CaseStore method. */
export const MUTATIONS = [
	'createCase',
	'updateCase',
	'closeCase',
	'reopenCase',
	'deleteCase',
	'addComment',
	'deleteComment',
	'addActivity',
	'replaceActions',
	'addAction',
	'updateAction',
	'deleteAction',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

const headers = z.record(z.string(), z.string());
/** A text is sent unchanged, anything else as JSON. */
const body = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
/** Seconds, a raw header value, or an HTTP date this many seconds after the service's current time. */
const retryAfter = z.union([z.number(), z.string(), z.strictObject({ inSeconds: z.number() })]);
/** Whether a write is carried out even though its answer is replaced. Default false. */
const applied = z.boolean().optional();

const fault = z.discriminatedUnion('kind', [
	// These modify the answer.
	z.strictObject({ kind: z.literal('latency'), ms: z.number() }),
	z.strictObject({ kind: z.literal('metaMissing') }),
	/** Overrides keys of meta, with any value. */
	z.strictObject({ kind: z.literal('meta'), patch: z.record(z.string(), z.unknown()) }),
	z.strictObject({ kind: z.literal('clampPageSize'), to: z.number().int().positive() }),
	/** Leaves out `cases`, `comments`, `activities`, `records` or `actions`. */
	z.strictObject({ kind: z.literal('listMissing') }),
	z.strictObject({ kind: z.literal('ignoreFilters'), filters: z.array(z.string()) }),
	// These replace the answer.
	z.strictObject({
		kind: z.literal('status'),
		status: z.number().int(),
		retryAfter: retryAfter.optional(),
		headers: headers.optional(),
		body: body.optional(),
		applied,
	}),
	z.strictObject({
		kind: z.literal('redirect'),
		status: z.union([301, 302, 303, 307, 308].map((status) => z.literal(status))),
		to: z.string(),
	}),
	/** Closes the connection without a byte. */
	z.strictObject({ kind: z.literal('drop'), applied }),
	/** Half of the body under the full content-length, then the connection ends. */
	z.strictObject({ kind: z.literal('reset') }),
	/** Half of the body, with a content-length that fits. */
	z.strictObject({ kind: z.literal('truncatedJson') }),
	z.strictObject({ kind: z.literal('html') }),
	z.strictObject({ kind: z.literal('empty') }),
	/** A body that never ends: this many spaces, again and again. */
	z.strictObject({
		kind: z.literal('endless'),
		bytes: z.number().int().positive(),
		everyMs: z.number(),
	}),
	z.strictObject({
		kind: z.literal('raw'),
		status: z.number().int(),
		headers: headers.optional(),
		body: z.string(),
		applied,
	}),
	// This changes the store before the request is handled.
	z.strictObject({
		kind: z.literal('change'),
		mutation: z.enum(MUTATIONS),
		args: z.array(z.unknown()).optional(),
	}),
]);

const match = z.strictObject({
	method: z.string().optional(),
	/** Regular expression for the path without prefix and query string. */
	path: z.string().optional(),
	/** The requested page; 1 without a page parameter. */
	page: z.number().optional(),
	/** Only the nth matching request since the rule was added; the first is 1. */
	nth: z.number().int().positive().optional(),
	/** Every nth matching request. */
	everyNth: z.number().int().positive().optional(),
});

/** A rule as the control API takes it. */
export const faultRuleSchema = z.strictObject({
	match: match.optional(),
	times: z.number().int().positive().optional(),
	fault,
});

export type Fault =
	| z.infer<typeof fault>
	| { kind: 'change'; run: (store: CaseStore) => void | Promise<void> };

export interface FaultRule {
	/** Default: every valid request to the API. */
	match?: z.infer<typeof match>;
	/**
	 * How often the fault happens. By default a fault that modifies the answer (latency, meta,
	 * metaMissing, clampPageSize, listMissing, ignoreFilters) or has `everyNth` stays until cleared;
	 * a fault that replaces the answer and a change happen once.
	 */
	times?: number;
	fault: Fault;
}

const MODIFYING: ReadonlySet<Fault['kind']> = new Set([
	'latency',
	'meta',
	'metaMissing',
	'clampPageSize',
	'listMissing',
	'ignoreFilters',
]);

export type ReplacingFault = Extract<
	Fault,
	{
		kind:
			| 'status'
			| 'redirect'
			| 'drop'
			| 'reset'
			| 'truncatedJson'
			| 'html'
			| 'empty'
			| 'endless'
			| 'raw';
	}
>;

/** All faults that happen to one request. */
export interface FaultPlan {
	latencyMs: number;
	changes: Array<Extract<Fault, { kind: 'change' }>>;
	metaMissing: boolean;
	metaPatch: Record<string, unknown>;
	listMissing: boolean;
	maxPerPage: number;
	ignoredFilters: string[];
	/** What replaces the answer: the fault of the first rule that replaces it. */
	replacedBy?: ReplacingFault;
}

interface FaultRequest {
	method: string;
	path: string;
	page: number;
}

/** The list of scripted faults of one sandbox. */
export class FaultScript {
	private rules: Array<{ rule: FaultRule; seen: number; remaining: number }> = [];

	add(...rules: FaultRule[]): void {
		for (const rule of rules) {
			const stays = MODIFYING.has(rule.fault.kind) || rule.match?.everyNth !== undefined;
			this.rules.push({ rule, seen: 0, remaining: rule.times ?? (stays ? Infinity : 1) });
		}
	}

	clear(): void {
		this.rules = [];
	}

	/** The faults that happen to this request; counts it for `nth` and `times`. */
	plan(request: FaultRequest): FaultPlan {
		const plan: FaultPlan = {
			latencyMs: 0,
			changes: [],
			metaMissing: false,
			metaPatch: {},
			listMissing: false,
			maxPerPage: Infinity,
			ignoredFilters: [],
		};
		for (const entry of this.rules) {
			const { match = {}, fault } = entry.rule;
			if (!matches(match, request)) continue;
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

function matches({ method, path, page }: NonNullable<FaultRule['match']>, request: FaultRequest) {
	return (
		(method === undefined || method.toUpperCase() === request.method) &&
		(path === undefined || new RegExp(path).test(request.path)) &&
		(page === undefined || page === request.page)
	);
}

function isReplacing(fault: Fault): fault is ReplacingFault {
	return fault.kind !== 'change' && !MODIFYING.has(fault.kind);
}

function addTo(plan: FaultPlan, fault: Fault): void {
	if (isReplacing(fault)) plan.replacedBy = fault;
	else if (fault.kind === 'latency') plan.latencyMs += fault.ms;
	else if (fault.kind === 'change') plan.changes.push(fault);
	else if (fault.kind === 'metaMissing') plan.metaMissing = true;
	else if (fault.kind === 'meta') Object.assign(plan.metaPatch, fault.patch);
	else if (fault.kind === 'listMissing') plan.listMissing = true;
	else if (fault.kind === 'clampPageSize') plan.maxPerPage = Math.min(plan.maxPerPage, fault.to);
	else if (fault.kind === 'ignoreFilters') plan.ignoredFilters.push(...fault.filters);
}

/** Runs a scripted change: a callback, or a mutation given by name. */
export async function applyChange(
	store: CaseStore,
	change: Extract<Fault, { kind: 'change' }>,
): Promise<void> {
	if ('run' in change) await change.run(store);
	else runMutation(store, change.mutation, change.args ?? []);
}

/** Calls the method of the store that a mutation names. */
export function runMutation(store: CaseStore, mutation: Mutation, args: unknown[]): unknown {
	const mutate = store[mutation] as (...args: unknown[]) => unknown;
	return mutate.apply(store, args);
}
