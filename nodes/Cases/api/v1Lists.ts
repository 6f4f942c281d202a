import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { MAX_PAGE_SIZE, type Row } from './types';

/** Pages of fifty that are read at most. */
const MOST_PAGES = 20;

/** A key without the right to a list, or a service without it: the cases are read instead, and show whether it answers. */
function orNone(failure: unknown): undefined {
	if (!(failure instanceof ApiFailure)) throw failure;
}

/**
 * Reads the teams or the tags that the key can see. The API document doesn't have these lists.
 * @returns undefined where the service doesn't return the list
 */
export async function readV1List(
	client: Client,
	name: 'teams' | 'tags',
): Promise<Row[] | undefined> {
	const rows: Row[] = [];
	for (let page = 1; page <= MOST_PAGES; page++) {
		const query = { per_page: MAX_PAGE_SIZE, page };
		const read = await fetchPage(client, `/api/v1/${name}`, name, query).catch(orNone);
		if (read === undefined) return undefined;
		rows.push(...read.rows);
		if ((read.meta.pages ?? page) <= page && !read.meta.hasNextPage) break;
	}
	return rows;
}
