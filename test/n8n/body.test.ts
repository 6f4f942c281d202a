import fc from 'fast-check';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { decodeOnce, decodeText } from '../../nodes/Cases/n8n/body';

describe('the text of a body', () => {
	const letter = fc.constantFrom('a', 'ø', '€', '🔥', '\ufeff').map((text) => Buffer.from(text));
	const anyByte = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes));
	const ascii = fc.integer({ min: 2040, max: 2060 }).map((length) => Buffer.alloc(length, 'a'));

	it('is that of its bytes, wherever its pieces end, and without a byte order mark', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(letter, anyByte, ascii), { maxLength: 12 }), (batches) => {
				const body = Buffer.concat(batches);
				expect(decodeText(body)).toBe(new TextDecoder().decode(body));
			}),
			{ numRuns: 100 * PROPERTY_TIMES },
		);
	});

	it('is found in a body of nothing but continuation bytes', () => {
		expect(decodeText(Buffer.alloc(10_000, 0x80))).toBe('\ufffd'.repeat(10_000));
	});
});

it('lets go of the bytes of a body once they are decoded', () => {
	const text = decodeOnce(Buffer.from('"é"'));
	expect(text()).toBe('"é"');
	expect(text()).toBe('');
});
