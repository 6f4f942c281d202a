import { isOfTypes, readTypes } from '../../nodes/Cases/fields/options';
import { refusalOf } from '../support/refusal';

const read = (value: unknown) =>
	readTypes(
		{ parameter: () => value, stored: () => undefined, timezone: 'UTC', startedAt: 0 },
		0,
		'activityTypes',
	);

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
		expect(isOfTypes(type, read(chosen))).toBe(expected);
	});

	it('must be names', () => {
		expect(refusalOf(() => read([{}])).message).toMatch(
			/^'Activity Types': .* is not a list of names/,
		);
	});
});
