import { SEED_UNTIL, seedStore } from './seed';
import { caseJson } from './serialize';
import { CaseStore } from './store';
import { AWKWARD_TAGS } from './words';

const seeded = (cases: number, seed = 1) => {
	const store = new CaseStore();
	seedStore(store, { cases, seed });
	return store;
};
const options = { baseUrl: 'http://x', detailsPerPage: 10, traits: new Set<never>() };
const jsonOf = (store: CaseStore) =>
	[...store.cases()].map((found) => JSON.stringify(caseJson(store, found, options)));

describe('Generated cases', () => {
	const store = seeded(1000);
	const cases = [...store.cases()];

	it('depend on the seed alone, and are about 3 KB each in a list', () => {
		expect(jsonOf(seeded(50, 3))).toEqual(jsonOf(seeded(50, 3)));
		expect(jsonOf(seeded(50, 3))).not.toEqual(jsonOf(seeded(50, 4)));
		const mean = Buffer.byteLength(jsonOf(store).join('')) / cases.length;
		expect(mean).toBeGreaterThan(2700);
		expect(mean).toBeLessThan(3300);
	});

	it('have every status, priority and team, awkward tags, and some more details than a page', () => {
		const distinct = <T>(values: T[]) => new Set(values).size;
		expect(distinct(cases.map(({ status }) => status))).toBe(2);
		expect(distinct(cases.map(({ priority }) => priority))).toBe(5);
		expect(distinct(cases.map(({ team }) => team.id))).toBe(5);
		const names = store.tags().map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...AWKWARD_TAGS, '🔥 on fire']));
		const comments = cases.map(({ case_id }) => store.comments(case_id).length);
		expect([Math.min(...comments), Math.max(...comments)]).toEqual([0, 60]);
		const entries = cases.map(
			(one) => one.records().flatMap((group) => group.record_type_record_results).length,
		);
		expect(Math.max(...entries)).toBeGreaterThan(10);
	});

	it('have their times in order, some of them equal', () => {
		for (const { created_at, opened_at, resolved_at, updated_at } of cases) {
			const moments = [created_at, opened_at, resolved_at, updated_at].filter((at) => at !== null);
			expect(moments).toEqual([...moments].sort());
			expect(Date.parse(updated_at)).toBeLessThanOrEqual(SEED_UNTIL.getTime());
		}
		expect(new Set(cases.map(({ created_at }) => created_at)).size).toBeLessThan(900);
		expect(new Set(cases.map(({ updated_at }) => updated_at)).size).toBeLessThan(970);
	});

	it('have unique IDs throughout, also those that are added', () => {
		const ids = cases.flatMap((found) => {
			const entries = found.records().flatMap((group) => group.record_type_record_results);
			const results = entries.flatMap((entry) => entry.results);
			return [...found.activities(), ...found.actions(), ...entries, ...results];
		});
		expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
		const added = store.addComment(7, 'Hello').id;
		expect(Math.max(...ids.map(({ id }) => id))).toBeLessThan(added);
		expect(store.comments(7)).toHaveLength(61);
	});
});
