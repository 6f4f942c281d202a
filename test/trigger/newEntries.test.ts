import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Activity, Case, Comment } from '../../nodes/Cases/api/types';
import {
	readActivitiesOf,
	readCommentsOf,
	type CaseToRead,
} from '../../nodes/Cases/trigger/changes/comments';
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

	it('are none of a case whose list can not be read', async () => {
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
