import { clientOf, storeWith } from './testSupport';

const run = { url: 'https://a.example/run', label: 'Run', action_type: 'webhook' };
const look = { url: 'https://b.example/', label: 'Look', action_type: 'page' };
const params = { host: 'h1' };

/** A case with one action. */
async function useCase() {
	const { sandbox, send } = await clientOf({ store: storeWith([{}]) });
	const { store } = sandbox;
	const id = store.addAction(1, { ...run, action_type: 'webhook' }).id;
	const request = async (method: string, path = '', body?: object) =>
		await send(`/api/v2/cases/1/actions${path}`, {
			method,
			...(body && { body: JSON.stringify(body) }),
		});
	return { sandbox, store, id, request };
}

const rejectedOf = ({ rejected }: { rejected: Array<{ rejected?: string }> }) =>
	rejected.map((one) => one.rejected);

describe('A request for single actions', () => {
	it('lists them with their texts and parameters', async () => {
		const { request, id } = await useCase();
		const { json } = await request('GET', '?per_page=1');
		expect(json).toMatchObject({
			case_id: 1,
			actions: [{ id, ...run, action_text: null, query_params: {}, page_emoji: null }],
			meta: { pages: 1, per_page: 1 },
		});
	});

	it('creates one and leaves the others alone', async () => {
		const { store, request } = await useCase();
		const before = store.getCase(1).actions();
		const given = { ...look, action_text: 'Open', query_params: params };
		const { status, json } = await request('POST', '', given);
		expect([status, json]).toEqual([200, expect.objectContaining({ ...given, case_id: 1 })]);
		expect(store.getCase(1).actions()).toEqual([...before, expect.objectContaining(given)]);
	});

	it('updates the fields that are given', async () => {
		const { store, id, request } = await useCase();
		const { json } = await request('PUT', `/${id}`, { label: 'Run now', query_params: params });
		const updated = { ...run, label: 'Run now', query_params: params, id };
		expect(json).toMatchObject({ ...updated, case_id: 1 });
		expect(store.getCase(1).actions()).toMatchObject([updated]);
	});

	it('deletes one; that which is not there is not found', async () => {
		const { store, id, request } = await useCase();
		const { status, text } = await request('DELETE', `/${id}`);
		expect([status, text]).toEqual([204, '']);
		expect(store.getCase(1).actions()).toEqual([]);
		expect((await request('DELETE', `/${id}`)).status).toBe(404);
		expect((await request('PUT', `/${id}`, { label: 'x' })).status).toBe(404);
	});

	it('is refused with a body that the service does not know', async () => {
		const { sandbox, id, request } = await useCase();
		await request('POST', '', { ...look, id: 7 });
		await request('POST', '', { label: 'x' });
		await request('PUT', `/${id}`, { url: 'b.example' });
		expect(rejectedOf(sandbox)).toEqual([
			expect.stringContaining('id'),
			expect.stringContaining('url'),
			expect.stringContaining('url'),
		]);
	});
});
