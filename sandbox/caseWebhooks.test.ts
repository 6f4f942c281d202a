import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientOf, storeWith } from './testSupport';

const PATH = '/api/v1/case_webhooks';
const HOOK = { team_id: 1, url: 'https://n8n.example/webhook/1', name: 'One' };

const open = async () => {
	const client = await clientOf({ store: storeWith([{}]), grown: ['case-webhooks'] });
	const send = async (method: string, path: string, body?: unknown) =>
		await client.send(path, {
			method,
			...(body !== undefined && { body: JSON.stringify(body) }),
			headers: {
				'content-type': 'application/json',
				'x-user-token': client.sandbox.keys.tenantOwner,
			},
		});
	return { ...client, send };
};

/** A server that keeps what is posted to it. */
async function useReceiver() {
	const received: unknown[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			received.push(JSON.parse(text));
			response.end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	return { received, url, close: () => server.close() };
}

describe('The webhooks of a team', () => {
	it('can be created, listed, read, changed and deleted', async () => {
		const { send } = await open();
		const { json } = await send('POST', PATH, HOOK);
		const { webhook } = json as unknown as { webhook: { id: number } };
		expect(webhook).toEqual({
			id: expect.any(Number) as number,
			name: 'One',
			url: HOOK.url,
			version_number: 2,
			notifications: ['ALL'],
			team: { id: 1, name: 'SOC' },
		});
		await send('PUT', `${PATH}/${webhook.id}`, { notifications: ['CREATED'] });
		const changed = { ...webhook, notifications: ['CREATED'] };
		expect((await send('GET', `${PATH}/${webhook.id}`)).json).toEqual({ webhook: changed });
		expect((await send('GET', `${PATH}?team_id=1`)).json).toMatchObject({ webhooks: [changed] });
		expect((await send('GET', `${PATH}?team_id=2`)).json).toMatchObject({ webhooks: [] });
		expect((await send('DELETE', `${PATH}/${webhook.id}`)).status).toBe(204);
		expect((await send('DELETE', `${PATH}/${webhook.id}`)).status).toBe(404);
	});

	it('are five at most, of a team that the key can see, with notifications that exist', async () => {
		const { send } = await open();
		for (let count = 0; count < 5; count++) {
			expect((await send('POST', PATH, HOOK)).status).toBe(200);
		}
		expect((await send('POST', PATH, HOOK)).status).toBe(422);
		expect((await send('POST', PATH, { ...HOOK, team_id: 99 })).status).toBe(404);
		const unknown = { ...HOOK, team_id: 2, notifications: ['WINGS'] };
		expect((await send('POST', PATH, unknown)).status).toBe(422);
	});

	it('get each change that they want, once', async () => {
		const receiver = await useReceiver();
		const { sandbox, send } = await open();
		const { store } = sandbox;
		const wanted = ['CREATED', 'STATUS_UPDATED', 'COMMENTED'];
		await send('POST', PATH, { ...HOOK, url: receiver.url, notifications: wanted });
		store.createCase({ case_id: 7 });
		store.createCase({ team_id: 2 });
		store.updateCase(7, { priority: 'HIGH' });
		store.closeCase(7);
		const { id } = store.addComment(7, 'Hello');
		while (sandbox.deliveries.some(({ status }) => status === undefined)) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		receiver.close();
		const at = '2026-01-31T12:00:00.000Z';
		const of = { id: 7, url: `${sandbox.url}/cases/7` };
		expect(receiver.received).toMatchObject([
			{
				activity: { activity_type: 'created', value: '7', created_at: at, user: { id: 1 } },
				case: { ...of, status: 'open', priority: 'MEDIUM' },
				version: 2,
			},
			{
				activity: { activity_type: 'status_updated', value: 'closed' },
				case: { ...of, status: 'closed' },
			},
			{ activity: { id, activity_type: 'commented', value: 'Hello' }, case: of },
		]);
	});
});
