import type { INodeProperties } from 'n8n-workflow';

import { caseLocatorField } from '../../fields/caseLocator';
import {
	LOAD_IN_FULL,
	optionsField,
	readLoadInFull,
	readSwitch,
	switchOption,
} from '../../fields/options';
import { outputFields, readOutput } from '../../fields/output';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems, groupItems, readCasesOfItems } from '../casesOfItems';
import { addComments, completeCases, createShape } from './shape';

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
	const caseOf = await readCasesOfItems(run, groupItems(ids));
	return await forEachItem(run, async (item) => {
		const output = readOutput(run, item);
		const details = readLoadInFull(run, item, output);
		const caseId = valueOf(ids[item]);
		const withComments = readSwitch(run, item, 'includeComments');
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		return await run.readOnce(
			{ caseId, output, details, withComments, acceptIncomplete },
			async () => {
				const shape = createShape(run.notes, output, details, withComments);
				const rows = await completeCases(
					run,
					[caseOf(caseId)],
					{ details, acceptIncomplete },
					shape,
				);
				return withComments ? await addComments(run, rows, output, acceptIncomplete) : rows;
			},
		);
	});
};
