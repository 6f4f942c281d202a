import { listCases } from './query';
import { SEED_UNTIL, seedStore } from './seed';
import { caseJson } from './serialize';
import { CaseStore } from './store';
import { AWKWARD_TAGS } from './words';

const seeded = (cases: number, seed = 1) => {
	const store = new CaseStore();
	seedStore(store, { cases, seed });
	return store;
};
const jsonOf = (store: CaseStore) =>
	[...store.cases()].map((found) =>
		JSON.stringify(
			caseJson(store, found, { baseUrl: 'http://x', detailsPerPage: 10, traits: new Set() }),
		),
	);

describe('Generated cases', () => {
	const store = seeded(1000);
	const cases = [...store.cases()];

	it('depend on the seed alone', () => {
		expect(jsonOf(seeded(50, 3))).toEqual(jsonOf(seeded(50, 3)));
		expect(jsonOf(seeded(50, 3))).not.toEqual(jsonOf(seeded(50, 4)));
	});

	it('are about 3 KB each in a list', () => {
		const texts = jsonOf(store);
		const mean = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length;
		expect(mean).toBeGreaterThan(2700);
		expect(mean).toBeLessThan(3300);
	});

	it('have every status, priority and team, and awkward tags', () => {
		const distinct = <T>(values: T[]) => new Set(values).size;
		expect(distinct(cases.map(({ status }) => status))).toBe(2);
		expect(distinct(cases.map(({ priority }) => priority))).toBe(5);
		expect(distinct(cases.map(({ team }) => team.id))).toBe(5);
		const names = store.tags().map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...AWKWARD_TAGS, '🔥 on fire']));
	});

	it('have 0 to 60 comments, and some more activities and records than a page', () => {
		const comments = cases.map(({ case_id }) => store.comments(case_id).length);
		expect(Math.min(...comments)).toBe(0);
		expect(Math.max(...comments)).toBe(60);
		const entries = cases.map((found) =>
			found.records().reduce((sum, group) => sum + group.record_type_record_results.length, 0),
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

	it('have unique IDs throughout', () => {
		const ids = cases.flatMap((found) => [
			...found.activities().map(({ id }) => id),
			...found.actions().map(({ id }) => id),
			...found
				.records()
				.flatMap((group) =>
					group.record_type_record_results.flatMap(({ id, results }) => [
						id,
						...results.map((result) => result.id),
					]),
				),
		]);
		expect(new Set(ids).size).toBe(ids.length);
		expect(Math.max(...ids)).toBeLessThan(store.addComment(1, 'Hello').id);
	});

	it('can be changed like any other', () => {
		const changed = seeded(10);
		changed.addComment(7, 'Hello');
		expect(changed.comments(7)).toHaveLength(61);
		expect(changed.replaceActions(7, [])).toEqual([]);
		expect(changed.getCase(7).actions()).toEqual([]);
	});
});

it('The sandbox sorts 20,000 cases once for all their pages', () => {
	const store = seeded(20_000);
	const seen = new Set<number>();
	for (let page = 1; page <= 400; page++) {
		const { rows } = listCases(
			store,
			{ order: 'RECENTLY_EDITED', per_page: 50, page },
			{ user_id: 1, team_ids: 'all' },
		);
		for (const { case_id } of rows) seen.add(case_id);
	}
	expect(seen.size).toBe(20_000);
});
