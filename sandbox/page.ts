import type { Deviations } from './deviations';
import { ApiError } from './errors';
import type { Traits } from './grown';

/** One page of a list in memory. */
export interface Page<T> {
	rows: readonly T[];
	page: number;
	per_page: number;
	/** At least 1, also for an empty list. */
	pages: number;
	/** The rows on all pages. */
	total: number;
}

/** @throws ApiError 404, only with deviations */
export function pageOf<T>(
	all: readonly T[],
	{ page = 1, per_page = 20 }: { page?: number; per_page?: number },
	list: Deviations['list'] = {},
): Page<T> {
	const size = list.pageSize ?? Math.min(per_page, list.largestPage ?? per_page);
	const pages = Math.max(1, Math.ceil(all.length / size));
	if (list.notFoundBehindLast && page > pages) throw new ApiError(404, 'Not found');
	const start = (page - 1) * size;
	const rows = all.slice(start, start + size);
	return { rows, page, per_page: size, pages, total: all.length };
}

/**
 * The pagination object of a page; `count` is the number of rows on this page, or the total where a service has grown.
 *
 * @param url absolute URL of the list without query string
 * @param queryString the query as it was sent; its page and per_page are replaced
 */
export function metaOf(
	{ rows, page, per_page, pages, total }: Page<unknown>,
	url: string,
	traits: Traits,
	queryString = '',
) {
	const shownUrl = traits.has('further-fields') ? url.replace(ORIGIN, OTHER_ORIGIN) : url;
	const others = queryString.split('&').filter((pair) => pair && !/^(per_)?page=/.test(pair));
	const urlOf = (number: number) =>
		`${shownUrl}?${[...others, `per_page=${per_page}`, `page=${number}`].join('&')}`;
	return {
		current_page: urlOf(page),
		previous_page: page > 1 ? urlOf(page - 1) : null,
		next_page: page < pages ? urlOf(page + 1) : null,
		per_page,
		pages,
		count: traits.has('meta-total') ? total : rows.length,
		...(traits.has('meta-total') && { next_page_number: page < pages ? page + 1 : null }),
	};
}

/** The scheme, host and port of a URL. */
const ORIGIN = /^[a-z]+:\/\/[^/]*/;
const OTHER_ORIGIN = 'http://cases.vanity.example';
