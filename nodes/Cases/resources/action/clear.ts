import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/caseActions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';
import { checkGiven, groupByCase } from './caseWrites';
import { planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to remove all actions from'),
	optionsField(show, numberOption('pageSize'), switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const given = checkGiven(run, () => undefined);
	const grouped = groupByCase(caseIdsOfItems(run), given);
	return await planAndWrite(run, grouped, async (_write, read) => {
		const { row } = await read();
		const existing = actionsOfCase(row);
		const changed = existing === undefined ? null : existing.length > 0;
		// Where the actions are unknown, so is their number.
		return { row, existing, actions: [], changed, removed: existing?.length ?? null };
	});
};
