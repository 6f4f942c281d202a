import { ApiFailure } from '../../nodes/Cases/api/failure';
import { replaceActions } from '../../nodes/Cases/api/replaceActions';
import type { ActionInput } from '../../nodes/Cases/api/types';
import { answering, failedWith } from './answering';

const contain: ActionInput = {
	url: 'https://a.example/hook',
	label: 'Contain',
	action_type: 'webhook',
};
const isolate = { ...contain, label: 'Isolate' };
const OTHER_ACTIONS = 'It answered with other actions.';

type Answers = { written?: unknown; read?: () => unknown; saidError?: string };

/** Writes actions to a case 7 of a service that answers the write, and a read after it, in this way. */
async function write(actions: ActionInput[], { written, read, saidError }: Answers) {
	const { client, requests } = answering(({ method }) => (method === 'PUT' ? written : read?.()), {
		saidError,
	});
	const result = await replaceActions(client, '7', actions);
	return { ...result, methods: requests.map(({ method }) => method).join(' ') };
}

const answeredWith = async (given: ActionInput[], actions: object[]) =>
	await write(given, { written: { case_id: 7, actions } });

describe('a write is certain where the service answers', () => {
	test.each<[string, ActionInput[], object[]]>([
		['in another order', [contain, isolate], [isolate, contain]],
		['with a tidier URL', [contain], [{ ...contain, url: 'https://A.example/hook' }]],
		['with blanks around a label', [contain], [{ ...contain, label: ' Contain ' }]],
		['with blanks around a type', [contain], [{ ...contain, action_type: ' Webhook' }]],
		[
			'to blanks around a type without them',
			[{ ...contain, action_type: 'webhook ' }],
			[{ ...contain }],
		],
		['without a type', [contain], [{ url: contain.url, label: contain.label }]],
		['with a text that was not given', [contain], [{ ...contain, action_text: 'Run' }]],
		['without the text that was given', [{ ...contain, action_text: 'Go' }], [{ ...contain }]],
		[
			'with blanks around the text',
			[{ ...contain, action_text: 'Go' }],
			[{ ...contain, action_text: ' Go ' }],
		],
		[
			'to blanks around the text without them',
			[{ ...contain, action_text: 'Go ' }],
			[{ ...contain, action_text: 'Go' }],
		],
		[
			'with null for an empty text',
			[{ ...contain, action_text: '' }],
			[{ ...contain, action_text: null }],
		],
		['with the same action twice', [contain, contain], [{ ...contain }, { ...contain }]],
	])('%s', async (_how, given, answered) => {
		const { doubt, methods } = await answeredWith(given, answered);
		expect({ doubt, methods }).toEqual({ doubt: undefined, methods: 'PUT' });
	});

	it('with the case ID between blanks', async () => {
		const { doubt } = await write([contain], { written: { case_id: ' 7 ', actions: [contain] } });
		expect(doubt).toBeUndefined();
	});

	it('with null for the case ID', async () => {
		const result = await write([contain], { written: { case_id: null, actions: [contain] } });
		expect(result).toEqual({ case_id: '7', actions: [contain], methods: 'PUT' });
	});
});

describe('a write is uncertain where the service answers', () => {
	const texted = { ...contain, action_text: 'Go' };

	test.each<[string, ActionInput[], object[]]>([
		['with fewer actions', [contain, isolate], [contain]],
		['with more actions', [contain], [{ ...contain }, { ...isolate }]],
		['with none', [contain], []],
		['with one to an empty list', [], [{ ...contain }]],
		['with another URL', [contain], [{ ...contain, url: 'https://b.example/hook' }]],
		['with another label', [contain], [{ ...contain, label: 'Other' }]],
		['with another type', [contain], [{ ...contain, action_type: 'page' }]],
		['with another text', [texted], [{ ...texted, action_text: 'Run' }]],
		['with null for the text', [texted], [{ ...texted, action_text: null }]],
		['with a text for an empty one', [{ ...contain, action_text: '' }], [texted]],
		[
			'with the type of one action at another',
			[contain, { ...isolate, action_type: 'page' }],
			[{ ...contain, action_type: 'page' }, { ...isolate }],
		],
		[
			'with one action twice in place of another',
			[contain, isolate],
			[{ ...contain }, { ...contain }],
		],
	])('%s', async (_how, given, answered) => {
		expect(await answeredWith(given, answered)).toEqual({
			case_id: 7,
			actions: answered.map((action) => ({ ...action, action_text: undefined })),
			doubt: OTHER_ACTIONS,
			methods: 'PUT',
		});
	});

	it('with the actions and an error', async () => {
		const written = { case_id: 7, actions: [contain] };
		expect(await write([contain], { written, saidError: 'one was skipped' })).toEqual({
			case_id: 7,
			actions: [contain],
			doubt: 'It says: one was skipped.',
			methods: 'PUT',
		});
	});
});

