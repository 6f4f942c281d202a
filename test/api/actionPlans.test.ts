import fc from 'fast-check';
import { parseActionList } from '../../nodes/Cases/api/actions';
import { planDelete, planUpsert } from '../../nodes/Cases/api/actionPlans';
import type { ActionInput, CaseAction } from '../../nodes/Cases/api/types';
import { expectRefused, outcomeOf } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { webUrl } from '../support/webUrl';

const existing = (url: string, label = url, more: object = {}): CaseAction => ({
	id: `${url}/${label}`,
	url: `https://${url}.example/`,
	label,
	action_type: 'page',
	...more,
});
const input = (url: string, label = url, action_text?: string): ActionInput => ({
	url: `https://${url}.example/`,
	label,
	action_type: 'page',
	...(action_text !== undefined && { action_text }),
});
const upsert = (before: CaseAction[], ...given: ActionInput[]) => planUpsert('7', before, given);

describe('putting actions into existing ones', () => {
	it('replaces by URL in place, keeps the others, and adds new ones at the end', () => {
		const before = [existing('a'), existing('b'), existing('c')];
		expect(upsert(before, input('d'), input('b', 'B', 'Go'))).toEqual({
			actions: [input('a'), input('b', 'B', 'Go'), input('c'), input('d')],
			losingText: [before[0], before[2]],
			removed: 0,
		});
	});

	it.each<[string, CaseAction[], ActionInput[], ActionInput[]]>([
		[
			'the action of the case that has the same label, where the case has the URL twice',
			[existing('a', 'One'), existing('a', 'Two')],
			[input('a', 'Two', 'Go')],
			[input('a', 'One'), input('a', 'Two', 'Go')],
		],
		[
			'the action with the same label, and adds the other, where a URL is given twice',
			[existing('a', 'One')],
			[input('a', 'Two'), input('a', 'One', 'Go')],
			[input('a', 'One', 'Go'), input('a', 'Two')],
		],
		[
			'nothing, where a URL is given twice for a case that does not have it',
			[existing('b')],
			[input('a', 'One'), input('a', 'Two')],
			[input('b'), input('a', 'One'), input('a', 'Two')],
		],
		[
			'the action whose URL the service has tidied',
			[existing('a', 'One'), existing('b')],
			[{ ...input('a', 'One', 'Go'), url: 'HTTPS://A.example:443' }],
			[{ ...input('a', 'One', 'Go'), url: 'HTTPS://A.example:443' }, input('b')],
		],
		[
			'the action with exactly the URL, where another one differs in its spelling',
			[{ ...existing('a', 'Old'), url: 'https://A.example' }, existing('a', 'Two')],
			[input('a', 'Two', 'Go')],
			[{ ...input('a', 'Old'), url: 'https://A.example' }, input('a', 'Two', 'Go')],
		],
		[
			'the actions with the same labels, where the service has tidied both URLs to one',
			[existing('a', 'One'), existing('a', 'Two')],
			[
				{ ...input('a', 'Two', 'Go'), url: 'https://A.example' },
				{ ...input('a', 'One', 'Go'), url: 'https://a.example' },
			],
			[
				{ ...input('a', 'One', 'Go'), url: 'https://a.example' },
				{ ...input('a', 'Two', 'Go'), url: 'https://A.example' },
			],
		],
	])('updates %s', (_what, before, given, after) => {
		expect(upsert(before, ...given).actions).toEqual(after);
	});

	it.each<[string, CaseAction[], ActionInput[], string]>([
		[
			'a label is new and the case has the URL twice',
			[existing('a', 'One'), existing('b'), existing('a', 'Two')],
			[input('a', 'New')],
			'Case 7 has 2 actions with the URL "https://a.example/": "One", "Two"',
		],
		[
			'two new labels are given for the one action with the URL',
			[existing('a', 'One')],
			[input('a', 'New'), input('a', 'Newer')],
			'Case 7 has one action with the URL "https://a.example/", and several are given: "New", "Newer"',
		],
		[
			'the case has two actions with the same URL and label',
			[existing('a', 'One'), existing('a', 'One')],
			[input('a', 'One')],
			'Case 7 has 2 actions with the URL "https://a.example/": "One", "One"',
		],
		[
			'one action is given twice',
			[],
			[input('a'), input('a', 'a', 'other')],
			'Two actions have the URL "https://a.example/" and the label "a"',
		],
		[
			'one action is given twice, in two spellings of its URL',
			[],
			[input('a'), { ...input('a', 'a', 'other'), url: 'https://A.example' }],
			'Two actions have the URL "https://A.example" and the label "a"',
		],
	])(
		'is refused where it is unclear which action is meant: %s',
		(_what, before, given, message) => {
			expectRefused(
				() => upsert(before, ...given),
				message,
				/matched by URL(,| and) (and )?(by )?label/,
			);
		},
	);

	it('loses nothing of actions that carry their button texts, even empty ones', () => {
		const texts = [{ action_text: 'Go' }, { action_text: '' }, { action_text: null }];
		const before = texts.map((text, index) => existing(`u${index}`, 'L', text));
		const { actions, losingText } = upsert(before, input('a'));
		expect(losingText).toEqual([]);
		expect(actions.map(({ action_text }) => action_text)).toEqual([
			'Go',
			undefined,
			undefined,
			undefined,
		]);
	});

	it('keeps what it does not know as the service sent it', () => {
		const odd = {
			url: ' HTTPS://a.example/ä?b= c ',
			label: ' Old\n',
			action_type: 'Story',
			action_text: ' ',
			query_params: { a: 1 },
		};
		expect(upsert([{ id: 1, ...odd, page_emoji: ':x:' }], input('b')).actions[0]).toEqual(odd);
	});

	it.each<[string, CaseAction, string]>([
		[
			'a URL',
			{ label: 'Old', action_type: 'page' },
			'an action without URL, which can\'t be kept: "Old"',
		],
		[
			'a label',
			{ url: 'https://a.example/', label: ' ', action_type: 'page' },
			'an action without label, which can\'t be kept: " "',
		],
		[
			'a type, and odd query parameters',
			existing('a', 'A', { action_type: undefined, query_params: 'x' }),
			'an action without type and usable query_params, which can\'t be kept: "A"',
		],
		['anything', {}, 'an action without URL and label and type, which can\'t be kept: "{}"'],
	])(
		'is refused where an action that stays lacks %s, and names the case',
		(_what, action, message) => {
			const remedy = /the case was not written.*Replace All/;
			expectRefused(() => upsert([action], input('b')), `Case 7 has ${message}`, remedy);
			const [other] = [existing('z')];
			expectRefused(
				() => planDelete('7', [action, other], (one) => one === other),
				`Case 7 has ${message}`,
				remedy,
			);
			expect(planDelete('7', [action], () => true).actions).toEqual([]);
		},
	);
});

