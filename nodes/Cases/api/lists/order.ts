import { parseTimestamp } from '../timestamps';
import { PRIORITIES, type Case, type CaseOrder } from '../types';

const time = (field: string) => (row: Case) => parseTimestamp(row[field]);

/** From the lowest; NaN for a priority that the document doesn't name. */
function priority(row: Case): number {
	const name = typeof row.priority === 'string' ? row.priority.trim().toUpperCase() : '';
	const rank = PRIORITIES.findIndex((known) => known === name);
	return rank === -1 ? NaN : rank;
}

const KEYS: Record<CaseOrder, [key: (row: Case) => number, direction: 1 | -1]> = {
	RECENTLY_EDITED: [time('updated_at'), -1],
	LEAST_RECENTLY_EDITED: [time('updated_at'), 1],
	PRIORITY_ASC: [priority, 1],
	PRIORITY_DESC: [priority, -1],
	OPENED_ASC: [time('opened_at'), 1],
	OPENED_DESC: [time('opened_at'), -1],
	CREATED_ASC: [time('created_at'), 1],
	CREATED_DESC: [time('created_at'), -1],
};

/** The key by which the service sorts cases in an order: the lowest comes first, and a case without one last. */
export function sortKeyOf(order: CaseOrder): (row: Case) => number {
	const [key, direction] = KEYS[order];
	return (row) => {
		const value = direction * key(row);
		return Number.isNaN(value) ? Infinity : value;
	};
}

/** Sorts rows by their keys. Those with the same key keep their order. */
export function sortByKey<T extends { key: number }>(rows: T[]): T[] {
	return [...rows].sort((a, b) => (a.key === b.key ? 0 : a.key - b.key));
}
