import type { INodeProperties } from 'n8n-workflow';

import { recordEntries } from '../../api/cases/recordEntries';
import { caseLocatorField } from '../../fields/caseLocator';
import { typesField } from '../../fields/detailTypes';
import { limitFields, optionsField, switchOption } from '../../fields/options';
import { detailOutputField } from '../../fields/output';
import { shapeRecord } from '../recordOutput';
import type { Operation } from '../../n8n/run';
import { readDetailsOfItems } from '../detailsOfItems';

const show = { resource: ['record'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get the records of'),
	...limitFields(show),
	typesField('recordTypes', { show }),
	detailOutputField(show, 'record'),
	optionsField(show, switchOption('acceptIncomplete')),
];

export const execute: Operation = async (run) =>
	await readDetailsOfItems(run, {
		details: 'records',
		types: 'recordTypes',
		typeOf: ({ record_type_name }) => record_type_name,
		shape: (row, caseId, output) =>
			recordEntries([row]).map((record) => shapeRecord(record, caseId, output)),
	});
