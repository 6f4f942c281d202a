import { parseAction, parseActionList } from '../../nodes/Cases/fields/actions';
import { expectRefused, refusalOf } from '../support/refusal';

const given = { url: 'https://a.example/hook', label: 'Contain', action_type: 'webhook' };

describe('an action', () => {
	it('is read with its texts trimmed and its type in lower case, also with plain http', () => {
		expect(
			parseAction(
				{
					url: ' http://a.example/hook?x=1 ',
					label: ' Contain ',
					action_type: ' WebHook',
					action_text: ' Go ',
				},
				'Action 1',
			),
		).toEqual({
			url: 'http://a.example/hook?x=1',
			label: 'Contain',
			action_type: 'webhook',
			action_text: 'Go',
		});
	});

	it.each<[unknown]>([[undefined], [null], [''], ['  ']])(
		'has no button text from %j',
		(action_text) => {
			expect(parseAction({ ...given, action_text }, 'Action 1')).toEqual(given);
		},
	);

	it('may have numbers as texts', () => {
		expect(parseAction({ ...given, label: 5, action_text: 6 }, 'Action 1')).toMatchObject({
			label: '5',
			action_text: '6',
		});
	});

	it.each<[string, object]>([
		['that the API document names', { id: 1, story_name: 'S', created_at: 'x', updated_at: 'y' }],
		['that this node adds', { case_id: 7 }],
		[
			'that are not known, where an ID says that it came from the service',
			{ id: 1, colour: 'red' },
		],
	])('may carry fields %s, which are not sent', (_what, read) => {
		expect(parseAction({ ...read, ...given }, 'Action 1')).toEqual(given);
	});

	it('of a list of cases, which leaves out button texts, is refused where all actions are replaced', () => {
		const listed = { id: 1, ...given };
		expectRefused(
			() => parseActionList([listed], true),
			/^Action 1 would lose its button text/,
			/Get Many of Case Action.*action_text, which may be empty/,
		);
		for (const action_text of [null, '', 'Go']) {
			expect(parseActionList([{ ...listed, action_text }], true)).toMatchObject([given]);
		}
		expect(parseActionList([given], true)).toEqual([given]);
		expect(parseActionList([listed])).toEqual([given]);
	});

	it.each<[unknown, unknown]>([
		[
			{ a: 'b', c: 5 },
			{ a: 'b', c: 5 },
		],
		[{}, undefined],
		[null, undefined],
	])('with the query parameters %j sends %j', (query_params, sent) => {
		const { query_params: parsed } = parseAction({ ...given, query_params }, 'Action 1');
		expect(parsed).toEqual(sent);
	});

	it.each([
		undefined,
		'/hook',
		'javascript:alert(1)',
		'javascript:https://a.example/',
		'https://[',
		'ftp://a.example/',
		'https://',
		'https://a.example/a b',
		'https://a.example/\nX: y',
	])('with the address %j is refused', (url) => {
		for (const own of [{}, { id: 1 }]) {
			expectRefused(
				() => parseAction({ ...own, ...given, url }, 'Action 2'),
				/^Action 2: ".*" is not an http\(s\) address$/,
				/full address/,
			);
		}
	});

	const TEXT = /must return text/;
	const KNOWN = /fields of an action are: url, label/;
	const CHOOSE = /Choose from the list/;

	it.each<[unknown, string, RegExp]>([
		['text', 'Action 2: "" is not an http(s) address', /page as url/],
		[null, 'Action 2: "" is not an http(s) address', /page as url/],
		[[given], 'Action 2 has an unknown field "0"', KNOWN],
		[{ ...given, colour: 'red' }, 'Action 2 has an unknown field "colour"', KNOWN],
		[{ ...given, label: ' ' }, 'Action 2 has no label', /Enter a name for the action as its label/],
		[{ ...given, id: 1, label: undefined }, 'Action 2 has no label', /Enter a name/],
		[{ ...given, label: {} }, `'Action 2: label': "{}" is not text`, TEXT],
		[{ ...given, label: 2 ** 60 }, `'Action 2: label': "1152921504606847000" is not text`, TEXT],
		[
			{ ...given, action_type: 'button' },
			`'Action 2: action_type': "button" is not one of webhook, page`,
			CHOOSE,
		],
		[
			{ ...given, action_type: undefined },
			`'Action 2: action_type': "" is not one of webhook, page`,
			CHOOSE,
		],
		[{ ...given, action_text: true }, `'Action 2: action_text': "true" is not text`, TEXT],
		[
			{ ...given, query_params: ['a'] },
			'Action 2: query_params "["a"]" is not an object of values',
			/Enter query_params as an object of texts/,
		],
		[
			{ ...given, query_params: { a: undefined } },
			'Action 2: query_params "{}" is not an object of values',
			/of texts/,
		],
	])('%j is refused', (value, message, remedy) => {
		const refusal = refusalOf(() => parseAction(value, 'Action 2'));
		expect(refusal.message).toBe(message);
		expect(refusal.description).toMatch(remedy);
	});
});

describe('a list of actions', () => {
	it.each<[string, unknown]>([
		['a list', [given]],
		['an object with actions', { actions: [given] }],
		['JSON of a list', JSON.stringify([given])],
		['JSON of an object with actions', JSON.stringify({ case_id: 1, actions: [given] })],
	])('may be %s', (_name, value) => {
		expect(parseActionList(value)).toEqual([given]);
	});

	it.each<[unknown]>([[undefined], [null], [7], [{}], [given], [{ actions: {} }], ['"x"'], ['{}']])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseActionList(value),
				/^'Actions \(JSON\)' must be a list, not ".*"$/,
				/Enter a list such as \[\{ "label"/,
			);
		},
	);

	it('is not JSON with a comma after the last action, and the error says where', () => {
		expectRefused(
			() => parseActionList('[{"url": "https://a.example/"},]'),
			/^Could not read 'Actions \(JSON\)': Unexpected token '\]', .*\},\]" is not valid JSON$/,
			/Enter a list such as \[\{ "label"/,
		);
	});

	it('that is long and not JSON is not repeated in the error', () => {
		const text = `[${JSON.stringify(given)},`.repeat(1000);
		expectRefused(() => parseActionList(text), /^.{1,200}$/, /.{1,300}/);
	});

	it('names the action that cannot be used', () => {
		const { message } = refusalOf(() => parseActionList([given, { ...given, label: '' }]));
		expect(message).toBe('Action 2 has no label');
	});
});
