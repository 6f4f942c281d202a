import type { Case, Page } from '../../nodes/Cases/api/types';
import type { EditsPage } from '../../nodes/Cases/trigger/changes/scan';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import type { WatchedCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { START } from './world';

const NOON = START / 1000;
const DAY = 86_400;

const rowAt = (second: number): Case => ({
	case_id: second + 100,
	updated_at: new Date((NOON + second) * 1000).toISOString(),
});

/**
 * Starts a trigger. All times are seconds past noon.
 * @param edits when the cases were edited that were edited last, the newest first; `NaN` for one without a time
 * @param clock what the Date headers of the two answers say
 */
async function start(edits: number[], clock: [first?: number, second?: number] = []) {
	const [first, second] = clock;
	const rows = edits.map((at) =>
		Number.isNaN(at) ? { case_id: 1, updated_at: 'soon' } : rowAt(at),
	);
	const cases: Partial<WatchedCases> = {
		pageSize: 50,
		includes: () => true,
		contradicted: () => undefined,
		fetchLastEdited: async () =>
			await Promise.resolve({
				rows,
				servedAt: first === undefined ? undefined : (NOON + first) * 1000,
			} as Page<Case>),
		fetchEdits: async () =>
			await Promise.resolve({
				edits: edits
					.filter((at) => !Number.isNaN(at))
					.map((at) => ({
						row: rowAt(at),
						version: { id: at + 100, edited: NOON + at, digest: 1 },
					}))
					.reverse(),
				undated: [],
				isFull: false,
				isUnordered: false,
				pages: 1,
				hasNextPage: false,
				servedAt: second === undefined ? undefined : NOON + second,
			} satisfies EditsPage),
	};
	const watch: Watch = {
		cases: cases as WatchedCases,
		chosen: [],
		withComments: false,
		// Limits of polls: a start reads everything all the same.
		maxCases: 1,
		isTimeUp: () => true,
		log: { debug: () => {}, info: () => {}, warn: () => {} },
	};
	const state = await startNow(watch);
	return { ...state, start: state.start - NOON, since: state.since - NOON };
}

describe('the start of a trigger', () => {
	it.each([
		['the newest edit and the clock', [0, -50], [10, 10], -60, -35],
		['a clock that is behind the edits', [0, -50], [-10, -10], -70, -55],
		['the second edit without a clock', [500, 0, -50], [], -60, -45],
		['the only edit without a clock', [0], [], -60, -45],
		['edits of which some have no time', [NaN, 0], [10, 10], -60, -35],
		['a clock alone', [], [0, 10], -DAY, -45],
		['a clock that is a little off in the second answer', [], [0, -DAY], -DAY, -45],
		['the second answer where the first is far ahead', [], [0, -DAY - 1], -2 * DAY - 1, -DAY - 46],
		['edits where the second answer is far behind', [0], [0, -DAY], -60, -45],
	] as Array<[string, number[], [number?, number?], number, number]>)(
		'is known by %s',
		async (_what, edits, clock, since, begins) => {
			expect(await start(edits, clock)).toMatchObject({ since, start: begins });
		},
	);

	it('knows all that is there, beyond the limits of a poll, and leaves nothing to continue', async () => {
		const state = await start([3, 2, 1], [10, 10]);
		expect(state.rest).toBeUndefined();
		expect(Object.keys(state.edits)).toHaveLength(3);
	});

	it('is refused where no case has a time', async () => {
		await expect(start([NaN, NaN], [0])).rejects.toThrow('"soon" as updated_at');
	});

	it('is refused where neither a case nor the service has a time', async () => {
		await expect(start([])).rejects.toMatchObject({
			message: 'There is no time to start from',
			details: { description: expect.stringContaining("'Start From'") as string, retryable: false },
		});
	});
});
