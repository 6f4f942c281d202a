import { fetchPage, type Client } from './client';
import { readUpTo } from './firstRows';
import { caseIdOf, commentIdentity } from './identity';
import type { ListResult } from './observed';
import type { ListSource } from './pages';
import { readAll } from './readList';
import { commentsPath } from './requests';
import { MAX_PAGE_SIZE, type Comment } from './types';

/**
 * Reads the comments of a case, each with its `case_id`, which the API leaves out.
 * @param limit maximum number of comments; undefined reads all
 * @param pageSize at most 50 are requested at a time, also where cases have larger pages
 * @throws ApiFailure when a page can't be read; 404 when there is no such case or the key has no access to it
 */
export async function readComments(
	client: Client,
	caseId: string,
	{ limit, pageSize }: { limit?: number; pageSize: number },
): Promise<ListResult> {
	const source: ListSource<Comment> = {
		fetchPage: async (page, per_page) =>
			await fetchPage<Comment>(
				client,
				commentsPath(caseId),
				'comments',
				{ per_page, page },
				caseId,
			),
		idOf: commentIdentity,
	};
	const case_id = caseIdOf(caseId);
	const options = {
		pageSize: Math.min(pageSize, MAX_PAGE_SIZE),
		pool: client,
		shape: (row: Comment) => ({ case_id, ...row }),
	};
	return limit === undefined
		? await readAll([source], options)
		: await readUpTo([source], limit, options);
}
