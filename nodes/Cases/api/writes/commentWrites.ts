import { fetchPage, type Client } from '../http/client';
import { exactId, numericId, rowIdentity } from '../identity';
import { listPath } from '../http/requests';
import { MAX_PAGE_SIZE, type Comment, type Row } from '../types';
import { createOnce, watchCreations } from './caseWrites';

/**
 * Adds a comment to a case.
 * @param known the comments that this run has added, by `rowIdentity`; the new comment is added to the set
 * @returns the comment, with its `case_id`
 */
export async function createComment(
	client: Client,
	caseId: string,
	creation: Row & { value: string },
	known: Set<string>,
): Promise<Comment> {
	const path = listPath(caseId, 'comments');
	const newRows = watchCreations(client, known);
	const read = async (page: number) =>
		await fetchPage(client, path, 'comments', { per_page: MAX_PAGE_SIZE, page });
	/** Looks for the comment on the first and the last page, because a list may begin or end with its newest comments. */
	const find = async () => {
		const first = await read(1);
		const { pages = 1 } = first.meta;
		const last = pages > 1 ? await read(pages) : first;
		const rows = newRows({ ...last, rows: [...first.rows, ...last.rows] });
		return rows.find((row) => row.value === creation.value);
	};
	const comment = await createOnce(client, path, creation, {
		noun: 'comment',
		isMeant: ({ id }) => exactId(id) !== undefined,
		find,
		check: 'the case has the comment',
	});
	known.add(rowIdentity(comment));
	return { case_id: numericId(caseId), ...comment };
}
