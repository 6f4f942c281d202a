import fc from 'fast-check';
import { parseJson } from '../../nodes/Cases/api/json';

describe('parsing JSON', () => {
	it('says why a text is not JSON', () => {
		expect(parseJson('{"a":1', (why) => why)).toMatch(/^Expected .* in JSON at position 6/);
		expect(parseJson('null', (why) => why)).toBeNull();
	});

	it('takes fifty levels, and says where there are more', () => {
		const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
		expect(parseJson(nested(50))).toEqual(JSON.parse(nested(50)));
		const more = [51, 100_000].map((levels) => parseJson(nested(levels), (why) => why));
		expect(more).toEqual(Array(2).fill('It has more than 50 levels'));
	});

	it.each([[''], ['{'], ['<html></html>'], ['{"a":1'], ['undefined']])(
		'returns nothing for %j',
		(text) => {
			expect(parseJson(text)).toBeUndefined();
		},
	);

	it('drops members called __proto__', () => {
		const { a } = parseJson('{"a":{"__proto__":{"isAdmin":true},"b":1}}') as { a: object };
		expect(Object.getOwnPropertyNames(a)).toEqual(['b']);
		expect('isAdmin' in Object.assign({}, a)).toBe(false);
	});

	it.each([...'__proto__'].map((_letter, index) => [index]))(
		'drops it with its letter %i escaped, in small or capital digits',
		(index) => {
			const letters = [...'__proto__'];
			const code = letters[index].charCodeAt(0).toString(16);
			for (const digits of [code, code.toUpperCase()]) {
				letters[index] = `\\u00${digits}`;
				const value = parseJson(`{"${letters.join('')}":{"isAdmin":true},"b":1}`) as object;
				expect(Object.getOwnPropertyNames(value)).toEqual(['b']);
			}
		},
	);

	it('keeps values that read __proto__', () => {
		expect(parseJson('["__proto__"]')).toEqual(['__proto__']);
	});

	it('keeps everything else as it was', () => {
		const clean = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));
		fc.assert(
			fc.property(clean, (value) => {
				const text = JSON.stringify(value);
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
		);
	});
});
