import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/actions/readActions';
import { replaceActions } from '../../api/actions/replaceActions';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { readWriteSwitches, switchOption } from '../../fields/writeSwitches';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to remove all actions from'),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client, notes } = run;
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const { previewOnly } = readWriteSwitches(run, item);
		const carryOut: Write['carryOut'] = async (read) => {
			const row = await read();
			const { case_id } = row;
			const existing = actionsOfCase(row);
			// Where the actions are unknown, so is their number.
			const changed = existing === undefined ? null : existing.length > 0;
			const removed = existing?.length ?? null;
			if (previewOnly) return { case_id, before: existing ?? null, after: [], changed };
			if (changed === false) return { case_id, actions: [], changed, removed };
			const { actions } = await replaceActions(client, caseId, []);
			if (actions === null) notes.doubtfulWrites.add(caseId);
			return { case_id, actions, changed: actions === null ? null : changed, removed };
		};
		return { caseId, isRead: true, carryOut };
	});
	return await writeItems(run, checked);
};
