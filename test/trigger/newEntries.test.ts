import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Activity, Case, Comment } from '../../nodes/Cases/api/types';
import {
	readActivitiesOf,
	readCommentsOf,
	readCommentsOfGiven,
	type CaseToRead,
} from '../../nodes/Cases/trigger/changes/comments';
import { startingState, type TriggerState } from '../../nodes/Cases/trigger/changes/state';
import { openMarks } from '../../nodes/Cases/trigger/changes/memory';
import type { WatchedCases } from '../../nodes/Cases/trigger/changes/watchedCases';

const entry = (id: number, second: number, activity_type = 'comment') => ({
	id,
	created_at: new Date(second * 1000).toISOString(),
	activity_type,
});
const SINCE = 1000;
const caseOf = (case_id: number): CaseToRead => ({
	row: { case_id } as Case,
	isNew: (at) => at >= SINCE,
});

/** Reads entries of cases again and again, with one memory. */
function setUp() {
	const marks = openMarks({});
	const lines: string[] = [];
	const info = (line: string) => void lines.push(line);
	const comments = async (ids: number[], lists: Array<Comment[] | ApiFailure>) => {
		const readComments: WatchedCases['readComments'] = async (asked) => {
			expect(asked).toEqual(ids.map(String));
			return await Promise.resolve(lists);
		};
		const found = await readCommentsOf(
			{ readComments } as WatchedCases,
			ids.map(caseOf),
			marks,
			info,
		);
		return found.map(({ at, event, row, comment }) => [event, row.case_id, comment.id, at]);
	};
	const activities = async (id: number, list: Activity[]) => {
		const readActivities: WatchedCases['readActivities'] = async (asked) => {
			expect(asked).toEqual([{ row: { case_id: id }, isClose: true }]);
			return await Promise.resolve([list]);
		};
		const found = await readActivitiesOf(
			{ readActivities } as WatchedCases,
			[{ ...caseOf(id), isClose: true }],
			({ activity_type }) => activity_type === 'comment',
			marks,
			info,
		);
		return found.map(({ at, event, row, activity }) => [event, row.case_id, activity.id, at]);
	};
	return { comments, activities, lines };
}

describe('the new comments of cases', () => {
	it('are those since a time, each once', async () => {
		const { comments } = setUp();
		const list = [entry(1, SINCE - 1), entry(2, SINCE), entry(3, SINCE)];
		expect(await comments([7], [list])).toEqual([
			['commentAdded', 7, 2, SINCE],
			['commentAdded', 7, 3, SINCE],
		]);
		expect(await comments([7], [[...list, entry(4, SINCE + 90)]])).toEqual([
			['commentAdded', 7, 4, SINCE + 90],
		]);
	});

	it('are told from those of other cases and from activities with the same ID', async () => {
		const { comments, activities } = setUp();
		const list = [entry(1, SINCE)];
		expect(await comments([7, 8], [list, list])).toEqual([
			['commentAdded', 7, 1, SINCE],
			['commentAdded', 8, 1, SINCE],
		]);
		expect(await activities(7, list)).toEqual([['activityAdded', 7, 1, SINCE]]);
		expect(await activities(7, list)).toEqual([]);
	});

	it('are none of a case whose list cannot be read', async () => {
		const { comments } = setUp();
		const failure = new ApiFailure('No', { description: '', retryable: false });
		expect(await comments([7, 8], [failure, [entry(1, SINCE)]])).toEqual([
			['commentAdded', 8, 1, SINCE],
		]);
	});

	it('leave out those without a time, which are named', async () => {
		const { comments, activities, lines } = setUp();
		const undated = { id: 1, created_at: 'soon', activity_type: 'comment' };
		expect(await comments([7], [[undated, entry(2, SINCE), undated]])).toHaveLength(1);
		expect(await activities(7, [undated])).toEqual([]);
		expect(lines).toEqual([
			'Skipped 2 comments of case 7: created_at is not a time',
			'Skipped 1 activities of case 7: created_at is not a time',
		]);
	});
});

