import type { INodeProperties } from 'n8n-workflow';

import { planUpsert } from '../../api/actions';
import { InvalidInput } from '../../api/failure';
import { actionsOfCase } from '../../api/replaceActions';
import type { CaseAction } from '../../api/types';
import { actionFields, readActions } from '../../fields/actions';
import { numberOption, optionsField } from '../../fields/options';
import { checkItems, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, readCasesOfItems } from '../casesOfItems';
import { groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	...actionFields(
		show,
		'One entry for each action. It takes the place of the existing action with the same URL, or is added at the end. A URL that the case has twice is refused.',
	),
	{
		displayName: 'Accept Loss of Button Texts',
		name: 'acceptTextLoss',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description:
			'Whether actions of the case that you do not give here may lose their button text. The service does not tell these texts, so they cannot be sent back. When off, a case with such actions is an error and stays as it is.',
	},
	optionsField(show, numberOption('pageSize')),
];

function givenActions(run: Run, item: number) {
	const actions = readActions(run, item);
	if (actions.length > 0) return actions;
	throw new InvalidInput('No action was given', 'Add an action to create or update.');
}

function nameActions(actions: CaseAction[]): string {
	return actions.map(({ label, url }) => `"${label ?? url}"`).join(', ');
}

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const actions = checkItems(run, (item) => givenActions(run, item));
	const grouped = groupByCase(ids, actions);
	const caseOf = await readCasesOfItems(run, grouped.writes);
	return await planAndWrite(run, grouped, async ({ caseId, items, given }) => {
		const plan = planUpsert(actionsOfCase(caseOf(caseId)), given);
		if (plan.losing.length > 0 && run.parameter('acceptTextLoss', items[0]) !== true) {
			throw new InvalidInput(
				`Case ${caseId} has actions whose button text would be lost: ${nameActions(plan.losing)}`,
				'The service does not tell button texts, so they cannot be sent back. Give these actions too, with their texts, or turn on Accept Loss of Button Texts.',
			);
		}
		for (const { label, url } of plan.losing) {
			run.notes.lostTexts.push(`${label ?? url} (case ${caseId})`);
		}
		return { actions: plan.actions };
	});
};
