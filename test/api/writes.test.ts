import { replaceActions } from '../../nodes/Cases/api/actions/replaceActions';
import { createAction, updateAction } from '../../nodes/Cases/api/actions/singleActions';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { ActionInput, Case } from '../../nodes/Cases/api/types';
import { changeOf } from '../../nodes/Cases/api/writes/caseChanges';
import { afterWrites, createCase, type CaseUpdate } from '../../nodes/Cases/api/writes/caseWrites';
import { updateCase } from '../../nodes/Cases/api/writes/updateParts';
import { createEntry } from '../../nodes/Cases/api/writes/entryWrites';
import { answering, failedWith } from './answering';

describe('what an update changes', () => {
	const row: Case = {
		case_id: 7,
		name: 'Phishing',
		description: null,
		status: 'OPEN',
		priority: 'LOW',
		team: { id: '3', name: 'SOC' },
		assignees: [{ email: 'Ana@example.com' }, { email: 'bo@example.com' }],
		tags: [{ name: 'mail' }, { name: 'VIP' }],
		opened_at: '2026-01-31T12:00:00.000+00:00',
		resolved_at: null,
	};
	const nothing = { before: {}, after: {}, changed: false };
	const change = (name: string, from: unknown, to: unknown) => ({
		before: { [name]: from },
		after: { [name]: to },
		changed: true,
	});
	const people = ['ana@example.com', 'bo@example.com'];
	const tags = ['mail', 'VIP'];

	it.each<[CaseUpdate, unknown]>([
		[{ name: 'Phishing', description: '', team_id: 3, author_email: 'x@example.com' }, nothing],
		[{ name: 'Malware' }, change('name', 'Phishing', 'Malware')],
		[{ description: 'Text' }, change('description', '', 'Text')],
		[{ team_id: 4 }, change('team_id', 3, 4)],
		[{ priority: 'low', status: 'open' }, nothing],
		[{ priority: 'high' }, change('priority', 'LOW', 'HIGH')],
		[{ opened_at: '2026-01-31T12:00:00Z' }, nothing],
		[{ resolved_at: '2026-02-01T00:00:00Z' }, change('resolved_at', null, '2026-02-01T00:00:00Z')],
		[{ assignee_emails: ['bo@example.com', 'ana@example.com'] }, nothing],
		[{ add_assignee_emails: ['bo@example.com'] }, nothing],
		[{ assignee_emails: [] }, change('assignees', people, [])],
		[{ remove_assignee_emails: ['ANA@example.com'] }, change('assignees', people, [people[1]])],
		[{ add_tag_names: ['new', 'mail'] }, change('tags', tags, [...tags, 'new'])],
		[{ remove_tag_names: ['vip'] }, change('tags', tags, ['mail'])],
		[{ remove_tag_names: ['other'] }, nothing],
	])('by %j', (update, expected) => {
		expect(changeOf(row, update)).toEqual(expected);
	});

	it('is all of it where the case shows nothing of it', () => {
		expect(changeOf({ case_id: 7 }, { add_tag_names: ['a'], assignee_emails: ['b@c.de'] })).toEqual(
			{
				before: { tags: null, assignees: null },
				after: { tags: ['a'], assignees: ['b@c.de'] },
				changed: true,
			},
		);
		expect(changeOf({ case_id: 7, tags: ['a', 5] }, { add_tag_names: ['a', '5'] })).toEqual(
			nothing,
		);
	});
});

const lost = () =>
	new ApiFailure('Lost', { description: '', retryable: false, mayHaveBeenDone: true });

it.each<[answer: object, isCreated: boolean, isUpdated: boolean]>([
	[{ case_id: 7 }, true, true],
	[{ case_id: '7' }, true, true],
	[{ case_id: 8 }, true, false],
	[{ name: 'Phishing' }, false, false],
])(
	'a new case is confirmed by an ID, an update by its own: %j',
	async (row, isCreated, isUpdated) => {
		const { client } = answering(() => row);
		const refused = 'The service confirmed the write, but did not answer with the case';
		for (const [writing, isConfirmed] of [
			[createCase(client, { team_id: 1, name: 'Phishing' }), isCreated],
			[updateCase(client, '7', { name: 'Phishing' }), isUpdated],
		] as const) {
			const said = await writing.catch(({ message }: Error) => message);
			expect(said).toEqual(isConfirmed ? row : refused);
		}
	},
);

