import * as fc from 'fast-check';
import type { Row } from '../../nodes/Cases/api/types';
import { shapeRecord } from '../../nodes/Cases/fields/output';

const results = (...pairs: Array<[name: unknown, value: unknown]>) => ({
	id: 5,
	results: pairs.map(([name, value], id) => ({ id, name, value })),
	created_at: '2026-01-05T10:00:00Z',
});
const TYPE = { record_type_id: 3, record_type_name: 'Host' };
const valuesOf = (record: Row) => {
	const { case_id, record_id, record_type, record_created_at, ...values } = shapeRecord(
		record,
		7,
		'simplified',
	);
	return { fixed: [case_id, record_id, record_type, record_created_at], values };
};

describe('the simplified output of a record', () => {
	it('has the fixed fields where the service left them out', () => {
		expect(shapeRecord({ record_type_id: 1 }, 7, 'simplified')).toEqual({
			case_id: 7,
			record_id: null,
			record_type: null,
			record_created_at: null,
		});
	});

	test.each([
		['repeat', results(['ip', 'a'], ['ip', 'b'], ['ip', 'c']), { ip: 'a', ip_2: 'b', ip_3: 'c' }],
		['collide with a fixed field', results(['case_id', 'a']), { case_id_2: 'a' }],
		[
			'repeat in their numbered form',
			results(['ip', 'a'], ['ip_2', 'b'], ['ip', 'c']),
			{ ip: 'a', ip_2: 'b', ip_3: 'c' },
		],
		['are missing', results(['', 'a'], [null, 'b']), { value: 'a', value_2: 'b' }],
		['would set the prototype', results(['__proto__', 'a']), { __proto___2: 'a' }],
		['have no value', results(['ip', undefined]), { ip: null }],
	])('keeps every value where names %s', (_what, record, expected) => {
		expect(Object.entries(valuesOf(record).values)).toEqual(Object.entries(expected));
	});

	it('takes the fields of a flat row without a list of values as values', () => {
		const row = { ...TYPE, id: 1, name: 'host', value: 'srv-1', created_at: 'x' };
		expect(valuesOf(row)).toEqual({
			fixed: [7, 1, 'Host', 'x'],
			values: { name: 'host', value: 'srv-1' },
		});
	});

	it('loses no value, and no value gets the name of a fixed field', () => {
		const name = fc.oneof(
			fc.constantFrom('a', 'a_2', 'a_3', 'case_id', 'record_id', 'record_id_2', '__proto__', ''),
			fc.string(),
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(name, fc.nat())), (pairs) => {
				const { fixed, values } = valuesOf({ ...TYPE, ...results(...pairs) });
				expect(fixed).toEqual([7, 5, 'Host', '2026-01-05T10:00:00Z']);
				expect(Object.values(values).sort()).toEqual(pairs.map(([, value]) => value).sort());
			}),
			{ numRuns: 300 },
		);
	});
});