describe('the new activities of cases', () => {
	it('are those of the wanted kinds', async () => {
		const { activities, lines } = setUp();
		const other = { id: 3, created_at: 'soon', activity_type: 'log' };
		expect(await activities(7, [entry(1, SINCE), entry(2, SINCE, 'log'), other])).toEqual([
			['activityAdded', 7, 1, SINCE],
		]);
		expect(lines).toEqual([]);
	});
});

/** What is known of the comments of given cases: all up to 1500 were read, those up to 900 surely. */
const GIVEN = { from: 900, newest: 1500, marks: {} };

interface Round {
	given?: Partial<NonNullable<TriggerState['given']>>;
	/** The comments of the cases that there was time for. */
	lists: Comment[][];
	readAt?: number;
}

/** Reads comments of the given cases 1 to 4. Case 4 vanishes meanwhile. */
async function readGiven({ given, lists, readAt }: Round) {
	const lines: string[] = [];
	const byId: string[][] = [];
	const watched: Partial<WatchedCases> = {
		readComments: async () => await Promise.resolve(lists),
		readById: async (ids) => {
			byId.push(ids);
			const there = ids.filter((id) => id !== '4');
			return await Promise.resolve(
				new Map(there.map((id) => [id, { case_id: Number(id), name: 'Here' }])),
			);
		},
	};
	const { found, given: next } = await readCommentsOfGiven(
		watched as WatchedCases,
		['4', '1', '3', '2'],
		{ ...startingState(0), given: { ...GIVEN, ...given } },
		() => false,
		readAt,
		(line) => void lines.push(line),
	);
	return { found, next: next!, lines, byId };
}

describe('the new comments of given cases', () => {
	it('are those since a time, with their cases, which are read, or the ID of one that is gone', async () => {
		const lists = [[entry(1, 899), entry(2, 900)], [entry(3, 899)], [], [entry(4, 901)]];
		const { found, byId, lines } = await readGiven({ lists });
		expect(found.map(({ at, row }) => [at, row])).toEqual([
			[900, { case_id: 1, name: 'Here' }],
			[901, { case_id: 4 }],
		]);
		expect(byId).toEqual([['1', '4']]);
		expect(lines).toEqual([]);
	});

	it.each([
		['the newest up to the clock', 1700, 1700],
		['the newest before the clock', 1699, 1650],
		['the second newest without a clock', undefined, 1700],
		['the one before where all are ahead of the clock', 1400, 1500],
	])('carry the time to %s', async (_what, readAt, newest) => {
		const lists = [[entry(1, 1650), entry(2, 1800)], [entry(3, 1700)], [], []];
		expect((await readGiven({ lists, readAt })).next.newest).toBe(newest);
	});

	it.each([
		['begins', undefined, 1, { from: 900, round: { after: '1', seesTo: 1500 } }],
		[
			'continues',
			{ after: '1', seesTo: 1200 },
			1,
			{ from: 900, round: { after: '2', seesTo: 1200 } },
		],
		['ends', { after: '2', seesTo: 1200 }, 2, { from: 1140, round: undefined }],
		[
			'ends, and the next begins',
			{ after: '2', seesTo: 1200 },
			3,
			{ from: 1140, round: { after: '1', seesTo: 1500 } },
		],
		['reads all', { after: '2', seesTo: 1200 }, 4, { from: 1440, round: undefined }],
		['reads all at once', undefined, 4, { from: 1440, round: undefined }],
		['never moves back', { after: '2', seesTo: 600 }, 2, { from: 900, round: undefined }],
	])('are read in a round that %s', async (_what, round, count, expected) => {
		const lists = Array.from({ length: count }, () => []);
		const { next, lines } = await readGiven({ given: { round }, lists, readAt: 2000 });
		expect({ from: next.from, round: next.round }).toEqual(expected);
		expect(lines).toEqual(
			count === 4
				? []
				: [
						`The time of a poll was up after the comments of ${count} of 4 given cases. The next poll continues with the others`,
					],
		);
	});
});
