import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/replaceActions';
import { caseField } from '../../fields/descriptions';
import { noteRead } from '../../n8n/hints';
import { optionsField } from '../../fields/options';
import { caseIdOf } from '../../fields/parameters';
import { checkItems, forEachItem, valueOf, type Operation } from '../../n8n/run';
import { groupItems, readCasesOfItems } from '../readCasesOfItems';

const show = { resource: ['action'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseField(show, 'The case whose actions to get'),
	optionsField(show, { pages: true }),
];

export const execute: Operation = async (run) => {
	const ids = checkItems(run, (item) => caseIdOf(run, item));
	const caseOf = await readCasesOfItems(run, groupItems(ids));
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		return await run.readOnce({ caseId }, async () => {
			const row = caseOf(caseId);
			const actions = actionsOfCase(row);
			noteRead(run.notes, actions.length);
			return actions.map((action) => ({ case_id: row.case_id, ...action }));
		});
	});
};
