import type { INodeProperties } from 'n8n-workflow';

import { caseLocatorField } from '../../fields/caseLocator';
import { limitFields, optionsField, switchOption, typesField } from '../../fields/options';
import { detailOutputField, shapeActivity } from '../../fields/output';
import type { Operation } from '../../n8n/run';
import { readDetailsOfItems } from '../detailsOfItems';

const show = { resource: ['activity'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case whose activities to get'),
	...limitFields(show),
	typesField('activityTypes', { show }),
	detailOutputField(show, 'activity'),
	optionsField(show, switchOption('acceptIncomplete')),
];

export const execute: Operation = async (run) =>
	await readDetailsOfItems(run, 'activities', (row, case_id, output) =>
		shapeActivity({ case_id, ...row }, output),
	);
