import { quote } from '../../nodes/Cases/api/failures/failure';
import {
	entriesOf,
	listOf,
	parseId,
	parseNames,
	parseSwitch,
	parseText,
	parseWhole,
	rowsOf,
	splitEntries,
} from '../../nodes/Cases/fields/values';
import { expectRefused } from '../support/refusal';

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
		['a', '["b", "c"]', '', null, [], ['d', [8]]],
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
	expect(splitEntries(value)).toEqual(expected);
});

describe('the rows of a group', () => {
	const rowsIn = (value: unknown) => rowsOf(value, 'Metadata', 'pair');

	it('are those that are not blank', () => {
		const pair = [{ key: 'a', value: 'b' }, { key: ' ', value: '' }, { key: 'c' }, null];
		expect(rowsIn({ pair })).toEqual([{ key: 'a', value: 'b' }, { key: 'c' }]);
	});

	test.each<[unknown]>([[{}], [{ pair: [] }], [{ pair: 'a' }], [{ pair: [{}] }], ['a'], [null]])(
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

	test.each<[unknown]>([['yes'], [''], [undefined], [null], [2], [[]]])('is not %j', (value) => {
		expectRefused(
			() => parseSwitch(value, 'Return All'),
			`'Return All': ${quote(value ?? '')} is neither true nor false`,
			'returns true or false',
		);
	});
});

describe('a text', () => {
	test.each<[unknown, string]>([
		['a ', 'a '],
		[7, '7'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	])('%j is %j', (value, expected) => {
		expect(parseText(value, 'Search')).toBe(expected);
	});

	test.each<[unknown]>([[2 ** 53], [-(2 ** 53)], [NaN], [true], [null], [{}], [['a']]])(
		'is not %j',
		(value) => {
			expectRefused(
				() => parseText(value, 'Search'),
				/^'Search': ".*" is not text$/,
				'list of texts',
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
	])('in %j are %j', (value, expected) => {
		expect(parseNames(value, 'Types')).toEqual(expected);
	});

	test.each<[unknown]>([[undefined], [null], [7], [['a', 7]], [{}]])('are not %j', (value) => {
		expectRefused(
			() => parseNames(value, 'Types'),
			`'Types': ${quote(value ?? '')} is not a list of names`,
			'Choose from the list',
		);
	});
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
