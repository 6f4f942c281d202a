import { PRIORITIES, type Case, type CaseOrder } from './types';

const time = (field: string) => (row: Case) => Date.parse(String(row[field] ?? ''));
const priority = (row: Case) => PRIORITIES.findIndex((name) => name === row.priority);

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

/** Sorts cases as the service does, where they were read in several batches. */
export function sortCases(rows: Case[], order: CaseOrder): Case[] {
	const [key, direction] = KEYS[order];
	const compare = (a: number, b: number) => {
		// A case without the date comes last either way.
		if (Number.isNaN(a) || Number.isNaN(b))
			return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
		return direction * (a - b);
	};
	return [...rows].sort((a, b) => compare(key(a), key(b)));
}
