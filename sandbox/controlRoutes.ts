import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS, KEYS, type KeyKind } from './auth';
import type { Deviations } from './deviations';
import type { Service } from './service';
import { faultRuleSchema, runMutation, type FaultScript, type Mutation } from './faults';
import { mayRead } from './query';
import type { Presses, PressOptions } from './presses';
import type { Recorder } from './recorder';
import { CONTROL_PATH } from './server';
import type { Case } from './types';

interface ControlContext {
	service: Service;
	faults: FaultScript;
	recorder: Recorder;
	presses: Presses;
}

/** What the store holds, in numbers. */
export interface SandboxSummary {
	url: string;
	cases: number;
	byStatus: Record<string, number>;
	byTeam: Record<string, number>;
	/** How many cases each kind of key sees. */
	visible: Record<KeyKind, number>;
}

/** A case without its long lists. */
export type CaseRow = Omit<Case, 'activities' | 'records' | 'actions'>;

/** A case with everything in the store, including what lists leave out. */
export type FullCase = CaseRow & {
	activities: ReturnType<Case['activities']>;
	records: ReturnType<Case['records']>;
	actions: ReturnType<Case['actions']>;
};

/**
 * Lets another process read and change the sandbox, under /__sandbox. This is not part of the API
 * document and needs no key: the server listens on 127.0.0.1 only. A case is answered as JSON, or in one line with
 * `accept: text/plain`.
 */
export function registerControl(
	app: FastifyInstance,
	{ service, faults, recorder, presses }: ControlContext,
): void {
	const { store, deviating } = service;
	const on = (
		method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
		path: string,
		handle: (id: number, body: unknown) => unknown,
	) =>
		app.route({
			method,
			url: CONTROL_PATH + path,
			handler: async (request: FastifyRequest, reply: FastifyReply) => {
				const { id } = request.params as { id?: string };
				try {
					const body: unknown =
						typeof request.body === 'string' && request.body ? JSON.parse(request.body) : {};
					const answer = (await handle(Number(id), body)) ?? {};
					if (request.headers.accept === 'text/plain' && isFullCase(answer)) {
						return await reply.type('text/plain').send(lineOf(answer));
					}
					return await reply.type('application/json').send(JSON.stringify(answer));
				} catch (error) {
					return await reply
						.code(400)
						.type('application/json')
						.send(JSON.stringify({ error: (error as Error).message }));
				}
			},
		});
	const mutate =
		(mutation: Mutation, toArgs: (id: number, body: unknown) => unknown[]) =>
		(id: number, body: unknown) => {
			const result = runMutation(store, mutation, toArgs(id, body));
			const caseId = mutation === 'createCase' ? (result as Case).case_id : id;
			return mutation === 'deleteCase' ? {} : fullCase(store.getCase(caseId));
		};

	on('GET', '/summary', () => summaryOf(service));
	on('GET', '/stats', () => recorder.stats);
	on('GET', '/requests', () => recorder.requests);
	on('DELETE', '/requests', () => recorder.clear());
	on('POST', '/faults', (_id, body) => {
		const rules = Array.isArray(body) ? body : [body];
		faults.add(...rules.map((rule) => faultRuleSchema.parse(rule)));
	});
	on('DELETE', '/faults', () => faults.clear());
	on('GET', '/presses', () => presses.all);
	on('POST', '/cases/:id/press', (id, body) => {
		const { label, ...options } = body as { label: string } & PressOptions;
		return presses.press(id, label, options);
	});
	on('GET', '/deviations', () => deviating.current);
	on('POST', '/deviations', (_id, body) => deviating.deviate(body as Deviations));
	on('DELETE', '/deviations', () => deviating.deviate());

	// JSON leaves functions out, so these are the cases without their long lists.
	on('GET', '/cases', () => [...store.cases()]);
	on(
		'POST',
		'/cases',
		mutate('createCase', (_id, body) => [body]),
	);
	on('GET', '/cases/:id', (id) => fullCase(store.getCase(id)));
	on(
		'PATCH',
		'/cases/:id',
		mutate('updateCase', (id, body) => [id, body]),
	);
	on(
		'DELETE',
		'/cases/:id',
		mutate('deleteCase', (id) => [id]),
	);
	on(
		'POST',
		'/cases/:id/close',
		mutate('closeCase', (id, body) => [id, body]),
	);
	on(
		'POST',
		'/cases/:id/reopen',
		mutate('reopenCase', (id, body) => [id, body]),
	);
	on(
		'POST',
		'/cases/:id/comments',
		mutate('addComment', (id, body) => {
			const { value, ...options } = body as { value: string };
			return [id, value, options];
		}),
	);
	on(
		'POST',
		'/cases/:id/activities',
		mutate('addActivity', (id, body) => {
			const { activity_type, ...input } = body as { activity_type: string };
			return [id, activity_type, input];
		}),
	);
	on(
		'PUT',
		'/cases/:id/actions',
		mutate('replaceActions', (id, body) => [id, body]),
	);
}

function fullCase(found: Case): FullCase {
	return {
		...found,
		activities: found.activities(),
		records: found.records(),
		actions: found.actions(),
	};
}

const isFullCase = (answer: object): answer is FullCase =>
	'case_id' in answer && 'activities' in answer;

/** The case in one line, for a person at a terminal. */
function lineOf({ case_id, status, priority, name, activities }: FullCase): string {
	const comments = activities.filter((row) => row.activity_type === 'COMMENTED').length;
	return `Case ${case_id} (${status}, ${priority}): ${name}, ${comments} comment${comments === 1 ? '' : 's'}\n`;
}

function summaryOf({ store, baseUrl }: Service): SandboxSummary {
	const byStatus: Record<string, number> = {};
	const byTeam: Record<string, number> = {};
	const visible: Record<KeyKind, number> = { personal: 0, service: 0, tenantOwner: 0, team: 0 };
	for (const { status, team } of store.cases()) {
		byStatus[status] = (byStatus[status] ?? 0) + 1;
		byTeam[team.name] = (byTeam[team.name] ?? 0) + 1;
		for (const kind of Object.keys(KEYS) as KeyKind[]) {
			if (mayRead(ACCESS[kind], team.id)) visible[kind]++;
		}
	}
	return { url: baseUrl, cases: store.size, byStatus, byTeam, visible };
}
