import type { INodeProperties } from 'n8n-workflow';

import { isChange, planUpsert } from '../../api/actions';
import { InvalidInput, nameSome, quote } from '../../api/failure';
import { knownActionsOfCase } from '../../api/replaceActions';
import type { CaseAction } from '../../api/types';
import { actionFields, readActions } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { previewOnlyOption } from '../../fields/previewOnly';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems, readCasesOfItems } from '../casesOfItems';
import { adviceFor, checkGiven, groupByCase, nameItems, planAndWrite, type Given } from './writes';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case whose actions to create or update'),
	{
		displayName: 'Allow Losing Button Texts',
		name: 'acceptTextLoss',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description:
			"Whether the case's other actions may lose their button texts. The API doesn't return button texts, so this node can't keep them. If off, a case that has other actions isn't changed and gives an error.",
	},
	...actionFields(show, 'Each action replaces the one with the same URL, or is added at the end'),
	optionsField(show, numberOption('pageSize'), previewOnlyOption),
];

function givenActions(run: Run, item: number) {
	const actions = readActions(run, item);
	if (actions.length > 0) return actions;
	throw new InvalidInput('No action was given', 'Add an action to create or update.');
}

/** The first URL that several items give their case, and these items; undefined if there is none. */
function repeatedUrl(items: number[], given: Array<Checked<Given>>) {
	const itemsOf = new Map<string, Set<number>>();
	for (const item of items) {
		const checked = given[item];
		if ('failure' in checked) continue;
		for (const { url } of checked.value.actions) {
			itemsOf.set(url, (itemsOf.get(url) ?? new Set()).add(item));
		}
	}
	return [...itemsOf].find(([, repeating]) => repeating.size > 1);
}

/** Two items that give a case one URL: the second would overwrite the first. */
function refuseRepeatedUrls(
	run: Run,
	ids: Array<Checked<string>>,
	given: Array<Checked<Given>>,
): Array<Checked<string>> {
	const repeatedIn = new Map(
		groupItems(ids).map(({ caseId, items }) => [caseId, repeatedUrl(items, given)]),
	);
	return checkItems(run, (item) => {
		const id = valueOf(ids[item]);
		const repeated = repeatedIn.get(id);
		if (repeated === undefined) return id;
		const [url, items] = [repeated[0], [...repeated[1]]];
		throw new InvalidInput(
			`${nameItems(run, items)} give case ${id} an action with the URL ${quote(url)}`,
			`Actions are matched by URL, so each would overwrite the one before. ${adviceFor(run, items)}`,
		);
	});
}

function nameActions(actions: CaseAction[]): string {
	return nameSome(actions.map(({ label, url }) => quote(label ?? url ?? '')));
}

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const given = checkGiven(run, (item) => givenActions(run, item));
	const grouped = groupByCase(refuseRepeatedUrls(run, ids, given), given);
	const caseOf = await readCasesOfItems(run, grouped.writes);
	return await planAndWrite(run, grouped, async (write) => {
		const { caseId, items } = write;
		const current = caseOf(caseId);
		const existing = knownActionsOfCase(
			current,
			'Without them, its other actions would be removed, so nothing was written. Use the operation Replace All to set all actions of the case.',
		);
		const { actions, losing } = planUpsert(existing, write.given);
		if (losing.length > 0 && run.parameter('acceptTextLoss', items[0]) !== true) {
			throw new InvalidInput(
				`Case ${caseId} has other actions, and their button texts may get lost: ${nameActions(losing)}`,
				"The API doesn't return button texts, so this node can't keep them. Turn on 'Allow Losing Button Texts' if these actions have none or you don't need them. Otherwise add these actions here, with their texts.",
			);
		}
		for (const { label, url } of losing) {
			run.notes.lostTexts.push(`${quote(label ?? url ?? '')} (case ${caseId})`);
		}
		return { current, actions, changed: isChange(existing, actions) };
	});
};
