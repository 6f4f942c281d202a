import { readCollection } from '../../nodes/Cases/fields/form';
import { expectRefused } from '../support/refusal';

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
