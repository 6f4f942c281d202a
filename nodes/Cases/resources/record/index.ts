import type { INodeProperties } from 'n8n-workflow';

import * as getAll from './getAll';

export const operations = { getAll: getAll.execute };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['record'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many records of case',
				description:
					'Get the records of a case, such as hosts, IP addresses or users, each as one flat item',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
];
