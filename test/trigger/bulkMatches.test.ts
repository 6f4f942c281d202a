import { MAX_BYTES, POLL_MS, setUpBulk, type PollRecord } from './bulk';

describe('an edit of five thousand cases with one timestamp, where matches are watched', () => {
	const EDITED = 5000;

	it('reports each case that starts or stops to match once, and no other, within time and state', async () => {
		const { store, poll } = await setUpBulk({ areMatchesWatched: true, already: EDITED });
		for (let case_id = 1; case_id <= EDITED; case_id++) {
			const others = { 0: 'LOW', 1: 'CRITICAL' } as const;
			// Of four cases one stops to match, one starts to, and two stay as they are.
			const isChanged = case_id % 4 < 2;
			store.updateCase(case_id, {
				name: 'Edited',
				...(isChanged && { priority: others[(case_id % 2) as 0 | 1] }),
			});
		}
		const polls: PollRecord[] = [];
		while (polls.length < 3 || polls[polls.length - 1].requests > 1) polls.push(await poll());
		const found = polls.flatMap(({ cases, events }) =>
			cases.map((id, index) => `${events[index]} ${id}`).filter((event) => /atched/.test(event)),
		);
		const expected = Array.from({ length: EDITED }, (_, index) => index + 1)
			.filter((id) => id % 4 < 2)
			.map((id) => `${id % 2 === 0 ? 'caseUnmatched' : 'caseMatched'} ${id}`);
		expect(found).toHaveLength(expected.length);
		expect(new Set(found)).toEqual(new Set(expected));
		expect(Math.max(...polls.map(({ ms }) => ms))).toBeLessThan(POLL_MS);
		expect(Math.max(...polls.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
	});
});
