import type { INodeProperties } from 'n8n-workflow';

import { caseLocatorField } from '../../fields/caseLocator';
import { LOAD_IN_FULL, optionsField, switchOption } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems, readCasesOfItems } from '../casesOfItems';
import { completeCases, readWanted } from './shape';

const show = { resource: ['case'], operation: ['get'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get'),
	...outputFields(show),
	optionsField(
		show,
		switchOption('acceptIncomplete'),
		switchOption('includeComments'),
		LOAD_IN_FULL,
	),
];

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const caseOf = await readCasesOfItems(run, ids);
	return await forEachItem(run, async (item) => {
		const wanted = readWanted(run, item);
		const caseId = valueOf(ids[item]);
		return await run.readShared(
			{ caseId, wanted },
			async () => await completeCases(run, [caseOf(caseId)], wanted),
		);
	});
};
