import { isChange, isUnchanged } from '../../nodes/Cases/api/actionChanges';
import type { ActionInput, CaseAction } from '../../nodes/Cases/api/types';

const input = (name: string, more: Partial<ActionInput> = {}): ActionInput => ({
	url: `https://${name}.example/`,
	label: name,
	action_type: 'page',
	...more,
});
const existing = (name: string, more: object = {}): CaseAction => ({
	id: name.charCodeAt(0),
	...input(name),
	...more,
});

const TWO = [existing('a'), existing('b')];

// changed: what Preview Only shows; unchanged: what Skip Unchanged leaves out.
describe.each<[string, CaseAction[] | undefined, ActionInput[], boolean | null, boolean]>([
	['no actions, and none given', [], [], false, true],
	['the same, without button texts', TWO, [input('a'), input('b')], null, true],
	['another order', TWO, [input('b'), input('a')], true, false],
	['one less', TWO, [input('a')], true, false],
	['one more', TWO, [input('a'), input('b'), input('c')], true, false],
	['another label', TWO, [input('a'), input('b', { label: 'B' })], true, false],
	['another type', TWO, [input('a'), input('b', { action_type: 'webhook' })], true, false],
	['another URL', TWO, [input('a'), input('b', { url: 'https://b.example/x' })], true, false],
	[
		'a button text that the case may have',
		TWO,
		[input('a'), input('b', { action_text: 'Go' })],
		null,
		false,
	],
	[
		'the button text that the case has',
		[existing('a', { action_text: 'Go' })],
		[input('a', { action_text: 'Go' })],
		false,
		true,
	],
	[
		'another button text than the case has',
		[existing('a', { action_text: 'Go' })],
		[input('a', { action_text: 'Run' })],
		true,
		false,
	],
	[
		'no button text, which removes that of the case',
		[existing('a', { action_text: 'Go' })],
		[input('a')],
		true,
		false,
	],
	[
		'no button text, as the case says',
		[existing('a', { action_text: null })],
		[input('a')],
		false,
		true,
	],
	[
		'the same query parameters in another order',
		[existing('a', { action_text: null, query_params: { b: 2, c: '3' } })],
		[input('a', { query_params: { c: '3', b: '2' } })],
		false,
		true,
	],
	[
		'other query parameters',
		[existing('a', { query_params: { b: '2' } })],
		[input('a', { query_params: { b: '3' } })],
		true,
		false,
	],
	[
		'no query parameters, which removes those of the case',
		[existing('a', { query_params: { b: '2' } })],
		[input('a')],
		true,
		false,
	],
	[
		'query parameters that the case may have',
		TWO,
		[input('a', { query_params: { b: '2' } }), input('b')],
		null,
		false,
	],
	['anything, where the actions of the case are unknown', undefined, [input('a')], null, false],
	['nothing, where the actions of the case are unknown', undefined, [], null, false],
])('%s', (_what, before, given, changed, unchanged) => {
	it(`is a change: ${changed ?? 'unknown'}`, () => expect(isChange(before, given)).toBe(changed));
	it(`is ${unchanged ? 'left out' : 'written'} by Skip Unchanged`, () =>
		expect(isUnchanged(before, given)).toBe(unchanged));
});
