import type { Client } from '../client';
import { readComments } from '../comments';
import type { Comment } from '../types';
import { secondsOf, type Seconds } from './state';

export function madeAt(comment: Comment): Seconds {
	return secondsOf(comment.created_at, 'created_at');
}

/**
 * Reads the comments of a case made since a time. The API can't filter comments and doesn't say in which order they
 * come, so all pages of a case are read: one request for most.
 */
export async function readCommentsSince(
	client: Client,
	caseId: string,
	since: Seconds,
	pageSize: number,
): Promise<Comment[]> {
	const { rows } = await readComments(client, caseId, { pageSize });
	return (rows as Comment[]).filter((comment) => madeAt(comment) >= since);
}
