import { runAsTool } from '../../../support/tool';
import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	rowsOf,
} from '../../../support/runs';
import { useService } from '../../../support/service';

const service = useService({ cases: 60 });
const digest = { resource: 'case', operation: 'digest' };

/** By the sandbox's data: 60 comments, more than a page. */
const MANY = 7;

const textOf = (row: Record<string, unknown>) => String(row.text);

describe('Get as Text', () => {
	it('has every comment, record and field of a case', async () => {
		const [row] = rowsOf(await service.run({ ...digest, caseId: byId(MANY) }));
		const stored = service.sandbox.store.getCase(MANY);
		expect(row).toMatchObject({
			case_id: MANY,
			name: stored.name,
			url: `${service.sandbox.url}/cases/${MANY}`,
			truncated: false,
		});
		const values = [
			...[stored.name, stored.description ?? '', stored.status, stored.priority, stored.team.name],
			...stored.tags.map(({ name }) => name),
			...Object.entries(stored.metadata).flat(),
			...stored.closure_conditions.flatMap(({ name, formula }) => [name, formula]),
			...stored
				.records()
				.flatMap(({ record_type_record_results }) => record_type_record_results)
				.flatMap(({ results }) => results.map(({ value }) => value)),
			...stored
				.activities()
				.flatMap(({ value, user, created_at }) => [
					...value.split('\n'),
					`${user.first_name} ${user.last_name}`,
					created_at,
				]),
			...stored.actions().map(({ url }) => url),
		];
		expect(values.filter((value) => !textOf(row).includes(value.trim()))).toEqual([]);
	});

	it('is at most a third of the characters of Raw with its comments, over many cases', async () => {
		const items = itemsWith([...service.sandbox.store.cases()].map(({ case_id }) => case_id));
		const all = { caseId: OF_ITEM, returnAll: true, output: 'raw' };
		const raw = await service.run(
			{ operation: 'get', ...all, options: { loadInFull: ['activities', 'records'] } },
			{ items },
		);
		const comments = await service.run(
			{ resource: 'comment', operation: 'getAll', ...all },
			{ items },
		);
		const texts = rowsOf(await service.run({ ...digest, caseId: OF_ITEM }, { items })).map(textOf);
		const length = JSON.stringify([...rowsOf(raw), ...rowsOf(comments)]).length;
		expect(texts.join('').length).toBeLessThan(length / 3);
	});

	it('reads cases together, and only the lists that the sections show', async () => {
		const run = await service.run(
			{ ...digest, caseId: OF_ITEM, sections: ['description', 'records'] },
			{ items: itemsWith([MANY, 11, 12]) },
		);
		expect(pairsOf(run)).toEqual([[0], [1], [2]]);
		expect(hintsOf(run)).toEqual([]);
		expect(new Set(service.paths())).toEqual(
			new Set(['GET /api/v2/cases', 'GET /api/v2/cases/11/records']),
		);
		expect(textOf(rowsOf(run)[0])).not.toMatch(/^## (History|Metadata)/m);
	});

	it('is no longer than Max Length, and says what it leaves out', async () => {
		const [row] = rowsOf(await service.run({ ...digest, caseId: byId(MANY), maxLength: 3000 }));
		expect(row.truncated).toBe(true);
		expect(textOf(row).length).toBeLessThanOrEqual(3000);
		expect(textOf(row)).toMatch(/^\(\d+ entries left out\)$/m);
		const activities = service.sandbox.store.getCase(MANY).activities();
		expect(textOf(row)).toContain(`\`${activities[0].created_at}\` `);
		expect(textOf(row)).toContain(`- \`${activities[60].created_at}\` `);
	});

	test.each([
		['sections', ['sla'], `'Sections' has no "sla"`],
		['maxLength', 999, `'Max Length' can't be 999`],
		['maxLength', -1, `'Max Length' must be a whole number, 0 or more`],
	])('refuses %s: %j', async (name, value, message) => {
		const parameter = { [name]: `={{ ${JSON.stringify(value)} }}` };
		expect(
			failureOf(await service.run({ ...digest, caseId: byId(MANY), ...parameter })),
		).toMatchObject({ message, description: expect.stringMatching(/\S/), item: 0 });
	});

	it('answers a model with one call, by one text', async () => {
		const { items } = await runAsTool({ ...digest, caseId: byId(12) }, service.credential());
		expect(items).toHaveLength(1);
		expect(items[0].json.text).toMatch(/^# Case 12\n/);
	});
});
