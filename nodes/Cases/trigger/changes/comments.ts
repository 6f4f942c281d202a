import { caseIdentity, commentIdentity } from '../../api/identity';
import { readCasesById } from '../../api/cases';
import { readComments } from '../../api/comments';
import { mapConcurrently } from '../../api/pool';
import type { Case, Comment } from '../../api/types';
import type { TriggerQuery } from './edits';
import { readAgainFrom, secondsOf, type Seconds, type TriggerState } from './state';

/** A comment that is new, and the case it was made on. */
export interface NewComment {
	at: Seconds;
	event: 'commentAdded';
	caseId: unknown;
	caseName: unknown;
	comment: Comment;
}

function madeAt(comment: Comment): Seconds {
	return secondsOf(comment.created_at, 'created_at');
}

/**
 * Reads the comments of a case that are not known yet. The API can't filter comments and doesn't say in which order
 * they come, so all pages of a case are read: one request for most.
 */
async function readUnknown(
	{ client, pageSize }: TriggerQuery,
	caseId: string,
	{ start, comments, commentsFrom }: TriggerState,
): Promise<Comment[]> {
	const since = Math.max(commentsFrom, start);
	const { rows } = await readComments(client, caseId, { pageSize });
	return (rows as Comment[]).filter(
		(comment) => madeAt(comment) >= since && comments[commentIdentity(comment)] === undefined,
	);
}

function newComment(
	comment: Comment,
	{ case_id, name }: { case_id: unknown; name: unknown },
): NewComment {
	return { at: madeAt(comment), event: 'commentAdded', caseId: case_id, caseName: name, comment };
}

/** The comments that a state knows, with further ones. */
function known(state: TriggerState, further: Comment[]): TriggerState['comments'] {
	const entries = further.map((comment) => [commentIdentity(comment), madeAt(comment)]);
	return { ...state.comments, ...(Object.fromEntries(entries) as TriggerState['comments']) };
}

/** When the newest comment was made that a state knows. */
function newestOf({ comments, commentsFrom }: TriggerState): Seconds {
	return Math.max(commentsFrom, ...Object.values(comments));
}

/** What was found, and the state that knows it. */
export interface FoundComments {
	found: NewComment[];
	state: TriggerState;
}

/** Reads the new comments of cases that changed. */
export async function readCommentsOfChanged(
	query: TriggerQuery,
	changed: Case[],
	state: TriggerState,
): Promise<FoundComments> {
	const cases = [...new Map(changed.map((row) => [caseIdentity(row), row])).values()];
	const comments = await mapConcurrently(cases.length, query.client.concurrency, async (index) =>
		readUnknown(query, caseIdentity(cases[index]), state),
	);
	return {
		found: comments.flatMap((ofCase, index) =>
			ofCase.map((comment) =>
				newComment(comment, cases[index] as { case_id: unknown; name: unknown }),
			),
		),
		state: { ...state, comments: known(state, comments.flat()) },
	};
}

/** IDs are whole numbers without leading zeros. */
function compareIds(a: string, b: string): number {
	return Number(a) - Number(b);
}

/**
 * Reads the new comments of the cases given by ID, whether these changed or not, until the time is up; the next poll
 * continues after the last case read. Only when a round has read all of them does the time move on up to which all
 * comments were seen. A case that is added to the list behind the place of a round needs no second look: its comments
 * count from then on, and those are newer than what the round sees.
 * @param ids at least one
 * @param readAt when the poll began to read, by the service's clock; undefined where it tells no time
 */
export async function readCommentsOfGiven(
	query: TriggerQuery,
	ids: string[],
	state: TriggerState,
	readAt?: Seconds,
): Promise<FoundComments> {
	// States are stored: one with a round of another form is read from the first case on.
	const round = typeof state.round?.after === 'string' ? state.round : undefined;
	const isLeft = (id: string) => round === undefined || compareIds(id, round.after) > 0;
	const sorted = [...ids].sort(compareIds);
	const left = sorted.filter(isLeft);
	const inOrder = [...left, ...sorted.filter((id) => !isLeft(id))];

	const read = await mapConcurrently(inOrder.length, query.client.concurrency, async (index) =>
		index > 0 && query.isTimeUp() ? undefined : await readUnknown(query, inOrder[index], state),
	);
	const news = read
		.map((comments, index) => ({ caseId: inOrder[index], comments: comments ?? [] }))
		.filter(({ comments }) => comments.length > 0);
	const cases = await readCasesById(
		query.client,
		news.map(({ caseId }) => caseId),
		query.pageSize,
	);
	const found = news.flatMap(({ caseId, comments }) =>
		comments.map((comment) =>
			newComment(comment, {
				case_id: cases.get(caseId)?.case_id ?? caseId,
				name: cases.get(caseId)?.name ?? null,
			}),
		),
	);

	const comments = known(
		state,
		news.flatMap(({ comments }) => comments),
	);
	// Comments that were made while others were read belong to the next round.
	const seesTo = readAt ?? newestOf(state);
	const done = read.filter((ofCase) => ofCase !== undefined).length;
	const isAllRead = done === inOrder.length;
	const next = { ...state, comments, round: undefined };
	if (done < left.length) {
		const place = { after: inOrder[done - 1], seesTo: round?.seesTo ?? seesTo };
		return { found, state: { ...next, round: place } };
	}
	const seenTo = isAllRead ? seesTo : (round?.seesTo ?? seesTo);
	const readTo = Math.min(newestOf(next), seenTo);
	const commentsFrom = Math.max(state.commentsFrom, readAgainFrom(readTo));
	const isNextBegun = !isAllRead && done > left.length;
	const begun = isNextBegun ? { after: inOrder[done - 1], seesTo } : undefined;
	return { found, state: { ...next, commentsFrom, round: begun } };
}
