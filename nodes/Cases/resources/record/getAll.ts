import { flatRecords } from '../../api/cases/recordEntries';
import type { Row } from '../../api/types';
import { caseField } from '../../fields/caseLocator';
import { LIMIT } from '../../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../../fields/options';
import { detailOutput } from '../../fields/output';
import { RECORD_TYPES } from '../../fields/types';
import { readingCases } from '../define';
import { readDetailsOfCase } from '../detailsOfCase';
import { FULL_TEXTS } from '../fitting';
import { shapeRecord } from './output';

/** Fields that a model doesn't need. It knows the case, can't use a record's ID, and gets its time from Get as Text. */
const NOT_FOR_MODELS = ['case_id', 'record_id', 'record_created_at'];
const forModel = (row: Row): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_FOR_MODELS.includes(name)));

export const getAll = readingCases({
	name: 'Get Many',
	action: 'Get many records of case',
	description: 'Get the records of a case, each as one flat item',
	fields: {
		caseId: caseField('The case to get the records of'),
		limit: LIMIT,
		types: RECORD_TYPES,
		output: detailOutput('record'),
		options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS }),
	},
	rows: async (run, values, row) => {
		const rows = await readDetailsOfCase(run, row, 'records', values);
		const shaped = flatRecords(rows).map((one) => shapeRecord(one, row.case_id, values.output));
		return run.isTool && values.output === 'simplified' ? shaped.map(forModel) : shaped;
	},
});
