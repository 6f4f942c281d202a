import type { ApiFailure } from '../../api/failure';
import { caseIdentity, commentIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import type { Activity, Case, Comment } from '../../api/types';
import { nameInLog } from './log';
import { openMarks, type Marks } from './memory';
import { SECOND_LOOK_AFTER, secondOf, type Seconds, type TriggerState } from './state';
import type { WatchedCases } from './watchedCases';

/** A comment that is new, and the case it was made on. */
export interface NewComment {
	at: Seconds;
	event: 'commentAdded';
	row: Case;
	comment: Comment;
	activity?: undefined;
}

/** An entry of a case's activity log that is new, and the case. */
export interface NewActivity {
	at: Seconds;
	event: 'activityAdded';
	row: Case;
	activity: Activity;
	comment?: undefined;
}

/** A case whose comments are to be read, and which of them are new. */
export interface CaseToRead {
	row: Case;
	isNew: (at: Seconds) => boolean;
}

/**
 * The new ones among the comments or activities of a case; they are marked. One without a time is left out and named.
 * Some services number them in each case, so the case belongs to what tells one from others.
 */
function newEntries<T extends Comment | Activity>(
	kind: 'comment' | 'activity',
	caseId: string,
	list: T[] | ApiFailure | undefined,
	isNew: (at: Seconds) => boolean,
	marks: Marks,
	info: Log['info'],
): Array<{ at: Seconds; entry: T }> {
	if (!Array.isArray(list)) return [];
	const undated = list.filter(({ created_at }) => secondOf(created_at) === undefined);
	if (undated.length > 0) {
		const entries = kind === 'comment' ? 'comments' : 'activities';
		info(
			`Skipped ${undated.length} ${entries} of case ${nameInLog(caseId)}: created_at is not a time`,
		);
	}
	return list.flatMap((entry) => {
		const at = secondOf(entry.created_at);
		const mark = `${kind} ${caseId} ${commentIdentity(entry)}`;
		if (at === undefined || !isNew(at) || marks.has(at, mark)) return [];
		marks.add(at, mark);
		return [{ at, entry }];
	});
}

const toComment =
	(row: Case) =>
	(found: { at: Seconds; entry: Comment }): NewComment => ({
		at: found.at,
		event: 'commentAdded',
		row,
		comment: found.entry,
	});

/**
 * The new activities of cases, of the kinds that `isWanted`. A case carries the first page of its activities; the others
 * are read for those cases alone that are watched closely: new versions, and second looks.
 */
export async function readActivitiesOf(
	watched: WatchedCases,
	cases: Array<CaseToRead & { isClose: boolean }>,
	isWanted: (activity: Activity) => boolean,
	marks: Marks,
	info: Log['info'],
): Promise<NewActivity[]> {
	const lists = await watched.readActivities(cases.map(({ row, isClose }) => ({ row, isClose })));
	return cases.flatMap(({ row, isNew }, index) =>
		newEntries(
			'activity',
			caseIdentity(row),
			lists[index].filter(isWanted),
			isNew,
			marks,
			info,
		).map(({ at, entry }): NewActivity => ({ at, event: 'activityAdded', row, activity: entry })),
	);
}

/** Reads the new comments of cases. All pages of a case: the API doesn't document their order. */
export async function readCommentsOf(
	watched: WatchedCases,
	cases: CaseToRead[],
	marks: Marks,
	info: Log['info'],
): Promise<NewComment[]> {
	const ids = cases.map(({ row }) => caseIdentity(row));
	const lists = await watched.readComments(ids);
	return cases.flatMap(({ row, isNew }, index) =>
		newEntries('comment', ids[index], lists[index], isNew, marks, info).map(toComment(row)),
	);
}

/** IDs are whole numbers without leading zeros. */
function compareIds(a: string, b: string): number {
	return Number(a) - Number(b);
}

/**
 * Reads the new comments of the cases given by ID, whether these changed or not, until the time is up; the next poll
 * continues after the last case read. The time from which comments are read moves only when a round has read all
 * of them. A case that is added to the list behind the place of a round needs no second look: its comments count from
 * then on, and those are newer than what the round sees.
 * @param ids at least one
 * @param readAt when the poll began to read, by the service's clock; undefined where it returns no time
 * @returns the new comments, and what the next poll must know of them
 */
export async function readCommentsOfGiven(
	watched: WatchedCases,
	ids: string[],
	state: Pick<TriggerState, 'given' | 'since'>,
	isTimeUp: () => boolean,
	readAt: Seconds | undefined,
	info: Log['info'],
): Promise<{ found: NewComment[]; given: TriggerState['given'] }> {
	const before = state.given ?? { from: state.since, newest: state.since, marks: {} };
	const marks = openMarks(before.marks);
	const { round } = before;
	const isLeft = (id: string) => round === undefined || compareIds(id, round.after) > 0;
	const sorted = [...ids].sort(compareIds);
	const left = sorted.filter(isLeft);
	const inOrder = [...left, ...sorted.filter((id) => !isLeft(id))];

	const lists = await watched.readComments(inOrder, { isTimeUp });
	const isNew = (at: Seconds) => at >= before.from;
	const news = lists
		.map((list, index) => ({
			caseId: inOrder[index],
			comments: newEntries('comment', inOrder[index], list, isNew, marks, info),
		}))
		.filter(({ comments }) => comments.length > 0);
	const cases = await watched.readById(news.map(({ caseId }) => caseId));
	const found = news.flatMap(({ caseId, comments }) => {
		// A given case can vanish once its comments were read.
		const row = cases.get(caseId) ?? { case_id: Number(caseId) };
		return comments.map(toComment(row));
	});
	const newest = newestOf(before.newest, found, readAt);

	// Comments that were made while others were read belong to the next round.
	const place = { after: inOrder[lists.length - 1], seesTo: before.newest };
	const isAllRead = lists.length === inOrder.length;
	if (!isAllRead) {
		info(
			`The time of a poll was up after the comments of ${lists.length} of ${inOrder.length} given cases. The next poll continues with the others`,
		);
	}
	if (lists.length < left.length) {
		const next = { ...place, seesTo: round?.seesTo ?? place.seesTo };
		return {
			found,
			given: { from: before.from, newest, marks: marks.pack(before.from), round: next },
		};
	}
	const seenTo = isAllRead ? newest : (round?.seesTo ?? place.seesTo);
	const from = Math.max(before.from, seenTo - SECOND_LOOK_AFTER);
	const isNextBegun = !isAllRead && lists.length > left.length;
	return {
		found,
		given: { from, newest, marks: marks.pack(from), round: isNextBegun ? place : undefined },
	};
}

/**
 * The newest comment that counts. One dated after the service's clock doesn't; where the clock isn't known, the newest
 * of all doesn't.
 */
function newestOf(before: Seconds, found: NewComment[], readAt: Seconds | undefined): Seconds {
	const times = found.map(({ at }) => at).sort((a, b) => b - a);
	const newest = readAt === undefined ? times[1] : times.find((at) => at <= readAt);
	return Math.max(before, newest ?? before);
}
