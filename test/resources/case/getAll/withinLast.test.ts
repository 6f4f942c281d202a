import { failureOf, hintsOf, idsOf } from '../../../support/runs';
import { sorted, useCases } from './support';

const service = useCases();

const HOUR = 3_600_000;
const agesOf = (name: string) => {
	const filters = service.sandbox.requests[0].query.filters as Record<string, string>;
	return [Date.now() - Date.parse(filters[`${name}start_date`]), filters[`${name}end_date`]];
};

describe('Time Period', () => {
	test.each([
		['updated_at', 'updated_at_', '24h', 24 * HOUR],
		['resolved_at', 'resolved_at_', '90m', 1.5 * HOUR],
		// The API has no filter for the creation, which is never after the last edit.
		['created_at', 'updated_at_', '7d', 168 * HOUR],
	])(
		'sends %s as a start and an explicit end in the future',
		async (name, prefix, period, length) => {
			const { store } = service.sandbox;
			const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
			// Well inside and outside of the time, whatever this test's own duration.
			const moments = (at: string) => ({ created_at: at, updated_at: at, resolved_at: at });
			const young = store.createCase({ status: 'CLOSED', ...moments(ago(length / 2)) });
			const old = store.createCase({ status: 'CLOSED', ...moments(ago(length * 2)) });
			const run = await service.run({ withinLast: { [name]: period }, limit: 50 });
			for (const { case_id } of [young, old]) store.deleteCase(case_id);
			expect(idsOf(run)).toEqual([young.case_id]);
			const [age, end] = agesOf(prefix);
			expect(age).toBeGreaterThanOrEqual(length);
			expect(age).toBeLessThan(length + 60_000);
			expect(Date.parse(String(end))).toBeGreaterThan(Date.now());
		},
	);

	it('is refused beside the same dates among the filters', async () => {
		const run = await service.run({
			withinLast: { updated_at: '24h' },
			filters: { updated_at_end_date: '2026-01-01T00:00:00Z' },
		});
		expect(failureOf(run)).toMatchObject({
			message: "'Updated Within the Last' and 'Updated Until' both limit the same time",
			description: "Remove one of the two: the entry of 'Time Period' or the filter.",
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('of the creation leaves out older cases, also while they are edited in each read', async () => {
		const { store, faults } = service.sandbox;
		const now = Date.now();
		const created = (ago: number) => {
			const at = new Date(now - ago).toISOString();
			return store.createCase({ created_at: at, updated_at: at }).case_id;
		};
		const young = Array.from({ length: 7 }, (_empty, index) => created((index + 1) * HOUR));
		const old = created(1000 * HOUR);
		let edits = 0;
		faults.add({
			match: { page: 2, everyNth: 1 },
			fault: {
				kind: 'change',
				// Each edit is in another second.
				run: () => void store.updateCase(old, { updated_at: new Date(now + ++edits * 1000) }),
			},
		});
		const run = await service.run({
			returnAll: true,
			withinLast: { created_at: '24h' },
			options: { pageSize: 3 },
		});
		for (const id of [...young, old]) store.deleteCase(id);
		expect(sorted(idsOf(run))).toEqual(sorted(young));
		expect(edits).toBeGreaterThan(1);
		expect(hintsOf(run)).toEqual([]);
	});
});
