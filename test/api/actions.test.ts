import {
	isChange,
	isUnchanged,
	parseAction,
	parseActionList,
	planUpsert,
} from '../../nodes/Cases/api/actions';
import type { ActionInput, CaseAction } from '../../nodes/Cases/api/types';
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

	it('may carry the other fields of lists and answers, which are not sent', () => {
		const read = { id: 1, story_name: 'S', story_emoji: '🛡️', created_at: 'x', updated_at: 'y' };
		expect(parseAction({ ...read, ...given }, 'Action 1')).toEqual(given);
	});

	it.each<[unknown, RegExp, RegExp]>([
		['text', /^Action 2: "text" is not an action$/, /object with url, label, action_type/],
		[null, /^Action 2: "null" is not an action$/, /object with url/],
		[[given], /^Action 2: .* is not an action$/, /object with url/],
		[
			{ ...given, colour: 'red' },
			/^Action 2 has an unknown field "colour"$/,
			/fields of an action are: url, label/,
		],
		[{ ...given, url: '' }, /^Action 2 has no URL$/, /full address/],
		[{ ...given, url: undefined }, /^Action 2 has no URL$/, /full address/],
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
		[{ ...given, label: {} }, /^Action 2: label "\{\}" is not text$/, /Enter label as text/],
		[
			{ ...given, action_type: 'button' },
			/"button" is neither webhook nor page$/,
			/Choose webhook to call the URL/,
		],
		[
			{ ...given, action_type: undefined },
			/"" is neither webhook nor page$/,
			/Choose webhook to call the URL/,
		],
		[
			{ ...given, action_text: true },
			/action_text "true" is not text$/,
			/Enter action_text as text/,
		],
	])('%j is refused', (value, message, remedy) => {
		expectRefused(() => parseAction(value, 'Action 2'), message, remedy);
	});

	it('is refused when its type can not even be shown as text', () => {
		expectRefused(
			() => parseAction({ ...given, action_type: { toString: 1 } }, 'Action 2'),
			/is neither webhook nor page$/,
			/Choose webhook to call the URL/,
		);
	});
});

describe('a list of actions', () => {
	it.each<[string, unknown]>([
		['a list', [given]],
		['an object with actions', { actions: [given] }],
		['JSON of a list', JSON.stringify([given])],
		['JSON of an object with actions', JSON.stringify({ case_id: 1, actions: [given] })],
	])('may be %s', (_name, value) => {
		expect(parseActionList(value, 'Actions')).toEqual([given]);
	});

	it('may be empty', () => {
		expect(parseActionList('[]', 'Actions')).toEqual([]);
	});

	it.each<[unknown]>([[undefined], [null], [7], [{}], [given], [{ actions: {} }], ['"x"'], ['{}']])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseActionList(value, 'Actions (JSON)'),
				/^'Actions \(JSON\)' must be a list of actions, not ".*"$/,
				/Enter a list such as \[\{"label"/,
			);
		},
	);

	it.each<[string, string, RegExp]>([
		[
			'a comma after the last action',
			'[{"url": "https://a.example/"},]',
			/^'Actions \(JSON\)' is not valid JSON: Unexpected token '\]', .*\},\]"$/,
		],
		[
			'a comma after the last field',
			'[{"label": "A",}]',
			/^'Actions \(JSON\)' is not valid JSON: Expected double-quoted property name in JSON at position 15\b/,
		],
		['no end', '[', /^'Actions \(JSON\)' is not valid JSON: Unexpected end of JSON input$/],
		['no content', ' ', /^'Actions \(JSON\)' is empty$/],
	])('with %s is not JSON, and the error says where', (_what, text, message) => {
		expectRefused(
			() => parseActionList(text, 'Actions (JSON)'),
			message,
			/Enter a list such as \[\{"label"/,
		);
	});

	it('that is long and not JSON is not repeated in the error', () => {
		const text = `[${JSON.stringify(given)},`.repeat(1000);
		expectRefused(() => parseActionList(text, 'Actions (JSON)'), /^.{1,200}$/, /.{1,300}/);
	});

	it('names the action that can not be used', () => {
		expectRefused(
			() => parseActionList([given, { ...given, label: '' }], 'Actions'),
			/^Action 2 has no label$/,
			/Enter a name for the action/,
		);
	});
});

