import type { INodeProperties } from 'n8n-workflow';

import { readActions } from '../../api/actions/readActions';
import { deleteAction, writeEach } from '../../api/actions/singleActions';
import { caseIdOf } from '../../api/identity';
import { actionMatchFields, actionsMeant, readActionMatch } from '../../fields/actionMatch';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';
import { checkGiven, groupByCase } from './caseWrites';
import { writeCases } from './writes';

const show = { resource: ['action'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete actions from'),
	...actionMatchFields(show),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client, notes } = run;
	const given = checkGiven(run, (item) => readActionMatch(run, item));
	const grouped = groupByCase(caseIdsOfItems(run), given);
	return await writeCases(run, grouped, undefined, async ({ caseId, given, previewOnly }) => {
		const case_id = caseIdOf(caseId);
		const existing = await readActions(client, caseId);
		const meant = new Set(actionsMeant(given, existing));
		const left = existing.filter((action) => !meant.has(action));
		const changed = meant.size > 0;
		if (!changed) notes.casesWithoutMatch.add(caseId);
		if (previewOnly) return { case_id, before: existing, after: left, changed };
		await writeEach(
			[...meant],
			({ label }) => label,
			async (action) => await deleteAction(client, caseId, action),
		);
		return { case_id, actions: left, changed, removed: meant.size };
	});
};
