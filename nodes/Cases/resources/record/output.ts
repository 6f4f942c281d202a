import type { Row } from '../../api/types';
import type { DetailOutput } from '../../fields/output';
import { asRecord } from '../../fields/values';

/** Fields that the service adds to each record: they aren't values. */
const NO_VALUES = ['id', 'record_type_id', 'record_type_name', 'created_at'];

/** The values of a record with their names. A record without a list of values has them in its other fields. */
function namedValues(record: Row): Array<[name: unknown, value: unknown]> {
	if (!Array.isArray(record.results)) {
		return Object.entries(record).filter(([name]) => !NO_VALUES.includes(name));
	}
	return record.results.map(asRecord).map(({ name, value = null }) => [name, value]);
}

/**
 * Reduces a record to what the user chose: the row as it came with the case, or its values by name. If a name is taken by
 * a fixed field or by an earlier value, it gets a number, so that no value is lost: `host`, `host_2`, `host_3`. A value
 * without a name is called `value`.
 * @param record must be a flat row, not a group of records
 */
export function shapeRecord(record: Row, case_id: unknown, output: DetailOutput): Row {
	if (output === 'raw') return { case_id, ...record };
	const shaped: Row = {
		case_id: case_id ?? null,
		record_id: record.id ?? null,
		record_type: record.record_type_name ?? null,
		record_created_at: record.created_at ?? null,
	};
	const isTaken = (name: string) => name === '__proto__' || Object.hasOwn(shaped, name);
	for (const [given, value] of namedValues(record)) {
		const name = typeof given === 'string' && given !== '' ? given : 'value';
		let free = name;
		for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
		shaped[free] = value;
	}
	return shaped;
}
