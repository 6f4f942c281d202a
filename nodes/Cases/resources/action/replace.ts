import type { INodeProperties } from 'n8n-workflow';

import { isUnchanged } from '../../api/actions';
import { actionsOfCase } from '../../api/replaceActions';
import { InvalidInput } from '../../api/failure';
import { optionsField } from '../../fields/options';
import { caseIdOf } from '../../fields/parameters';
import { checkItems, type Checked, type Operation, type Run } from '../../n8n/run';
import { groupItems, readCasesOfItems } from '../readCasesOfItems';
import { actionFields, actionsOf } from '../../fields/actions';
import { groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['replace'] };

export const fields: INodeProperties[] = [
	...actionFields(show, 'One entry for each action. Their order is kept.'),
	optionsField(show, {
		pages: true,
		further: [
			{
				displayName: 'Skip Unchanged',
				name: 'skipUnchanged',
				type: 'boolean',
				default: true,
				description:
					'Whether to read the cases first, and leave those alone that have these actions already, in this order. A case that is given a button text is always written, because the texts it has are not known.',
			},
		],
	}),
];

function givenActions(run: Run, item: number) {
	const actions = actionsOf(run, item);
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
		const id = ids[item];
		if ('failure' in id) throw id.failure;
		const items = itemsOf.get(id.value) ?? [];
		if (items.length === 1) return id.value;
		throw new InvalidInput(
			`Items ${items.join(', ')} aim at the same case ${id.value}; each would wipe the actions of the one before`,
			'Give each case once. If every item is one action, set Actions From to Input Items: then those of one case are sent together.',
		);
	});
}

export const execute: Operation = async (run) => {
	const ids = checkItems(run, (item) => caseIdOf(run, item));
	const actions = checkItems(run, (item) => givenActions(run, item));
	const isOneActionPerItem = run.parameter('actionsFrom', 0) === 'items';
	const grouped = groupByCase(isOneActionPerItem ? ids : refuseTwice(run, ids), actions);

	const { skipUnchanged } = run.parameter('options', 0, {}) as { skipUnchanged?: boolean };
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
