import { fetchPage, type Client } from '../http/client';
import { ApiFailure } from '../failures/failure';
import { commentIdentity } from '../identity';
import { readList } from './readList';
import { MAX_PAGE_SIZE, type Row } from '../types';

/** Most rows for a list in the editor. */
const MOST_ROWS = 1000;

/** A key without the right to a list, or a service without it: the cases are read instead, and show whether it answers. */
function orNone(failure: unknown): undefined {
	if (!(failure instanceof ApiFailure)) throw failure;
}

/**
 * Reads the teams or the tags that the key can see. The API document doesn't have these lists.
 * @returns undefined where the service doesn't return the list: it has none, or not for this key
 */
export async function readV1List(
	client: Client,
	name: 'teams' | 'tags',
): Promise<Row[] | undefined> {
	const source = {
		noun: name,
		isByCreation: true,
		fetchPage: async (page: number, per_page: number) =>
			await fetchPage(client, `/api/v1/${name}`, name, { per_page, page }),
		idOf: commentIdentity,
	};
	const shape = (row: Row) => row;
	const reading = { limit: MOST_ROWS, pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
	const result = await readList([source], { ...reading, pool: client, shape }).catch(orNone);
	return result?.rows;
}
