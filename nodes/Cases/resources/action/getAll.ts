import type { INodeProperties } from 'n8n-workflow';

import { readActions } from '../../api/actions/singleActions';
import { caseIdOf } from '../../api/identity';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';

const show = { resource: ['action'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get the actions of'),
	optionsField(show),
];

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		return await run.readShared({ caseId }, async () => {
			const actions = await readActions(run.client, caseId);
			return actions.map((action) => ({ case_id: caseIdOf(caseId), ...action }));
		});
	});
};
