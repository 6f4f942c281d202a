import { errorMessageOf } from '../../nodes/Cases/api/failures/errorMessage';

describe('the message of an error body', () => {
	it.each<[unknown, string | undefined]>([
		[{ error: 'wrong' }, 'wrong'],
		[{ message: 'wrong' }, 'wrong'],
		[{ errors: ['one', { message: 'two' }, 3] }, 'one; two'],
		[[{ message: 'one' }, 'two'], 'one; two'],
		[{ error: { code: 5, message: 'deep' } }, 'deep'],
		[{ error: { type: 'bad_request', message: 'is unknown', field: 'case' } }, 'case: is unknown'],
		[{ error: { type: 'bad_request', message: 'no such case', field: 'case' } }, 'no such case'],
		[{ error: '', message: 'second' }, 'second'],
		[{ error: 'Bad Request', message: 'label is too long' }, 'Bad Request: label is too long'],
		[{ error: 'Same', message: 'Same' }, 'Same'],
		[{ message: 'Invalid', details: 'label is too long' }, 'Invalid: label is too long'],
		[{ message: 'Invalid.', details: ['a', 'b'] }, 'Invalid: a; b'],
		[
			{
				errors: [
					{ message: 'Invalid', details: 'a' },
					{ message: 'Bad', details: 'b' },
				],
			},
			'Invalid: a; Bad: b',
		],
		[[{ message: 'Invalid', details: 'a' }], 'Invalid: a'],
		[
			{ errors: { label: ['is long', 'is taken'], url: ['is bad'] } },
			'label: is long; label: is taken; url: is bad',
		],
		[{ errors: { label: 'is long' } }, 'label: is long'],
		[{ error: 'Invalid', errors: { label: ['is long'] } }, 'Invalid: label: is long'],
		['two\n  lines', 'two lines'],
		[' plain text ', 'plain text'],
		['<html>page</html>', undefined],
		['', undefined],
		[[], undefined],
		[{}, undefined],
		[null, undefined],
		[5, undefined],
		[{ error: true }, undefined],
		[{ time: '12:00', cases: [] }, undefined],
		['x'.repeat(500), `${'x'.repeat(297)}…`],
		[{ errors: ['x'.repeat(200), 'y'.repeat(200)] }, `${'x'.repeat(200)}; ${'y'.repeat(95)}…`],
	])('of %j is %p', (body, expected) => {
		expect(errorMessageOf(body)).toBe(expected);
	});

	it('has the first ten of many errors', () => {
		const errors = Array.from({ length: 100_000 }, (_, index) => `e${index}`);
		expect(errorMessageOf({ errors })).toBe(errors.slice(0, 10).join('; '));
		const fields = Object.fromEntries(errors.map((name) => [name, ['x']]));
		expect(errorMessageOf({ errors: fields })).toMatch(/^e0: x; .*; e9: x$/);
	});

	it('is found in a text of millions of full stops without a long search', () => {
		const dots = `${'.'.repeat(2_000_000)}x`;
		const shown = `${'.'.repeat(297)}…`;
		expect(errorMessageOf({ error: dots, message: 'Invalid' })).toBe(shown);
		expect(errorMessageOf({ errors: { [dots]: ['a'], label: ['b'] } })).toBe(shown);
	});
});
