import { createAction, readActions, updateAction } from '../../api/actions/singleActions';
import { urlOf } from '../../api/actions/sameAction';
import { upsertActions, type WriteAction } from '../../api/actions/upsertActions';
import { numericId } from '../../api/identity';
import type { ActionInput } from '../../api/types';
import { actionsField } from '../../fields/actions';
import { caseField } from '../../fields/caseLocator';
import { optionsField, PREVIEW_ONLY } from '../../fields/options';
import { writing } from '../define';
import type { Write } from '../writeItems';
import { previewOf } from './preview';

export const upsert = writing({
	name: 'Create or Update',
	action: 'Create or update case actions',
	description: 'Create a new action, or update the current one if it already exists (upsert)',
	fields: {
		caseId: caseField('The case to create or update actions in'),
		given: actionsField(
			'Each action updates the action of the case that has the same URL and label. If only one action of the case has this URL, and you enter only one label for it, the label is updated too. Otherwise, or if query_params differ, the action is added at the end.',
		),
		options: optionsField({ previewOnly: PREVIEW_ONLY }),
	},
	plan: ({ client }) => {
		/** By case and URL: the labels that all items give. The map is complete before the first write. */
		const labelsOf = new Map<string, Set<string>>();
		return ({ caseId, given, options: { previewOnly } }) => {
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
			const carryOut: Write['carryOut'] = async (_read, kept) => {
				const case_id = numericId(caseId);
				const before = kept.actions ?? (await readActions(client, caseId));
				// If the write fails, nobody knows what the case has.
				kept.actions = undefined;
				const { actions, after, changed } = await upsertActions(before, given, isOnlyLabel, write);
				kept.actions = previewOnly ? before : after;
				if (previewOnly) return previewOf(case_id, before, after, changed);
				return { row: { case_id, actions, changed }, outcome: changed ? 'Written' : 'Unchanged' };
			};
			return { caseId, carryOut };
		};
	},
});
