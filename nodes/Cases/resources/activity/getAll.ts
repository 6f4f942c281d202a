import { caseField } from '../../fields/caseLocator';
import { shapeActivity } from '../../fields/output';
import { ACTIVITY_TYPES } from '../../fields/rows';
import { gettingDetails } from '../gettingMany';

export const getAll = gettingDetails({
	details: 'activities',
	noun: 'activity',
	description: 'Get the activities of a case',
	caseId: caseField('The case whose activities to get'),
	types: ACTIVITY_TYPES,
	typeName: 'activity_type',
	shape: (rows, { case_id }, output) =>
		rows.map((row) => shapeActivity({ case_id, ...row }, output)),
});
