import fc from 'fast-check';
import { MAX_LABEL_LENGTH, shortenLabel } from '../../nodes/Cases/api/actions/labels';

describe('The label of a question', () => {
	it.each([
		['a short text', 'Isolate web-7?', 'Isolate web-7?'],
		['a text of several lines', ' Isolate\n\n web-7? ', 'Isolate web-7?'],
		['a text of 100 characters', 'x'.repeat(100), 'x'.repeat(100)],
	])('of %s', (_what, text, label) => {
		expect(shortenLabel(text)).toBe(label);
	});

	it('tells long texts with the same beginning apart', () => {
		const [one, other] = ['1', '2'].map((end) => shortenLabel(`${'Isolate '.repeat(20)}${end}`));
		expect(one).toMatch(/^(Isolate )+.*… \(\w+\)$/);
		expect(one).not.toBe(other);
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
