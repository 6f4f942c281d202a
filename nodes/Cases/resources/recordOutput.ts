import { isObject } from '../api/http/json';
import type { RecordEntry } from '../api/cases/recordEntries';
import type { Row } from '../api/types';
import type { DetailOutput } from '../fields/output';

/** Names that no value can have: those of the fields that every simplified record has, and that of the prototype. */
const RESERVED = ['case_id', 'record_id', 'record_type', 'record_created_at', '__proto__'];
/** Fields of an entry without `results` that are not values. */
const NO_VALUES = ['id', 'created_at'];

/** Without a list of results: the fields of `results` if it is an object, otherwise those of the entry. */
function valueFields({ results, ...fields }: Row): Array<[name: string, value: unknown]> {
	if (isObject(results)) return Object.entries(results);
	const flat = results === undefined || results === null ? fields : { results, ...fields };
	return Object.entries(flat).filter(([name]) => !NO_VALUES.includes(name));
}

/** The values of an entry with their names, in its order. */
function namedValues(entry: Row): Array<[name: unknown, value: unknown]> {
	if (!Array.isArray(entry.results)) return valueFields(entry);
	return entry.results.map((result: unknown) => {
		const { name, value }: Row = isObject(result) ? result : {};
		return [name, name === undefined && value === undefined ? result : (value ?? null)];
	});
}

/**
 * The values of an entry by name. A name that is taken, by a fixed field or by an earlier value, gets the first free
 * number: `host`, `host_2`, `host_3`. So no value is lost. A value without a name is called `value`.
 */
export function valuesOfRecord(entry: Row): Row {
	const values = new Map<string, unknown>();
	const isTaken = (name: string) => RESERVED.includes(name) || values.has(name);
	for (const [given, value] of namedValues(entry)) {
		const name = typeof given === 'string' && given !== '' ? given : 'value';
		let free = name;
		for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
		values.set(free, value);
	}
	return Object.fromEntries(values);
}

/**
 * Reduces a record to what the user chose: one flat row, or the entry as the service sends it with its type.
 * @param caseId the `case_id` of its case
 */
export function shapeRecord(
	{ record_type_id, record_type_name, entry }: RecordEntry,
	caseId: unknown,
	output: DetailOutput,
): Row {
	if (output === 'raw') return { case_id: caseId, record_type_id, record_type_name, ...entry };
	return {
		case_id: caseId ?? null,
		record_id: entry.id ?? null,
		record_type: record_type_name ?? null,
		record_created_at: entry.created_at ?? null,
		...valuesOfRecord(entry),
	};
}
