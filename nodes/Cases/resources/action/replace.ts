import type { INodeProperties } from 'n8n-workflow';

import { actionsOfCase } from '../../api/actions/readActions';
import { replaceActions } from '../../api/actions/replaceActions';
import { isChange } from '../../api/actions/sameAction';
import { InvalidInput } from '../../api/failure';
import { actionFields, readActions } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { switchOption, type WriteSwitches } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import { checkGiven, groupByCase, namesOfItems } from './caseWrites';
import { writeCases } from './writes';

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
		const [names, advice] = namesOfItems(run, items);
		throw new InvalidInput(
			`${names} would replace the actions of case ${id}, each overwriting the one before`,
			`${advice} If each item is one action, set 'Actions From' to Input Items.`,
		);
	});
}

const isRead = ({ skipUnchanged, previewOnly }: WriteSwitches) => skipUnchanged || previewOnly;

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const given = checkGiven(run, (item) => givenActions(run, item));
	const isOneActionPerItem = run.parameter('actionsFrom', 0) === 'items';
	const grouped = groupByCase(isOneActionPerItem ? ids : refuseTwice(run, ids), given);
	return await writeCases(run, grouped, isRead, async (write, read) => {
		const { caseId, skipUnchanged, previewOnly } = write;
		const wanted = write.given.flat();
		if (isRead(write)) {
			const row = await read();
			const existing = actionsOfCase(row);
			const isOther = existing === undefined ? null : isChange(existing, wanted);
			const isSkipped = skipUnchanged && existing !== undefined && isOther !== true;
			const before = existing ?? null;
			const changed = isSkipped ? false : isOther;
			if (previewOnly) return { case_id: row.case_id, before, after: wanted, changed };
			if (isSkipped) return { case_id: row.case_id, actions: before, changed };
		}
		const written = await replaceActions(run.client, caseId, wanted);
		return { ...written, changed: written.actions === null ? null : true };
	});
};
