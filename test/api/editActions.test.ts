import { planUpsert } from '../../nodes/Cases/api/actionPlans';
import type { Client } from '../../nodes/Cases/api/client';
import { editActions } from '../../nodes/Cases/api/editActions';
import { NotNeeded, type Renewal } from '../../nodes/Cases/api/sender';
import type { ActionInput, CaseAction } from '../../nodes/Cases/api/types';
import { answering, failedWith } from './answering';

const BUTTON = {
	url: 'https://n8n.example.com/?nonce=1',
	label: 'Isolate?',
	action_type: 'webhook',
};

interface Service {
	/** Stores each action as this makes it. */
	store?: (action: ActionInput) => ActionInput;
	/** Bends the answer to a write; undefined is none. */
	answer?: (body: { actions: unknown[] }) => unknown;
	/** An error beside the answer to a write. */
	saidError?: string;
	/** Happens after each write. */
	afterWrite?: (service: { actions: unknown }) => void;
}

const same = <T>(value: T): T => value;

/** A service with one case, which stores each action as `store` makes it. */
function serving({ store = same, answer = same, saidError, afterWrite }: Service = {}) {
	const service = { actions: [] as unknown, writes: 0 };
	const { client } = answering(({ body }) => {
		const { actions } = service;
		if (body === undefined) return { cases: [{ case_id: 1, actions }], meta: { pages: 1 } };
		service.writes++;
		const written = (body.actions as ActionInput[]).map(store);
		service.actions = written;
		afterWrite?.(service);
		return answer({ actions: written });
	});
	const send: Client['send'] = async (request) => {
		const sent = await client.send(request);
		return request.body === undefined ? sent : { ...sent, saidError };
	};
	return { client: { ...client, send }, service };
}

const keeping = { caseId: '1', acceptTextLoss: true, readButtonTexts: false };
const hasButton = (existing: CaseAction[]) => existing.some(({ url }) => url === BUTTON.url);
const addButton = async (client: Client) =>
	await editActions(client, keeping, (actions) => planUpsert('1', actions, [BUTTON]), hasButton);

test.each<[string, (action: ActionInput) => ActionInput, boolean]>([
	['as they are', (action) => action, true],
	['shortened', ({ url, ...action }) => ({ url: url.slice(0, 20), ...action }), false],
])('writes once where the service stores URLs %s', async (_how, store, isDone) => {
	const { client, service } = serving({ store });
	expect(await addButton(client)).toEqual({ isDone, losingText: [] });
	expect(service).toMatchObject({ writes: 1, actions: [{ label: 'Isolate?' }] });
});

test('writes nothing where the actions are as wanted', async () => {
	const { client, service } = serving();
	service.actions = [BUTTON];
	expect(await addButton(client)).toEqual({ isDone: true, losingText: [] });
	expect(service.writes).toBe(0);
});

test('names the actions that lose their texts', async () => {
	const { client, service } = serving();
	const other = { ...BUTTON, url: 'https://other.example.com/', label: 'Other' };
	service.actions = [other];
	expect(await addButton(client)).toEqual({ isDone: true, losingText: [other] });
});

test('fails where the actions of the case are unknown', async () => {
	const { client, service } = serving();
	service.actions = null;
	await expect(addButton(client)).rejects.toThrow('case 1 without its actions');
});

describe('an edit that another writer undoes', () => {
	it('is written again', async () => {
		const afterWrite = (made: { actions: unknown; writes?: number }) => {
			if (made.writes === 1) made.actions = [];
		};
		const { client, service } = serving({ afterWrite });
		expect((await addButton(client)).isDone).toBe(true);
		expect(service.writes).toBe(2);
	});

	it('is written four times at most', async () => {
		const { client, service } = serving({ afterWrite: (made) => (made.actions = []) });
		expect((await addButton(client)).isDone).toBe(false);
		expect(service.writes).toBe(4);
	});
});

