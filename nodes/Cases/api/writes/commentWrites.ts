import { fetchPage, type Client } from '../http/client';
import { ApiFailure } from '../failures/failure';
import { caseIdOf, commentIdentity, exactId } from '../identity';
import { commentsPath } from '../http/requests';
import { parseTimestamp } from '../timestamps';
import { MAX_PAGE_SIZE, type Comment } from '../types';
import { confirmed, mayBeDone, withAdvice } from './caseWrites';

/** What a new comment gets, by the API's own names. */
export interface CommentCreation {
	value: string;
	author_email?: string;
}

/**
 * Adds a comment to a case, with a single request. Where its answer is lost, the list of comments is read once.
 * @param known IDs of comments that this run has added already; gets the ID of the new one
 * @returns the comment, with its `case_id`
 * @throws ApiFailure; its description says whether the comment may have been added
 */
export async function createComment(
	client: Client,
	caseId: string,
	creation: CommentCreation,
	known: Set<string>,
): Promise<Comment> {
	const startedAt = client.now();
	const comment = await client
		.send({ method: 'POST', path: commentsPath(caseId), body: { ...creation } })
		.then((answer) => confirmed(answer, 'comment', ({ id }) => exactId(id) !== undefined))
		.catch(async (failure: unknown) => {
			const isNew = (row: Comment) =>
				row.value === creation.value && !known.has(commentIdentity(row));
			const recent = mayBeDone(failure) ? await readRecent(client, caseId, startedAt) : [];
			const found = recent.find(isNew);
			if (found !== undefined) return found;
			throw withAdvice(
				failure,
				"Before you run again, check whether the case has the comment. If it isn't there, it may still arrive.",
			);
		});
	known.add(commentIdentity(comment));
	return { case_id: caseIdOf(caseId), ...comment };
}

/**
 * The comments of a case since a time. The newest are on the first or on the last page. The service's times are compared
 * with its own clock only.
 * @param startedAt by the local clock, in ms since the epoch
 * @returns none where that can't be told
 */
async function readRecent(client: Client, caseId: string, startedAt: number): Promise<Comment[]> {
	const read = async (page: number) => {
		const query = { per_page: MAX_PAGE_SIZE, page };
		return await fetchPage<Comment>(client, commentsPath(caseId), 'comments', query, caseId);
	};
	const readAll = async () => {
		const first = await read(1);
		const { pages = 1 } = first.meta;
		const last = pages > 1 ? await read(pages) : first;
		// Both times are in whole seconds.
		const since = (last.servedAt ?? NaN) - (client.now() - startedAt) - 1000;
		return [...first.rows, ...last.rows].filter((row) => parseTimestamp(row.created_at) >= since);
	};
	return await readAll().catch((failure: unknown) => {
		// That the list can't be read says nothing about the comment.
		if (failure instanceof ApiFailure) return [];
		throw failure;
	});
}
