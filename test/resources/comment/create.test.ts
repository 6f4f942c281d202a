import { byId, failureOf, itemsWith, OF_ITEM, rowsOf } from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

const service = useService({ cases: 3, grown: ['case-writes'] });

let next = 1000;
const newCase = (comments = 0) => {
	const { store } = service.sandbox;
	const { case_id } = store.createCase({ case_id: next++ });
	for (let index = 0; index < comments; index++) {
		store.addComment(case_id, 'Hello', { created_at: '2026-01-01T00:00:00Z' });
	}
	return case_id;
};
const textsOf = (id: number) => service.sandbox.store.comments(id).map(({ value }) => value);
const comment = async (caseId: unknown, parameters: object = {}, options?: RunOptions) =>
	await service.run(
		{ resource: 'comment', operation: 'create', caseId, text: 'Hello', ...parameters },
		options,
	);
const posts = () => service.sandbox.requests.filter(({ method }) => method === 'POST');
const LOST = { kind: 'drop', applied: true } as const;
const MAY_ARRIVE = /check whether the case has the comment.* may still arrive/;

describe('Comment: Create', () => {
	it('sends the text, and returns the comment', async () => {
		const id = newCase();
		const [row] = rowsOf(await comment(byId(id), { text: '**Bold**\n<@user-1>' }));
		expect(service.paths()).toEqual([`POST /api/v2/cases/${id}/comments`]);
		expect(posts()[0].body).toEqual({ value: '**Bold**\n<@user-1>' });
		expect(row).toEqual({
			case_id: id,
			comment_id: service.sandbox.store.comments(id)[0].id,
			text: '**Bold**\n<@user-1>',
			author: 'Owner Service Account',
			author_email: 'owner@service.example.com',
			is_service_account: true,
			created_at: expect.any(String) as string,
		});
	});

	it('previews what would be sent, without a request', async () => {
		const run = await comment(byId(1), { options: { previewOnly: true } });
		const after = { value: 'Hello' };
		expect(rowsOf(run)).toEqual([{ case_id: 1, changed: true, before: null, after }]);
		expect(service.paths()).toEqual([]);
	});

	it('writes in the name of somebody', async () => {
		const id = newCase();
		const options = { author_email: ' ana.lindqvist@example.com ' };
		const [row] = rowsOf(await comment(byId(id), { options, output: 'raw' }));
		expect(row).toMatchObject({ value: 'Hello', user: { email: 'ana.lindqvist@example.com' } });
	});

	it.each<[string, object, RegExp]>([
		['no text', { text: '={{ "" }}' }, /The comment has no text/],
		['NUL', { text: '={{ "a\\0" }}' }, /^'Text': .* contains a broken character$/],
		['a bad author', { options: { author_email: 'ada' } }, /'Author Email': "ada" is not an email/],
	])('refuses %s before any request', async (_name, parameters, message) => {
		expect(failureOf(await comment(byId(1), parameters)).message).toMatch(message);
		expect(service.paths()).toEqual([]);
	});

	it('adds the comments of one case in the order of the items', async () => {
		const id = newCase();
		service.sandbox.faults.add({ match: { nth: 1 }, times: 1, fault: { kind: 'latency', ms: 80 } });
		const items = ['0', '1', '2'].map((text) => ({ id, text }));
		const run = await comment(OF_ITEM, { text: '={{ $json.text }}' }, { items });
		expect(rowsOf(run).map(({ text }) => text)).toEqual(['0', '1', '2']);
		expect(textsOf(id)).toEqual(['0', '1', '2']);
	});

	it.each([0, 1, 120])(
		'finds a comment whose answer was lost among %i older ones',
		async (older) => {
			const id = newCase(older);
			service.sandbox.faults.add({ fault: LOST });
			const [row] = rowsOf(await comment(byId(id)));
			expect(row).toMatchObject({ comment_id: service.sandbox.store.comments(id)[older].id });
			expect(posts()).toHaveLength(1);
			expect(textsOf(id)).toHaveLength(older + 1);
		},
	);

	it('does not take an older comment with the same text for the lost one', async () => {
		const id = newCase(60);
		service.sandbox.faults.add({ fault: { kind: 'drop' } });
		const { message, description } = failureOf(await comment(byId(id)));
		expect(message).toMatch(/^Connection to .* lost$/);
		expect(description).toMatch(MAY_ARRIVE);
		expect([posts().length, textsOf(id).length]).toEqual([1, 60]);
	});

	it('does not take the comment of another item of the run for the lost one', async () => {
		const id = newCase();
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'drop' } });
		const items = itemsWith([id, id]);
		const run = await comment(OF_ITEM, {}, { items, onError: 'continueRegularOutput' });
		expect(rowsOf(run)).toMatchObject([{ text: 'Hello' }, { error: expect.any(String) as string }]);
		expect(textsOf(id)).toEqual(['Hello']);
	});

	it('says that it may still arrive where the list can’t be read, or has no date', async () => {
		const id = newCase();
		service.sandbox.faults.add(
			{ fault: LOST },
			{ match: { method: 'GET' }, fault: { kind: 'status', status: 403 } },
		);
		expect(failureOf(await comment(byId(id))).description).toMatch(MAY_ARRIVE);
		service.sandbox.deviate({ clock: { noDate: true } });
		service.sandbox.faults.add({ fault: LOST });
		expect(failureOf(await comment(byId(id))).description).toMatch(MAY_ARRIVE);
		service.sandbox.deviate();
		expect(posts()).toHaveLength(2);
	});

	it('does not look for a comment that was refused', async () => {
		service.sandbox.faults.add({ fault: { kind: 'status', status: 422, body: { error: 'No' } } });
		const { description } = failureOf(await comment(byId(1)));
		expect(description).toMatch(/The service says: No\./);
		expect(description).not.toMatch(MAY_ARRIVE);
		expect(service.paths()).toHaveLength(1);
	});

	it('does not take another answer for a comment', async () => {
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body: '{"ok":true}' } });
		const { message, description } = failureOf(await comment(byId(newCase())));
		expect(message).toMatch(/confirmed the write, but did not answer with the comment/);
		expect(description).toMatch(MAY_ARRIVE);
	});
});

