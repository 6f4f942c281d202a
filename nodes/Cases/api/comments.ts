import { commentIdentity } from './identity';
import { fetchPage, type Client } from './client';
import { readAll, readSome, type ListResult, type ListSource } from './readList';
import { commentsPath } from './requests';
import type { Comment } from './types';

/**
 * Reads the comments of a case (section 4.2), each with the `case_id` that it lacks by itself.
 * @param limit undefined reads all
 * @throws ApiFailure when a page can't be had; 404 when there is no such case or no access to it
 */
export async function readComments(
	client: Client,
	caseId: string,
	{ limit, pageSize }: { limit?: number; pageSize: number },
): Promise<ListResult> {
	const source: ListSource<Comment> = {
		fetchPage: async (page, per_page) =>
			await fetchPage<Comment>(client, commentsPath(caseId), 'comments', { per_page, page }),
		idOf: commentIdentity,
	};
	const case_id = Number.isSafeInteger(Number(caseId)) ? Number(caseId) : caseId;
	const options = {
		pageSize,
		concurrency: client.concurrency,
		shape: (row: Comment) => ({ case_id, ...row }),
	};
	return limit === undefined
		? await readAll(source, options)
		: await readSome(source, limit, options);
}
