import type { INodeProperties } from 'n8n-workflow';

import { isChange } from '../../api/actionChanges';
import { planUpsert } from '../../api/actionPlans';
import { InvalidInput, quote } from '../../api/failure';
import { planKeeping } from '../../api/keepActions';
import type { ActionInput } from '../../api/types';
import { actionFields, readActions } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { acceptTextLossField, switchOption } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import { adviceFor, checkGiven, groupByCase, nameItems, type Given } from './caseWrites';
import { planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to create or update actions in'),
	acceptTextLossField(show),
	...actionFields(show, 'Each action replaces the one with the same URL, or is added at the end'),
	optionsField(
		show,
		numberOption('pageSize'),
		switchOption('previewOnly'),
		switchOption('readButtonTexts'),
	),
];

function givenActions(run: Run, item: number) {
	const actions = readActions(run, item);
	if (actions.length > 0) return actions;
	throw new InvalidInput('No action was given', 'Add an action to create or update.');
}

type Repeated = { action: ActionInput; items: Set<number> };

/** The first action, by URL and label, that several items give their case, and these items. */
function repeatedAction(items: number[], given: Array<Checked<Given<ActionInput[]>>>) {
	const found = new Map<string, Repeated>();
	for (const item of items) {
		const checked = given[item];
		if ('failure' in checked) continue;
		for (const action of checked.value.value) {
			const key = JSON.stringify([action.url, action.label]);
			const repeated = found.get(key) ?? { action, items: new Set() };
			found.set(key, repeated);
			repeated.items.add(item);
		}
	}
	return [...found.values()].find((repeated) => repeated.items.size > 1);
}

/** Two items that give a case one action: the second would overwrite the first. */
function refuseRepeated(
	run: Run,
	ids: Array<Checked<string>>,
	given: Array<Checked<Given<ActionInput[]>>>,
): Array<Checked<string>> {
	const repeatedIn = new Map(
		groupItems(ids).map(({ caseId, items }) => [caseId, repeatedAction(items, given)]),
	);
	return checkItems(run, (item) => {
		const id = valueOf(ids[item]);
		const repeated = repeatedIn.get(id);
		if (repeated === undefined) return id;
		const { url, label } = repeated.action;
		throw new InvalidInput(
			`${nameItems(run, [...repeated.items])} give case ${id} an action with the URL ${quote(url)} and the label ${quote(label)}`,
			`Each would overwrite the one before. ${adviceFor(run, [...repeated.items])}`,
		);
	});
}

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const given = checkGiven(run, (item) => givenActions(run, item));
	const grouped = groupByCase(refuseRepeated(run, ids, given), given);
	return await planAndWrite(run, grouped, async (write, read) => {
		const { row, readAt } = await read();
		const { existing, actions, losingText } = await planKeeping(
			run.client,
			write,
			row,
			(existing) => planUpsert(write.caseId, existing, write.given.flat()),
		);
		return { row, readAt, existing, actions, losingText, changed: isChange(existing, actions) };
	});
};
