import type { INodeProperties } from 'n8n-workflow';

import { caseField } from '../../fields/descriptions';
import { optionsField } from '../../fields/options';
import { caseIdOf } from '../../fields/parameters';
import { checkItems, type Operation } from '../../n8n/run';
import { groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseField(show, 'The case whose actions to remove'),
	optionsField(show),
];

export const execute: Operation = async (run) => {
	const ids = checkItems(run, (item) => caseIdOf(run, item));
	const none = ids.map(() => ({ value: [] }));
	return await planAndWrite(
		run,
		groupByCase(ids, none),
		async () => ({ actions: [] }),
		({ case_id }) => ({ case_id, deleted: true }),
	);
};
