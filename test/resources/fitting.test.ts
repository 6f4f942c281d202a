import fc from 'fast-check';
import { fitRows } from '../../nodes/Cases/resources/fitting';
import { renderCase } from '../../nodes/Cases/resources/case/digest/render';
import { byId, range } from '../support/runs';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { useService } from '../support/service';
import { runAsTool } from '../support/tool';

const service = useService({ cases: 60 });

/** What a model reads of a tool's answer, and its notes. */
async function answerOf(parameters: Record<string, unknown>) {
	const { items } = await runAsTool(parameters, service.credential());
	const rows = items.map(({ json }) => json);
	const notes = rows.flatMap(({ note }) => (note === undefined ? [] : [String(note)]));
	return { answer: JSON.stringify(rows), rows, note: notes.join(' ') };
}

/** A case with 504 kB of comments. */
function caseWithMuch(): number {
	const { store } = service.sandbox;
	const { case_id } = store.createCase({ description: 'd"🔥\n'.repeat(30_000) });
	for (const number of range(1, 126)) store.addComment(case_id, `${number} ${'c'.repeat(4000)}`);
	return case_id;
}

describe('The answer of a tool', () => {
	it.each<[string, Record<string, unknown>, RegExp]>([
		[
			'comments',
			{ resource: 'comment', operation: 'getAll', returnAll: true },
			/Truncated texts and lists: \d+\. Rows left out at the end: \d+ of 126\./,
		],
		['activities', { resource: 'activity', operation: 'getAll', returnAll: true }, /Rows left out/],
		[
			'one case',
			{ resource: 'case', operation: 'get', output: 'raw' },
			/Truncated texts and lists: \d+\. To/,
		],
		['a text', { resource: 'case', operation: 'digest' }, /the text says what is left out/],
	])(
		'with %s has at most 20,000 characters, and names the option',
		async (_what, parameters, said) => {
			const caseId = byId(caseWithMuch());
			const { answer, note } = await answerOf({ ...parameters, caseId });
			expect(answer.length).toBeLessThanOrEqual(20_000);
			expect(answer.length).toBeGreaterThan(18_000);
			expect(note).toMatch(said);
			expect(note).toContain("turn on 'Full Texts' under 'Options'");
			expect(answer).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
		},
	);

	it('with Full Texts has everything', async () => {
		const options = { fullTexts: true };
		const caseId = byId(caseWithMuch());
		const comments = { resource: 'comment', operation: 'getAll', returnAll: true };
		const { rows } = await answerOf({ ...comments, caseId, options });
		expect(rows.map(({ text }) => String(text).length)).toEqual(
			range(1, 126).map((number) => `${number} `.length + 4000),
		);
		const { rows: texts } = await answerOf({
			resource: 'case',
			operation: 'digest',
			caseId,
			options,
		});
		expect(texts).toHaveLength(1);
		expect(String(texts[0].text).length).toBeGreaterThan(600_000);
	});

	it('with Get as Text is as long as Max Length says', async () => {
		const options = { maxLength: 50_000 };
		const parameters = { resource: 'case', operation: 'digest', caseId: byId(caseWithMuch()) };
		const { rows, note } = await answerOf({ ...parameters, options });
		expect(String(rows[0].text).length).toBeGreaterThan(48_500);
		expect(note).toBe('');
	});

	it('is as it was where it is short', async () => {
		const { rows } = await answerOf({ resource: 'case', operation: 'get', caseId: byId(1) });
		expect(rows).toHaveLength(1);
	});
});

describe('Rows that have too many characters', () => {
	/** The room that a note has beside the rows. */
	const NOTE_LENGTH = 500;

	it('lose long texts first, then the last rows', () => {
		const rows = range(1, 10).map((id) => ({ id, text: 'x'.repeat(3000) }));
		const { rows: shown } = fitRows(rows, 10_500);
		expect(shown.map(({ id }) => id)).toEqual(range(1, 10));
		expect(JSON.stringify(shown).length).toBeGreaterThan(9500);
		const { rows: some, note } = fitRows(rows, 1500);
		expect(some.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
		expect(note).toMatch(/lists: 4\. Rows left out at the end: 6 of 10\./);
	});

	it('keep one row with the beginnings of its lists', () => {
		const row = { case_id: 7, activities: range(1, 900).map((id) => ({ id, value: 'text' })) };
		const { rows } = fitRows([row, { case_id: 8 }], 1500);
		expect(rows).toMatchObject([
			{ case_id: 7, activities: expect.arrayContaining([{ id: 1, value: 'text' }]) as unknown },
		]);
		expect(JSON.stringify(rows)).toMatch(/\(\d+ more entries\)/);
	});

	it('always fit, whatever they are', () => {
		const row = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 40 });
		fc.assert(
			fc.property(
				fc.array(row, { minLength: 1, maxLength: 20 }),
				fc.integer({ min: 600, max: 3500 }),
				(rows, whole) => {
					const { rows: shown, note } = fitRows(rows, whole);
					const room = note === undefined ? whole : whole - NOTE_LENGTH;
					expect(JSON.stringify(shown).length).toBeLessThanOrEqual(room + 20);
					expect(note === undefined).toBe(shown === rows);
				},
			),
			{ numRuns: 200 * PROPERTY_TIMES },
		);
	});
});

test('A text with one huge value fills what was allowed', () => {
	const row = { case_id: 7, name: 'Phishing', description: 'd'.repeat(400_000) };
	const { text } = renderCase(row, () => true, 20_000);
	expect(text.length).toBeLessThanOrEqual(20_000);
	expect(text.length).toBeGreaterThan(19_400);
});
