import type { INodeProperties } from 'n8n-workflow';

import { knownActionsOfCase } from '../../api/caseActions';
import { caseLocatorField } from '../../fields/caseLocator';
import { noteReadOfCase } from '../../n8n/hints';
import { numberOption, optionsField } from '../../fields/options';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems, groupItems, readCasesOfItems } from '../casesOfItems';

const show = { resource: ['action'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get the actions of'),
	optionsField(show, numberOption('pageSize')),
];

const UNKNOWN_ACTIONS =
	'Run again. If it keeps happening, contact the administrator of the service.';

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const caseOf = await readCasesOfItems(run, groupItems(ids));
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		return await run.readOnce({ caseId }, async () => {
			const row = caseOf(caseId);
			const actions = knownActionsOfCase(row, UNKNOWN_ACTIONS);
			noteReadOfCase(run.notes, caseId, actions.length);
			return actions.map((action) => ({ case_id: row.case_id, ...action }));
		});
	});
};
