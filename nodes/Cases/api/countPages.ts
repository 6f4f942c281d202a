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
	const contradictedFilter = createFilterCheck(query);
	const { rows, unusable = 0, meta } = await fetchCases(client, query, 1, 1);
	const { pages = 1, perPage = 1, count, hasNextPage } = meta;
	if (rows.length + unusable === 0) {
		const isEmpty = pages === 1 && !hasNextPage && count === undefined;
		return { count: isEmpty ? 0 : undefined, promised: perPage === 1 && pages > 1 ? pages : 0 };
	}
	if (rows.length !== 1 || unusable > 0 || perPage !== 1) return { promised: 0 };
	const isAgreed =
		meta.pages !== undefined &&
		meta.perPage !== undefined &&
		pages > 1 === hasNextPage &&
		[undefined, 1, pages].includes(count) &&
		contradictedFilter(rows[0]) === undefined;
	return { count: isAgreed ? pages : undefined, promised: pages };
}
