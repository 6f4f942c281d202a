import { caseIdentity } from './identity';
import { fetchPage, type Client } from './client';
import { ApiFailure, quote } from './failure';
import { parseMeta } from './page';
import type { ListSource } from './pages';
import { readAll, type Observed } from './readList';
import { CASES_PATH } from './requests';
import { MAX_PAGE_SIZE, type Case, type Row } from './types';
import { parseUrl } from './url';

/**
 * The lists that a case carries itself, but only their first page. The API gives addresses of the other pages without
 * saying how they answer; this file alone assumes that they answer like other lists.
 */
export type CaseDetails = 'activities' | 'records';

/** Whether the service has more of these details than the case carries. */
export function areDetailsTruncated(row: Case, details: CaseDetails): boolean {
	const meta = parseMeta(row[`${details}_meta`]);
	return (meta.pages ?? 1) > 1 || meta.hasNextPage;
}

/**
 * Returns the path of the pages.
 * @throws ApiFailure when the case points elsewhere, so that the API key is never sent to an address from an answer
 */
function pathOfDetails(client: Client, row: Case, details: CaseDetails): string {
	const meta = row[`${details}_meta`] as { current_page?: unknown; next_page?: unknown };
	const address = String(meta.current_page ?? meta.next_page ?? '');
	const path = `${CASES_PATH}/${caseIdentity(row)}/${details}`;
	const expected = new URL(`${client.tenant.baseUrl}${path}`);
	const url = parseUrl(address);
	if (url?.origin === expected.origin && url.pathname === expected.pathname) return path;
	throw new ApiFailure(
		`The further ${details} of case ${caseIdentity(row)} are not where they should be`,
		{
			description: `The case points to ${quote(address)}, which is not ${expected.href}; the API key is sent nowhere else. Remove ${details} from 'Load in Full'.`,
			retryable: false,
		},
	);
}

function resultsOfGroup(group: Row): Row[] {
	const results = group.record_type_record_results;
	return Array.isArray(results) ? results : [];
}

/** Splits a group of records into groups of one: the API counts records per page, but its rows are groups. */
function recordsOfGroup(group: Row): Row[] {
	return resultsOfGroup(group).map((record) => ({
		...group,
		record_type_record_results: [record],
	}));
}

function recordIdentity(group: Row): string {
	const [record] = resultsOfGroup(group);
	return JSON.stringify([group.record_type_id, record.id ?? record]);
}

/** Merges the groups of each record type into one. */
function mergeRecordGroups(groups: Row[]): Row[] {
	const merged = new Map<string, Row & { record_type_record_results: unknown[] }>();
	for (const group of groups) {
		const type = String(group.record_type_id);
		const known = merged.get(type) ?? { ...group, record_type_record_results: [] };
		known.record_type_record_results.push(...resultsOfGroup(group));
		merged.set(type, known);
	}
	return [...merged.values()];
}

/**
 * Reads all activities or records of a case that carries only their first page.
 * @returns the case with all of them and what the reader noticed; the same case when it is not truncated
 * @throws ApiFailure when the case points to another address, or an answer has no such list
 */
export async function loadDetails(
	client: Client,
	row: Case,
	details: CaseDetails,
): Promise<{ row: Case; observed?: Observed }> {
	if (!areDetailsTruncated(row, details)) return { row };
	const path = pathOfDetails(client, row, details);
	const source: ListSource = {
		fetchPage: async (page, per_page) => {
			const answer = await fetchPage(client, path, details, { per_page, page });
			return details === 'records'
				? { ...answer, rows: answer.rows.flatMap(recordsOfGroup) }
				: answer;
		},
		idOf:
			details === 'records' ? recordIdentity : (entry) => String(entry.id ?? JSON.stringify(entry)),
	};
	const { rows, observed } = await readAll([source], {
		pageSize: MAX_PAGE_SIZE,
		pool: client,
		shape: (entry) => entry,
	});
	const all = details === 'records' ? mergeRecordGroups(rows) : rows;
	return { row: { ...row, [details]: all }, observed };
}
