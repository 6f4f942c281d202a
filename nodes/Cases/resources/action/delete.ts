import type { INodeProperties } from 'n8n-workflow';

import { planDelete } from '../../api/actionPlans';
import { actionMatchFields, actionsMeant, readActionMatch } from '../../fields/actionMatch';
import { caseLocatorField } from '../../fields/caseLocator';
import { numberOption, optionsField } from '../../fields/options';
import {
	acceptTextLossField,
	previewOnlyOption,
	readButtonTextsOption,
} from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems, readCasesOfItems } from '../casesOfItems';
import { planKeepingInRun } from './keepActions';
import { checkGiven, groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete actions from'),
	...actionMatchFields(show),
	acceptTextLossField(show),
	optionsField(show, numberOption('pageSize'), previewOnlyOption, readButtonTextsOption),
];

export const execute: Operation = async (run) => {
	const given = checkGiven(run, (item) => readActionMatch(run, item));
	const grouped = groupByCase(caseIdsOfItems(run), given);
	const caseOf = await readCasesOfItems(run, grouped.writes);
	return await planAndWrite(run, grouped, async (write) => {
		const { caseId, given: matches } = write;
		const current = caseOf(caseId);
		const { actions, removed } = await planKeepingInRun(run, write, current, (existing) => {
			const meant = new Set(matches.flatMap((match) => actionsMeant(match, existing)));
			return planDelete(caseId, existing, (action) => meant.has(action));
		});
		if (removed === 0) run.notes.casesWithoutMatch.add(caseId);
		return { current, actions, changed: removed > 0, besides: { removed } };
	});
};
