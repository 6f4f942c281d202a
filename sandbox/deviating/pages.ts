import type { ListDeviations } from '../deviations';
import { ApiError } from '../errors';
import type { Meta, Page } from '../page';

/**
 * One page of a list in memory, with the rows that a deviating service puts on it.
 *
 * @throws ApiError 404 behind the last page, if set
 */
export function deviatingPage<T>(
	deviations: ListDeviations,
	all: readonly T[],
	{ page = 1, per_page = 20 }: { page?: number; per_page?: number },
): Page<T> {
	const size = deviations.pageSize ?? Math.min(per_page, deviations.largestPage ?? per_page);
	const step = Math.max(1, size - (deviations.overlap ?? 0));
	const full = Math.max(1, 1 + Math.ceil((all.length - size) / step));
	// An empty page pushes the rows of all later ones one page on.
	const empty = (deviations.emptyPages ?? []).filter((one) => one <= full);
	const served = full + empty.length + (deviations.emptyLastPage && all.length > 0 ? 1 : 0);
	if (deviations.notFoundBehindLast && page > served) throw new ApiError(404, 'Not found');

	const { repeatedPages = [] } = deviations;
	const isRepeated = repeatedPages === 'all' || repeatedPages.includes(page);
	const source = isRepeated ? 1 : page - empty.filter((one) => one < page).length;
	const isEmpty = !isRepeated && (empty.includes(page) || source > full);
	const start = (source - 1) * step;
	return {
		rows: isEmpty ? [] : all.slice(start, start + size),
		page,
		per_page: size,
		pages: served,
		total: all.length,
	};
}

/** What a deviating service says about a page; undefined if it says nothing. */
export function deviatingMeta(
	deviations: ListDeviations,
	meta: Meta,
	total: number,
): Partial<Meta> | undefined {
	if (deviations.noMeta) return undefined;
	const { count, nextPage, pagesOff = 0, metaWithout = [] } = deviations;
	const said: Partial<Meta> = {
		...meta,
		pages: Math.max(0, meta.pages + pagesOff),
		...(nextPage === 'never' && { next_page: null }),
		...(nextPage === 'always' && { next_page: urlOfNext(meta.current_page) }),
		...(count === 'total' && { count: total }),
		...(typeof count === 'number' && { count }),
		...deviations.meta,
	};
	return Object.fromEntries(Object.entries(said).filter(([name]) => !metaWithout.includes(name)));
}

function urlOfNext(current: string): string {
	return current.replace(/page=(\d+)$/, (_match, page: string) => `page=${Number(page) + 1}`);
}
