import type { INodeProperties } from 'n8n-workflow';

import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import type { Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';
import { groupByCase, planAndWrite } from './writes';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case whose actions to remove'),
	optionsField(show),
];

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const none = ids.map(() => ({ value: [] }));
	return await planAndWrite(
		run,
		groupByCase(ids, none),
		async () => ({ actions: [] }),
		({ case_id }) => ({ case_id, deleted: true }),
	);
};
