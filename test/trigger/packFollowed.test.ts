import { packFollowed } from '../../nodes/Cases/trigger/changes/followMatches';
import type { MatchingCases } from '../../nodes/Cases/trigger/changes/matchingCases';
import { openMatches } from '../../nodes/Cases/trigger/changes/matches';
import { packNumbers, unpackNumbers } from '../../nodes/Cases/trigger/changes/packNumbers';
import { openRun } from '../../nodes/Cases/trigger/changes/run';
import { startingState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import type { WatchedCases } from '../../nodes/Cases/trigger/changes/watchedCases';

const FILTERS = 7;
const HOUR = 3600;

interface Poll {
	/** When all cases that match were read last, and for which filters. */
	readAt: number;
	filters?: number;
	isDue?: boolean;
	/** The time of the service, where it sends one. */
	now?: number;
	/** The newest edit. */
	newest?: number;
	isTimeUp?: boolean;
	/** The cases that match by now. The poll knows of case 1. */
	listed?: number[];
}

/** What a poll keeps of the cases that match, which are to be read again after an hour. */
async function pack({ readAt, filters = FILTERS, isDue, now, newest = 0, ...poll }: Poll) {
	const lines: string[] = [];
	let reads = 0;
	const matching: MatchingCases = {
		filters: FILTERS,
		readEvery: HOUR,
		readIds: async () => {
			reads++;
			return await Promise.resolve(poll.listed ?? [1]);
		},
		among: async (ids) => await Promise.resolve(new Map(ids.map((id) => [id, { case_id: id }]))),
	};
	const cases: Partial<WatchedCases> = {
		readById: async () => await Promise.resolve(new Map()),
		includes: () => true,
		contradicted: () => undefined,
	};
	const watch = {
		cases,
		matching,
		isTimeUp: () => poll.isTimeUp === true,
		log: { info: (line: string) => void lines.push(line) },
	} as unknown as Watch;
	const before = {
		...startingState(0),
		matches: { ids: packNumbers([1]), filters, readAt, isDue },
	};
	const run = { ...openRun(watch, before), matches: openMatches([1]), now };
	const packed = await packFollowed(run, { ...before, newest });
	return { packed, reads, lines, ids: unpackNumbers(packed!.ids) };
}

describe('what a poll keeps of the cases that match', () => {
	it.each<[string, Poll, boolean]>([
		['within the time', { readAt: 0, now: HOUR - 1 }, false],
		['after the time', { readAt: 0, now: HOUR }, true],
		['after the time by the newest edit', { readAt: 0, newest: HOUR }, true],
		['within the time by the newest edit', { readAt: 0, newest: HOUR - 1 }, false],
		['with a clock that was an hour ahead', { readAt: 2 * HOUR, now: HOUR }, true],
		['with a clock that was a little ahead', { readAt: 2 * HOUR - 1, now: HOUR }, false],
		['without a clock by now', { readAt: 2 * HOUR, newest: 0 }, false],
		['where it is due', { readAt: 0, now: 1, isDue: true }, true],
		[
			'where it is due, but the time of the poll is up',
			{ readAt: 0, now: 1, isDue: true, isTimeUp: true },
			false,
		],
		['where it was just read for these filters', { readAt: 0, filters: 8, now: HOUR }, false],
	])('is read again %s: %#', async (_when, poll, isRead) => {
		const { packed, reads, lines } = await pack(poll);
		expect(reads).toBe(isRead ? 1 : 0);
		expect(lines).toHaveLength(reads);
		const isOfOthers = poll.filters !== undefined;
		expect(packed).toMatchObject({
			filters: FILTERS,
			readAt: isRead || isOfOthers ? (poll.now ?? poll.newest) : poll.readAt,
		});
		expect(packed?.isDue).toBe(isRead ? undefined : poll.isDue);
	});

	it('has what the list has, and notes the differences', async () => {
		const { ids, lines } = await pack({ readAt: 0, now: HOUR, listed: [1, 2, 3] });
		expect(ids).toEqual([1, 2, 3]);
		expect(lines).toEqual(['Read again which cases match the filters. Differences: 2']);
	});
});
