import type { Client } from '../../nodes/Cases/api/client';
import { replaceActions } from '../../nodes/Cases/api/replaceActions';
import type { Renewal } from '../../nodes/Cases/api/sender';
import type { ActionInput } from '../../nodes/Cases/api/types';
import { CaseStore } from '../../sandbox/store';
import { simulate } from './simulation';

const contain: ActionInput = {
	url: 'https://a.example/hook',
	label: 'Contain',
	action_type: 'webhook',
	action_text: 'Go',
};

function oneCase() {
	const store = new CaseStore();
	store.createCase();
	const simulation = simulate({
		store,
		clock: { now: 0 },
		concurrency: 1,
	});
	return { store, ...simulation };
}

describe('replacing the actions of a case', () => {
	it('returns them as the service now has them, with the fields of lists', async () => {
		const { store, client, answered } = oneCase();
		const result = await replaceActions(client, '1', [contain]);
		const { url, label, action_type } = contain;
		expect(result).toEqual({
			case_id: 1,
			actions: [{ id: expect.any(Number), url, label, action_type }],
		});
		expect(store.getCase(1).actions()).toMatchObject([contain]);
		expect(answered).toEqual(['PUT /api/v2/cases/1/actions/batch']);
	});

	it('by an empty list removes them', async () => {
		const { store, client } = oneCase();
		await replaceActions(client, '1', [contain]);
		expect(await replaceActions(client, '1', [])).toEqual({ case_id: 1, actions: [] });
		expect(store.getCase(1).actions()).toEqual([]);
	});

	it.each<[unknown]>([[null], [''], [{}], [{ actions: null }], [{ actions: {} }]])(
		'fails when the service answers %j, and says to look first',
		async (body) => {
			const { client } = oneCase();
			const silent = {
				...client,
				send: async (request: Parameters<typeof client.send>[0]) => ({
					...(await client.send(request)),
					body,
				}),
			};
			await expect(replaceActions(silent, '1', [contain])).rejects.toMatchObject({
				message: 'The service did not confirm the actions of case 1',
				details: { description: 'Look at the service.' },
			});
		},
	);

	it('returns further fields of the answer as they are', async () => {
		const { client } = oneCase();
		const newer = {
			...client,
			send: async () => ({
				body: { case_id: 7, actions: [{ ...contain, colour: 'red', story_name: 'S' }] },
				unusable: () => new Error() as never,
			}),
		};
		const { url, label, action_type } = contain;
		expect(await replaceActions(newer, '7', [contain])).toEqual({
			case_id: 7,
			actions: [{ url, label, action_type, colour: 'red' }],
		});
	});

	it('takes the ID that was requested where the answer has none', async () => {
		const { client } = oneCase();
		const terse = {
			...client,
			send: async () => ({ body: { actions: [] }, unusable: () => new Error() as never }),
		};
		expect(await replaceActions(terse, '7', [])).toEqual({ case_id: '7', actions: [] });
	});

	it.each<[string, object, unknown]>([
		['and returns what it reads back', {}, [{ id: expect.any(Number), label: 'Contain' }]],
		['and returns null where the case is read back without actions', { actions: null }, null],
	])('counts an answer without a body as done, %s', async (_what, change, actions) => {
		const { client } = oneCase();
		const silent = {
			...client,
			send: async (request: Parameters<typeof client.send>[0]) => {
				const answer = await client.send(request);
				if (request.method === 'PUT') return { ...answer, body: undefined };
				const { cases } = answer.body as { cases: object[] };
				return { ...answer, body: { cases: cases.map((row) => ({ ...row, ...change })) } };
			},
		};
		expect(await replaceActions(silent, '1', [contain])).toMatchObject({ case_id: 1, actions });
	});
});

describe('a write that rests on a read', () => {
	const other: ActionInput = { ...contain, label: 'Other' };

	/** Writes by a read at 0 ms, and lets the sender do what it does with the renewal. */
	function writing(
		again: (time: { now: number }) => { actions: ActionInput[]; readAt: number } | undefined,
	) {
		const time = { now: 0 };
		let renewal: Renewal | undefined;
		const client = {
			now: () => time.now,
			send: async (_request: unknown, given?: Renewal) => {
				renewal = given;
				return await new Promise(() => {});
			},
		} as unknown as Client;
		const basis = { readAt: 0, again: async () => await Promise.resolve(again(time)) };
		void replaceActions(client, '1', [contain], basis);
		return { time, renewal: renewal as unknown as Renewal };
	}
	const dueAt = ({ time, renewal }: ReturnType<typeof writing>, now: number) => {
		time.now = now;
		return renewal.isDue();
	};

	it('is due after two seconds, and is made of the new draft then', async () => {
		const write = writing(({ now }) => ({ actions: [other], readAt: now }));
		expect([2000, 2001].map((now) => dueAt(write, now))).toEqual([false, true]);
		expect(await write.renewal.renew()).toMatchObject({
			path: '/api/v2/cases/1/actions/batch',
			body: { actions: [other] },
		});
		expect([4001, 4002].map((now) => dueAt(write, now))).toEqual([false, true]);
	});

	it('rests on the read of another write where that is young', async () => {
		const write = writing(() => ({ actions: [other], readAt: 1500 }));
		write.time.now = 3000;
		await write.renewal.renew();
		expect([3500, 3501].map((now) => dueAt(write, now))).toEqual([false, true]);
	});

	it.each([0, 1000])(
		'is not due at once where its own reads take long, after %i ms',
		async (ms) => {
			const write = writing((time) => {
				const readAt = time.now + ms;
				time.now += 9000;
				return { actions: [other], readAt };
			});
			write.time.now = 3000;
			await write.renewal.renew();
			expect([12_000, 14_000, 14_001].map((now) => dueAt(write, now))).toEqual([
				false,
				false,
				true,
			]);
		},
	);

	it('is not needed where there is no draft any more', async () => {
		expect(await writing(() => undefined).renewal.renew()).toBeUndefined();
	});
});
