import fc from 'fast-check';
import { MAX_LABEL_LENGTH, shortenLabel } from '../../nodes/Cases/api/labels';

describe('The label of a question', () => {
	it.each([
		['a short text', 'Isolate web-7?', 'Isolate web-7?'],
		['a text of several lines', ' Isolate\n\n web-7? ', 'Isolate web-7?'],
		['a text of 100 characters', 'x'.repeat(100), 'x'.repeat(100)],
		['a longer text', 'x'.repeat(101), `${'x'.repeat(99)}…`],
		[
			'a longer text with a blank at the end',
			`${'x'.repeat(98)} ${'y'.repeat(9)}`,
			`${'x'.repeat(98)}…`,
		],
	])('of %s', (_what, text, label) => {
		expect(shortenLabel(text)).toBe(label);
	});

	it('is never longer, is its own label, and breaks no character', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
				const label = shortenLabel(text);
				expect([...label].length).toBeLessThanOrEqual(MAX_LABEL_LENGTH);
				expect(shortenLabel(label)).toBe(label);
				expect(/\p{Surrogate}/u.test(label)).toBe(/\p{Surrogate}/u.test(text));
			}),
			{ numRuns: 300 },
		);
	});
});
