import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { simulate, storeAt } from '../api/simulation';
import { START } from './world';

describe('a Date header that stands still', () => {
	it('stops neither the second look nor the place from which the trigger reads', async () => {
		const { clock, store } = storeAt(START);
		const { client } = simulate({
			store,
			clock,
			concurrency: 1,
			service: { deviations: { clock: { dateFrozenAt: new Date(START).toISOString() } } },
		});
		const silent = { debug: () => {}, info: () => {}, warn: () => {} };
		const watch: Watch = {
			cases: watchCases(client, { filters: {} }, 50, silent.info),
			chosen: ['caseCreated'],
			withComments: false,
			log: silent,
			maxCases: Infinity,
			isTimeUp: () => false,
		};
		for (const case_id of [1000, 1001]) store.createCase({ case_id });
		let state = await startNow(watch);
		const created: unknown[] = [];
		for (let minute = 1; minute <= 20; minute++) {
			clock.now += 60_000;
			for (const case_id of [2 * minute, 2 * minute + 1]) store.createCase({ case_id });
			const found = await findEvents(watch, state);
			created.push(...found.events.map(({ row }) => row.case_id));
			state = found.state;
		}
		expect(created).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
		expect(state.from).toBeGreaterThan(clock.now / 1000 - 600);
		expect(Object.keys(state.edits).length).toBeLessThan(12);
	});
});
