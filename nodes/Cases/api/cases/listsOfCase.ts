import { parseMeta, type Client } from '../http/client';
import { ApiFailure, quote } from '../failures/failure';
import { caseIdOf, exactId } from '../identity';
import { isObject } from '../http/json';
import { readList, type ListResult, type Observed } from '../lists/readList';
import { listAt, type ListSource, type ReadLimits } from '../lists/source';
import { mergeRecordGroups, recordIdentity, splitRecordGroups } from './recordEntries';
import { CASES_PATH, commentsPath } from '../http/requests';
import { MAX_PAGE_SIZE, type Case, type Comment, type Row } from '../types';

/**
 * Reads the comments of a case, each with its `case_id`, which the API leaves out. Pages have at most 50 of them.
 * @throws ApiFailure when a page can't be read; 404 when the case doesn't exist or the key has no access to it
 */
export async function readComments(
	client: Client,
	caseId: string,
	reading: ReadLimits,
): Promise<ListResult> {
	const case_id = caseIdOf(caseId);
	return await readList([listAt<Comment>(client, commentsPath(caseId), 'comments')], {
		...reading,
		pageSize: Math.min(reading.pageSize, MAX_PAGE_SIZE),
		pool: client,
		shape: (row) => ({ case_id, ...row }),
	});
}

/**
 * The lists that a case carries itself, but only their first page. The API document gives the form of the addresses of
 * their pages without saying how they answer; only the code below assumes that they answer like other lists.
 */
export type CaseDetails = 'activities' | 'records';

/** Whether the service has more of these details than the case carries: it says so, or the case carries no list. */
export function mayHaveMoreDetails(row: Case, details: CaseDetails): boolean {
	const { pages = 1, hasNextPage } = parseMeta(row[`${details}_meta`]);
	return !Array.isArray(row[details]) || pages > 1 || hasNextPage;
}

/**
 * The ID with which a list of a case can be requested.
 * @param list what the list holds, such as `comments`
 * @throws ApiFailure for a case without such an ID
 */
export function idOfCase({ case_id }: Case, list: string): string {
	const id = exactId(case_id);
	if (id !== undefined && /^\d+$/.test(id)) return id;
	throw new ApiFailure(`Could not request ${list} of a case, because it has no valid ID`, {
		description: `Its ID is ${quote(case_id ?? '')}. Leave this case out, or don't request its ${list}.`,
		retryable: false,
	});
}

/** How many of the details the case itself promises: by its page counts, or by what it carries. */
function promisedBy(row: Case, details: CaseDetails, carried: number): ListSource['promised'] {
	const { pages = 1, perPage = carried } = parseMeta(row[`${details}_meta`]);
	return pages > 1
		? { least: (pages - 2) * perPage + 1, most: (pages - 1) * perPage + 1 }
		: { least: carried, most: carried };
}

/**
 * Reads activities or records of a case in the order of the service, records as groups of one entry. Sends requests only
 * where the case may not carry enough of them itself; then their pages alone decide.
 * @throws ApiFailure when they can't be read, an answer has no such list, or rows that the case promised did not come
 */
export async function readDetails(
	client: Client,
	row: Case,
	details: CaseDetails,
	{ belongs, ...limits }: Partial<ReadLimits> & Pick<ListSource, 'belongs'> = {},
): Promise<ListResult> {
	const { limit = Infinity } = limits;
	const rows = row[details];
	// Activities have no groups, so they stay as they are.
	const all = splitRecordGroups(Array.isArray(rows) ? rows.filter(isObject) : []);
	const carried = all.filter(belongs ?? (() => true));
	const hasMore = mayHaveMoreDetails(row, details);
	if (!hasMore || carried.length >= limit) {
		const isTruncated = hasMore || carried.length > limit;
		return { rows: carried.slice(0, limit), observed: { reads: 1, isTruncated } };
	}

	// Only the page counts are taken from the case: the host in its addresses can be another one, and the API key must go
	// nowhere else.
	const list = listAt<Row>(client, `${CASES_PATH}/${idOfCase(row, details)}/${details}`, details);
	const source: ListSource = {
		...list,
		fetchPage: async (page, perPage) => {
			const answer = await list.fetchPage(page, perPage);
			return { ...answer, rows: splitRecordGroups(answer.rows) };
		},
		idOf: details === 'records' ? recordIdentity : list.idOf,
		belongs,
		promised: promisedBy(row, details, all.length),
	};
	const shape = (entry: Row) => entry;
	return await readList([source], { pageSize: MAX_PAGE_SIZE, ...limits, pool: client, shape });
}

/**
 * Reads all activities or records of a case that may carry only some of them.
 * @returns the case with all of them and what the reader noticed; the same case when it carries all
 * @throws ApiFailure when they can't be read, or an answer has no such list
 */
export async function loadDetails(
	client: Client,
	row: Case,
	details: CaseDetails,
	acceptIncomplete = false,
): Promise<{ row: Case; observed?: Observed }> {
	if (!mayHaveMoreDetails(row, details)) return { row };
	const { rows, observed } = await readDetails(client, row, details, { acceptIncomplete });
	return { row: { ...row, [details]: mergeRecordGroups(rows) }, observed };
}
