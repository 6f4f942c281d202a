import type { INodeProperties } from 'n8n-workflow';

import { countCases } from '../../api/countCases';
import { matchesNothing } from '../../api/caseQuery';
import { filtersField } from '../../fields/filters';
import { noteEmptyIdList, noteObserved } from '../../n8n/hints';
import { numberOption, optionsField, readNumberOption } from '../../fields/options';
import { readFiltersAndPeriods, withinLastField } from '../../fields/withinLast';
import { forEachItem, type Operation } from '../../n8n/run';

const show = { resource: ['case'], operation: ['count'] };

export const fields: INodeProperties[] = [
	filtersField(show),
	withinLastField(show),
	optionsField(show, numberOption('pageSize')),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = readFiltersAndPeriods(run, item);
		if (matchesNothing(query)) noteEmptyIdList(run.notes);
		const pageSize = readNumberOption(run.parameter('options', item, {}), 'pageSize');
		return await run.readOnce(query, async () => {
			const { count, observed } = await countCases(run.client, query, pageSize);
			noteObserved(run.notes, count, observed);
			return [{ count }];
		});
	});