describe('a write is not confirmed where the service answers', () => {
	const failureOf = async (answers: Answers) =>
		await write([contain], answers).then(
			() => undefined,
			(error: unknown) => [(error as Error).message, (error as ApiFailure).details.description],
		);
	const MESSAGE = 'The service did not confirm the actions of case 7';
	const REMEDY =
		'They may be written or not. Check the case, or run again, which writes the same actions.';

	it('about another case', async () => {
		expect(await failureOf({ written: { case_id: 8, actions: [contain] } })).toEqual([
			MESSAGE,
			`It answered about case 8. ${REMEDY}`,
		]);
	});

	it('without actions, and what it says then is shown', async () => {
		expect(await failureOf({ written: { case_id: 7 } })).toEqual([MESSAGE, REMEDY]);
		expect(await failureOf({ written: {}, saidError: 'read only' })).toEqual([
			MESSAGE,
			`The service says: read only. ${REMEDY}`,
		]);
	});
});

describe('a case is read back after a write', () => {
	const UNNAMED = [{ id: 1 }];
	const meta = { pages: 1 };
	const readingBack = (actions: unknown) => () => ({ cases: [{ case_id: 7, actions }], meta });

	test.each<[string, unknown]>([
		['has no body', undefined],
		['names no actions', { case_id: 7, actions: UNNAMED }],
		['names only some actions', { case_id: 7, actions: [{ ...contain }, ...UNNAMED] }],
		['names only labels', { case_id: 7, actions: [{ label: 'Contain' }] }],
		['names only URLs', { case_id: 7, actions: [{ url: contain.url }] }],
		['has entries that are not actions', { case_id: 7, actions: ['Contain', null] }],
	])('where the answer %s', async (_what, written) => {
		expect(await write([contain], { written, read: readingBack([contain]) })).toEqual({
			case_id: 7,
			actions: [contain],
			methods: 'PUT GET',
		});
	});

	test.each<[string, () => unknown, object]>([
		[
			'has other actions',
			readingBack([isolate]),
			{ actions: null, doubt: 'Read back, the case had other actions.' },
		],
		[
			'names none of its actions',
			readingBack(UNNAMED),
			{ actions: UNNAMED, doubt: "The service doesn't say which actions the case has." },
		],
		[
			'carries no actions',
			readingBack(undefined),
			{ actions: null, doubt: "The case's actions could not be read back." },
		],
		[
			'is gone',
			() => ({ cases: [], meta }),
			{ case_id: '7', actions: null, doubt: "The case's actions could not be read back." },
		],
		[
			'cannot be read',
			() => {
				throw failedWith(500);
			},
			{ case_id: '7', actions: null, doubt: "The case's actions could not be read back." },
		],
	])('and the write is uncertain where it %s', async (_what, read, expected) => {
		expect(await write([contain], { read })).toEqual({
			case_id: 7,
			...expected,
			methods: 'PUT GET',
		});
	});

	it('and a mistake of this code is not taken for a failure of the service', async () => {
		const read = () => {
			throw new TypeError('A mistake');
		};
		await expect(write([contain], { read })).rejects.toThrow('A mistake');
	});

	it('and is compared with what a later draft wrote', async () => {
		const { client } = answering(({ method }) =>
			method === 'PUT' ? undefined : readingBack([isolate])(),
		);
		const { send } = client;
		const renewing: typeof client = {
			...client,
			send: async (request, renewal) => await send((await renewal?.renew()) ?? request),
		};
		const again = async () => await Promise.resolve({ actions: [isolate], readAt: 0 });
		const result = await replaceActions(renewing, '7', [contain], { readAt: 0, again });
		expect(result).toEqual({ case_id: 7, actions: [isolate] });
	});
});
