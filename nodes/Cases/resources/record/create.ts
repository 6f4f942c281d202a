import { InvalidInput, quote } from '../../api/failures/failure';
import { storable } from '../../api/http/requests';
import { exactId } from '../../api/identity';
import { formatTimestamp } from '../../api/timestamps';
import type { Row } from '../../api/types';
import {
	createRecord,
	fieldsOfType,
	readRecordTypes,
	type RecordCreation,
} from '../../api/writes/recordWrites';
import { caseField } from '../../fields/caseLocator';
import { parseDate } from '../../fields/dates';
import { suggested } from '../../fields/filters/filterKinds';
import { formOf, rowsForm, strictField, textForm } from '../../fields/form';
import { idField, locatorForm } from '../../fields/locators';
import { shapeRecord } from '../../fields/output';
import { isBlank, parseId, parseSwitch, parseValue, rowsOf } from '../../fields/values';
import { writing } from '../define';

const RECORD_TYPE = idField(
	'recordTypeId',
	'Record Type',
	'record type',
	'Type of the new record. It says which fields the record has.',
	locatorForm('record type', 'searchRecordTypes', '815'),
);

const FIELD = suggested('getRecordFields', 'a field ID', { type: 'options', default: '' });

/** The field with the values of a record. Each field comes once, and empty values are left out. */
const RECORD_FIELDS = strictField(
	{
		...rowsForm('Field', 'Add Field', [
			{
				...formOf('field', ['Field', FIELD, 'A field of the record type']),
				typeOptions: { ...FIELD.form.typeOptions, loadOptionsDependsOn: ['recordTypeId.value'] },
			},
			textForm(
				'value',
				'Value',
				'e.g. 203.0.113.7',
				"Text, a number, true or false, or a time. A time without a time zone is in the workflow's time zone.",
			),
		]),
		displayName: 'Record Fields',
		name: 'recordFields',
		description: "Values of the new record. A field without a value isn't sent.",
	},
	(given, label) => {
		const pairs = rowsOf(given, label, 'field')
			.filter(({ value }) => !isBlank(value))
			.map((row) => ({
				id: parseId(row.field, 'field ID', label),
				value: storable(row.value, `'${label}'`),
			}));
		const ids = pairs.map(({ id }) => id);
		const repeated = ids.find((id, index) => ids.indexOf(id) < index);
		if (repeated === undefined) return pairs;
		throw new InvalidInput(
			`'${label}': the field ${repeated} is there twice`,
			'A record has one value for each field. Keep one of the two.',
		);
	},
);

/**
 * Turns values into what the service takes for the fields of their type. All are sent as text; times in UTC, because the
 * service drops an offset instead of converting the time.
 * @param types the record types that the key can see
 * @throws InvalidInput for a type that isn't among them, and for a field that it doesn't have
 */
function fieldValuesOf(
	types: Row[],
	typeId: string,
	pairs: Array<{ id: string; value: unknown }>,
	timezone: string,
): RecordCreation['field_values'] {
	const type = types.find(({ id }) => exactId(id) === typeId);
	if (type === undefined) {
		throw new InvalidInput(
			`There is no record type ${typeId}, or the API key has no access to it`,
			"Choose the type from the list in 'Record Type'.",
		);
	}
	return pairs.map(({ id, value }) => {
		const known = fieldsOfType(type).find((one) => exactId(one.id) === id);
		if (known === undefined) {
			throw new InvalidInput(
				`The record type ${quote(type.name)} has no field ${id}`,
				"Choose the fields from the list in 'Record Fields', or use their IDs.",
			);
		}
		const label = String(known.name);
		const text =
			known.result_type === 'TIMESTAMP'
				? formatTimestamp(parseDate(value, timezone, label))
				: known.result_type === 'BOOLEAN'
					? String(parseSwitch(value, label))
					: parseValue(value, label);
		return { field_id: Number(id), value: text };
	});
}

export const create = writing({
	name: 'Create',
	action: 'Create record on case',
	description:
		'Create a record on a case. Each run creates another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to add the record to'),
		typeId: RECORD_TYPE,
		values: RECORD_FIELDS,
	},
	plan: async ({ client, timezone }) => {
		const types = await readRecordTypes(client);
		return ({ caseId, typeId, values }) => {
			const creation = {
				record_type_id: Number(typeId),
				field_values: fieldValuesOf(types, typeId, values, timezone),
				case_ids: [Number(caseId)],
			};
			return {
				caseId,
				carryOut: async () => {
					const record = await createRecord(client, creation);
					return { row: shapeRecord(record, Number(caseId)), outcome: 'Written' };
				},
			};
		};
	},
});
