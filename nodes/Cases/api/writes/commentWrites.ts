import { isObject } from '../json';
import { fetchPage, type Client } from '../client';
import { deleteAt } from '../deleteAt';
import { ApiFailure } from '../failure';
import { caseIdOf, commentIdentity, exactId } from '../identity';
import { commentsPath } from '../requests';
import { parseTimestamp } from '../timestamps';
import { MAX_PAGE_SIZE, type Comment } from '../types';
import { withAdvice } from './caseWrites';

/** What a new comment gets, by the API's own names. */
export interface CommentCreation {
	value: string;
	author_email?: string;
}

const MAY_ARRIVE =
	"Before you run again, check whether the case has the comment. If it isn't there, it may still arrive.";

/**
 * Adds a comment to a case, with a single request. Where its answer is lost, the list of comments is read once.
 * @param known IDs of comments with the same text that this run has added already; gets the ID of the new one
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
	const body = { ...creation };
	const comment = await client
		.send({ method: 'POST', path: commentsPath(caseId), body })
		.then(({ body: answered, saidError, unusable }) => {
			if (saidError === undefined && isObject(answered) && exactId(answered.id) !== undefined) {
				return answered;
			}
			throw unusable({
				message: 'The service confirmed the write, but did not answer with the comment',
				remedy: saidError === undefined ? 'It was probably added.' : `It says: ${saidError}.`,
			});
		})
		.catch(async (failure: unknown) => {
			const isLost = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
			const found = isLost
				? await findNewComment(client, caseId, creation.value, startedAt, known)
				: undefined;
			if (found === undefined) throw withAdvice(failure, MAY_ARRIVE);
			return found;
		});
	known.add(commentIdentity(comment));
	return { case_id: caseIdOf(caseId), ...comment };
}

/**
 * A comment with this text that was added since a time. The newest are on the first or on the last page. The service's
 * times are compared with its own clock only.
 * @param startedAt by the local clock, in ms since the epoch
 * @returns undefined where there is none, or where that can't be told
 */
async function findNewComment(
	client: Client,
	caseId: string,
	value: string,
	startedAt: number,
	known: Set<string>,
): Promise<Comment | undefined> {
	const path = commentsPath(caseId);
	const read = async (page: number) => {
		const query = { per_page: MAX_PAGE_SIZE, page };
		const {
			rows,
			meta,
			servedAt = NaN,
		} = await fetchPage<Comment>(client, path, 'comments', query, caseId);
		// Both times are in whole seconds.
		const since = servedAt - (client.now() - startedAt) - 1000;
		const isNew = (row: Comment) =>
			row.value === value &&
			parseTimestamp(row.created_at) >= since &&
			!known.has(commentIdentity(row));
		return { found: rows.find(isNew), pages: meta.pages ?? 1 };
	};
	const find = async () => {
		const { found, pages } = await read(1);
		return found ?? (pages > 1 ? (await read(pages)).found : undefined);
	};
	return await find().catch((failure: unknown) => {
		// That the list can't be read says nothing about the comment.
		if (failure instanceof ApiFailure) return undefined;
		throw failure;
	});
}

/** @throws ApiFailure, also where the case has no such comment */
export async function deleteComment(
	client: Client,
	caseId: string,
	commentId: string,
): Promise<void> {
	if (await deleteAt(client, `${commentsPath(caseId)}/${commentId}`)) return;
	throw new ApiFailure(
		`Case ${caseId} has no comment ${commentId}, or the API key has no access to it (404)`,
		{
			description:
				'Check both IDs, and that the service has the request for single comments. Get Many of comments returns their IDs.',
			httpCode: 404,
			retryable: false,
		},
	);
}
