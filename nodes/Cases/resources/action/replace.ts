import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase, replaceActions } from '../../api/actions/replaceActions';
import { isChange } from '../../api/actions/sameAction';
import { InvalidInput, nameSome } from '../../api/failures/failure';
import { caseIdOf } from '../../api/identity';
import type { ActionInput } from '../../api/types';
import { actionFields, readGivenActions } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField, switchOption } from '../../fields/options';
import { readWriteSwitches, strictest, type WriteSwitches } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import { writeItems, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['replace'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to replace all actions of'),
	...actionFields(show, 'The new actions of the case, in this order'),
	optionsField(show, switchOption('skipUnchanged'), switchOption('previewOnly')),
];

/** All actions that a case is to have, and the switches for writing them. */
interface Given extends WriteSwitches {
	actions: ActionInput[];
}

/** Makes the write that replaces all actions of a case. If none are given, the output says how many were removed. */
export function replacing(
	run: Run,
	caseId: string,
	{ actions, skipUnchanged, previewOnly }: Given,
): Write {
	const isClear = actions.length === 0;
	const isRead = isClear || skipUnchanged || previewOnly;
	const carryOut: Write['carryOut'] = async (read) => {
		const case_id = caseIdOf(caseId);
		const before = isRead ? actionsOfCase(await read()) : undefined;
		const removed = isClear ? { removed: before?.length } : {};
		const changed = before === undefined || isChange(before, actions);
		if (previewOnly) {
			return { row: { case_id, before, after: actions, changed }, outcome: 'Preview' };
		}
		if (!changed) {
			return { row: { case_id, actions: before, changed, ...removed }, outcome: 'Unchanged' };
		}
		const written = await replaceActions(run.client, caseId, actions);
		return { row: { case_id, actions: written, changed, ...removed }, outcome: 'Written' };
	};
	return { caseId, isRead, carryOut };
}

/**
 * Makes one write for each case. Several items for a case are refused, because each would overwrite the one before; but if
 * each item is one action ('Actions From' is Input Items), their actions are written together.
 */
function groupByCase(run: Run, given: Array<Checked<Given>>): Array<Checked<Write>> {
	const ids = caseIdsOfItems(run);
	const itemsOf = groupItems(ids);
	const writes = new Map<string, Write>();
	return checkItems(run, (item) => {
		const caseId = valueOf(ids[item]);
		valueOf(given[item]);
		const known = writes.get(caseId);
		if (known !== undefined) return known;
		const items = itemsOf.get(caseId) ?? [];
		if (items.length > 1 && run.parameter('actionsFrom', 0) !== 'items') {
			throw new InvalidInput(
				`${items.length} input items (${nameSome(items)}) would replace the actions of case ${caseId}, each overwriting the one before`,
				"If each item has its own case, drag case_id into 'Case'. If each item is one action, set 'Actions From' to Input Items. Otherwise keep one item for each case, for example with Execute Once in Settings.",
			);
		}
		const bad = items.find((one) => 'failure' in given[one]);
		if (bad !== undefined) {
			throw new InvalidInput(
				`Case ${caseId} was not changed, because item ${bad} for the same case can't be used`,
				'Correct that item: the items of one case are written together.',
			);
		}
		const each = items.map((one) => valueOf(given[one]));
		const actions = each.flatMap((one) => one.actions);
		const write = replacing(run, caseId, { actions, ...strictest(each) });
		writes.set(caseId, write);
		return write;
	});
}

export const execute: Operation = async (run) => {
	const given = checkItems(run, (item) => ({
		actions: readGivenActions(run, item, true),
		...readWriteSwitches(run, item),
	}));
	return await writeItems(run, groupByCase(run, given));
};
