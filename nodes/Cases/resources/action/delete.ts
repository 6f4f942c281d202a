import type { INodeProperties } from 'n8n-workflow';

import { planDelete } from '../../api/actionPlans';
import { planKeeping } from '../../api/keepActions';
import {
	actionMatchFields,
	actionsMeant,
	matchIn,
	readActionMatch,
	type ActionMatch,
} from '../../fields/actionMatch';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import { acceptTextLossField, switchOption } from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';
import { checkGiven, groupByCase } from './caseWrites';
import { planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete actions from'),
	...actionMatchFields(show),
	acceptTextLossField(show),
	optionsField(
		show,
		numberOption('pageSize'),
		switchOption('previewOnly'),
		switchOption('readButtonTexts'),
	),
];

export const execute: Operation = async (run) => {
	const given = checkGiven(run, (item) => readActionMatch(run, item));
	const grouped = groupByCase(caseIdsOfItems(run), given);
	// Kept for further plans: once the exact action is gone, a similar one isn't meant instead.
	const matched = new Map<ActionMatch, ActionMatch>();
	return await planAndWrite(run, grouped, async (write, read) => {
		const { caseId, given: matches } = write;
		const { row, readAt } = await read();
		const plan = await planKeeping(run.client, write, row, (existing) => {
			const meant = new Set(
				matches.flatMap((match) => {
					const wanted = matched.get(match) ?? matchIn(match, existing);
					const found = actionsMeant(wanted, existing);
					if (found.length > 0) matched.set(match, wanted);
					return found;
				}),
			);
			return planDelete(caseId, existing, (action) => meant.has(action));
		});
		const isFound = plan.removed > 0;
		return { ...plan, row, readAt, changed: isFound, hasNoMatch: !isFound };
	});
};