describe('Comment: Delete', () => {
	const remove = async (caseId: unknown, commentId: unknown, options?: RunOptions) =>
		await service.run({ resource: 'comment', operation: 'delete', caseId, commentId }, options);
	const deletes = () => service.sandbox.requests.filter(({ method }) => method === 'DELETE');

	it('deletes one comment, and keeps the others', async () => {
		const id = newCase(2);
		const [{ id: commentId }, kept] = service.sandbox.store.comments(id);
		const run = await remove(byId(id), commentId);
		expect(rowsOf(run)).toEqual([{ case_id: id, comment_id: commentId, deleted: true }]);
		expect(service.paths()).toEqual([`DELETE /api/v2/cases/${id}/comments/${commentId}`]);
		expect(service.sandbox.store.comments(id)).toEqual([kept]);
	});

	it('takes 404 after a lost answer for done, and after a rate limit for not found', async () => {
		const id = newCase(1);
		const [{ id: commentId }] = service.sandbox.store.comments(id);
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await remove(byId(id), commentId))).toMatchObject([{ deleted: true }]);
		expect(deletes()).toHaveLength(2);
		service.sandbox.faults.add({ fault: { kind: 'status', status: 429 } });
		const { message, description } = failureOf(await remove(byId(id), commentId));
		expect(message).toMatch(/^Comment \d+ of case \d+ not found, or no access \(404\)/);
		expect(description).toMatch(/Check the two IDs/);
	});

	it.each(['', '1/2', '0', 'x'])('refuses the ID "%s" before any request', async (commentId) => {
		const run = await remove(byId(1), `={{ ${JSON.stringify(commentId)} }}`);
		expect(failureOf(run).message).toMatch(/comment ID/);
		expect(service.paths()).toEqual([]);
	});
});

describe('Comment: Update', () => {
	const update = async (id: number, commentId: unknown, text: string, output = 'simplified') =>
		await service.run({
			...{ resource: 'comment', operation: 'update', caseId: byId(id), commentId, text, output },
		});

	it('replaces the text of one comment, and returns it', async () => {
		const id = newCase(2);
		const [first, second] = service.sandbox.store.comments(id);
		const [row] = rowsOf(await update(id, second.id, 'New'));
		expect(row).toMatchObject({ case_id: id, comment_id: second.id, text: 'New' });
		expect(service.paths()).toEqual([`PUT /api/v2/cases/${id}/comments/${second.id}`]);
		expect(service.sandbox.requests[0].body).toEqual({ value: 'New' });
		expect(textsOf(id)).toEqual(['Hello', 'New']);
		const [raw] = rowsOf(await update(id, first.id, 'Raw', 'raw'));
		expect(raw).toMatchObject({ case_id: id, id: first.id, value: 'Raw' });
	});

	it('takes neither an empty text nor the answer for another comment', async () => {
		expect(failureOf(await update(1, 1, '={{ "" }}')).message).toBe('The comment has no text');
		expect(service.paths()).toEqual([]);
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body: '{"id":2}' } });
		expect(failureOf(await update(1, 1, 'New')).message).toMatch(/did not answer with the comment/);
	});
});
