import { rowIdentity } from '../identity';
import type { Row } from '../types';

/**
 * Records come in groups, one for each type: `{ record_type_id, record_type_name, record_type_record_results }`. The page
 * counts of the API count the entries of the groups, so each group is split into groups of one entry. An older service
 * sends "flat" rows, one for each record, which stay as they are.
 */

/** The entries of a group; undefined for a flat row. */
const entriesOf = ({ record_type_record_results: entries }: Row): Row[] | undefined =>
	Array.isArray(entries) ? entries : undefined;

/** Splits groups of records into groups of one entry. An empty group disappears. */
export const splitRecordGroups = (rows: Row[]): Row[] =>
	rows.flatMap(
		(row) =>
			entriesOf(row)?.map((entry) => ({ ...row, record_type_record_results: [entry] })) ?? [row],
	);

/** Turns groups of records into flat rows: each entry with the type of its group. */
export const flatRecords = (rows: Row[]): Row[] =>
	rows.flatMap((row) => {
		const { record_type_id, record_type_name } = row;
		return (
			entriesOf(row)?.map((entry) => ({ record_type_id, record_type_name, ...entry })) ?? [row]
		);
	});

const typeOf = ({ record_type_id, record_type_name }: Row): string =>
	String(record_type_id ?? record_type_name);

/** A text that identifies a group of one entry, or a flat row. */
export const recordIdentity = (row: Row): string =>
	`${typeOf(row)} ${rowIdentity(flatRecords([row])[0])}`;

/** Merges the groups of a record type into one, at the place of the first of them. Flat rows keep their place. */
export function mergeRecordGroups(rows: Row[]): Row[] {
	const merged = new Map<unknown, Row>();
	for (const row of splitRecordGroups(rows)) {
		const key = entriesOf(row) ? typeOf(row) : row;
		const known = merged.get(key);
		if (known === undefined) merged.set(key, row);
		else entriesOf(known)?.push(...(entriesOf(row) ?? []));
	}
	return [...merged.values()];
}