const existing = (name: string): CaseAction => ({
	id: name.charCodeAt(0),
	url: `https://${name}.example/`,
	label: name,
	action_type: 'page',
});
const input = (name: string, label = name, action_text?: string): ActionInput => ({
	url: `https://${name}.example/`,
	label,
	action_type: 'page',
	...(action_text !== undefined && { action_text }),
});

describe('putting actions into existing ones', () => {
	it('replaces by URL in place, keeps the others, and adds new ones at the end', () => {
		const before = ['a', 'b', 'c'].map(existing);
		const { actions, losing } = planUpsert(before, [input('d'), input('b', 'B', 'Go')]);
		expect(actions).toEqual([input('a'), input('b', 'B', 'Go'), input('c'), input('d')]);
		expect(losing).toEqual([before[0], before[2]]);
	});

	it('loses nothing where all existing ones are given', () => {
		expect(planUpsert([existing('a')], [input('a', 'A')]).losing).toEqual([]);
	});

	it('leaves what is there when nothing is given', () => {
		expect(planUpsert([existing('a')], []).actions).toEqual([input('a')]);
	});

	it('is refused when a URL is given twice', () => {
		expectRefused(
			() => planUpsert([], [input('a'), input('a', 'other')]),
			'Two actions have the URL "https://a.example/"',
			/Enter each URL once/,
		);
	});

	it('is refused when a given URL is that of several existing actions', () => {
		const [one, b, two] = ['a', 'b', 'a'].map(existing);
		const twice = [{ ...one, label: 'One' }, b, { ...two, label: 'Two' }];
		expectRefused(
			() => planUpsert(twice, [input('a', 'New')]),
			'The case has 2 actions with the URL "https://a.example/": "One", "Two"',
			/can't tell which of them to update.*Replace All/,
		);
		expect(planUpsert(twice, [input('b', 'B')]).actions).toHaveLength(3);
	});

	it('is refused when an existing action can not be sent back', () => {
		expectRefused(
			() => planUpsert([{ label: 'old', action_type: 'page' }], [input('a')]),
			/^The existing action "old" has no URL$/,
			/full address/,
		);
	});
});

describe('the actions of a case', () => {
	it('are unchanged when URL, label, type and order are the same', () => {
		expect(isUnchanged([], [])).toBe(true);
		expect(isUnchanged([existing('a'), existing('b')], [input('a'), input('b')])).toBe(true);
	});

	it.each<[string, ActionInput[]]>([
		['another order', [input('b'), input('a')]],
		['one less', [input('a')]],
		['one more', [input('a'), input('b'), input('c')]],
		['another label', [input('a'), input('b', 'B')]],
		['another type', [input('a'), { ...input('b'), action_type: 'webhook' }]],
		['another URL', [input('a'), { ...input('b'), url: 'https://b.example/x' }]],
	])('are changed by %s', (_name, actions) => {
		expect(isUnchanged([existing('a'), existing('b')], actions)).toBe(false);
		expect(isChange([existing('a'), existing('b')], actions)).toBe(true);
	});

	it('may be changed by a button text, which can not be compared', () => {
		const withText = [input('a'), input('b', 'b', 'Go')];
		expect(isUnchanged([existing('a'), existing('b')], withText)).toBe(false);
		expect(isChange([existing('a'), existing('b')], withText)).toBeNull();
	});

	it('may be changed by the same actions without a text, which would remove an existing text', () => {
		expect(isChange([existing('a')], [input('a')])).toBeNull();
	});

	it('may be changed by anything where they are unknown', () => {
		expect(isUnchanged(undefined, [])).toBe(false);
		expect(isChange(undefined, [input('a')])).toBeNull();
	});
});
