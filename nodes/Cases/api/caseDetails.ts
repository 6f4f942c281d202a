import { caseIdentity } from './identity';
import { fetchPage, type Client } from './client';
import { ApiFailure, quote } from './failure';
import { parseMeta } from './page';
import { readAll, type ListSource, type Observed } from './readList';
import { CASES_PATH } from './requests';
import { MAX_PAGE_SIZE, type Case, type Row } from './types';
import { parseUrl } from './url';

/**
 * Activities and records beyond the first page, which a case carries itself. The document shows only the addresses
 * of the further pages (section 2.1); that they are answered like other lists is assumed, here alone.
 */
export type CasePart = 'activities' | 'records';

/** Whether the case carries less of the part than the service has. */
export function isPartCut(row: Case, part: CasePart): boolean {
	const meta = parseMeta(row[`${part}_meta`]);
	return (meta.pages ?? 1) > 1 || meta.hasNextPage;
}

/** The path of the part's pages, as the case's own pagination object gives it. */
function pathOfPart(client: Client, row: Case, part: CasePart): string {
	const meta = row[`${part}_meta`] as { current_page?: unknown; next_page?: unknown };
	const address = String(meta.current_page ?? meta.next_page ?? '');
	const path = `${CASES_PATH}/${caseIdentity(row)}/${part}`;
	const expected = new URL(`${client.tenant.baseUrl}${path}`);
	const url = parseUrl(address);
	if (url?.origin === expected.origin && url.pathname === expected.pathname) return path;
	throw new ApiFailure(
		`The further ${part} of case ${caseIdentity(row)} are not where they should be`,
		{
			description: `The case points to ${quote(address)}, which is not ${expected.href}; the API key is sent nowhere else. Take ${part} out of Load in Full.`,
			retryable: false,
		},
	);
}

function resultsOfGroup(group: Row): Row[] {
	const results = group.record_type_record_results;
	return Array.isArray(results) ? results : [];
}

/** A page counts records, but its rows are groups of them: a row for each record, as a group of one. */
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

/** Record groups of one type become one group, with all its results. */
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
 * Reads a part of a case whole, where the case carries only its first page.
 * @returns the case with the whole part and what was noticed; the same case when nothing was missing
 * @throws ApiFailure when the pages are elsewhere or have no list of that name
 */
export async function loadPart(
	client: Client,
	row: Case,
	part: CasePart,
): Promise<{ row: Case; observed?: Observed }> {
	if (!isPartCut(row, part)) return { row };
	const path = pathOfPart(client, row, part);
	const source: ListSource = {
		fetchPage: async (page, per_page) => {
			const answer = await fetchPage(client, path, part, { per_page, page });
			return part === 'records' ? { ...answer, rows: answer.rows.flatMap(recordsOfGroup) } : answer;
		},
		idOf:
			part === 'records' ? recordIdentity : (entry) => String(entry.id ?? JSON.stringify(entry)),
	};
	const { rows, observed } = await readAll(source, {
		pageSize: MAX_PAGE_SIZE,
		concurrency: client.concurrency,
		shape: (entry) => entry,
	});
	const whole = part === 'records' ? mergeRecordGroups(rows) : rows;
	return { row: { ...row, [part]: whole }, observed };
}
