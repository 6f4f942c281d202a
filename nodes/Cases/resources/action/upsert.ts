import type { INodeProperties } from 'n8n-workflow';

import { readActions } from '../../api/actions/readActions';
import { createAction, updateAction } from '../../api/actions/singleActions';
import { addLabels } from '../../api/actions/sameAction';
import { upsertActions, type WriteAction } from '../../api/actions/upsertActions';
import { caseIdOf } from '../../api/identity';
import { actionFields, readActions as readGiven } from '../../fields/actions/actions';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField, switchOption } from '../../fields/options';
import { readWriteSwitches } from '../../fields/writeSwitches';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to create or update actions in'),
	...actionFields(
		show,
		'Each action updates the one of the case with the same URL and label. If the case has one action with this URL and the input one label for it, that label is updated too. Otherwise, or with other query_params, the action is added at the end.',
	),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client } = run;
	const labelsGivenTo = new Map<string, Map<string, Set<string>>>();
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const given = readGiven(run, item);
		const { previewOnly } = readWriteSwitches(run, item);
		// What all items give the case is known before the first is written.
		const labelsGiven = addLabels(given, labelsGivenTo.get(caseId));
		labelsGivenTo.set(caseId, labelsGiven);
		const write: WriteAction = async (one, current) => {
			if (previewOnly) return { ...current, ...one };
			if (current === undefined) return await createAction(client, caseId, one);
			return await updateAction(client, caseId, current, one);
		};
		const carryOut = async () => {
			const case_id = caseIdOf(caseId);
			const before = await readActions(client, caseId);
			const { actions, after, changed } = await upsertActions(before, given, labelsGiven, write);
			return previewOnly ? { case_id, before, after, changed } : { case_id, actions, changed };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
