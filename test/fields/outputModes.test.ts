import { readDetailOutput, readOutput } from '../../nodes/Cases/fields/output';
import type { Parameters } from '../../nodes/Cases/fields/form';
import { expectRefused } from '../support/refusal';

/** Parameters with these values, and the fallback for all others. */
const given = (values: Record<string, unknown>): Parameters => ({
	parameter: (name, _item, fallback) => (name in values ? values[name] : fallback),
	stored: () => undefined,
	timezone: 'UTC',
	startedAt: 0,
});

describe('how much of a case to return', () => {
	test.each<[Record<string, unknown>, object]>([
		[{}, { mode: 'simplified' }],
		[{ output: 'raw', fields: ['name'] }, { mode: 'raw' }],
		[
			{ output: 'selected', fields: ['name', 'tags'] },
			{ mode: 'selected', fields: ['name', 'tags'] },
		],
		[
			{ output: 'selected', fields: 'name, tags, __proto__' },
			{ mode: 'selected', fields: ['name', 'tags'] },
		],
		[{ output: 'selected' }, { mode: 'selected', fields: [] }],
	])('by %j is %j', (values, expected) => {
		expect(readOutput(given(values), 0)).toEqual(expected);
	});

	it('is one of the modes', () => {
		expectRefused(
			() => readOutput(given({ output: 'all' }), 0),
			`'Output': "all" is not one of simplified, selected, raw`,
			'Choose from the list, or use an expression that returns one of these values.',
		);
		expectRefused(
			() => readOutput(given({ output: 'selected', fields: 7 }), 0),
			`'Fields': "7" is not a list of names`,
			'Choose from the list',
		);
	});
});

test('how much of a comment to return is one of two modes', () => {
	expect(readDetailOutput(given({}), 0)).toBe('simplified');
	expect(readDetailOutput(given({ output: 'raw' }), 0)).toBe('raw');
	expectRefused(
		() => readDetailOutput(given({ output: 'selected' }), 0),
		`'Output': "selected" is not one of simplified, raw`,
		'Choose from the list',
	);
});
