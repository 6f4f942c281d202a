import type { INodeProperties } from 'n8n-workflow';

import { readCases } from '../../api/cases/cases';
import type { Case } from '../../api/types';
import { filtersField, readFilters } from '../../fields/filters/filters';
import {
	limitFields,
	LOAD_IN_FULL,
	numberOption,
	optionsField,
	orderField,
	readLimit,
	readNumberOption,
	readOrder,
	switchOption,
} from '../../fields/options';
import { outputFields } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { forEachItem, type Operation } from '../../n8n/run';
import { addComments, completeCases, createShape, readWanted } from './shape';

const show = { resource: ['case'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	...limitFields(show),
	orderField(show),
	filtersField(show),
	...outputFields(show),
	optionsField(
		show,
		numberOption('pageSize'),
		switchOption('acceptIncomplete'),
		switchOption('includeComments'),
		LOAD_IN_FULL,
	),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = { ...readFilters(run, item), order: readOrder(run, item) };
		const limit = readLimit(run, item);
		const pageSize = readNumberOption(run.parameter('options', item, {}), 'pageSize');
		const wanted = readWanted(run, item);
		const { acceptIncomplete } = wanted;
		return await run.readShared({ query, limit, pageSize, wanted }, async () => {
			// A shaped case takes less memory, so unless details are to be loaded, cases are shaped as they come.
			const isShapedLater = wanted.details.length > 0;
			const shape = isShapedLater ? (row: Case) => row : createShape(run.notes, wanted);
			const options = { limit, pageSize, acceptIncomplete, shape };
			const { rows, observed } = await readCases(run.client, query, options);
			noteObserved(run, 'cases', observed, rows.length);
			return await (isShapedLater ? completeCases : addComments)(run, rows, wanted);
		});
	});
