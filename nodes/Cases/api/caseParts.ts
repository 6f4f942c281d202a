import { fetchPage, type Client } from './client';
import { ApiFailure, quote } from './failure';
import { caseIdentity } from './output';
import { parseMeta } from './page';
import { readAll, type ListSource } from './readList';
import { CASES_PATH } from './requests';
import { MAX_PAGE_SIZE, type Case, type Row } from './types';

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
	const expected = new URL(`${client.connection.baseUrl}${path}`);
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.origin === expected.origin && url.pathname === expected.pathname) return path;
	throw new ApiFailure(
		`The further ${part} of case ${caseIdentity(row)} are not where they should be`,
		{
			description: `The case points to ${quote(address)}, which is not ${expected.href}; the API key is sent nowhere else. Take ${part} out of Load in Full.`,
			retryable: false,
		},
	);
}

/** Record groups of one type that came on several pages become one group, with all its results. */
function mergeRecordGroups(groups: Row[]): Row[] {
	const merged = new Map<string, Row & { record_type_record_results: unknown[] }>();
	for (const group of groups) {
		const type = String(group.record_type_id);
		const results = Array.isArray(group.record_type_record_results)
			? group.record_type_record_results
			: [];
		const known = merged.get(type)?.record_type_record_results ?? [];
		merged.set(type, { ...group, record_type_record_results: [...known, ...results] });
	}
	return [...merged.values()];
}

/**
 * Reads a part of a case whole, where the case carries only its first page.
 * @returns the case with the whole part; the same case when nothing was missing
 * @throws ApiFailure when the pages are elsewhere or have no list of that name
 */
export async function loadPart(client: Client, row: Case, part: CasePart): Promise<Case> {
	if (!isPartCut(row, part)) return row;
	const path = pathOfPart(client, row, part);
	const source: ListSource = {
		fetchPage: async (page, per_page) => await fetchPage(client, path, part, { per_page, page }),
		idOf: (entry) =>
			String(part === 'activities' ? (entry.id ?? JSON.stringify(entry)) : JSON.stringify(entry)),
	};
	const { rows } = await readAll(source, {
		pageSize: MAX_PAGE_SIZE,
		concurrency: client.concurrency,
		shape: (entry) => entry,
	});
	return { ...row, [part]: part === 'records' ? mergeRecordGroups(rows) : rows };
}
