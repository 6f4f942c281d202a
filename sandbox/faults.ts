import { z } from 'zod';
import type { CaseStore } from './store';

/** The changes of the store that can be asked for by name, with the arguments of the CaseStore method. */
export const MUTATIONS = [
	'createCase',
	'updateCase',
	'closeCase',
	'reopenCase',
	'deleteCase',
	'addComment',
	'replaceActions',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

const headers = z.record(z.string(), z.string());
/** An object is sent as JSON, a text as it is. */
const body = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
/** Seconds, a raw header value, or an HTTP date so many seconds from the service's now. */
const retryAfter = z.union([z.number(), z.string(), z.strictObject({ inSeconds: z.number() })]);
/** Whether a write is carried out although its answer is replaced. Default false. */
const applied = z.boolean().optional();

const fault = z.discriminatedUnion('kind', [
	// These colour the answer.
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
	z.strictObject({
		kind: z.literal('raw'),
		status: z.number().int(),
		headers: headers.optional(),
		body: z.string(),
		applied,
	}),
	// This changes the store before the request is answered.
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
	/** The page asked for; 1 where none is. */
	page: z.number().optional(),
	/** Only the nth matching request since the rule was added, from 1. */
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
	 * How often the fault happens. By default a fault that colours the answer (latency, meta,
	 * metaMissing, clampPageSize, listMissing, ignoreFilters) and one with `everyNth` stays until
	 * cleared; one that replaces the answer, and a change, happens once.
	 */
	times?: number;
	fault: Fault;
}

const COLOURING: ReadonlySet<Fault['kind']> = new Set([
	'latency',
	'meta',
	'metaMissing',
	'clampPageSize',
	'listMissing',
	'ignoreFilters',
]);

export type EndingFault = Extract<
	Fault,
	{ kind: 'status' | 'redirect' | 'drop' | 'reset' | 'truncatedJson' | 'html' | 'empty' | 'raw' }
>;

/** Everything that goes wrong with one request. */
export interface FaultPlan {
	latencyMs: number;
	changes: Array<Extract<Fault, { kind: 'change' }>>;
	metaMissing: boolean;
	metaPatch: Record<string, unknown>;
	listMissing: boolean;
	maxPerPage: number;
	ignoredFilters: string[];
	/** How the answer is replaced: by the first rule that does. */
	ending?: EndingFault;
}

interface FaultRequest {
	method: string;
	path: string;
	page: number;
}

/** The list of scripted faults of one sandbox. */
export class FaultScript {
	private rules: Array<{ rule: FaultRule; seen: number; left: number }> = [];

	add(...rules: FaultRule[]): void {
		for (const rule of rules) {
			const stays = COLOURING.has(rule.fault.kind) || rule.match?.everyNth !== undefined;
			this.rules.push({ rule, seen: 0, left: rule.times ?? (stays ? Infinity : 1) });
		}
	}

	clear(): void {
		this.rules = [];
	}

	/** What goes wrong with this request; counts it for `nth` and `times`. */
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
			// An answer can be replaced only once: a later rule keeps its turn for the next request.
			if (!isTurn || entry.left === 0 || (plan.ending && isEnding(fault))) continue;
			entry.left--;
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

function isEnding(fault: Fault): fault is EndingFault {
	return fault.kind !== 'change' && !COLOURING.has(fault.kind);
}

function addTo(plan: FaultPlan, fault: Fault): void {
	if (isEnding(fault)) plan.ending = fault;
	else if (fault.kind === 'latency') plan.latencyMs += fault.ms;
	else if (fault.kind === 'change') plan.changes.push(fault);
	else if (fault.kind === 'metaMissing') plan.metaMissing = true;
	else if (fault.kind === 'meta') Object.assign(plan.metaPatch, fault.patch);
	else if (fault.kind === 'listMissing') plan.listMissing = true;
	else if (fault.kind === 'clampPageSize') plan.maxPerPage = Math.min(plan.maxPerPage, fault.to);
	else if (fault.kind === 'ignoreFilters') plan.ignoredFilters.push(...fault.filters);
}

/** Runs a change, scripted as a callback or by the name of a mutator. */
export async function applyChange(
	store: CaseStore,
	change: Extract<Fault, { kind: 'change' }>,
): Promise<void> {
	if ('run' in change) await change.run(store);
	else runMutation(store, change.mutation, change.args ?? []);
}

/** Calls a mutator of the store by name. */
export function runMutation(store: CaseStore, mutation: Mutation, args: unknown[]): unknown {
	const mutate = store[mutation] as (...args: unknown[]) => unknown;
	return mutate.apply(store, args);
}
