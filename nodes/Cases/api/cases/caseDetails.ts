import { fetchPage, type Client } from '../http/client';
import { ApiFailure, quote } from '../failures/failure';
import { commentIdentity, exactId } from '../identity';
import { parseMeta } from '../http/page';
import { readList, type ListResult, type Observed } from '../lists/readList';
import type { ListSource, Reading } from '../lists/source';
import { mergeRecordGroups, recordIdentity, splitRecordGroups } from './recordEntries';
import { CASES_PATH } from '../http/requests';
import type { Case, Row } from '../types';

/**
 * The lists that a case carries itself, but only their first page. The API document gives the form of the addresses of
 * their pages without saying how they answer; this file alone assumes that they answer like other lists.
 */
export type CaseDetails = 'activities' | 'records';

/** Largest page of these lists, also where pages of cases may be larger. */
const MAX_DETAILS_PAGE = 50;

/** How the rows of one kind of details are told apart and taken from an answer. */
interface DetailsKind {
	idOf: (row: Row) => string;
	/** Splits rows, so that there is one for each entry that the API counts. */
	rowsOf: (rows: Row[]) => Row[];
}

const KINDS: Record<CaseDetails, DetailsKind> = {
	activities: { idOf: commentIdentity, rowsOf: (rows) => rows },
	records: { idOf: recordIdentity, rowsOf: splitRecordGroups },
};

/** Whether the service has more of these details than the case carries. */
export function areDetailsTruncated(row: Case, details: CaseDetails): boolean {
	const { pages = 1, hasNextPage } = parseMeta(row[`${details}_meta`]);
	return pages > 1 || hasNextPage;
}

/**
 * Whether the service may have more of these details than the case carries: it says so, the case carries no list, or some
 * of them and nothing says how many pages there are.
 */
export function mayHaveMoreDetails(row: Case, details: CaseDetails): boolean {
	if (!Array.isArray(row[details]) || areDetailsTruncated(row, details)) return true;
	const { pages } = parseMeta(row[`${details}_meta`]);
	return pages === undefined && carriedRows(row, details).length > 0;
}

/** Whether a service answered that it doesn't have this list, or not for this key. */
export function isNotServed(error: unknown): boolean {
	return error instanceof ApiFailure && [403, 404, 405].includes(error.details.httpCode ?? 0);
}

/** The details as the case carries them; what is not a row is left out. */
function carriedRows(row: Case, details: CaseDetails): Row[] {
	const rows = row[details];
	return Array.isArray(rows)
		? rows.filter((entry): entry is Row => typeof entry === 'object' && entry !== null)
		: [];
}

/**
 * The ID by which a list of a case can be requested.
 * @param list what the case may have, for the message
 * @throws ApiFailure for a case without such an ID
 */
export function idOfCase({ case_id }: Case, list: string): string {
	const id = exactId(case_id);
	if (id !== undefined && /^\d+$/.test(id)) return id;
	throw new ApiFailure(`A case may have ${list}, but no ID to request them with`, {
		description: `Its ID is ${quote(case_id ?? '')}. Leave this case out, or its ${list.replace('more ', '')}.`,
		retryable: false,
	});
}

/** Which rows of the details, and how many of them. */
export interface ReadDetailsOptions extends Partial<Reading> {
	/** Whether a row belongs to the result; all do when left out. */
	belongs?: (row: Row) => boolean;
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
	{ limit, pageSize = MAX_DETAILS_PAGE, belongs, acceptIncomplete }: ReadDetailsOptions = {},
): Promise<ListResult> {
	const { idOf, rowsOf } = KINDS[details];
	const all = rowsOf(carriedRows(row, details));
	const carried = all.filter(belongs ?? (() => true));
	const isTruncated = areDetailsTruncated(row, details) || carried.length > (limit ?? Infinity);
	const asCarried: ListResult = {
		rows: carried.slice(0, limit),
		observed: { reads: 1, isTruncated },
	};
	if (!mayHaveMoreDetails(row, details) || carried.length >= (limit ?? Infinity)) return asCarried;

	const caseId = idOfCase(row, `more ${details}`);
	// Only the page counts are taken from the case: the host in its addresses can be another one, and the API key must go
	// nowhere else.
	const path = `${CASES_PATH}/${caseId}/${details}`;
	const source: ListSource = {
		noun: details,
		isByCreation: true,
		fetchPage: async (page, per_page) => {
			const answer = await fetchPage(client, path, details, { per_page, page }, caseId);
			return { ...answer, rows: rowsOf(answer.rows) };
		},
		idOf,
		belongs,
		promised: promisedBy(row, details, all.length),
	};
	const options = {
		limit,
		acceptIncomplete,
		pageSize: Math.min(pageSize, MAX_DETAILS_PAGE),
		pool: client,
		shape: (entry: Row) => entry,
	};
	const isGuess = Array.isArray(row[details]) && !areDetailsTruncated(row, details);
	return await readList([source], options).catch((error: unknown) => {
		// Nothing shows that there are more, so what the case carries is better than an error.
		if (isGuess && isNotServed(error)) return asCarried;
		throw error;
	});
}

/** A case with its details, and what the reader noticed where they were read. */
export interface LoadedDetails {
	row: Case;
	observed?: Observed;
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
): Promise<LoadedDetails> {
	if (!mayHaveMoreDetails(row, details)) return { row };
	const { rows, observed } = await readDetails(client, row, details, { acceptIncomplete });
	const all = details === 'records' ? mergeRecordGroups(rows) : rows;
	return { row: { ...row, [details]: all }, observed };
}
