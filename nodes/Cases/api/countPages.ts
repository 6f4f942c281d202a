import { fetchCases, type CaseQuery } from './caseQuery';
import type { Client } from './client';
import { createFilterCheck } from './contradictions';

/** What pages of one case say of the number of cases. */
export interface StatedCount {
	/** Undefined where the answer doesn't agree with itself or with the filters. */
	count?: number;
	/** How many cases it promises all the same. */
	promised: number;
}

/** Counts cases by the pages of one case that the service states. */
export async function countByPageOfOne(client: Client, query: CaseQuery): Promise<StatedCount> {
	const { rows, meta } = await fetchCases(client, query, 1, 1);
	const { pages, perPage, hasNextPage, count } = meta;
	const isOfOne = perPage === 1 && pages !== undefined && pages > 1 === hasNextPage;
	if (rows.length === 0) {
		const isEmpty = (pages ?? 1) === 1 && !hasNextPage && count === undefined;
		return isEmpty ? { count: 0, promised: 0 } : { promised: isOfOne ? pages : 0 };
	}
	if (!isOfOne || rows.length > 1) return { promised: 0 };
	const isTrusted =
		[undefined, 1, pages].includes(count) && createFilterCheck(query)(rows[0]) === undefined;
	return isTrusted ? { count: pages, promised: pages } : { promised: pages };
}
