import fc from 'fast-check';
import {
	packDigests,
	packNumbers,
	unpackDigests,
	unpackNumbers,
} from '../../nodes/Cases/trigger/changes/packNumbers';

const ids = (count: number, of: number) =>
	fc.sample(
		fc.uniqueArray(fc.integer({ min: 1, max: of }), { minLength: count, maxLength: count }),
		{
			numRuns: 1,
			seed: 1,
		},
	)[0];

describe('packed numbers', () => {
	it('come out as they went in, sorted', () => {
		const numbers = fc.uniqueArray(
			fc.oneof(fc.nat(300), fc.nat(), fc.integer({ min: 0, max: 2 ** 53 - 2 })),
			{ maxLength: 60 },
		);
		fc.assert(
			fc.property(numbers, (some) => {
				const sorted = [...some].sort((a, b) => a - b);
				expect(unpackNumbers(packNumbers(some))).toEqual(sorted);
			}),
		);
	});

	it('take at most 12 KB for ten thousand IDs of a hundred thousand, also with a strange one', () => {
		const many = ids(10_000, 100_000);
		expect(packNumbers(many).length).toBeLessThan(12_000);
		expect(packNumbers([...many, 2 ** 42]).length).toBeLessThan(12_020);
	});

	it('take at most 20 KB for fifty thousand IDs in a row', () => {
		const inARow = Array.from({ length: 50_000 }, (_, index) => index + 1);
		expect(packNumbers(inARow).length).toBeLessThan(20_000);
	});

	it('take little where one gap in the middle is wide', () => {
		const inTwoRows = Array.from({ length: 100 }, (_, index) => index + (index < 50 ? 0 : 1e6));
		expect(packNumbers(inTwoRows).length).toBeLessThan(40);
	});

	it('are read from any text, without an end', () => {
		fc.assert(fc.property(fc.string(), (text) => Array.isArray(unpackNumbers(text))));
	});

	it('keep digests in their order', () => {
		const digests = fc.array(fc.integer({ min: 0, max: 2 ** 30 - 1 }));
		fc.assert(
			fc.property(digests, (some) => {
				expect(unpackDigests(packDigests(some))).toEqual(some);
			}),
		);
	});
});