describe('an edit is written again, though its answer is in doubt, where the answer', () => {
	const undoneOnce = (made: { actions: unknown; writes?: number }) => {
		if (made.writes === 1) made.actions = [];
	};

	test.each<[string, Service['answer']]>([
		[
			'has the action, and another one',
			({ actions }) => ({ actions: [...actions, { ...BUTTON, label: 'Other' }] }),
		],
		['says nothing', () => undefined],
	])('%s', async (_what, answer) => {
		const { client, service } = serving({ answer, afterWrite: undoneOnce });
		expect((await addButton(client)).isDone).toBe(true);
		expect(service.writes).toBe(2);
	});
});

test('is written again where it was undone, though answers never show what is wanted', async () => {
	const { client, service } = serving({
		answer: ({ actions }) => ({
			actions: (actions as ActionInput[]).map(({ url, label }) => ({ url, label })),
		}),
		afterWrite: (made: { actions: unknown; writes?: number }) => {
			if (made.writes === 1) made.actions = [];
		},
	});
	const edited = await editActions(
		client,
		keeping,
		(actions) => planUpsert('1', actions, [BUTTON]),
		(existing) => existing.some(({ action_type }) => action_type === 'webhook'),
	);
	expect(edited.isDone).toBe(true);
	expect(service.writes).toBe(2);
});

test('writes once where the answer has an error, and an entry that is not an action', async () => {
	const { client, service } = serving({
		store: ({ url, ...action }) => ({ url: url.slice(0, 20), ...action }),
		answer: ({ actions }) => ({ actions: [null, ...actions] }),
		saidError: 'The URL was shortened',
	});
	expect((await addButton(client)).isDone).toBe(false);
	expect(service.writes).toBe(1);
});

describe('an edit whose write waits', () => {
	/** A client that does this with the renewal of each write. */
	const waiting = (client: Client, wait: (renewal: Renewal) => Promise<void>): Client => ({
		...client,
		send: async (request, renewal) => {
			if (renewal !== undefined) await wait(renewal);
			return await client.send(request);
		},
	});

	it('is drafted again from what the case has then', async () => {
		const { client, service } = serving();
		const other = { ...BUTTON, url: 'https://other.example.com/', label: 'Other' };
		const renewed: unknown[] = [];
		await addButton(
			waiting(client, async ({ renew }) => {
				service.actions = [other];
				renewed.push((await renew())?.body);
			}),
		);
		expect(renewed).toEqual([{ actions: [other, BUTTON] }]);
	});

	it('is not needed where the case has become as wanted', async () => {
		const { client, service } = serving();
		const edited = addButton(
			waiting(client, async ({ renew }) => {
				service.actions = [BUTTON];
				if ((await renew()) === undefined) throw new NotNeeded(false);
			}),
		);
		expect((await edited).isDone).toBe(true);
		expect(service.writes).toBe(0);
	});

	it('is made again where it was not needed, but the case is not as wanted then', async () => {
		const { client, service } = serving();
		let writes = 0;
		const edited = addButton(
			waiting(client, async () => {
				if (++writes === 1) throw new NotNeeded(true);
				await Promise.resolve();
			}),
		);
		expect((await edited).isDone).toBe(true);
		expect(service.writes).toBe(1);
	});

	it('fails where its write fails', async () => {
		const { client } = serving({
			answer: () => {
				throw failedWith(500);
			},
		});
		await expect(addButton(client)).rejects.toThrow('Failed with 500');
	});
});

test('edits of one case wait for each other, those of others do not', async () => {
	const { client } = serving();
	const log: string[] = [];
	const edit = async (caseId: string, tenant: string) => {
		const named: Client = {
			...client,
			tenant: { ...client.tenant, baseUrl: tenant },
			send: async (request) => {
				log.push(`${tenant} ${caseId}`);
				return await new Promise((resolve, reject) => {
					setImmediate(() => void client.send(request).then(resolve, reject));
				});
			},
		};
		await editActions(
			named,
			{ ...keeping, caseId },
			(actions) => planUpsert(caseId, actions, [BUTTON]),
			() => true,
		);
	};
	await Promise.all([edit('1', 'a'), edit('1', 'a'), edit('1', 'b')]);
	expect(log).toEqual(['a 1', 'b 1', 'a 1']);
});
