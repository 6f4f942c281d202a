import { roomInUrl, type CaseQuery } from './caseQuery';
import type { Client } from '../http/client';

/** A query with case IDs. */
export type QueryById = CaseQuery & { caseIds: string[] };

/** Characters of a URL that are left for the path, the team, the order and the page. */
const RESERVED = 200;

/** How many of the case IDs fit into one URL, besides the other filters; at least one. */
function idsToUrl(client: Client, { filters, caseIds }: QueryById): number {
	const longest = caseIds.reduce((a, b) => (b.length > a.length ? b : a), '');
	const roomBeside = (ids: string[]) => roomInUrl(client, { filters, caseIds: ids });
	const room = roomBeside([longest]) - RESERVED;
	const perId = roomBeside([longest]) - roomBeside([longest, longest]);
	// An index of up to three digits takes two characters more than the one measured.
	const perIndex = client.tenant.arrayFormat === 'indices' ? 2 : 0;
	return 1 + Math.max(0, Math.floor(room / (perId + perIndex)));
}

/** Splits a query into batches of case IDs, in order. Each batch fits into one page and one URL. */
export function splitIntoBatches(client: Client, query: QueryById, pageSize: number): QueryById[] {
	const { caseIds } = query;
	const size = Math.min(pageSize, idsToUrl(client, query));
	return Array.from({ length: Math.ceil(caseIds.length / size) }, (_, index) => ({
		...query,
		caseIds: caseIds.slice(index * size, (index + 1) * size),
	}));
}
