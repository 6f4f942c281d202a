import { caseIdentity, commentIdentity } from '../../api/identity';
import { readCasesById } from '../../api/cases';
import { readComments } from '../../api/comments';
import { mapConcurrently } from '../../api/pool';
import type { Case, Comment } from '../../api/types';
import type { TriggerQuery } from './edits';
import { OVERLAP, secondsOf, type Seconds, type TriggerState } from './state';

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
	{ start, comments, commentsTo }: TriggerState,
): Promise<Comment[]> {
	const since = Math.max(commentsTo - OVERLAP, start);
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

/**
 * Reads the new comments of the cases given by ID, whether these changed or not, until the time is up; the next poll
 * goes on with the case after the last one. Only when all of them were read does the time move on up to which all
 * comments were seen.
 * @param ids at least one
 * @param readAt when the poll began to read, by the service's clock, where it tells
 */
export async function readCommentsOfGiven(
	query: TriggerQuery,
	ids: string[],
	state: TriggerState,
	readAt?: Seconds,
): Promise<FoundComments> {
	const round = state.round ?? { next: 0, left: ids.length, startedAt: readAt };
	const caseAt = (index: number) => ids[(round.next + index) % ids.length];
	const read = await mapConcurrently(ids.length, query.client.concurrency, async (index) =>
		index > 0 && query.isTimeUp() ? undefined : await readUnknown(query, caseAt(index), state),
	);
	const news = read
		.map((comments, index) => ({ caseId: caseAt(index), comments: comments ?? [] }))
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
	const done = read.filter((comments) => comments !== undefined).length;
	const left = done === ids.length ? 0 : round.left - done;
	const next = (round.next + done) % ids.length;
	if (left > 0) return { found, state: { ...state, comments, round: { ...round, next, left } } };
	// Comments that were made while others were read belong to the next round.
	const newest = Math.max(state.commentsTo, ...Object.values(comments));
	const commentsTo = Math.max(state.commentsTo, Math.min(newest, round.startedAt ?? Infinity));
	const nextRound = next === 0 ? undefined : { next, left: ids.length, startedAt: readAt };
	return { found, state: { ...state, comments, commentsTo, round: nextRound } };
}
