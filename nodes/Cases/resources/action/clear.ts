import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/actions/readActions';
import { replaceActions } from '../../api/actions/replaceActions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';
import { checkGiven, groupByCase } from './caseWrites';
import { writeCases } from './writes';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to remove all actions from'),
	optionsField(show, numberOption('pageSize'), switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const given = checkGiven(run, () => undefined);
	const grouped = groupByCase(caseIdsOfItems(run), given);
	const isRead = () => true;
	return await writeCases(run, grouped, isRead, async ({ caseId, previewOnly }, read) => {
		const row = await read();
		const { case_id } = row;
		const existing = actionsOfCase(row);
		// Where the actions are unknown, so is their number.
		const changed = existing === undefined ? null : existing.length > 0;
		const removed = existing?.length ?? null;
		if (previewOnly) return { case_id, before: existing ?? null, after: [], changed };
		if (changed === false) return { case_id, actions: [], changed, removed };
		const { actions } = await replaceActions(run.client, caseId, []);
		return { case_id, actions, changed: actions === null ? null : changed, removed };
	});
};
