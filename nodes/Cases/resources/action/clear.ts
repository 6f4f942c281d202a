import type { INodeProperties } from 'n8n-workflow';

import { caseField } from '../../descriptions';
import { optionsField } from '../../options';
import { caseIdOf } from '../../parameters';
import { checkItems, type Operation } from '../../run';
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
