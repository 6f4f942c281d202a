import { quote } from '../../nodes/Cases/api/failures/failure';
import {
	entriesOf,
	isExpression,
	isNothing,
	listOf,
	parseEach,
	parseId,
	parseNames,
	parsePairs,
	parseSwitch,
	parseText,
	parseWhole,
	refuseNothing,
	rowsOf,
} from '../../nodes/Cases/fields/values';
import { expectRefused, refusalOf } from '../support/refusal';

const LACKING = /^'Return All' has an expression that returns no value$/;

describe('a list', () => {
	test.each<[unknown, unknown]>([
		[[1], [1]],
		['["a", 1]', ['a', 1]],
		[' \n["a"] \n', ['a']],
		['[]', []],
		['[2026]', undefined],
		['["a"] or so', undefined],
		['{"0": "a"}', undefined],
		[7, undefined],
		[{ length: 1 }, undefined],
		[undefined, undefined],
	])('of texts in %j is %j', (value, expected) => {
		expect(listOf(value)).toEqual(expected);
	});
});

test.each<[unknown, unknown[]]>([
	['a, b', ['a, b']],
	[
		['a', '["b", "c"]', '', [], ['d', [8]]],
		['a', 'b', 'c', 'd', [8]],
	],
	['  ', []],
	[undefined, []],
	['[7]', ['[7]']],
])('the entries of %j are %j', (value, expected) => {
	expect(entriesOf(value)).toEqual(expected);
});

test.each<[unknown, unknown[]]>([
	['7, 8;9\n10', ['7', ' 8', '9', '10']],
	['[7, 8]', ['7', ' 8']],
	['["7", true]', ['7', true]],
	['[true]', ['true']],
	[7, [7]],
	['7,, ', ['7']],
])('the entries of %j without commas are %j', (value, expected) => {
	expect(parseEach(value, 'IDs', (one) => one)).toEqual(expected);
});

describe('the rows of a group', () => {
	const rowsIn = (value: unknown) => rowsOf(value, 'Metadata', 'pair');

	it('are those that are not blank', () => {
		const pair = [{ key: 'a', value: 'b' }, { key: ' ', value: '' }, { key: 'c' }, null];
		expect(rowsIn({ pair })).toEqual([{ key: 'a', value: 'b' }, { key: 'c' }]);
	});

	test.each<[unknown]>([[{}], [{ pair: [] }], [{ pair: 'a' }], ['a'], [null]])(
		'are missing in %j',
		(value) => {
			expectRefused(
				() => rowsIn(value),
				"'Metadata' has no pair",
				"Add a pair, or remove 'Metadata'",
			);
		},
	);
});

describe('a switch', () => {
	test.each<[unknown, boolean]>([
		...[true, 'true', ' True ', 1, '1', ' 1'].map((value): [unknown, boolean] => [value, true]),
		...[false, 'false', 'FALSE ', 0, '0', '0 '].map((value): [unknown, boolean] => [value, false]),
	])('%j is %j', (value, expected) => {
		expect(parseSwitch(value, 'Return All')).toBe(expected);
	});

	test.each<[unknown]>([['yes'], [''], [undefined], [null], [2], [[]], [[1]]])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseSwitch(value, 'Return All'),
				value === undefined || value === null
					? LACKING
					: /^'Return All': ".*" is neither true nor false$/,
				'returns true or false',
			);
		},
	);
});

describe('a text', () => {
	test.each<[unknown, string]>([
		['a ', 'a '],
		[7, '7'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	])('%j is %j', (value, expected) => {
		expect(parseText(value, 'Search')).toBe(expected);
	});

	test.each<[unknown]>([[2 ** 53], [-(2 ** 53)], [NaN], [true], [{}], [['a']]])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseText(value, 'Search'),
				/^'Search': ".*" is not text$/,
				'must return text',
			);
		},
	);
});

describe('names', () => {
	test.each<[unknown, string[]]>([
		[' a, b ,,', ['a', 'b']],
		[
			['a ', ' ', 'b, c'],
			['a', 'b, c'],
		],
		['["a, b", "c"]', ['a, b', 'c']],
		['', []],
		[[], []],
		['[]', []],
		[7, ['7']],
		[
			['a', 7],
			['a', '7'],
		],
		['a\r\n b;c', ['a', 'b;c']],
	])('in %j are %j', (value, expected) => {
		expect(parseNames(value, 'Types')).toEqual(expected);
	});

	test.each<[unknown, string]>([
		[undefined, "'Types' has an expression that returns no value"],
		[['a', null], "'Types': entry 2 of the list has no value"],
		[['a', {}], `'Types': "{}" is not text`],
		['a \ude00', `'Types': "a \ufffd" contains a broken character`],
	])('are not %j', (value, message) => {
		expect(refusalOf(() => parseNames(value, 'Types')).message).toBe(message);
	});
});

