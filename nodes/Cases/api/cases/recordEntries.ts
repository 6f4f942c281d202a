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
function typeOf({ record_type_id, record_type_name }: Row): string {
	const id = exactId(record_type_id) ?? record_type_id;
	return JSON.stringify(id === undefined || id === null ? record_type_name : [id]);
}

/** What tells an entry from others of its type: its ID or, without one, all of it. */
function entryIdentity(row: Row): string {
	const entry = resultsOf(row)?.[0] ?? row;
	const id = isObject(entry) ? entry.id : undefined;
	const isFlatValue = entry === row && !Array.isArray(row.results);
	return JSON.stringify([isFlatValue, exactId(id) ?? entry]);
}

/** What tells a group of one entry from others. */
export function recordIdentity(row: Row): string {
	return `${typeOf(row)} ${entryIdentity(row)}`;
}

/**
 * Merges the groups of each record type into one, at the place of the first. Rows of another shape keep their place.
 * @param carried the groups that the case came with: an empty one stays where the rows have none of its type
 */
export function mergeRecordGroups(rows: Row[], carried: Row[]): Row[] {
	const merged = new Map<string, Row & { record_type_record_results: unknown[] }>();
	const emptyGroups = carried.filter((row) => resultsOf(row)?.length === 0);
	return [...rows, ...emptyGroups].flatMap((row) => {
		const results = resultsOf(row);
		if (results === undefined) return [row];
		const known = merged.get(typeOf(row));
		if (known !== undefined) {
			known.record_type_record_results.push(...results);
			return [];
		}
		const group = { ...row, record_type_record_results: [...results] };
		merged.set(typeOf(row), group);
		return [group];
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
export function recordEntries(rows: Row[]): RecordEntry[] {
	const records: RecordEntry[] = [];
	for (const row of rows) {
		const { record_type_id, record_type_name } = row;
		for (const given of resultsOf(row) ?? [withoutType(row)]) {
			const entry = isObject(given) ? given : { value: given };
			records.push({ record_type_id, record_type_name, entry });
		}
	}
	return records;
}

/** A row of another shape without the fields that name its type. */
function withoutType(row: Row): Row {
	const rest = { ...row };
	delete rest.record_type_id;
	delete rest.record_type_name;
	return rest;
}
