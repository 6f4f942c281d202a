import {
	ApiFailure,
	asFailure,
	Canceled,
	InvalidInput,
	isOfOneCase,
	nameSome,
	quote,
	unlessFailed,
} from '../../nodes/Cases/api/failures/failure';
import { range } from '../support/runs';

const circular: unknown[] = [];
circular.push(circular);

describe('a value in a message', () => {
	it.each<[unknown, string]>([
		['text', '"text"'],
		['two\r\n\tlines', '"two lines"'],
		['x'.repeat(60), `"${'x'.repeat(60)}"`],
		['x'.repeat(61), `"${'x'.repeat(57)}…"`],
		['🔥'.repeat(61), `"${'🔥'.repeat(57)}…"`],
		['🔥'.repeat(60), `"${'🔥'.repeat(60)}"`],
		['a\0\ud83d', '"a\ufffd\ufffd"'],
		[7, '"7"'],
		[null, '"null"'],
		[undefined, '"undefined"'],
		[{ a: [1] }, '"{"a":[1]}"'],
		[7n, '"7"'],
		[NaN, '"NaN"'],
		[-Infinity, '"-Infinity"'],
		[new Date(NaN), '"Invalid Date"'],
		[new Date(0), '""1970-01-01T00:00:00.000Z""'],
		[circular, '"[object Array]"'],
	])('%p is shown as %s', (value, expected) => {
		expect(quote(value)).toBe(expected);
	});
});

describe('a list in a message', () => {
	it.each([
		[1, '1'],
		[5, '1, 2, 3, 4, 5'],
		[6, '1, 2, 3, 4, 5 and 1 more'],
		[140_000, '1, 2, 3, 4, 5 and 139995 more'],
	])('is short for %d names', (count, expected) => {
		expect(nameSome(range(1, count))).toBe(expected);
	});

	it('has as many names as its place allows', () => {
		expect(nameSome(range(1, 12), 10)).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
		expect(nameSome(range(1, 10), 10)).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10');
	});
});

test.each<[number | undefined, boolean, boolean]>([
	[403, false, true],
	[404, false, true],
	[400, false, true],
	[200, false, true],
	[200, true, true],
	[302, false, false],
	[401, false, false],
	[407, false, false],
	[408, true, false],
	[425, true, false],
	[429, true, false],
	[500, true, true],
	[503, true, false],
	[undefined, true, false],
	[undefined, false, true],
])(
	'whether a failure with the status %p (retryable: %p) can be of one case: %p',
	(httpCode, retryable, expected) => {
		expect(isOfOneCase(new ApiFailure('No', { description: '', httpCode, retryable }))).toBe(
			expected,
		);
	},
);

it('a stop by the user is one that n8n knows', () => {
	expect(new Canceled()).toMatchObject({ name: 'Canceled', message: 'The execution was canceled' });
});

describe('a failure', () => {
	it('is short, however long its texts are', () => {
		const long = 'x'.repeat(1_000_000);
		const refusal = new InvalidInput(long, long);
		const failure = new ApiFailure(long, { description: long, retryable: false });
		expect([refusal.message.length, refusal.description.length]).toEqual([998, 3998]);
		expect([failure.message.length, failure.details.description.length]).toEqual([998, 3998]);
	});

	it('takes a further sentence and other details, and stays as it was', () => {
		const failure = new ApiFailure('No', { description: 'Do that.', retryable: true });
		expect(failure.adding('Or this.', { httpCode: 404 })).toMatchObject({
			message: 'No',
			description: 'Do that. Or this.',
			details: { httpCode: 404, retryable: true },
		});
		expect(failure.adding('').description).toBe('Do that.');
		expect(failure.details).toEqual({ description: 'Do that.', retryable: true });
	});

	it('has a name of its kind', () => {
		const refusal = new InvalidInput('No', 'Do that.');
		expect(refusal).toBeInstanceOf(Error);
		expect(refusal).toMatchObject({ name: 'InvalidInput', message: 'No', description: 'Do that.' });
		const details = { description: 'Do that.', httpCode: 404, retryable: false };
		expect(new ApiFailure('No', details)).toMatchObject({
			name: 'ApiFailure',
			message: 'No',
			details,
		});
	});
});

test('only a failed request leaves an answer unknown', () => {
	const fault = new Error('a fault of the code');
	expect(unlessFailed(new ApiFailure('No', { description: '', retryable: true }))).toBeUndefined();
	expect(() => unlessFailed(fault)).toThrow(fault);
	const failure = new ApiFailure('No', { description: '', retryable: true });
	expect(asFailure(failure)).toBe(failure);
	expect(() => asFailure(fault)).toThrow(fault);
});
