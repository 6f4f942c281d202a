import { actionsOfCase, replaceActions } from '../../api/actions/replaceActions';
import { isChange } from '../../api/actions/sameAction';
import { InvalidInput, nameSome } from '../../api/failures/failure';
import type { Client } from '../../api/http/client';
import { numericId } from '../../api/identity';
import type { ActionInput } from '../../api/types';
import { actionsField } from '../../fields/actions';
import { caseField, readCaseId } from '../../fields/caseLocator';
import { optionsField, PREVIEW_ONLY, skipUnchanged } from '../../fields/options';
import { checkItems, valueOf } from '../../n8n/run';
import { groupItems } from '../casesOfItems';
import { writing } from '../define';
import type { Write } from '../writeItems';
import { previewOf } from './preview';

/** Makes the write that replaces all actions of a case. If none are given, the output says how many were removed. */
export function replacing(
	client: Client,
	caseId: string,
	actions: ActionInput[],
	{ previewOnly, isSkipped }: { previewOnly: boolean; isSkipped: boolean },
): Write {
	const isClear = actions.length === 0;
	const isRead = isClear || isSkipped || previewOnly;
	const carryOut: Write['carryOut'] = async (read) => {
		const case_id = numericId(caseId);
		const before = isRead ? actionsOfCase(await read()) : undefined;
		const removed = isClear ? { removed: before?.length } : {};
		const changed = before === undefined || isChange(before, actions);
		if (previewOnly) return previewOf(case_id, before, actions, changed);
		if (!changed) {
			return { row: { case_id, actions: before, changed, ...removed }, outcome: 'Unchanged' };
		}
		const written = await replaceActions(client, caseId, actions);
		return { row: { case_id, actions: written, changed, ...removed }, outcome: 'Written' };
	};
	return { caseId, isRead, carryOut };
}

export const replace = writing({
	name: 'Replace All',
	action: 'Replace all case actions',
	description: 'Replace all actions of a case. The existing ones are removed.',
	fields: {
		caseId: caseField('The case to replace all actions of'),
		actions: actionsField('The new actions of the case, in this order', true),
		options: optionsField({
			isSkipped: skipUnchanged(
				"Whether to read the cases first, and skip those that already have exactly these actions, in any order. If the service doesn't return button texts, entering one always writes the case, and removing one alone writes nothing.",
			),
			previewOnly: PREVIEW_ONLY,
		}),
	},
	/**
	 * Makes one write for each case. Several items for a case are refused, because each would overwrite the one before; but
	 * if each item is one action ('Actions From' is Input Items), their actions are written together.
	 */
	plan: (run, given) => {
		// The case of an item with bad actions counts, too: without that item, the others would be a part of the actions.
		const itemsOf = groupItems(checkItems(run, (item) => ({ caseId: readCaseId(run, item) })));
		const writes = new Map<string, Write>();
		return ({ caseId }) => {
			const known = writes.get(caseId);
			if (known !== undefined) return known;
			const items = itemsOf.get(caseId) ?? [];
			if (items.length > 1 && run.parameter('actionsFrom', 0) !== 'items') {
				throw new InvalidInput(
					`${items.length} input items (${nameSome(items)}) would replace the actions of case ${caseId}, each overwriting the one before`,
					"If each item has its own case, drag case_id into 'Case'. If each item is one action, set 'Actions From' to Input Items. Otherwise keep one item for each case, for example with Execute Once in Settings.",
				);
			}
			const bad = items.find((item) => 'failure' in given[item]);
			if (bad !== undefined) {
				throw new InvalidInput(
					`Case ${caseId} was not changed, because item ${bad} for the same case can't be used`,
					'Correct that item: the items of one case are written together.',
				);
			}
			const each = items.map((item) => valueOf(given[item]));
			const actions = each.flatMap((one) => one.actions);
			// One item is enough to turn a switch on, so that less is written.
			const write = replacing(run.client, caseId, actions, {
				previewOnly: each.some(({ options }) => options.previewOnly),
				isSkipped: each.some(({ options }) => options.isSkipped),
			});
			writes.set(caseId, write);
			return write;
		};
	},
});
