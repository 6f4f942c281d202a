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

/** The key by which the service sorts cases in an order: the lowest comes first, NaN for a case without one. */
export function sortKeyOf(order: CaseOrder): (row: Case) => number {
	const [key, direction] = KEYS[order];
	return (row) => direction * key(row);
}

/** A row to sort: its key, and its ID for ties. */
interface Sortable {
	id: string;
	key: number;
}

/** Sorts rows by their keys, ties by ID. Rows without a key come last and keep their order. */
export function sortByKey<T extends Sortable>(rows: T[]): T[] {
	return [...rows].sort((a, b) => {
		const [hasA, hasB] = [!Number.isNaN(a.key), !Number.isNaN(b.key)];
		if (hasA !== hasB) return hasA ? -1 : 1;
		return hasA ? a.key - b.key || Number(a.id) - Number(b.id) || 0 : 0;
	});
}

/** Whether rows are in the order of their keys; rows without one may be anywhere. */
export function isSorted(rows: Sortable[]): boolean {
	let highest = -Infinity;
	return rows.every(({ key }) => {
		if (key < highest) return false;
		if (key > highest) highest = key;
		return true;
	});
}
