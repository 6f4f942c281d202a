import type { INodeProperties } from 'n8n-workflow';

import { readActions } from '../../api/actions/readActions';
import { afterWrites, deleteAction } from '../../api/actions/singleActions';
import { caseIdOf } from '../../api/identity';
import { actionMatchFields, readActionMatch } from '../../fields/actions/actionMatch';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField, switchOption } from '../../fields/options';
import { readWriteSwitches } from '../../fields/writeSwitches';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete actions from'),
	...actionMatchFields(show),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client, notes } = run;
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const findMeant = readActionMatch(run, item);
		const { previewOnly } = readWriteSwitches(run, item);
		const carryOut = async () => {
			const case_id = caseIdOf(caseId);
			const before = await readActions(client, caseId);
			const meant = findMeant(before);
			const after = before.filter((action) => !meant.has(action));
			if (meant.size === 0) notes.hint('noMatch', caseId);
			if (previewOnly) return { case_id, before, after, changed: meant.size > 0 };
			let removed = 0;
			for (const action of meant) {
				await deleteAction(client, caseId, action).catch((failure: unknown) => {
					throw afterWrites(failure, removed);
				});
				removed++;
			}
			return { case_id, actions: after, changed: removed > 0, removed };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
