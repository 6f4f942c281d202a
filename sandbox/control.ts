import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ACCESS, KEYS, type KeyKind } from './auth';
import type { Presses, PressOptions } from './presses';
import { mayRead } from './query';
import type { Recorder } from './recorder';
import { CONTROL_PATH } from './server';
import type { Service } from './service';
import type { CaseInput, CommentInput } from './store';

interface ControlContext {
	service: Service;
	recorder: Recorder;
	presses: Presses;
}

/**
 * Lets a person at a terminal read and change the sandbox, under /__sandbox. This is not part of the API
 * document and needs no key: the server listens on 127.0.0.1 only. Changes are answered with the case in one line.
 */
export function registerControl(
	app: FastifyInstance,
	{ service, recorder, presses }: ControlContext,
): void {
	const { store } = service;
	const on = (method: 'GET' | 'POST', path: string, handle: (id: number, body: never) => unknown) =>
		app.route({
			method,
			url: CONTROL_PATH + path,
			handler: async ({ params, body }: FastifyRequest, reply) => {
				const given: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : {};
				try {
					const answer = await handle(Number((params as { id?: string }).id), given as never);
					const isLine = typeof answer === 'string';
					const text = isLine ? `${answer}\n` : JSON.stringify(answer);
					return await reply.type(isLine ? 'text/plain' : 'application/json').send(text);
				} catch (error) {
					return await reply.code(400).send({ error: (error as Error).message });
				}
			},
		});
	const lineOf = (id: number) => {
		const { status, priority, name } = store.getCase(id);
		const comments = store.comments(id).length;
		return `Case ${id} (${status}, ${priority}): ${name}, ${comments} comment${comments === 1 ? '' : 's'}`;
	};

	on('GET', '/summary', () => summaryOf(service));
	on('GET', '/requests', () => recorder.requests);
	on('GET', '/presses', () => presses.all);
	on('POST', '/cases', (_id, body: CaseInput) => lineOf(store.createCase(body).case_id));
	on('POST', '/cases/:id', (id, body: CaseInput) => lineOf(store.updateCase(id, body).case_id));
	on('POST', '/cases/:id/close', (id, body: object) => lineOf(store.closeCase(id, body).case_id));
	on('POST', '/cases/:id/comments', (id, { value, ...input }: CommentInput & { value: string }) => {
		store.addComment(id, value, input);
		return lineOf(id);
	});
	on('POST', '/cases/:id/press', (id, { label, ...options }: PressOptions & { label: string }) =>
		presses.press(id, label, options),
	);
}

/** What the store holds, in numbers, and how many cases each kind of key sees. */
export function summaryOf({ store, baseUrl }: Pick<Service, 'store' | 'baseUrl'>) {
	const cases = [...store.cases()];
	const counted = (keys: string[]) => {
		const counts: Record<string, number> = {};
		for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
		return counts;
	};
	const kinds = Object.keys(KEYS) as KeyKind[];
	return {
		url: baseUrl,
		cases: store.size,
		byStatus: counted(cases.map(({ status }) => status)),
		byTeam: counted(cases.map(({ team }) => team.name)),
		visible: counted(
			cases.flatMap(({ team }) => kinds.filter((kind) => mayRead(ACCESS[kind], team.id))),
		),
	};
}
