import { MAX_BYTES, MAX_CASES, PAGE_SIZE, POLL_MS, setUpBulk, type PollRecord } from './bulk';

/** How many cases one edit touches: in one second, so that all have one timestamp. BULK_CASES=50000 tries as many. */
const CASES = Number(process.env.BULK_CASES ?? 2200);

describe('an edit of many cases with one timestamp', () => {
	it('is worked off in batches of a thousand cases and more, each once, within time and state', async () => {
		const { poll, edit } = await setUpBulk();
		edit(CASES);
		const polls: PollRecord[] = [];
		while (polls.length === 0 || polls[polls.length - 1].cases.length > 0) polls.push(await poll());
		if (process.env.BULK_CASES !== undefined) {
			const lines = polls.map(
				(one) =>
					`${one.cases.length} cases, ${one.requests} requests, ${one.ms} ms, ${one.bytes} bytes`,
			);
			process.stdout.write(`${lines.join('\n')}\n`);
		}
		const full = polls.slice(0, Math.ceil(CASES / MAX_CASES) - 1);
		expect(Math.min(...full.map(({ cases }) => cases.length))).toBeGreaterThanOrEqual(1000);
		const all = polls.flatMap(({ cases }) => cases);
		expect(all).toHaveLength(CASES);
		expect(new Set(all).size).toBe(CASES);
		expect(Math.max(...polls.map(({ ms }) => ms))).toBeLessThan(POLL_MS);
		// Each batch but the first begins with pages that are known.
		const most = MAX_CASES / PAGE_SIZE + 3;
		expect(Math.max(...full.map(({ requests }) => requests))).toBeLessThanOrEqual(most);
		expect(Math.max(...polls.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
	});

	it('moves on in each poll, also where one page takes longer than a poll may', async () => {
		const { poll, edit } = await setUpBulk({ pageMs: POLL_MS });
		edit(8 * PAGE_SIZE);
		const found = new Set<number>();
		while (found.size < 8 * PAGE_SIZE) {
			const { cases } = await poll();
			expect(cases.length).toBeGreaterThan(0);
			for (const id of cases) found.add(id);
		}
	});

	it('costs one second look and no more, with later edits found in the same poll', async () => {
		const { store, poll, edit } = await setUpBulk();
		const pages = 12;
		edit(pages * PAGE_SIZE);
		const first = await poll();
		expect(first.cases).toHaveLength(pages * PAGE_SIZE);
		store.createCase({ case_id: 500_000 });
		const second = await poll();
		expect(second.cases).toEqual([500_000]);
		const later: number[] = [];
		for (let count = 0; count < 4; count++) later.push((await poll()).requests);
		expect(second.requests + later.reduce((sum, requests) => sum + requests)).toBeLessThanOrEqual(
			2 * pages + 10,
		);
		expect(later.slice(-2)).toEqual([1, 1]);
	});
});
