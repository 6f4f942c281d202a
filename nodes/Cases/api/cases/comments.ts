import { fetchPage, type Client } from '../http/client';
import { caseIdOf, commentIdentity } from '../identity';
import { readList, type ListResult } from '../lists/readList';
import type { ListSource, Reading } from '../lists/source';
import { commentsPath } from '../http/requests';
import { MAX_PAGE_SIZE, type Comment } from '../types';

/**
 * Reads the comments of a case, each with its `case_id`, which the API leaves out. Pages have at most 50 of them.
 * @throws ApiFailure when a page can't be read; 404 when there is no such case or the key has no access to it
 */
export async function readComments(
	client: Client,
	caseId: string,
	reading: Reading,
): Promise<ListResult> {
	const source: ListSource<Comment> = {
		noun: 'comments',
		isByCreation: true,
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
	return await readList([source], {
		...reading,
		pageSize: Math.min(reading.pageSize, MAX_PAGE_SIZE),
		pool: client,
		shape: (row: Comment) => ({ case_id, ...row }),
	});
}
