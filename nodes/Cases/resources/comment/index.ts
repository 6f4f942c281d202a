import type { INodeProperties } from 'n8n-workflow';

import * as getAll from './getAll';

export const operations = { getAll: getAll.execute };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['comment'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many comments of case',
				description: 'Get the comments of a case',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
];
