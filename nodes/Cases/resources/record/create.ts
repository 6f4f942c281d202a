import { createRecord, readRecordTypes } from '../../api/writes/recordWrites';
import { caseField } from '../../fields/caseLocator';
import { fieldValuesOf, RECORD_FIELDS, RECORD_TYPE } from '../../fields/contents/records';
import { optionsField } from '../../fields/options';
import { writing } from '../define';
import { shapeRecord } from './output';

export const create = writing({
	name: 'Create',
	action: 'Create record on case',
	description:
		'Create a record on a case. Each run creates another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to add the record to'),
		typeId: RECORD_TYPE,
		values: RECORD_FIELDS,
		options: optionsField({}),
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
					return {
						row: shapeRecord(record, creation.case_ids[0], 'simplified'),
						outcome: 'Written',
					};
				},
			};
		};
	},
});
