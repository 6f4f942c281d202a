import { parseAction, parseActionList } from '../../nodes/Cases/fields/actions';
import { expectRefused } from '../support/refusal';

const given = { url: 'https://a.example/hook', label: 'Contain', action_type: 'webhook' };

describe('an action', () => {
	it('is read with its texts trimmed and its type in lower case', () => {
		expect(
			parseAction(
				{
					url: ' https://a.example/hook?x=1 ',
					label: ' Contain ',
					action_type: ' WebHook',
					action_text: ' Go ',
				},
				'Action 1',
			),
		).toEqual({
			url: 'https://a.example/hook?x=1',
			label: 'Contain',
			action_type: 'webhook',
			action_text: 'Go',
		});
	});

	it('may point to plain http', () => {
		const plain = { ...given, url: 'http://a.example/hook' };
		expect(parseAction(plain, 'Action 1')).toEqual(plain);
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

	it.each<[unknown, RegExp, RegExp]>([
		['text', /^Action 2: "" is not an http\(s\) address$/, /page as url/],
		[null, /^Action 2: "" is not an http\(s\) address$/, /page as url/],
		[[given], /^Action 2 has an unknown field "0"$/, /fields of an action are: url, label/],
		[
			{ ...given, colour: 'red' },
			/^Action 2 has an unknown field "colour"$/,
			/fields of an action are: url, label/,
		],
		[{ ...given, url: undefined }, /^Action 2: "" is not an http\(s\) address$/, /full address/],
		[
			{ ...given, url: '/hook' },
			/^Action 2: "\/hook" is not an http\(s\) address$/,
			/full address/,
		],
		[{ ...given, url: 'javascript:alert(1)' }, /is not an http\(s\) address$/, /full address/],
		[
			{ ...given, url: 'javascript:https://a.example/' },
			/is not an http\(s\) address$/,
			/full address/,
		],
		[{ ...given, url: 'https://[' }, /is not an http\(s\) address$/, /full address/],
		[{ ...given, url: 'ftp://a.example/' }, /is not an http\(s\) address$/, /full address/],
		[{ ...given, url: 'https://' }, /is not an http\(s\) address$/, /full address/],
		[{ ...given, url: 'https://a.example/a b' }, /is not an http\(s\) address$/, /full address/],
		[{ ...given, url: 'https://a.example/\nX: y' }, /is not an http\(s\) address$/, /full address/],
		[
			{ ...given, label: ' ' },
			/^Action 2 has no label$/,
			/Enter a name for the action as its label/,
		],
		[{ ...given, label: undefined }, /^Action 2 has no label$/, /Enter a name/],
		[{ ...given, label: {} }, /^'Action 2: label': "\{\}" is not text$/, /must return text/],
		[{ ...given, label: 2 ** 60 }, /label': "1152921504606847000" is not text$/, /text/],
		[
			{ ...given, action_type: 'button' },
			/^'Action 2: action_type': "button" is not one of webhook, page$/,
			/Choose from the list/,
		],
		[
			{ ...given, action_type: undefined },
			/action_type': "" is not one of webhook, page$/,
			/Choose from the list/,
		],
		[{ ...given, action_text: true }, /action_text': "true" is not text$/, /must return text/],
		[
			{ ...given, query_params: ['a'] },
			/query_params "\["a"\]" is not an object of values$/,
			/Enter query_params as an object of texts/,
		],
		[{ ...given, query_params: { a: undefined } }, /is not an object of values$/, /of texts/],
		[{ id: 1, ...given, label: ' ' }, /^Action 2 has no label$/, /Enter a name/],
		[{ id: 1, ...given, url: '/hook' }, /is not an http\(s\) address$/, /full address/],
	])('%j is refused', (value, message, remedy) => {
		expectRefused(() => parseAction(value, 'Action 2'), message, remedy);
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

	it('may be empty', () => {
		expect(parseActionList('[]')).toEqual([]);
	});

	it.each<[unknown]>([[undefined], [null], [7], [{}], [given], [{ actions: {} }], ['"x"'], ['{}']])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseActionList(value),
				/^The actions must be a list, not ".*"$/,
				/Enter a list such as \[\{ "label"/,
			);
		},
	);

	it.each<[string, string, RegExp]>([
		[
			'a comma after the last action',
			'[{"url": "https://a.example/"},]',
			/^Could not read 'Actions \(JSON\)': Unexpected token '\]', .*\},\]" is not valid JSON$/,
		],
		[
			'a comma after the last field',
			'[{"label": "A",}]',
			/^Could not read 'Actions \(JSON\)': Expected double-quoted property name in JSON at position 15\b/,
		],
		['no end', '[', /^Could not read 'Actions \(JSON\)': Unexpected end of JSON input$/],
		['no content', ' ', /^Could not read 'Actions \(JSON\)'/],
	])('with %s is not JSON, and the error says where', (_what, text, message) => {
		expectRefused(() => parseActionList(text), message, /Enter a list such as \[\{ "label"/);
	});

	it('that is long and not JSON is not repeated in the error', () => {
		const text = `[${JSON.stringify(given)},`.repeat(1000);
		expectRefused(() => parseActionList(text), /^.{1,200}$/, /.{1,300}/);
	});

	it('names the action that cannot be used', () => {
		expectRefused(
			() => parseActionList([given, { ...given, label: '' }]),
			/^Action 2 has no label$/,
			/Enter a name for the action/,
		);
	});
});
