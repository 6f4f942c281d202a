import type { INodeProperties } from 'n8n-workflow';

import * as getAll from './getAll';

export const operations = { getAll: getAll.execute };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['activity'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many activities of case',
				description: 'Get the history of a case: who did what and when, comments included',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
];
