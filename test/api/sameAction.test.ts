import { haveSame, isChange } from '../../nodes/Cases/api/actions/sameAction';
import { upsertActions } from '../../nodes/Cases/api/actions/upsertActions';
import type { ActionInput } from '../../nodes/Cases/api/types';
import { range } from '../support/runs';

const action = (n: number): ActionInput => ({
	url: `https://a.example/run/${n}`,
	label: `Action ${n}`,
	action_type: 'webhook',
	action_text: 'Go',
});

it('10,000 actions are matched and compared, each with a few others, not with all', async () => {
	const given = range(1, 10_000).map(action);
	const existing = given.map((one, id) => ({ ...one, id })).reverse();
	const write = async (one: ActionInput) => await Promise.resolve({ ...one });
	expect(await upsertActions(existing, given, () => true, write)).toMatchObject({ changed: false });
	expect(haveSame(existing, given)).toBe(true);
});

it('An action stands in the list after a write as it was given, also where the answer leaves fields out', async () => {
	const write = async () => await Promise.resolve({ id: 7, story_name: 'Go' });
	const { after } = await upsertActions([], [action(1)], () => true, write);
	expect(after).toEqual([{ ...action(1), id: 7, story_name: 'Go' }]);
});

const shown = (...ns: number[]) => ns.map((n) => ({ ...action(n) }));

describe('The same actions', () => {
	it.each<[string, object, boolean]>([
		['another letter case of the host', { url: 'https://A.example/run/1' }, true],
		['another path', { url: 'https://a.example/Run/1' }, false],
		['blanks around the label', { label: ' Action 1 ' }, true],
		['another letter case of the label', { label: 'ACTION 1' }, false],
	])('may have %s: %j (%s)', (_what, fields, isSame) => {
		expect(haveSame([{ ...action(1), ...fields }], [action(1)])).toBe(isSame);
	});

	it('are as many as given, in any order', () => {
		expect(haveSame(shown(2, 1), [action(1), action(2)])).toBe(true);
		expect(haveSame(shown(1, 1), [action(1), action(2)])).toBe(false);
		expect(haveSame(shown(1), [action(1), action(1)])).toBe(false);
	});
});

it.each<[string, object, boolean]>([
	['no text where none is given', { action_text: undefined }, false],
	['null as the text where none is given', { action_text: null }, false],
	['a text where none is given', { action_text: 'Go' }, true],
	['query parameters where none are given', { query_params: { a: '1' } }, true],
	['another letter case of the type', { action_type: 'WEBHOOK' }, false],
	['another type', { action_type: 'page' }, true],
])('Replacing an action that shows %s changes it: %j %s', (_what, fields, change) => {
	const { url, label, action_type } = action(1);
	const given = { url, label, action_type };
	expect(isChange([{ ...given, ...fields }], [given])).toBe(change);
});

it.each<[string, boolean, ActionInput[]]>([
	['the same in another order', false, [action(2), action(1), action(1)]],
	['fewer', true, [action(1), action(2)]],
	['the same, but another one twice', true, [action(1), action(2), action(2)]],
	['one with another text', true, [action(1), action(2), { ...action(1), action_text: 'Stop' }]],
])('Replacing actions by %s changes them: %s', (_what, change, given) => {
	expect(isChange(shown(1, 2, 1), given)).toBe(change);
});

it.each<[object, object, boolean]>([
	[{ a: '1' }, { a: 1 }, false],
	[{ a: { b: 1 } }, { a: { b: 1 } }, false],
	[{ a: { b: 1 } }, { a: { b: 2 } }, true],
])('Replacing the query parameters %j by %j changes them: %s', (before, after, change) => {
	const [current] = shown(1);
	expect(
		isChange(
			[{ ...current, query_params: before }],
			[{ ...action(1), query_params: { ...after } }],
		),
	).toBe(change);
});