it('deleting actions keeps the others in their order', () => {
	const before = ['a', 'b', 'c', 'd'].map((url) => existing(url));
	expect(planDelete('7', before, ({ label }) => label === 'b' || label === 'd')).toEqual({
		actions: [input('a'), input('c')],
		losingText: [before[0], before[2]],
		removed: 2,
	});
});

it('deleting what is not there needs nothing of the actions of the case', () => {
	const before = [existing('a'), { id: 1 }];
	expect(planDelete('7', before, () => false)).toEqual({
		actions: before,
		losingText: [],
		removed: 0,
	});
});

it('putting actions takes nothing away that is not meant, whatever a case has', () => {
	const name = fc.constantFrom('a', 'b', 'c');
	const odd = fc.constantFrom<object>(
		{},
		{ action_text: 'T' },
		{ query_params: { q: '1' } },
		{ label: undefined },
		{ url: null },
	);
	const actions = fc.array(fc.tuple(name, name, odd), { maxLength: 5 });
	const given = fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(actions, given, (before, wanted) => {
			const has = before.map(([url, label, more]) => existing(url, label, more));
			const gives = wanted.map(([url, label]) => input(url, label, 'Given'));
			const outcome = outcomeOf(() => planUpsert('7', has, gives));
			if ('refusal' in outcome) return;
			const after = outcome.value.actions;
			for (const action of gives)
				expect(
					after.filter(
						(one) =>
							one.url === action.url && one.label === action.label && one.action_text === 'Given',
					),
				).toHaveLength(1);
			// Each action of the case is still there, or one of the given ones with its URL stands in its place.
			has.forEach(({ url, label, action_text, query_params }, index) => {
				const now = after[index];
				expect(now.url).toBe(url);
				if (now.action_text !== 'Given') {
					const texts = { label, action_text, query_params };
					expect(now).toMatchObject(JSON.parse(JSON.stringify(texts)) as object);
					return;
				}
				const withUrl = gives.filter((one) => one.url === url);
				expect(now.label === label || withUrl.length === 1).toBe(true);
			});
			expect(after.slice(has.length).every((one) => gives.includes(one))).toBe(true);
		}),
		{ numRuns: 100 * PROPERTY_TIMES },
	);
});

it('what the service lists can be given as JSON, and is sent as it would be kept', () => {
	const text = fc.string({ minLength: 1 }).filter((one) => one.trim() !== '');
	const action = fc.record(
		{
			id: fc.integer({ min: 1 }),
			url: webUrl(),
			label: text,
			action_type: fc.constantFrom('webhook', 'page'),
			action_text: fc.option(fc.string()),
			query_params: fc.option(fc.dictionary(fc.string(), fc.string())),
			story_emoji: fc.option(fc.string()),
			colour: fc.anything(),
		},
		{ requiredKeys: ['id', 'url', 'label', 'action_type'] },
	);
	fc.assert(
		fc.property(fc.array(action), (actions) => {
			const listed = JSON.parse(JSON.stringify(actions)) as CaseAction[];
			const kept = planUpsert('7', listed, []).actions;
			expect(parseActionList(JSON.stringify({ case_id: 7, actions }), 'Actions')).toEqual(kept);
		}),
		{ numRuns: 150 * PROPERTY_TIMES },
	);
});
