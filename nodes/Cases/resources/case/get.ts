import type { INodeProperties } from 'n8n-workflow';

import { caseField, LOAD_IN_FULL, outputFields } from '../../fields/descriptions';
import { optionsField } from '../../fields/options';
import { caseIdOf, detailsToLoadOf, outputOf } from '../../fields/parameters';
import { checkItems, forEachItem, valueOf, type Operation } from '../../n8n/run';
import { groupItems, readCasesOfItems } from '../readCasesOfItems';
import { completeCases, createShape } from './shape';

const show = { resource: ['case'], operation: ['get'] };

export const fields: INodeProperties[] = [
	caseField(show, 'The case to get'),
	...outputFields(show),
	optionsField(show, { pages: true, further: [LOAD_IN_FULL] }),
];

export const execute: Operation = async (run) => {
	const ids = checkItems(run, (item) => caseIdOf(run, item));
	const caseOf = await readCasesOfItems(run, groupItems(ids));
	return await forEachItem(run, async (item) => {
		const output = outputOf(run.parameter, item);
		const details = detailsToLoadOf(run, item, output);
		const caseId = valueOf(ids[item]);
		return await run.readOnce({ caseId, output, details }, async () => {
			const row = caseOf(caseId);
			return await completeCases(run, [row], details, createShape(run.notes, output, details));
		});
	});
};
