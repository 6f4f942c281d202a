import { fetchPage, type Client } from '../client';
import { commentIdentity } from '../output';
import { readComments } from '../comments';
import { commentsPath } from '../requests';
import type { Comment } from '../types';
import { secondsOf, type Seconds } from './state';

export function madeAt(comment: Comment): Seconds {
	return secondsOf(comment.created_at, 'created_at');
}

/**
 * Reads the comments of a case made since a time. The API can't filter comments and doesn't say in which order they
 * come: one page is read whole; of several, those are read that can hold new ones, from the newer end of the list.
 */
export async function readCommentsSince(
	client: Client,
	caseId: string,
	since: Seconds,
	pageSize: number,
): Promise<Comment[]> {
	const read = async (page: number) =>
		await fetchPage<Comment>(client, commentsPath(caseId), 'comments', {
			per_page: pageSize,
			page,
		});
	const isNew = (comment: Comment) => madeAt(comment) >= since;
	const first = await read(1);
	if (first.rows.length === 0) return [];
	const { pages } = first.meta;
	if (pages === 1) return first.rows.filter(isNew);
	const start = madeAt(first.rows[0]);
	const end = madeAt(first.rows[first.rows.length - 1]);
	// Without page counts, or with one time all over the page, there is no telling where the newer end is.
	if (pages === undefined || start === end) {
		const { rows } = await readComments(client, caseId, { pageSize });
		return (rows as Comment[]).filter(isNew);
	}
	const isNewestFirst = start > end;
	const further = Array.from({ length: pages - 1 }, (_, index) =>
		isNewestFirst ? index + 2 : pages - index,
	);
	const found = [...first.rows];
	for (const number of further) {
		const { rows } = await read(number);
		found.push(...rows);
		if (!rows.every(isNew)) break;
	}
	const byId = new Map(found.filter(isNew).map((comment) => [commentIdentity(comment), comment]));
	return [...byId.values()];
}