describe('pairs', () => {
	const pairsIn = (key: string, isInQuery: boolean) =>
		parsePairs({ pair: [{ key, value: 'x' }] }, 'Metadata', isInQuery);

	it('have any key in a write, but no brackets in the key of a query', () => {
		expect(pairsIn('entities[0].address', false)).toEqual([['entities[0].address', 'x']]);
		expectRefused(
			() => pairsIn('entities[0].address', true),
			`'Metadata': "entities[0].address" can't be used as a key`,
			'without square brackets',
		);
		expectRefused(() => pairsIn(' ', false), `'Metadata': " " can't be used`, /needs a key\.$/);
	});

	it('without a value are only sent in a query', () => {
		const given = {
			pair: [
				{ key: 'a', value: '' },
				{ key: 'b', value: 'x' },
			],
		};
		expect(parsePairs(given, 'Metadata', false)).toEqual([['b', 'x']]);
		expect(parsePairs(given, 'Metadata', true)).toEqual([
			['a', ''],
			['b', 'x'],
		]);
	});
});

describe('an expression', () => {
	test.each<[unknown, boolean]>([
		['={{ $json.a }}', true],
		['= \n\tx', true],
		['=', false],
		['= ', false],
		['a = b', false],
		['', false],
		[7, false],
		[['=a'], false],
	])('stored as %j: %j', (stored, expected) => {
		expect(isExpression(stored)).toBe(expected);
	});

	test.each<[unknown, unknown]>([
		['={{ $json.a }}', undefined],
		['={{ $json.a }}', null],
		[{ key: '={{ $json.a }}' }, {}],
		[{ key: '={{ $json.a }}' }, undefined],
		[
			[{ a: 'b' }, { key: '={{ $json.a }}' }],
			[{ a: 'b' }, { key: null }],
		],
	])('in %j that returns nothing is refused', (stored, value) => {
		expectRefused(
			() => refuseNothing('The field', stored, value),
			'The field has an expression that returns no value',
			/^Correct the expression\. Otherwise the field would be ignored/,
		);
	});

	test.each<[unknown, unknown]>([
		['={{ $json.a }}', ''],
		['={{ $json.a }}', 0],
		['a', undefined],
		[{ key: 'a', other: '={{ 1 }}' }, { other: 1 }],
		[undefined, undefined],
	])('in %j may return %j', (stored, value) => {
		expect(refuseNothing('The field', stored, value)).toBe(value);
	});
});

test.each<[unknown, boolean]>([
	['', false],
	[' ', true],
	['[]', true],
	[[], true],
	[[''], true],
	[undefined, true],
	['a', false],
	[[null], false],
	[0, false],
])('%j limits to nothing: %j', (value, expected) => {
	expect(isNothing(value)).toBe(expected);
});

test('IDs are read once each, from a text or a list', () => {
	const idsIn = (value: unknown) => parseEach(value, 'Cases', (one) => parseId(one, 'case ID'));
	expect(idsIn('#7, 08;7\n9')).toEqual(['7', '8', '9']);
	expect(idsIn([7, '8, 9'])).toEqual(['7', '8', '9']);
});

describe('a whole number', () => {
	test.each<[unknown, number]>([
		[1, 1],
		[500, 500],
		[' 7 ', 7],
		['1e2', 100],
	])('from 1 to 500 is %j', (value, expected) => {
		expect(parseWhole(value, 'Page Size', 1, 500)).toBe(expected);
	});

	test.each<[unknown]>([[0], [501], [1.5], [''], ['ten'], [undefined], [null], [true], [[7]]])(
		'from 1 to 500 is not %j',
		(value) => {
			expectRefused(
				() => parseWhole(value, 'Page Size', 1, 500),
				/^'Page Size' must be a whole number from 1 to 500$/,
				`It is ${quote(value ?? '')}. Enter such a number`,
			);
		},
	);

	it.each([-1, '', ' '])('that may be 0, and has no end, is not %j', (value) => {
		expect(parseWhole(Number.MAX_SAFE_INTEGER, 'Limit', 0)).toBe(Number.MAX_SAFE_INTEGER);
		expectRefused(
			() => parseWhole(value, 'Limit', 0),
			/^'Limit' must be a whole number, 0 or more$/,
			`It is "${value}".`,
		);
	});
});

test('an ID that is refused names its field where there is one', () => {
	expectRefused(() => parseId('x', 'team ID'), /^"x" is not a team ID$/, 'positive whole number');
	expectRefused(() => parseId('x', 'ID', 'Team'), /^'Team': "x" is not a ID$/, '4711');
});