describe('a comment whose answer was lost', () => {
	const AT = Date.parse('2026-01-31T12:00:00Z');

	/** Adds a comment 30 s long, then finds this one. @returns the message where it is not taken for the one added */
	async function add(row: object) {
		let now = 0;
		const { client } = answering(
			({ method }) => {
				if (method === 'GET') return { comments: [row] };
				now = 30_000;
				throw lost();
			},
			{ servedAt: AT },
		);
		const known = new Set(['1']);
		return await createEntry(
			{ ...client, now: () => now },
			'7',
			'comments',
			{ value: 'Hi' },
			(row) => row.value === 'Hi',
			known,
		).catch((failure: unknown) => (failure as Error).message);
	}
	const at = (seconds: number) => new Date(AT + seconds * 1000).toISOString();
	const comment = (created_at: unknown, value = 'Hi', id = 2) => ({ id, value, created_at });

	it.each<[string, object, boolean]>([
		['is as old as the request', comment(at(-31)), true],
		['is older', comment(at(-32)), false],
		['has no time', comment(null), false],
		['has another text', comment(at(0), 'Hello'), false],
		['was added by this run', comment(at(0), 'Hi', 1), false],
	])('is one that %s: %j: %s', async (_what, row, isFound) => {
		expect(await add(row)).toEqual(isFound ? { case_id: 7, ...row } : 'Lost');
	});
});

describe('actions', () => {
	const given: ActionInput = { label: 'A', action_type: 'page', url: 'https://example.com/a' };
	const written = { id: 5, ...given };

	it('are replaced without a further request where the answer has them', async () => {
		const { client, requests } = answering(() => ({ actions: [written] }));
		expect(await replaceActions(client, '7', [given])).toEqual([written]);
		expect(requests).toHaveLength(1);
	});

	it.each([
		[200, ['PUT', 'GET']],
		[299, ['PUT', 'GET']],
		[199, ['PUT']],
		[300, ['PUT']],
		[404, ['PUT']],
	])(
		'are read once from the case after an unreadable answer with %i: %j',
		async (status, methods) => {
			const { client, requests } = answering(({ method }) => {
				if (method === 'PUT') throw failedWith(status);
				return { cases: [{ case_id: 7, actions: [] }], meta: { pages: 1, per_page: 50 } };
			});
			await expect(replaceActions(client, '7', [given])).rejects.toThrow(`Failed with ${status}`);
			expect(requests.map(({ method }) => method)).toEqual(methods);
		},
	);

	it('are not confirmed where neither the answer nor the case has a list of them', async () => {
		const { client } = answering(({ method }) =>
			method === 'PUT'
				? { actions: ['A'] }
				: { cases: [{ case_id: 7, actions: [null] }], meta: { pages: 1, per_page: 50 } },
		);
		await expect(replaceActions(client, '7', [given])).rejects.toThrow(
			'The service did not confirm the actions of case 7',
		);
	});

	it('are looked for in the list of the case after a lost answer', async () => {
		const rows = [{ ...written, label: 'B' }];
		const { client } = answering(({ method }) => {
			if (method === 'GET') return { actions: rows };
			throw lost();
		});
		await expect(createAction(client, '7', given)).rejects.toThrow('Lost');
		rows.push(written);
		expect(await createAction(client, '7', given)).toEqual({ case_id: 7, ...written });
	});

	it('that were written need an ID in the answer', async () => {
		const { client } = answering(() => given);
		for (const writing of [
			updateAction(client, '7', { id: 5 }, given),
			createAction(client, '7', given),
		]) {
			await expect(writing).rejects.toThrow(
				'The service confirmed the write, but did not answer with the action',
			);
		}
	});

	it.each([
		[404, 'Somebody may have deleted the action: another run creates it again.'],
		[422, ''],
	])('that are refused an update with %i are described so: %j', async (status, description) => {
		const { client } = answering(() => {
			throw failedWith(status);
		});
		await expect(updateAction(client, '7', { id: 5 }, given)).rejects.toMatchObject({
			description,
		});
	});

	it('that were written before a failure are counted, and may have been done', () => {
		const failure = failedWith(500);
		expect(() => afterWrites(0)(failure)).toThrow(failure);
		expect(() => afterWrites(2)(failure)).toThrow(
			expect.objectContaining({
				description: 'Actions of the same case that were written before: 2.',
				details: expect.objectContaining({ mayHaveBeenDone: true }),
			}),
		);
	});
});
