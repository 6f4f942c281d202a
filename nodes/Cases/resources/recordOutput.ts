import { isObject } from '../api/http/json';
import type { RecordEntry } from '../api/cases/recordEntries';
import type { Row } from '../api/types';
import type { DetailOutput } from '../fields/output';

/** Fields that every simplified record has, so that no value can take their names. */
const FIXED = ['case_id', 'record_id', 'record_type', 'record_created_at'];
const RESERVED = new Set([...FIXED, '__proto__']);
/** Fields of an entry without `results` that are not values. */
const NO_VALUES = ['id', 'created_at'];

/** Without a list of results: the fields of `results` if it is an object, otherwise those of the entry. */
function valueFields({ results, ...fields }: Row): Array<[name: string, value: unknown]> {
	if (isObject(results)) return Object.entries(results);
	const flat = results === undefined || results === null ? fields : { results, ...fields };
	return Object.entries(flat).filter(([name]) => !NO_VALUES.includes(name));
}

/**
 * The values of an entry by name, in its order. A name that is taken, by a fixed field or by an earlier value, gets the
 * first free number: `host`, `host_2`, `host_3`. So no value is lost. A value without a name is called `value`.
 */
export function valuesOfRecord(entry: Row): Row {
	const values: Row = {};
	/** The number to try next for a name, so that many values of one name don't try all numbers again. */
	let next: Map<string, number> | undefined;
	const isTaken = (name: string) => RESERVED.has(name) || Object.hasOwn(values, name);
	const add = (given: unknown, value: unknown) => {
		const name = typeof given === 'string' && given !== '' ? given : 'value';
		let free = name;
		if (isTaken(name)) {
			next ??= new Map();
			let number = next.get(name) ?? 2;
			for (; isTaken(free); number++) free = `${name}_${number}`;
			next.set(name, number);
		}
		values[free] = value;
	};
	if (Array.isArray(entry.results)) {
		for (const result of entry.results as unknown[]) {
			const { name, value }: Row = isObject(result) ? result : {};
			add(name, name === undefined && value === undefined ? result : (value ?? null));
		}
	} else {
		for (const [name, value] of valueFields(entry)) add(name, value);
	}
	return values;
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
