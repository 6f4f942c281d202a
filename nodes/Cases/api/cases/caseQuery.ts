import type { QueryValue } from '../http/requests';
import { parseTimestamp } from '../timestamps';
import { PRIORITIES, type Case, type CaseOrder } from '../types';

/** Which cases. What is undefined or missing limits nothing. */
export interface CaseFilters {
	/** By the API's own names, without `case_ids`. */
	filters: Record<string, QueryValue>;
	/** IDs, each once. An empty list means no case, not all of them. */
	caseIds?: string[];
	teamId?: string;
	/** Several priorities, of which a case has one. The API takes one, so there is a request for each. */
	priorities?: string[];
	/**
	 * Cases created at this time or later, in ms since the epoch. The API has no filter for it, so {@link filters}
	 * limit the time of the last edit, which is never before the creation, and the rows are checked.
	 */
	createdSince?: number;
}

/** Which cases, in which order; without an order it is up to the service. */
export interface CaseQuery extends CaseFilters {
	order?: CaseOrder;
}

/** Whether no case can match, so that no request is needed. */
export function matchesNothing({ caseIds }: CaseFilters): boolean {
	return caseIds?.length === 0;
}

/** What each order compares, from the lowest (1) or from the highest (-1). */
const SORT_KEYS: Record<CaseOrder, [field: string, direction: 1 | -1]> = {
	RECENTLY_EDITED: ['updated_at', -1],
	LEAST_RECENTLY_EDITED: ['updated_at', 1],
	PRIORITY_ASC: ['priority', 1],
	PRIORITY_DESC: ['priority', -1],
	OPENED_ASC: ['opened_at', 1],
	OPENED_DESC: ['opened_at', -1],
	CREATED_ASC: ['created_at', 1],
	CREATED_DESC: ['created_at', -1],
};

const rankOf = (priority: unknown) =>
	PRIORITIES.findIndex((known) => known === String(priority).toUpperCase());

/** The key by which the service sorts cases in an order: the lowest comes first, and a case without a date last. */
export function sortKeyOf(order: CaseOrder): (row: Case) => number {
	const [field, direction] = SORT_KEYS[order];
	const keyOf = field === 'priority' ? rankOf : parseTimestamp;
	return (row) => {
		const key = keyOf(row[field]);
		return key === undefined ? Infinity : direction * key;
	};
}
