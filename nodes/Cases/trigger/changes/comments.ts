import { caseIdentity, commentIdentity } from '../../api/identity';
import type { Case, Comment } from '../../api/types';
import { readAgainFrom, secondsOf, type Seconds, type TriggerState } from './state';
import type { WatchedCases } from './watchedCases';

/** A comment that is new, and the case it was made on. */
export interface NewComment {
	at: Seconds;
	event: 'commentAdded';
	row: Case;
	comment: Comment;
}

/** New comments, and the state that knows them. */
export interface FoundComments {
	found: NewComment[];
	state: TriggerState;
}

/** The new comments of one case. */
interface News {
	caseId: string;
	comments: Comment[];
}

function madeAt(comment: Comment): Seconds {
	return secondsOf(comment.created_at, 'created_at');
}

/** What is new among the comments of cases, in the order of the cases. */
function newsOf(ids: string[], lists: Comment[][], state: TriggerState): News[] {
	const since = Math.max(state.commentsFrom, state.start);
	const isNew = (comment: Comment) =>
		madeAt(comment) >= since && state.comments[commentIdentity(comment)] === undefined;
	return lists
		.map((comments, index) => ({ caseId: ids[index], comments: comments.filter(isNew) }))
		.filter(({ comments }) => comments.length > 0);
}

/** The events of new comments, and the state that knows them. */
function report(news: News[], cases: Map<string, Case>, state: TriggerState): FoundComments {
	const found = news.flatMap(({ caseId: id, comments }) => {
		// A given case can vanish once its comments were read.
		const row = cases.get(id) ?? { case_id: Number(id) };
		return comments.map((comment): NewComment => {
			return { at: madeAt(comment), event: 'commentAdded', row, comment };
		});
	});
	const seen = Object.fromEntries(found.map(({ at, comment }) => [commentIdentity(comment), at]));
	return { found, state: { ...state, comments: { ...state.comments, ...seen } } };
}

/** Reads the new comments of cases that changed. All pages of a case: the API doesn't document their order. */
export async function readCommentsOfChanged(
	watched: WatchedCases,
	changed: Case[],
	state: TriggerState,
): Promise<FoundComments> {
	const cases = new Map(changed.map((row) => [caseIdentity(row), row]));
	const ids = [...cases.keys()];
	return report(newsOf(ids, await watched.readComments(ids), state), cases, state);
}

/** IDs are whole numbers without leading zeros. */
function compareIds(a: string, b: string): number {
	return Number(a) - Number(b);
}

/** When the newest comment was made that a state knows. */
function newestOf({ comments, commentsFrom }: TriggerState): Seconds {
	return Math.max(commentsFrom, ...Object.values(comments));
}

/**
 * Reads the new comments of the cases given by ID, whether these changed or not, until the time is up; the next poll
 * continues after the last case read. Only when a round has read all of them does the time move on from which comments
 * are read. A case that is added to the list behind the place of a round needs no second look: its comments count from
 * then on, and those are newer than what the round sees.
 * @param ids at least one
 * @param readAt when the poll began to read, by the service's clock; undefined where it returns no time
 */
export async function readCommentsOfGiven(
	watched: WatchedCases,
	ids: string[],
	before: TriggerState,
	isTimeUp: () => boolean,
	readAt?: Seconds,
): Promise<FoundComments> {
	// States are stored: one with a round of another form is read from the first case on.
	const round = typeof before.round?.after === 'string' ? before.round : undefined;
	const isLeft = (id: string) => round === undefined || compareIds(id, round.after) > 0;
	const sorted = [...ids].sort(compareIds);
	const left = sorted.filter(isLeft);
	const inOrder = [...left, ...sorted.filter((id) => !isLeft(id))];

	const lists = await watched.readComments(inOrder, { isTimeUp });
	const news = newsOf(inOrder, lists, before);
	const cases = await watched.readById(news.map(({ caseId }) => caseId));
	const { found, state } = report(news, cases, before);

	// Comments that were made while others were read belong to the next round.
	const seesTo = readAt ?? newestOf(before);
	const place = { after: inOrder[lists.length - 1], seesTo };
	const isAllRead = lists.length === inOrder.length;
	if (lists.length < left.length) {
		return { found, state: { ...state, round: { ...place, seesTo: round?.seesTo ?? seesTo } } };
	}
	const seenTo = isAllRead || round === undefined ? seesTo : round.seesTo;
	const readTo = Math.min(newestOf(state), seenTo);
	const commentsFrom = Math.max(state.commentsFrom, readAgainFrom(readTo));
	const isNextBegun = !isAllRead && lists.length > left.length;
	return { found, state: { ...state, commentsFrom, round: isNextBegun ? place : undefined } };
}
