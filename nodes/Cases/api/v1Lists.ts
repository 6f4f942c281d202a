import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { MAX_PAGE_SIZE, type Row } from './types';

/** Pages of fifty that are read at most. */
const MOST_PAGES = 20;

/**
 * Reads the teams or the tags that the key can see. The API document doesn't have these lists.
 * @returns undefined where the service refuses the list, or has none
 * @throws ApiFailure where it fails for another reason
 */
export async function readV1List(
	client: Client,
	name: 'teams' | 'tags',
): Promise<Row[] | undefined> {
	const rows: Row[] = [];
	for (let page = 1; page <= MOST_PAGES; page++) {
		const query = { per_page: MAX_PAGE_SIZE, page };
		const read = await fetchPage(client, `/api/v1/${name}`, name, query).catch(refused);
		if (read === undefined) return undefined;
		rows.push(...read.rows);
		if ((read.meta.pages ?? page) <= page && !read.meta.hasNextPage) break;
	}
	return rows;
}

/** A key without the right to this list, a service without it, or with another one at this address. */
function refused(failure: unknown): undefined {
	if (!(failure instanceof ApiFailure)) throw failure;
	const { httpCode = 0, retryable } = failure.details;
	if (httpCode === 401 || retryable || httpCode === 0) throw failure;
	return undefined;
}
