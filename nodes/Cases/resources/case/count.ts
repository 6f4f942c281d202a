import type { INodeProperties } from 'n8n-workflow';

import { countCases } from '../../api/countCases';
import { matchesNothing } from '../../api/caseQuery';
import { ACCEPT_INCOMPLETE, readAcceptIncomplete } from '../../fields/acceptIncomplete';
import { filtersField, readFilters } from '../../fields/filters';
import { noteEmptyIdList, noteObserved } from '../../n8n/hints';
import { numberOption, optionsField, readNumberOption } from '../../fields/options';
import { forEachItem, type Operation } from '../../n8n/run';

const show = { resource: ['case'], operation: ['count'] };

export const fields: INodeProperties[] = [
	filtersField(show),
	optionsField(show, numberOption('pageSize'), ACCEPT_INCOMPLETE),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = readFilters(run, item);
		if (matchesNothing(query)) noteEmptyIdList(run.notes);
		const pageSize = readNumberOption(run.parameter('options', item, {}), 'pageSize');
		const acceptIncomplete = readAcceptIncomplete(run, item);
		return await run.readOnce({ query, acceptIncomplete }, async () => {
			const { count, observed } = await countCases(run.client, query, {
				pageSize,
				acceptIncomplete,
			});
			noteObserved(run.notes, count, observed);
			return [{ count }];
		});
	});
