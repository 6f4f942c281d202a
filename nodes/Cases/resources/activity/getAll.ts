import { caseField } from '../../fields/caseLocator';
import { LIMIT } from '../../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../../fields/options';
import { detailOutput, shapeActivity } from '../../fields/output';
import { ACTIVITY_TYPES } from '../../fields/types';
import { readingCases } from '../define';
import { readDetailsOfCase } from '../detailsOfCase';
import { FULL_TEXTS } from '../fitting';

export const getAll = readingCases({
	name: 'Get Many',
	action: 'Get many activities of case',
	description: 'Get the activities of a case',
	fields: {
		caseId: caseField('The case whose activities to get'),
		limit: LIMIT,
		types: ACTIVITY_TYPES,
		output: detailOutput('activity'),
		options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS }),
	},
	rows: async (run, values, row) => {
		const rows = await readDetailsOfCase(run, row, 'activities', values);
		return rows.map((one) => shapeActivity({ case_id: row.case_id, ...one }, values.output));
	},
});
