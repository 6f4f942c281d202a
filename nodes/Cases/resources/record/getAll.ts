import type { INodeProperties } from 'n8n-workflow';

import { flatRecords } from '../../api/cases/recordEntries';
import type { Row } from '../../api/types';
import { caseLocatorField } from '../../fields/caseLocator';
import { limitFields, optionsField, switchOption, typesField } from '../../fields/options';
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

/** Fields that a model doesn't need. It knows the case, can't use a record's ID, and gets its time from Get as Text. */
const NOT_FOR_MODELS = ['case_id', 'record_id', 'record_created_at'];
const forModel = (row: Row): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_FOR_MODELS.includes(name)));

export const execute: Operation = async (run) =>
	await readDetailsOfItems(run, 'records', (row, caseId, output) => {
		const [record] = flatRecords([row]);
		const shaped = shapeRecord(record, caseId, output);
		return run.isTool && output === 'simplified' ? forModel(shaped) : shaped;
	});
