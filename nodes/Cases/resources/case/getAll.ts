import type { INodeProperties } from 'n8n-workflow';

import { readCases } from '../../api/cases';
import {
	filtersField,
	limitFields,
	LOAD_IN_FULL,
	outputFields,
	periodsField,
} from '../../fields/descriptions';
import { noteEmptyIdList, noteRead } from '../../n8n/hints';
import { optionsField, parsePageSize } from '../../fields/options';
import { detailsToLoadOf, filtersOf, limitOf, orderOf, outputOf } from '../../fields/parameters';
import { forEachItem, type Operation } from '../../n8n/run';
import { completeCases, createShape } from './shape';

const show = { resource: ['case'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	...limitFields(show),
	filtersField(show),
	periodsField(show),
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add Order',
		default: {},
		displayOptions: { show },
		description:
			'Order of the cases. If none is added, it is up to the service where one page is read, else oldest first.',
		options: [
			{
				displayName: 'Order',
				name: 'order',
				type: 'options',
				default: 'CREATED_DESC',
				options: [
					{ name: 'Least Recently Edited First', value: 'LEAST_RECENTLY_EDITED' },
					{ name: 'Newest First', value: 'CREATED_DESC' },
					{ name: 'Oldest First', value: 'CREATED_ASC' },
					{ name: 'Opened, Earliest First', value: 'OPENED_ASC' },
					{ name: 'Opened, Latest First', value: 'OPENED_DESC' },
					{ name: 'Priority, Highest First', value: 'PRIORITY_DESC' },
					{ name: 'Priority, Lowest First', value: 'PRIORITY_ASC' },
					{ name: 'Recently Edited First', value: 'RECENTLY_EDITED' },
				],
				description: 'What comes first',
			},
		],
	},
	...outputFields(show),
	optionsField(show, { pages: true, further: [LOAD_IN_FULL] }),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = { ...filtersOf(run, item), order: orderOf(run, item) };
		const limit = limitOf(run, item);
		const pageSize = parsePageSize(run.parameter('options', item, {}));
		const output = outputOf(run.parameter, item);
		const details = detailsToLoadOf(run, item, output);

		return await run.readOnce({ query, limit, pageSize, output, details }, async () => {
			if (query.matchesNothing) {
				noteEmptyIdList(run.notes);
				return [];
			}
			const shape = createShape(run.notes, output, details);
			const isShapedLater = details.length > 0;
			const { rows, observed } = await readCases(run.client, query, {
				limit,
				pageSize,
				shape: isShapedLater ? (row) => row : shape,
			});
			noteRead(run.notes, rows.length, observed);
			return isShapedLater ? await completeCases(run, rows, details, shape) : rows;
		});
	});
