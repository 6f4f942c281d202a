import { parseMeta, type Client } from '../http/client';
import { numericId } from '../identity';
import { objectsIn } from '../json';
import { readList, type ListResult, type Observed } from '../lists/readList';
import { listAt, type ListSource, type ReadLimits } from '../lists/source';
import { mergeRecordGroups, recordIdentity, splitRecordGroups } from './recordEntries';
import { CASES_PATH, listPath, type ListOfCase } from '../http/requests';
import { MAX_PAGE_SIZE, type Case, type Row } from '../types';

/**
 * Reads a list of a case, such as its comments: each row with its `case_id`, which the API leaves out. Pages have at most
 * 50 rows.
 * @throws ApiFailure when a page can't be read; 404 when the case doesn't exist or the key has no access to it
 */
export async function readListOfCase(
	client: Client,
	caseId: string,
	list: ListOfCase,
	reading: ReadLimits,
): Promise<ListResult> {
	const case_id = numericId(caseId);
	const pageSize = Math.min(reading.pageSize, MAX_PAGE_SIZE);
	const rows = listAt(client, listPath(caseId, list), list);
	const source = { ...rows, keep: (row: Row) => ({ case_id, ...row }) };
	return await readList([source], { ...reading, pageSize, pool: client });
}

/**
 * The lists of which a case carries the first page. The API document names the addresses of the other pages, but not the
 * form of their answers. Only this file assumes that they are like those of other lists.
 */
export type CaseDetails = 'activities' | 'records';

/** Whether the service may have more activities or records than the case carries: by its page counts, or without a list. */
export function mayHaveMoreDetails(row: Case, details: CaseDetails): boolean {
	const { pages = 1, hasNextPage } = parseMeta(row[`${details}_meta`]);
	return !Array.isArray(row[details]) || pages > 1 || hasNextPage;
}

/** How many activities or records the case promises: by its page counts or, without further pages, by what it carries. */
function promisedBy(row: Case, details: CaseDetails, carried: number): ListSource['promised'] {
	const { pages = 1, perPage = carried } = parseMeta(row[`${details}_meta`]);
	return pages > 1
		? { least: (pages - 2) * perPage + 1, most: (pages - 1) * perPage + 1 }
		: { least: carried, most: carried };
}

/**
 * Reads activities or records of a case in the order of the service, records as groups of one entry. If the case may carry
 * too few of them, their list is requested, and what the case carries isn't used.
 * @throws ApiFailure when the list can't be read, or lacks rows that the case promised
 */
export async function readDetails(
	client: Client,
	row: Case,
	details: CaseDetails,
	{ belongs, ...limits }: Partial<ReadLimits> & { belongs?: (row: Row) => boolean } = {},
): Promise<ListResult> {
	const { limit = Infinity } = limits;
	// Only records come in groups, so activities stay as they are.
	const all = splitRecordGroups(objectsIn(row[details]));
	const carried = all.filter(belongs ?? (() => true));
	const hasMore = mayHaveMoreDetails(row, details);
	if (!hasMore || carried.length >= limit) {
		const isTruncated = hasMore || carried.length > limit;
		return { rows: carried.slice(0, limit), observed: { reads: 1, isTruncated } };
	}

	// The addresses in the case are not used: their host may be another one, to which the API key must not go.
	const list = listAt(client, `${CASES_PATH}/${row.case_id}/${details}`, details);
	const source: ListSource = {
		...list,
		fetchPage: async (page, perPage) => {
			const answer = await list.fetchPage(page, perPage);
			return { ...answer, rows: splitRecordGroups(answer.rows) };
		},
		idOf: details === 'records' ? recordIdentity : list.idOf,
		keep: (entry) => (belongs === undefined || belongs(entry) ? entry : undefined),
		isSifted: belongs !== undefined,
		promised: promisedBy(row, details, all.length),
	};
	return await readList([source], { pageSize: MAX_PAGE_SIZE, ...limits, pool: client });
}

/**
 * Reads all activities or records of a case, unless the case carries all of them already.
 * @returns the case with all of them; `observed` only if they were requested
 * @throws ApiFailure when the list can't be read, or lacks rows that the case promised
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
