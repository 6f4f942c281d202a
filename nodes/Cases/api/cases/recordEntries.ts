import { isObject } from '../http/json';
import { exactId } from '../identity';
import type { Row } from '../types';

/**
 * Records come in groups, one for each type: `{ record_type_id, record_type_name, record_type_record_results }`. The API
 * counts the entries in them, so here they are handled one by one, as groups of one entry. An older service sends flat
 * rows without such a list; these are entries of their own and stay as they are.
 */

/** The entries of a group; undefined for a row of another shape. Some services send null for an empty list. */
function resultsOf({ record_type_record_results: results }: Row): unknown[] | undefined {
	if (results === null) return [];
	return Array.isArray(results) ? results : undefined;
}

/** Splits groups of records into groups of one entry. Of an empty group nothing is left. */
export function splitRecordGroups(rows: Row[]): Row[] {
	return rows.flatMap(
		(row) =>
			resultsOf(row)?.map((entry) => ({ ...row, record_type_record_results: [entry] })) ?? [row],
	);
}

/** What tells the type of a group from others: its ID, a number or text, or, without one, its name. */
const typeOf = ({ record_type_id, record_type_name }: Row): string =>
	exactId(record_type_id) ?? JSON.stringify([record_type_name]);

/** What tells a group of one entry from others: its type, and the ID of the entry or, without one, all of it. */
export function recordIdentity(row: Row): string {
	const results = resultsOf(row);
	const entry = results?.[0] ?? row;
	const id = isObject(entry) ? exactId(entry.id) : undefined;
	return `${typeOf(row)} ${results === undefined ? 'flat' : ''} ${id ?? JSON.stringify(entry)}`;
}

/** Merges the groups of each record type into one, at the place of the first. Rows of another shape keep their place. */
export function mergeRecordGroups(rows: Row[]): Row[] {
	const merged = new Map<string, unknown[]>();
	return rows.flatMap((row) => {
		const results = resultsOf(row);
		if (results === undefined) return [row];
		const known = merged.get(typeOf(row));
		if (known !== undefined) {
			known.push(...results);
			return [];
		}
		const record_type_record_results = [...results];
		merged.set(typeOf(row), record_type_record_results);
		return [{ ...row, record_type_record_results }];
	});
}

/** One record: an entry with the fields of its group, or a row of another shape. */
export interface RecordEntry {
	record_type_id: unknown;
	record_type_name: unknown;
	/** The entry as the service sends it. */
	entry: Row;
}

/** The records of a case in order, one by one. Empty groups have none. */
export const recordEntries = (rows: Row[]): RecordEntry[] =>
	rows.flatMap((row) => {
		const { record_type_id, record_type_name, ...others } = row;
		return (resultsOf(row) ?? [others]).map((given) => ({
			record_type_id,
			record_type_name,
			entry: isObject(given) ? given : { value: given },
		}));
	});
