import { SEED_UNTIL, seedStore } from './seed';
import { caseJson, recordEntries } from './serialize';
import { CaseStore } from './store';
import type { Case } from './types';
import { AWKWARD_TAGS } from './words';

const seeded = (cases: number, seed = 1) => {
	const store = new CaseStore();
	seedStore(store, { cases, seed, files: true });
	return store;
};
const options = { baseUrl: 'http://x', detailsPerPage: 10, traits: new Set<never>() };
const jsonOf = (store: CaseStore) =>
	[...store.cases()].map((found) => JSON.stringify(caseJson(found, { ...options, store })));

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
		const distinct = (valueOf: (one: Case) => unknown) => new Set(cases.map(valueOf)).size;
		expect(distinct(({ status }) => status)).toBe(2);
		expect(distinct(({ priority }) => priority)).toBe(5);
		expect(distinct(({ team }) => team.id)).toBe(5);
		const names = store.tags().map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...AWKWARD_TAGS, '🔥 on fire']));
		const comments = cases.map(({ case_id }) => store.comments(case_id).length);
		expect([Math.min(...comments), Math.max(...comments)]).toEqual([0, 60]);
		expect(Math.max(...cases.map((one) => recordEntries(one).length))).toBeGreaterThan(10);
	});

	it('hold tasks, fields, files and links from both sides, and one is escalated', () => {
		const having = (listOf: (one: Case) => readonly unknown[]) =>
			cases.filter((one) => listOf(one).length > 0).map(({ case_id }) => case_id);
		const filesOf = (one: Case) => one.activities().filter(({ file }) => file);
		const counts = [having(({ tasks }) => tasks()), having(({ fields }) => fields())];
		expect(counts.map(({ length }) => length > 300 && length < 600)).toEqual([true, true]);
		expect(having(filesOf)).toHaveLength(40);
		for (const { case_id, linked_case_ids } of cases) {
			for (const id of linked_case_ids) {
				expect(store.getCase(id).linked_case_ids).toContain(case_id);
			}
		}
		const isEscalated = ({ tags }: Case) => tags.filter(({ name }) => name === 'escalated');
		expect(having(isEscalated)).toEqual([52]);
		expect(seeded(1000).getCase(52).status).toBe('OPEN');
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
			const entries = recordEntries(found).map(({ entry }) => entry);
			const results = entries.flatMap((entry) => entry.results);
			const held = [...found.tasks(), ...found.fields()];
			return [...found.activities(), ...found.actions(), ...entries, ...results, ...held];
		});
		expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
		const added = store.addComment(7, 'Hello').id;
		expect(Math.max(...ids.map(({ id }) => id))).toBeLessThan(added);
		expect(store.comments(7)).toHaveLength(61);
	});
});
