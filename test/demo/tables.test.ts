import { tableOf } from '../../tools/demo/tables';

describe('the tables of the demo', () => {
	it('keep every word of a long text', () => {
		const value = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
		const table = tableOf([{ case_id: 1, value, user: { email: 'ana@example.com' } }]);
		const words = table.replace(/[│\s]+/g, ' ');
		for (const word of value.split(' ')) expect(words).toContain(` ${word} `);
		expect(words).toContain('ana@example.com');
	});

	it('are no wider than a terminal, even with a text that has no blanks', () => {
		const url = `https://example.com/${'x'.repeat(90)}`;
		const row = { a: url, b: url, c: 'short', d: url, e: 1, f: url, g: 'seventh' };
		const widest = Math.max(
			...tableOf([row])
				.split('\n')
				.map(({ length }) => length),
		);
		expect(widest).toBeLessThanOrEqual(130);
	});

	it('say what they leave out', () => {
		const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, dull: 'x' }));
		expect(tableOf(rows(8))).not.toContain('…');
		expect(tableOf(rows(9))).toMatch(/… 1 more row$/);
		expect(tableOf(rows(10))).toMatch(/… 2 more rows$/);
	});

	it('show the first lines of a text that has many', () => {
		const lines = Array.from({ length: 13 }, (_, number) => `line ${number}.`);
		expect(tableOf([{ text: lines.slice(1).join('\n') }])).not.toContain('…');
		const table = tableOf([{ text: lines.join('\n') }]);
		expect(table).toContain('line 11.');
		expect(table).not.toContain('line 12.');
		expect(table).toContain('…');
	});
});
