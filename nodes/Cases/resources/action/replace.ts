import type { INodeProperties } from 'n8n-workflow';

import { isUnchanged } from '../../api/actions';
import { InvalidInput } from '../../api/failure';
import { actionsOfCase } from '../../api/replaceActions';
import { actionFields, readActions } from '../../fields/actions';
import { numberOption, optionsField } from '../../fields/options';
import { asRecord } from '../../fields/values';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems, readCasesOfItems } from '../casesOfItems';
import { groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['replace'] };

const SKIP_UNCHANGED: INodeProperties = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to read the cases first, and leave those alone that have these actions already, in this order. A case that is given a button text is always written, because the texts it has are not known.',
};

export const fields: INodeProperties[] = [
	...actionFields(show, 'One entry for each action. Their order is kept.'),
	optionsField(show, numberOption('pageSize'), SKIP_UNCHANGED),
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
			`Items ${items.join(', ')} aim at the same case ${id}; each would wipe the actions of the one before`,
			'Give each case once. If every item is one action, set Actions From to Input Items: then those of one case are sent together.',
		);
	});
}

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const actions = checkItems(run, (item) => givenActions(run, item));
	const isOneActionPerItem = run.parameter('actionsFrom', 0) === 'items';
	const grouped = groupByCase(isOneActionPerItem ? ids : refuseTwice(run, ids), actions);

	const { skipUnchanged } = asRecord(run.parameter('options', 0, {}));
	if (skipUnchanged !== true) {
		return await planAndWrite(run, grouped, async ({ given }) => ({ actions: given }));
	}
	const caseOf = await readCasesOfItems(run, grouped.writes);
	return await planAndWrite(run, grouped, async ({ caseId, given }) => {
		const row = caseOf(caseId);
		const existing = actionsOfCase(row);
		return isUnchanged(existing, given)
			? { answer: { case_id: row.case_id, actions: existing, changed: false } }
			: { actions: given };
	});
};
