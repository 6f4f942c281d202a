import { flatRecords } from '../../api/cases/recordEntries';
import type { Row } from '../../api/types';
import { caseField } from '../../fields/caseLocator';
import { shapeRecord } from '../../fields/output';
import { RECORD_TYPES } from '../../fields/rows';
import { gettingDetails } from '../gettingMany';

/** Fields that a model doesn't need. It knows the case, can't use a record's ID, and gets its time from Get as Text. */
const NOT_FOR_MODELS = ['case_id', 'record_id', 'record_created_at'];
const forModel = (row: Row): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_FOR_MODELS.includes(name)));

export const getAll = gettingDetails({
	details: 'records',
	noun: 'record',
	description: 'Get the records of a case, each as one flat item',
	caseId: caseField('The case to get the records of'),
	types: RECORD_TYPES,
	typeName: 'record_type_name',
	shape: (rows, { case_id }, output, isTool) => {
		const shaped = flatRecords(rows).map((row) => shapeRecord(row, case_id, output));
		return isTool && output === 'simplified' ? shaped.map(forModel) : shaped;
	},
});
