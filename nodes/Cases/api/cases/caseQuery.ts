import type { QueryValue } from '../http/requests';
import { parseTimestamp } from '../timestamps';
import { PRIORITIES, type Case } from '../types';

/** The orders of the case list: the field that each compares, and whether it ascends (1) or descends (-1). */
export const CASE_ORDERS = {
	CREATED_DESC: ['created_at', -1],
	CREATED_ASC: ['created_at', 1],
	OPENED_DESC: ['opened_at', -1],
	OPENED_ASC: ['opened_at', 1],
	PRIORITY_DESC: ['priority', -1],
	PRIORITY_ASC: ['priority', 1],
	RECENTLY_EDITED: ['updated_at', -1],
	LEAST_RECENTLY_EDITED: ['updated_at', 1],
} as const satisfies Record<string, [field: string, direction: 1 | -1]>;

export type CaseOrder = keyof typeof CASE_ORDERS;

/** Which cases are wanted. A filter that is undefined or missing limits nothing. */
export interface CaseFilters {
	/** Filters by the API's own names; the case IDs are in {@link caseIds}. */
	filters: Record<string, QueryValue>;
	/** IDs, each once. An empty list means no case, not all of them. */
	caseIds?: string[];
	teamId?: string;
	/** A case with one of these priorities matches. The API takes only one priority, so there is a request for each. */
	priorities?: string[];
	/**
	 * Only cases created at this time or later, in ms since the epoch. The API has no such filter. Requests therefore limit
	 * the time of the last edit, which is never before the creation, and then the rows are checked.
	 */
	createdSince?: number;
}

/** Which cases are wanted, in which order. Without an order, the service chooses one. */
export interface CaseQuery extends CaseFilters {
	order?: CaseOrder;
}

const rankOf = (priority: unknown) =>
	PRIORITIES.findIndex((known) => known === String(priority).toUpperCase());

/** Returns a function that makes the sort key of a case. The lowest key comes first, a case without a date last. */
export function sortKeyOf(order: CaseOrder): (row: Case) => number {
	const [field, direction] = CASE_ORDERS[order];
	const keyOf = field === 'priority' ? rankOf : parseTimestamp;
	return (row) => {
		const key = keyOf(row[field]);
		return key === undefined ? Infinity : direction * key;
	};
}
