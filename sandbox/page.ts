/** The pagination object of a list; `count` is the number of rows on this page. */
export interface Meta {
	current_page: string;
	previous_page: string | null;
	next_page: string | null;
	per_page: number;
	pages: number;
	count: number;
	/** Of a grown service. */
	next_page_number?: number | null;
}

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
