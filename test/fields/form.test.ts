import { readCollection } from '../../nodes/Cases/fields/form';
import { ACTIVITY_TYPES, isOfTypes } from '../../nodes/Cases/fields/rows';
import { parametersWith } from '../support/parameters';
import { expectRefused, refusalOf } from '../support/refusal';

describe('a collection', () => {
	it.each([[{}], [[]], [{ length: 0 }], [undefined], [null], ['']])('is empty: %j', (value) => {
		expect(readCollection(value, 'Options')).toEqual({});
	});

	it('is its entries', () => {
		expect(readCollection({ a: 1, b: '' }, 'Options')).toEqual({ a: 1, b: '' });
	});

	it.each([['={{ {} }}'], [[{}]], [{ length: 9 }]])(
		'that is one value is refused, because n8n has dropped what it means: %j',
		(value) => {
			expectRefused(
				() => readCollection(value, 'Options'),
				"'Options' can't be set by one expression",
				/^Add each entry of 'Options', and use an expression in its field/,
			);
		},
	);
});

const typesIn = (activityTypes: unknown) =>
	ACTIVITY_TYPES.read(parametersWith({ activityTypes }), 0);

describe('the types to keep', () => {
	test.each([
		[[], 'CREATED', true],
		['', null, true],
		[['COMMENTED'], 'COMMENTED', true],
		[['COMMENTED'], 'CREATED', false],
		['commented, CREATED', 'CREATED', true],
		[['Host, old'], 'host, OLD ', true],
		[['Host'], null, false],
		[['Null'], null, false],
		[['Host'], { toString: 1 }, false],
	])('%j keep the type %j: %s', (chosen, type, expected) => {
		expect(isOfTypes(type, typesIn(chosen))).toBe(expected);
	});

	it('must be names', () => {
		expect(refusalOf(() => typesIn([{}])).message).toMatch(/^'Activity Types': .* is not text/);
	});
});
