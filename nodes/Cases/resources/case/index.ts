import type { INodeProperties } from 'n8n-workflow';

import * as count from './count';
import * as get from './get';
import * as getAll from './getAll';

export const operations = { count: count.execute, get: get.execute, getAll: getAll.execute };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['case'] } },
		options: [
			{
				name: 'Count',
				value: 'count',
				action: 'Count cases',
				description: 'Count the cases that match the filters',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get case',
				description: 'Get one case, chosen from a list, by ID or by URL',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many cases',
				description: 'Get the cases that match the filters',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...get.fields,
	...count.fields,
];
