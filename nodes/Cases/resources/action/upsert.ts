import type { INodeProperties } from 'n8n-workflow';

import { createAction, readActions, updateAction } from '../../api/actions/singleActions';
import { urlOf } from '../../api/actions/sameAction';
import { upsertActions, type WriteAction } from '../../api/actions/upsertActions';
import { caseIdOf } from '../../api/identity';
import type { ActionInput } from '../../api/types';
import { actionFields, readGivenActions } from '../../fields/actions';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField, readSwitch, switchOption } from '../../fields/options';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Done, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to create or update actions in'),
	...actionFields(
		show,
		'Each action updates the action of the case that has the same URL and label. If only one action of the case has this URL, and you enter only one label for it, the label is updated too. Otherwise, or if query_params differ, the action is added at the end.',
	),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client } = run;
	/** By case and URL: the labels that all items give. The map is complete before the first write. */
	const labelsOf = new Map<string, Set<string>>();
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const given = readGivenActions(run, item);
		const previewOnly = readSwitch(run, item, 'previewOnly');
		const keyOf = (one: ActionInput) => `${caseId} ${urlOf(one)}`;
		for (const one of given) {
			labelsOf.set(keyOf(one), (labelsOf.get(keyOf(one)) ?? new Set()).add(one.label));
		}
		const isOnlyLabel = (one: ActionInput) => labelsOf.get(keyOf(one))?.size === 1;
		const write: WriteAction = async (one, current) => {
			if (previewOnly) return { ...current, ...one };
			if (current === undefined) return await createAction(client, caseId, one);
			return await updateAction(client, caseId, current, one);
		};
		const carryOut = async (): Promise<Done> => {
			const case_id = caseIdOf(caseId);
			const before = await readActions(client, caseId);
			const { actions, after, changed } = await upsertActions(before, given, isOnlyLabel, write);
			if (previewOnly) return { row: { case_id, before, after, changed }, outcome: 'Preview' };
			return { row: { case_id, actions, changed }, outcome: changed ? 'Written' : 'Unchanged' };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
