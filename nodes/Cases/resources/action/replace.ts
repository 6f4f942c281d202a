import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/actions/readActions';
import { replaceActions } from '../../api/actions/replaceActions';
import { isChange } from '../../api/actions/sameAction';
import { InvalidInput, nameSome } from '../../api/failure';
import { actionFields } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';
import { writesOf, type GivenActions } from './givenActions';

const show = { resource: ['action'], operation: ['replace'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to replace all actions of'),
	...actionFields(show, 'The new actions of the case, in this order'),
	optionsField(show, switchOption('skipUnchanged'), switchOption('previewOnly')),
];

/** Refuses two lists for one case: the second would wipe the first. */
function refuseTwice(run: Run, writes: Array<Checked<Write>>): Array<Checked<Write>> {
	const itemsOf = new Map<string | undefined, number[]>();
	writes.forEach((one, item) => {
		if ('failure' in one) return;
		const items = itemsOf.get(one.value.caseId) ?? [];
		itemsOf.set(one.value.caseId, items);
		items.push(item);
	});
	return checkItems(run, (item) => {
		const write = valueOf(writes[item]);
		const items = itemsOf.get(write.caseId) ?? [];
		if (items.every((other) => valueOf(writes[other]) === write)) return write;
		throw new InvalidInput(
			`${items.length} input items (${nameSome(items)}) would replace the actions of case ${write.caseId}, each overwriting the one before`,
			"If each item has its own case, drag case_id into 'Case'. If each item is one action, set 'Actions From' to Input Items. Otherwise keep one item for each case, for example with Execute Once in Settings.",
		);
	});
}

function writeOf(run: Run, { caseId, actions, skipUnchanged, previewOnly }: GivenActions): Write {
	const isRead = skipUnchanged || previewOnly;
	const carryOut: Write['carryOut'] = async (read) => {
		if (isRead) {
			const row = await read();
			const existing = actionsOfCase(row);
			const isOther = existing === undefined ? null : isChange(existing, actions);
			const isSkipped = skipUnchanged && existing !== undefined && isOther !== true;
			const before = existing ?? null;
			const changed = isSkipped ? false : isOther;
			if (previewOnly) return { case_id: row.case_id, before, after: actions, changed };
			if (isSkipped) return { case_id: row.case_id, actions: before, changed };
		}
		const written = await replaceActions(run.client, caseId, actions);
		if (written.actions === null) run.notes.doubtfulWrites.add(caseId);
		return { ...written, changed: written.actions === null ? null : true };
	};
	return { caseId, isRead, carryOut };
}

export const execute: Operation = async (run) => {
	const nothingGiven: [string, string] = [
		'No action was given, and replacing with none would remove all actions of the case',
		'Add an action, or use the operation Clear if you want to remove them all.',
	];
	const writes = writesOf(run, nothingGiven, (given) => writeOf(run, given));
	return await writeItems(run, refuseTwice(run, writes));
};
