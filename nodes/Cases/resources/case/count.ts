import type { INodeProperties } from 'n8n-workflow';

import { countCases } from '../../api/cases';
import { filtersField, periodsField } from '../../fields/descriptions';
import { noteEmptyIdList } from '../../n8n/hints';
import { optionsField, parsePageSize } from '../../fields/options';
import { filtersOf } from '../../fields/parameters';
import { forEachItem, type Operation } from '../../n8n/run';

const show = { resource: ['case'], operation: ['count'] };

export const fields: INodeProperties[] = [
	filtersField(show),
	periodsField(show),
	optionsField(show),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = filtersOf(run, item);
		if (query.matchesNothing) noteEmptyIdList(run.notes);
		const pageSize = parsePageSize(run.parameter('options', item, {}));
		return await run.readOnce(query, async () => [
			{ count: await countCases(run.client, query, pageSize) },
		]);
	});
