import type { INodeProperties } from 'n8n-workflow';

import { isChange, isUnchanged } from '../../api/actionChanges';
import { actionsOfCase } from '../../api/caseActions';
import { InvalidInput } from '../../api/failure';
import type { ActionInput } from '../../api/types';
import { actionFields, readActions } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { switchOption, type WriteSwitches } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import { adviceFor, checkGiven, groupByCase, nameItems } from './caseWrites';
import { planAndWrite, type Planner } from './writes';

const show = { resource: ['action'], operation: ['replace'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to replace all actions of'),
	...actionFields(show, 'The new actions of the case, in this order'),
	optionsField(
		show,
		numberOption('pageSize'),
		switchOption('skipUnchanged'),
		switchOption('previewOnly'),
	),
];

function givenActions(run: Run, item: number) {
	const actions = readActions(run, item);
	if (actions.length > 0) return actions;
	throw new InvalidInput(
		'No action was given, and replacing with none would remove all actions of the case',
		'Add an action, or use the operation Clear if you want to remove them all.',
	);
}

/** Two lists for one case: the second would wipe the first. */
function refuseTwice(run: Run, ids: Array<Checked<string>>): Array<Checked<string>> {
	const itemsOf = new Map(groupItems(ids).map(({ caseId, items }) => [caseId, items]));
	return checkItems(run, (item) => {
		const id = valueOf(ids[item]);
		const items = itemsOf.get(id) ?? [];
		if (items.length === 1) return id;
		throw new InvalidInput(
			`${nameItems(run, items)} would replace the actions of case ${id}, each overwriting the one before`,
			`${adviceFor(run, items)} If each item is one action, set 'Actions From' to Input Items.`,
		);
	});
}

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const given = checkGiven(run, (item) => givenActions(run, item));
	const isOneActionPerItem = run.parameter('actionsFrom', 0) === 'items';
	const grouped = groupByCase(isOneActionPerItem ? ids : refuseTwice(run, ids), given);

	const isReadFirst = ({ skipUnchanged, previewOnly }: WriteSwitches) =>
		skipUnchanged || previewOnly;
	const plan: Planner<ActionInput[]> = async (write, read) => {
		const actions = write.given.flat();
		if (!isReadFirst(write)) return { actions, changed: null };
		const { row, readAt } = await read();
		const existing = actionsOfCase(row);
		const isSkipped = write.skipUnchanged && isUnchanged(existing, actions);
		const changed = isSkipped ? false : isChange(existing, actions);
		return { row, readAt, existing, actions, changed };
	};
	return await planAndWrite(run, grouped, plan, isReadFirst);
};
